import { ManualClock } from '../../../lib/testing/manual-clock.js';
import { macrotask } from '../../../lib/time/macrotask.js';
import type { ClaimedTask } from '../../../lib/worker/task-source.js';
import { type Body, engineParts, type EngineParts } from '../../support/engine-parts.js';
import { memoryStorage, type OpenStorage } from '../../support/engine-storage.js';
import { gate } from '../../support/gate.js';
import { until } from '../../support/until.js';

const SECOND = 1_000;
/** Another attempt follows a second after the first. */
const retry = { attempts: 2, backoff: { delay: SECOND, factor: 1, jitter: 'none' } } as const;

describe('attempts of a remote step', () => {
  let clock: ManualClock;
  let at: OpenStorage;
  let parts: EngineParts;

  beforeEach(async () => {
    clock = new ManualClock();
    at = memoryStorage(clock);
    parts = engineParts(at, { clock });
  });
  afterEach(() => parts.stop());

  const begin = async (body: Body) => {
    parts.define('order', body);
    await parts.start();
    await parts.client.start('order', null, { id: 'r1' });
  };
  const claimed = () =>
    until('a task', async () => {
      const groups = [{ group: 'far', limit: 1 }];
      const [task] = await at.source.claim({ workerId: 'w', groups, names: ['far'], limit: 1, leaseMs: 60_000 });
      return task;
    });
  /** Resolves once the engine has heard of it: to the row, where that was still there. */
  const answer = async ({ claim, runId, seq }: ClaimedTask, output?: string) => {
    const failed = { status: 'failed', output: null, error: JSON.stringify({ message: 'declined' }) } as const;
    const outcome = output === undefined ? failed : ({ status: 'completed', output, error: null } as const);
    expect(await at.source.report([{ claim, runId, seq, ...outcome, startedAt: clock.now() }])).toEqual([true]);
    const { answers } = await at.dispatcher.peek(1);
    await macrotask();
    return answers[0];
  };
  const waiting = () =>
    until('the time of the next attempt', async () => (await at.catalog.step('r1', 0))?.wakeAt ?? undefined);
  const parked = () => parts.engine.residents.get('r1')!.park();

  it('whose failure came before the code asked for it are followed when the policy says, not at the timeout', async () => {
    const asks = gate();
    let played = 0;
    await begin(async (ctx) => {
      if (++played > 1) await asks.opened;
      return ctx.remote('far', null, { timeout: '1h', retry });
    });
    const first = await claimed();
    await parked();
    await at.stranded.wake(['r1']);
    parts.engine.wake();
    await until('it is played again', () => played === 2);
    await answer(first);
    asks.open();
    expect(await waiting()).toBe(clock.now() + SECOND);
    expect(parts.engine.residents.get('r1')?.wakeAt).toBe(clock.now() + SECOND);
    clock.advance(SECOND);
    const second = await claimed();
    expect(second.attempt).toBe(2);
    await answer(second, '"second"');
    expect(await parts.client.result('r1')).toBe('second');
  });
});
