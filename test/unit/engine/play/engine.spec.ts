import { ManualClock } from '../../../../lib/core/time.js';
import { engineParts, type EngineParts } from '../../../support/engine-parts.js';
import { memoryStorage, type OpenStorage, workerOn } from '../../../support/engine-storage.js';
import { until } from '../../../support/until.js';

/** All that happens in one millisecond, as on a fast machine, or in tests that hold their clock still. */
describe('an engine in memory whose clock stands still', () => {
  it('hears every answer to a step that is asked again at once', async () => {
    const clock = new ManualClock();
    const at = memoryStorage(clock);
    const parts = engineParts(at, { clock });
    const retry = { attempts: 4, backoff: { delay: 0 } };
    parts.define('order', (ctx) => ctx.remote('charge', null, { retry }));
    const worker = workerOn(
      at,
      {
        charge: (_, { attempt }) => {
          if (attempt < 4) throw new Error('not yet');
          return attempt;
        },
      },
      { clock },
    );
    await parts.start();
    expect(await parts.client.startAndWait('order')).toBe(4);
    await Promise.all([worker.stop(), parts.stop()]);
  });
});

describe('an engine in memory', () => {
  let at: OpenStorage;
  let parts: EngineParts;

  beforeEach(() => {
    at = memoryStorage();
    parts = engineParts(at);
  });
  afterEach(() => parts.stop());

  it('plays local steps, sleeps and markers to the end', async () => {
    parts.define('order', async (ctx, input: { n: number }) => {
      const double = await ctx.step('double', () => input.n * 2);
      await ctx.sleep('short', 20);
      const [a, b] = await Promise.all([ctx.step('a', () => new Date(0)), ctx.step('b', () => undefined)]);
      return { double, a, b, uuid: ctx.uuid(), now: ctx.now(), r: ctx.random() };
    });
    await parts.start();
    const output = await parts.client.startAndWait<{ double: number; a: Date; b: undefined; uuid: string; now: Date }>(
      'order',
      { n: 21 },
    );
    expect(output).toMatchObject({ double: 42, a: new Date(0), b: undefined });
    expect(output.now).toBeInstanceOf(Date);
  });

  it('sends remote steps and takes their answers', async () => {
    parts.define('order', async (ctx) => {
      const answers = await Promise.all([1, 2, 3].map((n) => ctx.remote<number>('square', n)));
      return answers;
    });
    await parts.start();
    const handle = await parts.client.start('order', null, { id: 'r1' });
    let served = 0;
    const serve = async () => {
      const tasks = await at.source.claim({
        workerId: 'w',
        groups: [{ group: 'square', limit: 10 }],
        names: ['square'],
        limit: 10,
        leaseMs: 60_000,
      });
      await at.source.report(
        tasks.map((task) => {
          served++;
          const n = Number(task.input);
          return {
            claim: task.claim,
            runId: task.runId,
            seq: task.seq,
            attempt: task.attempt,
            status: 'completed' as const,
            output: String(n * n),
            error: null,
            startedAt: 1,
          };
        }),
      );
    };
    at.source.onTasks(() => void serve());
    await serve();
    expect(await handle.result()).toEqual([1, 4, 9]);
    expect(served).toBe(3);
  });

  it('a failing step fails the run with name, message and code', async () => {
    parts.define('order', (ctx) =>
      ctx.step(
        'boom',
        () => Promise.reject(Object.assign(new Error('card declined'), { code: 'CARD', name: 'CardError' })),
        { retry: { attempts: 2, backoff: { delay: 5 } } },
      ),
    );
    await parts.start();
    await expect(parts.client.startAndWait('order', null, { id: 'r2' })).rejects.toMatchObject({
      name: 'CardError',
      message: 'card declined',
      code: 'CARD',
    });
    const status = await parts.client.getStatus('r2', { history: true });
    expect(status.history).toMatchObject([{ name: 'boom', failures: 2, status: 'failed' }]);
  });

  it('asks nobody for what is asked for at the moment at which the run ends', async () => {
    parts.define('order', async (ctx) => {
      void ctx.remote('charge', 1);
      ctx.fail('Out of stock');
    });
    await parts.start();
    await expect(parts.client.startAndWait('order', null, { id: 'r3' })).rejects.toThrow('Out of stock');
    expect(await at.dispatcher.lost(['r3:0'])).toEqual(['r3:0']);
  });

  it('starts no child of a fan-out that does not fit its history', async () => {
    await parts.stop();
    const first = engineParts(at, { shutdownMs: 10 });
    first.define('order', (ctx) =>
      Promise.all([ctx.step('one', () => new Promise(() => {})), ctx.sleep('long', '1d')]),
    );
    await first.start();
    await first.client.start('order', null, { id: 'r4' });
    await until('the sleep is recorded, and the step is not', async () => (await at.catalog.steps('r4')).length === 1);
    await first.stop();
    parts = engineParts(at);
    parts.define('order', (ctx) => ctx.all('child', [1, 2]));
    parts.define('child', async () => null);
    await parts.start();
    await until('it is blocked', async () => (await parts.client.getStatus('r4')).reason === 'non_determinism');
    expect(await at.catalog.find(['r4.0', 'r4.1'])).toEqual([]);
  });

  it('plays a run soon that turns up long after it was due, right after another one, however seldom it polls', async () => {
    await parts.stop();
    parts = engineParts({ ...at, notified: () => true }, { pollMs: 60_000 });
    parts.define('order', async () => 'done');
    await parts.start();
    await parts.client.startAndWait('order', null, { id: 'r4' });
    const late = { id: 'late', namespace: '', workflow: 'order', version: 1, input: 'null', priority: 0 };
    await at.catalog.create([{ ...late, delayMs: -5_000 }]);
    expect(await parts.client.result('late', { timeout: '120s' })).toBe('done');
  });
});
