import { compiled } from '../support/compiled.js';
import { createDatabase, type FreshDatabase } from '../support/fresh-database.js';
import { runProgram } from '../support/programs.js';

describe('The sample erasure', () => {
  let database: FreshDatabase;

  beforeAll(async () => {
    database = await createDatabase('postgres');
  });
  afterAll(async () => {
    await database.close();
  });

  it('erases a person everywhere, though one service is down and another one refuses', async () => {
    const { url: DATABASE_URL, query } = database;
    const ended = await runProgram(compiled('sample/12-erasure/main.js'), [], { DATABASE_URL });
    const logged = ended.output.split('\n').filter((line) => line.includes('[Nest]'));
    expect(logged).toEqual([expect.stringMatching(/Abandoned.*"payments".*NonRetryableEffectError/)]);
    const said = ended.output.split('\n').filter((line) => line !== '' && !line.includes('[Nest]'));
    expect(said.slice(0, 5)).toEqual([
      '3 calls to make',
      'abandoned: payments after 1 attempt, NonRetryableEffectError',
      'ada is leaving',
      'requeued: 1',
      'ada is erased',
    ]);
    expect(said.slice(5).sort()).toEqual([
      'effect_abandoned payments attempt 1',
      'effect_requeued payments',
      'effect_succeeded crm attempt 1',
      'effect_succeeded newsletter attempt 4',
      'effect_succeeded payments attempt 1',
      'operation_completed',
    ]);
    expect(ended.code).toBe(0);
    expect(await query('SELECT id, email, status FROM people')).toEqual([{ id: 'ada', email: null, status: 'erased' }]);
    expect(await query('SELECT payload FROM durable_effects')).toEqual([0, 1, 2].map(() => ({ payload: null })));
  });
});
