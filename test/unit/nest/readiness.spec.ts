import { DatabaseError } from '../../../lib/core/errors.js';
import type { RuntimeState } from '../../../lib/nest/runtime.js';
import { ReadinessCheck } from '../../../lib/nest/health.js';
import { until } from '../../support/until.js';

const NODE = { id: 'n', namespace: '', roles: 'engine' };

/** A process whose database answers by `pending`. */
function checkOf(pending: () => Promise<readonly string[]>, state: RuntimeState = 'running'): ReadinessCheck {
  const living = (ids: readonly string[]) => Promise.resolve(ids.filter((id) => id === 'n'));
  return new ReadinessCheck({
    storage: { pending, engine: { roster: { living } } },
    vitals: () => ({ state, node: NODE, loops: {} }),
  });
}

describe('readiness', () => {
  it('is one look for all who ask at the same time', async () => {
    let looks = 0;
    const check = checkOf(async () => (looks++, []));
    const [first, second] = await Promise.all([check.ask(1_000), check.ask(1_000)]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ ok: true, signedIn: true, schema: true, database: true });
    expect(looks).toBe(1);
    await check.ask(1_000);
    expect(looks).toBe(2);
  });

  it('waits no longer than it may, adds no more than three unanswered looks, and recovers', async () => {
    const answers: (() => void)[] = [];
    const check = checkOf(() => new Promise((resolve) => void answers.push(() => resolve([]))));
    for (let look = 0; look < 3; look++) {
      const { ok, problems } = await check.ask(20);
      expect([ok, problems]).toEqual([false, ['the database does not answer (no answer within 0.02 s)']]);
    }
    const { problems } = await check.ask(20);
    expect(problems).toEqual(['the database has not answered the last 3 looks']);
    expect(answers).toHaveLength(3);
    for (const answer of answers) answer();
    const recovered = await until('it looks again', async () => {
      const asked = check.ask(60_000);
      answers.at(-1)!();
      return (await asked).ok;
    });
    expect(recovered).toBe(true);
  });

  it('keeps nobody longer than he has said, who shares the look of another', async () => {
    let answer = () => {};
    const check = checkOf(() => new Promise((resolve) => void (answer = () => resolve([]))));
    const patient = check.ask(60_000);
    expect((await check.ask(20)).problems).toEqual(['the database does not answer (no answer within 0.02 s)']);
    answer();
    expect((await patient).ok).toBe(true);
  });

  it('says nothing of what a driver has said', async () => {
    const secret = new DatabaseError('connect ECONNREFUSED db.internal:5432 as user app', true);
    const { ok, problems } = await checkOf(() => Promise.reject(secret)).ask(1_000);
    expect([ok, problems]).toEqual([false, ['the database does not answer (DatabaseError)']]);
  });

  it.each<[RuntimeState, string]>([
    ['not started', 'the runtime is not started'],
    ['starting', 'the runtime is still starting'],
    ['ending', 'the runtime is ending'],
    ['stopped', 'the runtime is stopped'],
  ])('is not there while the runtime is %s, and the database is not asked', async (state, problem) => {
    const check = checkOf(() => Promise.reject(new Error('asked')), state);
    expect(await check.ask(1_000)).toMatchObject({ ok: false, problems: [problem], database: null });
  });
});
