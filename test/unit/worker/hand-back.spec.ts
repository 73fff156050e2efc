import { taskOf } from '../../../lib/conformance/transport.js';
import { type Codec, jsonCodec } from '../../../lib/core/codec.js';
import { macrotask } from '../../../lib/core/time.js';
import type { HandedBack } from '../../../lib/engine/tasks.js';
import type { StepHandler } from '../../../lib/worker/handlers.js';
import type { WorkerOptions } from '../../../lib/worker/worker.js';
import { until } from '../../support/until.js';
import { workerHarness } from './worker-harness.js';

describe('outcomes for an engine of the same process', () => {
  let at: ReturnType<typeof workerHarness>;

  afterEach(() => at.worker.stop());

  /** A worker, and an engine that accepts some of its outcomes. */
  function working(
    handler: StepHandler,
    accepts: (outcome: HandedBack) => boolean = () => true,
    options: Partial<WorkerOptions> = {},
  ) {
    at = workerHarness(options);
    at.handle('pay', handler);
    const handed: HandedBack[] = [];
    at.transport.onHandedBack((outcome) => accepts(outcome) && handed.push(outcome) > 0);
    at.worker.start();
    return handed;
  }

  const dispatch = () => at.transport.dispatch([taskOf(1, { name: 'pay' })]);

  it('are no answers, and the work ends when they are recorded', async () => {
    const handed = working(() => {
      at.clock.advance(7);
      return Promise.resolve('paid');
    });
    await dispatch();
    await until('it is handed back', () => handed.length === 1);
    const { onRecorded, ...outcome } = handed[0]!;
    const [task] = at.transport.tasksOf(['run:1']);
    expect(outcome).toEqual({
      stepId: 'run:1',
      runId: 'run',
      seq: 1,
      status: 'completed',
      output: '"paid"',
      error: null,
      startedAt: at.clock.now() - 7,
      createdAt: at.clock.now(),
      by: { worker: 'w1', attempt: 1 },
      claimedBy: task?.claimedBy,
      claimedAt: task?.claimedAt,
    });
    expect([await at.answers(), at.eventsOf('task.completed')]).toEqual([[], []]);
    onRecorded(true);
    expect(at.eventsOf('task.completed')).toHaveLength(1);
    expect(await at.answers()).toEqual([]);
  });

  it('that are not recorded are answers after all, if their claim still holds', async () => {
    const handed = working(() => Promise.resolve('paid'));
    await dispatch();
    await until('it is handed back', () => handed.length === 1);
    handed[0]!.onRecorded(false);
    const [answer] = await until('the answer', () => at.answered(1));
    expect(answer).toMatchObject({ status: 'completed', output: '"paid"' });
    expect(at.eventsOf('task.completed')).toHaveLength(1);
  });

  it.each([
    ['lost with their claim', false, 'task.lease-lost'],
    ['what counts where they were recorded before that was noticed', true, 'task.completed'],
  ] as const)('whose claim is gone are %s', async (_, isRecorded, told) => {
    const handed = working(() => Promise.resolve('paid'));
    await dispatch();
    await until('it is handed back', () => handed.length === 1);
    at.clock.advance(10_000);
    await at.transport.withdraw(['run:1']);
    handed[0]!.onRecorded(isRecorded);
    await until('it is told', () => at.eventsOf(told).length === 1);
    expect([await at.answers(), at.eventsOf('task.lease-lost').length]).toEqual([[], isRecorded ? 0 : 1]);
  });

  const sealing: Codec = { ...jsonCodec, encode: (value) => `\0${jsonCodec.encode(value)}` };

  it.each<[what: string, handler: StepHandler, codec?: Codec]>([
    ['failures', () => Promise.reject(new Error('no money'))],
    ['outputs that may be too long for a database', () => Promise.resolve('x'.repeat(70_000))],
    ['outputs with a character that a database may refuse', () => Promise.resolve('paid'), sealing],
  ])('do not comprise %s', async (_, handler, codec = jsonCodec) => {
    const handed = working(handler, () => true, { payloadLimit: 100_000, codec });
    await dispatch();
    await until('the answer', () => at.answered(1));
    expect(handed).toEqual([]);
  });

  it('are answers if no engine awaits them', async () => {
    working(
      () => Promise.resolve('paid'),
      () => false,
    );
    await dispatch();
    const [answer] = await until('the answer', () => at.answered(1));
    expect(answer).toMatchObject({ output: '"paid"' });
  });

  it('are awaited by a worker that stops', async () => {
    const handed = working(() => Promise.resolve('paid'));
    await dispatch();
    await until('it is handed back', () => handed.length === 1);
    let isStopped = false;
    const stopped = at.worker.stop().then(() => (isStopped = true));
    for (let n = 0; n < 100; n++) await macrotask();
    expect(isStopped).toBe(false);
    handed[0]!.onRecorded(true);
    await stopped;
  });
});
