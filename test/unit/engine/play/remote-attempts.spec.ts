import { macrotask, ManualClock } from '../../../../lib/core/time.js';
import type { RemoteOptions } from '../../../../lib/engine/context.js';
import type { ClaimedTask } from '../../../../lib/worker/task-source.js';
import { type Body, type EngineParts, engineParts } from '../../../support/engine-parts.js';
import { memoryStorage, type OpenStorage } from '../../../support/engine-storage.js';
import { gate } from '../../../support/gate.js';
import { mortal, type PortCall } from '../../../support/mortal-storage.js';
import { until } from '../../../support/until.js';

const SECOND = 1_000;
/** Another attempt follows a second after the first. */
const retry = { attempts: 2, backoff: { delay: SECOND, factor: 1, jitter: 'none' } } as const;

describe('attempts of a remote step', () => {
  let clock: ManualClock;
  let at: OpenStorage;
  let parts: EngineParts;
  /** Calls that have to wait before they reach the storage. */
  let held: Map<PortCall, () => Promise<void>>;

  beforeEach(async () => {
    clock = new ManualClock();
    held = new Map();
    at = memoryStorage(clock);
    const { storage } = mortal(at, { before: (call) => held.get(call)?.() });
    parts = engineParts(storage, { clock });
  });
  afterEach(() => parts.stop());

  const begin = async (body: Body, timeout?: number) => {
    parts.define('order', body);
    await parts.start();
    await parts.client.start('order', null, { id: 'r1', ...(timeout !== undefined && { timeout }) });
  };
  const far = (options: RemoteOptions): Body => {
    return (ctx) => ctx.remote('far', null, options);
  };
  const claimed = (leaseMs = 60_000) =>
    until('a task', async () => {
      const groups = [{ group: 'far', limit: 1 }];
      const [task] = await at.source.claim({ workerId: 'w', groups, names: ['far'], limit: 1, leaseMs });
      return task;
    });
  /** Resolves once the engine has heard of it: to the row, where that was still there. */
  const answer = async ({ claim, runId, seq, attempt }: ClaimedTask, output?: string) => {
    const failed = { status: 'failed', output: null, error: JSON.stringify({ message: 'declined' }) } as const;
    const outcome = output === undefined ? failed : ({ status: 'completed', output, error: null } as const);
    expect(await at.source.report([{ claim, runId, seq, attempt, ...outcome, startedAt: clock.now() }])).toEqual([
      true,
    ]);
    const { answers } = await at.dispatcher.peek(1);
    await macrotask();
    return answers[0];
  };
  const waiting = () =>
    until('the time of the next attempt', async () => (await at.catalog.step('r1', 0))?.wakeAt ?? undefined);
  const parked = () => parts.engine.residents.get('r1')!.park();
  /** `reached` once such a call waits. */
  const hold = (call: PortCall) => {
    const [reached, go] = [gate(), gate()];
    held.set(call, () => (reached.open(), go.opened));
    const release = () => {
      held.delete(call);
      go.open();
    };
    return { reached: reached.opened, release };
  };

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

  it('are asked of nobody at the moment at which the deadline of the run comes', async () => {
    await begin(far({ retry }), 2 * SECOND);
    await answer(await claimed());
    await waiting();
    // Both become due at once.
    clock.advance(2 * SECOND);
    await expect(parts.client.result('r1')).rejects.toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
    expect(await at.dispatcher.lost(['r1:0'])).toEqual(['r1:0']);
  });

  it('are asked of nobody while that run is undone', async () => {
    let lost: string[] | undefined;
    await begin(async (ctx) => {
      const answered = ctx.remote('far', null, { retry });
      await ctx.step('before', () => 1, { compensate: async () => void (lost = await at.dispatcher.lost(['r1:0'])) });
      return answered;
    }, 2 * SECOND);
    await answer(await claimed());
    await waiting();
    clock.advance(2 * SECOND);
    await expect(parts.client.result('r1')).rejects.toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
    expect(lost).toEqual(['r1:0']);
  });

  it('are not sent again at the moment at which the run ends', async () => {
    await begin(far({}), 6 * SECOND);
    const { stepId } = await claimed();
    await at.dispatcher.withdraw([stepId]);
    parts.define('other', (ctx) => ctx.step('one', () => 1));
    clock.advance(5 * SECOND);
    const lookUp = hold('dispatcher.lost');
    const looked = parts.engine.residents.tick();
    const commit = hold('store.commit');
    const other = parts.client.startAndWait('other');
    await Promise.all([lookUp.reached, commit.reached]);
    clock.advance(SECOND);
    lookUp.release();
    await looked;
    commit.release();
    await expect(parts.client.result('r1')).rejects.toMatchObject({ code: 'WORKFLOW_TIMEOUT' });
    await other;
    expect(await at.dispatcher.lost([stepId])).toEqual([stepId]);
  });

  it.each([
    ['failure', undefined],
    ['output', '"first"'],
  ])('that were over in time are not settled by the %s of the one before, which came too late', async (_, output) => {
    await begin(far({ timeout: SECOND, retry }));
    const first = await claimed();
    const commit = hold('store.commit');
    clock.advance(SECOND);
    // Its task is withdrawn with the record of the timeout.
    await commit.reached;
    const late = await answer(first, output);
    expect(late).toBeDefined();
    commit.release();
    await waiting();
    expect((await at.dispatcher.peek(1)).answers).toEqual([]);
    clock.advance(SECOND);
    const second = await claimed();
    expect(second.attempt).toBe(2);
    // It comes again, by another way.
    parts.engine.residents.get('r1')!.answer(late!);
    await answer(second, '"second"');
    expect(await parts.client.result('r1')).toBe('second');
  });

  it('have another number than those that were lost, though the last one was answered at its timeout', async () => {
    await begin(far({ timeout: SECOND, retry }));
    await claimed();
    // Its worker dies, and others take over.
    const { runId, seq, claim } = (clock.advance(SECOND / 2), await claimed(0));
    const lost = { runId, seq, attempt: 1, worker: 'w', finishedAt: claim.claimedAt, error: '{"message":"lost"}' };
    await at.lostAttempts.record([lost]);
    const last = (clock.advance(1), await claimed(0));
    await at.lostAttempts.record([{ ...lost, attempt: 2 }]);
    const lookUp = hold('dispatcher.holders');
    clock.advance(SECOND / 2);
    await lookUp.reached;
    await answer(last, '"late"');
    lookUp.release();
    await waiting();
    expect((await at.catalog.step('r1', 0))?.attempt).toBe(3);
    clock.advance(SECOND);
    const next = await claimed();
    expect(next.attempt).toBe(4);
    await answer(next, '"next"');
    expect(await parts.client.result('r1')).toBe('next');
  });

  it('are not settled by the answer that an owner of the run has left to be judged, though it comes again', async () => {
    const asks = gate();
    let played = 0;
    await begin(async (ctx) => {
      if (++played > 1) await asks.opened;
      return ctx.remote('far', null, { retry });
    });
    const first = await claimed();
    await parked();
    const late = await answer(first);
    expect(late).toBeDefined();
    await until('it is played again', () => played === 2);
    expect((await at.catalog.step('r1', 0))?.status).toBe('answered');
    parts.engine.residents.get('r1')!.answer(late!);
    asks.open();
    await waiting();
    clock.advance(SECOND);
    const second = await claimed();
    expect(second.attempt).toBe(2);
    await answer(second, '"second"');
    expect(await parts.client.result('r1')).toBe('second');
  });

  it('leave no answer in the way that came between them', async () => {
    await begin(far({ timeout: SECOND, retry }));
    const { stepId, runId, seq } = await claimed();
    clock.advance(SECOND);
    await waiting();
    // A foreign worker that looks at no lease.
    const late = { status: 'completed', output: '"first"', error: null, startedAt: 1, createdAt: 0 } as const;
    expect(await at.answers.answer([{ stepId, runId, seq, ...late }])).toEqual([stepId]);
    parts.engine.collector.lookAgain();
    await until('it is out of the way', async () => {
      await parts.engine.collector.tick();
      return (await at.dispatcher.peek(1)).answers.length === 0;
    });
    clock.advance(SECOND);
    await answer(await claimed(), '"second"');
    expect(await parts.client.result('r1')).toBe('second');
  });
});
