import { ClientResults, ResultWaiter } from '../../../../lib/engine/client/results.js';
import { WorkflowSignal } from '../../../../lib/engine/signals.js';
import { type EngineParts, engineParts } from '../../../support/engine-parts.js';
import { memoryStorage } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

describe('a result that does not come in time', () => {
  let at: EngineParts;
  beforeEach(async () => {
    at = engineParts(memoryStorage(), { pollMs: 20, retry: { attempts: 1 } });
    await at.start();
  });
  afterEach(() => at.stop());

  it('is blocked: the error says why, and what makes it go on', async () => {
    at.define('order', () => (undefined as unknown as () => Promise<void>)());
    const { id, result } = await at.client.start('order');
    await until('it to be blocked', async () => (await at.client.explain(id)).blocked !== null);
    await expect(result({ timeout: 1 })).rejects.toMatchObject({ code: 'RESULT_TIMEOUT', workflowId: id });
    await expect(result({ timeout: 1 })).rejects.toThrow(
      /^Run ".*" did not end within 1 ms: it is blocked: an error in its code: TypeError: .* It continues after retry /,
    );
  });

  it('waits for something: the error says what for', async () => {
    at.define('order', (ctx) => ctx.waitForSignal('payment', new WorkflowSignal('paid')));
    const { id, result } = await at.client.start('order');
    await until('it to wait', async () =>
      (await at.client.explain(id)).waitingFor.some(({ kind }) => kind === 'signal'),
    );
    await expect(result({ timeout: 1 })).rejects.toThrow(
      /: it continues, ask for its result again\. Run ".*It waits for:\n- signal "paid" in step "payment" \(position 0\)/,
    );
  });

  it('has not been committed: the error says so', async () => {
    const onError = (error: unknown) => expect(error).toBeUndefined();
    const waiter = new ResultWaiter(memoryStorage().catalog, { pollMs: 20, onError });
    const results = new ClientResults({ waiter, explain: (id) => at.client.explain(id) });
    await expect(results.ended('unborn', { timeout: 1 }, true)).rejects.toThrow(
      'Run "unborn" did not end within 1 ms: the run does not exist yet',
    );
    await waiter.stop();
  });
});
