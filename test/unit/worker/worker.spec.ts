import { macrotask, ManualClock } from '../../../lib/core/time.js';
import { InMemoryTransport } from '../../../lib/worker/transport.memory.js';
import { until } from '../../support/until.js';
import { deferred, workerHarness } from './worker-harness.js';

type Harness = ReturnType<typeof workerHarness>;

describe('a worker', () => {
  let at: Harness;
  beforeEach(() => {
    at = workerHarness();
  });
  afterEach(() => at.worker.stop());

  it('runs tasks of many names and answers each', async () => {
    at.handle('add', (input) => (input as { n: number }).n + 1);
    at.handle('echo', (input) => input);
    at.worker.start();
    await at.dispatch([1, { name: 'add', input: '{"n":41}' }], [2, { name: 'echo', input: '"ü"' }]);
    const answers = await until('both answers', () => at.answered(2));
    expect(answers.map(({ output }) => output).sort()).toEqual(['"ü"', '42']);
    await until('both events', () => at.eventsOf('task.completed').length === 2);
  });

  it('tells a handler which step it serves', async () => {
    const seen = deferred<Record<string, unknown>>();
    at.handle('pay', (_, step) => {
      step.log.info('paying', { cents: 5 });
      const { workflowId, stepId, seq, name, attempt, idempotencyKey, signal } = step;
      seen.resolve({ workflowId, stepId, seq, name, attempt, idempotencyKey, aborted: signal.aborted });
    });
    at.worker.start();
    await at.dispatch([7, { name: 'pay', runId: 'order-1', attempt: 3 }]);
    expect(await seen.promise).toEqual({
      workflowId: 'order-1',
      stepId: 'order-1:7',
      seq: 7,
      name: 'pay',
      attempt: 3,
      idempotencyKey: 'order-1:7',
      aborted: false,
    });
    expect(at.eventsOf('step.log')).toEqual([
      { level: 'info', message: 'paying', fields: { cents: 5 }, stepId: 'order-1:7', name: 'pay' },
    ]);
  });

  it('never runs more handlers than its process or their class may, and fills every free slot', async () => {
    at = workerHarness({ concurrency: 6, batchSize: 6 });
    const running = new Map<string, number>();
    const most = new Map<string, number>();
    const gate = deferred();
    const count = (name: string, by: number) => {
      running.set(name, (running.get(name) ?? 0) + by);
      most.set(name, Math.max(most.get(name) ?? 0, running.get(name) ?? 0));
    };
    const limited = { name: 'Limited', concurrency: 2 };
    for (const name of ['a', 'b', 'free']) {
      const kind = name === 'free' ? 'free' : 'limited';
      const run = async () => {
        count('all', 1);
        count(kind, 1);
        await gate.promise;
        count('all', -1);
        count(kind, -1);
      };
      at.handle(name, run, name === 'free' ? {} : { concurrencyClass: limited });
    }
    await at.dispatch(
      ...[...'aaaabbbb'].map((name, i): [number, object] => [i, { name }]),
      ...Array.from({ length: 20 }, (_, i): [number, object] => [100 + i, { name: 'free' }]),
    );
    at.worker.start();
    await until('all slots taken', () => running.get('all') === 6);
    gate.resolve();
    await until('all done', () => at.answered(28));
    expect(most.get('all')).toBe(6);
    expect(most.get('limited')).toBe(2);
  });

  it('keeps to the bounds of classes that share a group', async () => {
    const most = { one: 0, two: 0 };
    const running = { one: 0, two: 0 };
    for (const name of ['one', 'two'] as const) {
      at.handle(
        name,
        async () => {
          most[name] = Math.max(most[name], ++running[name]);
          await new Promise((resolve) => setImmediate(resolve));
          running[name]--;
        },
        { groups: ['shared'], concurrencyClass: { name, concurrency: 1 } },
      );
    }
    await at.dispatch(
      ...[...'one two one one two one'.split(' ')].map((name, i): [number, object] => [i, { name, group: 'shared' }]),
    );
    at.worker.start();
    await until('all done', () => at.answered(6));
    expect(most).toEqual({ one: 1, two: 1 });
  });

  it('T13: leaves a task it has no handler for to others, and says so after a while', async () => {
    at.handle('known', () => 1, { groups: ['g'] });
    await at.dispatch([1, { name: 'unknown', group: 'g' }], [2, { name: 'known', group: 'g' }]);
    at.worker.start();
    await until('the known one', () => at.answered(1));
    const event = await until('the report', () => {
      at.clock.advance(5_000);
      return at.eventsOf('task.unserved')[0];
    });
    expect(event).toMatchObject({ name: 'unknown', group: 'g', count: 1 });
    const [other] = await at.transport.claim({
      workerId: 'new',
      groups: [{ group: 'g', limit: 1 }],
      names: ['unknown'],
      limit: 1,
      leaseMs: 1_000,
    });
    expect(other).toMatchObject({ name: 'unknown', attempt: 1, reclaimed: false });
  });

  it('T23: ends a task that was reclaimed too often, without running it', async () => {
    let runs = 0;
    at.handle('crash', () => ++runs);
    at.handle('patient', () => 'ran', { retryAttempts: 50 });
    const both = [1, 2].map((seq): [number, object] => [seq, { name: seq === 1 ? 'crash' : 'patient', attempt: 10 }]);
    await at.dispatch(...both);
    const groups = ['crash', 'patient'].map((group) => ({ group, limit: 1 }));
    await at.transport.claim({ workerId: 'dead', groups, names: ['crash', 'patient'], limit: 2, leaseMs: 1_000 });
    at.clock.advance(30_001);
    at.worker.start();
    const answers = await until('both answers', () => at.answered(2));
    const [crash, patient] = answers.sort((a, b) => a.seq - b.seq);
    expect(JSON.parse(crash?.error ?? '')).toMatchObject({ code: 'crash_loop', retryable: false });
    expect(patient?.output).toBe('"ran"');
    expect(runs).toBe(0);
  });

  it('runs a retry of a higher attempt than the cap: only reclaims count', async () => {
    at.handle('retried', () => 'ran');
    await at.dispatch([1, { name: 'retried', attempt: 12 }]);
    at.worker.start();
    const [answer] = await until('the answer', () => at.answered(1));
    expect(answer?.output).toBe('"ran"');
  });

  it('claims again as soon as the answers that held it back are written, not at the next poll', async () => {
    at = workerHarness({ concurrency: 2, batchSize: 2, pollMs: 60_000 });
    const report = at.transport.report.bind(at.transport);
    // Slower than the handlers, so that answers pile up.
    at.transport.report = async (reports) => {
      for (let turn = 0; turn < 20; turn++) await macrotask();
      return report(reports);
    };
    at.handle('x', () => 1);
    await at.dispatch(...Array.from({ length: 20 }, (_, i): [number, object] => [i, { name: 'x' }]));
    at.worker.start();
    await until('all answers', () => at.answered(20));
  });

  it('goes on when a claim fails', async () => {
    let failures = 3;
    const claim = at.transport.claim.bind(at.transport);
    at.transport.claim = (request) => (failures-- > 0 ? Promise.reject(new Error('away')) : claim(request));
    at.handle('x', () => 1);
    await at.dispatch([1, { name: 'x' }]);
    at.worker.start();
    await until('the answer', () => at.answered(1));
    expect(at.eventsOf('loop.error')).toHaveLength(3);
  });
});

describe('a worker that loses a lease', () => {
  it('aborts the handler, and writes nothing, whatever it answers', async () => {
    const at = workerHarness({ leaseMs: 90 });
    const signal = deferred<AbortSignal>();
    const end = deferred<string>();
    at.handle('slow', (_, step) => (signal.resolve(step.signal), end.promise));
    await at.dispatch([1, { name: 'slow' }]);
    at.worker.start();
    const aborted = await signal.promise;
    at.clock.advance(91);
    await at.transport.claim({
      workerId: 'w2',
      groups: [{ group: 'slow', limit: 1 }],
      names: ['slow'],
      limit: 1,
      leaseMs: 90,
    });
    await until('the abort', () => aborted.aborted);
    expect(at.eventsOf('task.lease-lost')).toHaveLength(1);
    end.resolve('late');
    await at.worker.stop();
    expect(await at.answers()).toEqual([]);
  });

  it('T2: keeps the lease of a handler that takes many times as long', async () => {
    const at = workerHarness({ leaseMs: 60 });
    const end = deferred<string>();
    let extended = 0;
    const extend = at.transport.extend.bind(at.transport);
    at.transport.extend = async (claims) => {
      const renewed = await extend(claims);
      extended++;
      return renewed;
    };
    at.handle('slow', () => end.promise);
    await at.dispatch([1, { name: 'slow' }]);
    at.worker.start();
    for (let beat = 1; beat <= 4; beat++) {
      await until(`beat ${beat}`, () => extended >= beat);
      at.clock.advance(20);
    }
    end.resolve('done');
    await until('the answer', () => at.answered(1));
    await at.worker.stop();
    expect(at.eventsOf('task.lease-lost')).toEqual([]);
  });

  it('stops a handler whose lease may be over because the storage could not be asked', async () => {
    const at = workerHarness({ leaseMs: 60 });
    const signal = deferred<AbortSignal>();
    at.handle('slow', (_, step) => (signal.resolve(step.signal), new Promise(() => {})));
    at.transport.extend = () => Promise.reject(new Error('away'));
    await at.dispatch([1, { name: 'slow' }]);
    at.worker.start();
    const aborted = await signal.promise;
    await until('a failed beat', () => at.eventsOf('loop.error').length > 0);
    expect(aborted.aborted).toBe(false);
    at.clock.advance(60);
    await until('the abort', () => aborted.aborted);
    await at.worker.stop();
    expect(await at.answers()).toEqual([]);
  });
});

describe('a worker whose wall clock is put forward', () => {
  it('goes by the time that has passed', async () => {
    const elapsed = new ManualClock();
    const at = workerHarness({ leaseMs: 60, elapsed }, new InMemoryTransport(elapsed));
    const signal = deferred<AbortSignal>();
    at.handle('slow', (_, step) => (signal.resolve(step.signal), new Promise(() => {})));
    at.transport.extend = () => Promise.reject(new Error('away'));
    const failedBeats = () => at.eventsOf('loop.error').length;
    await at.dispatch([1, { name: 'slow' }]);
    at.worker.start();
    const aborted = await signal.promise;
    at.clock.advance(3_600_000);
    await until('a failed beat', () => failedBeats() > 0);
    await macrotask();
    expect(aborted.aborted).toBe(false);
    elapsed.advance(60);
    await until('the abort', () => aborted.aborted);
    await at.worker.stop();
  });
});

describe('a worker whose storage does not answer', () => {
  it('stops a handler whose lease may be over, and works on', async () => {
    const at = workerHarness({ leaseMs: 60 });
    const signal = deferred<AbortSignal>();
    at.handle('slow', (_, step) => (signal.resolve(step.signal), new Promise(() => {})));
    at.handle('next', () => 'done');
    const silence = deferred<never[]>();
    at.transport.extend = () => {
      at.clock.advance(60);
      return silence.promise;
    };
    await at.dispatch([1, { name: 'slow' }]);
    at.worker.start();
    const aborted = await signal.promise;
    await until('the abort', () => aborted.aborted);
    expect(at.eventsOf('task.lease-lost')).toHaveLength(1);
    await at.dispatch([2, { name: 'next' }]);
    await until('the next answer', () => at.answered(1));
    silence.resolve([]);
    await at.worker.stop();
  });
});

describe('stopping a worker', () => {
  it('T12: starts nothing more and gives back what has not begun', async () => {
    const at = workerHarness({ concurrency: 10 });
    const end = deferred();
    const started: number[] = [];
    at.handle('x', (_, step) => (started.push(step.seq), end.promise), {
      groups: ['g'],
      concurrencyClass: { name: 'X', concurrency: 1 },
    });
    at.handle('y', () => 1, { groups: ['g'], concurrencyClass: { name: 'Y', concurrency: 5 } });
    await at.dispatch(...Array.from({ length: 6 }, (_, seq): [number, object] => [seq, { name: 'x', group: 'g' }]));
    at.worker.start();
    await until('one runs, others are claimed', () => started.length === 1 && at.eventsOf('task.claimed').length > 1);
    const stopping = at.worker.stop();
    await until('the others are free', () => at.eventsOf('task.released').length > 0);
    const request = { workerId: 'w2', groups: [{ group: 'g', limit: 10 }], names: ['x'], limit: 10, leaseMs: 30_000 };
    const free = await at.transport.claim(request);
    expect(free).toHaveLength(5);
    expect(free.every(({ attempt, reclaimed }) => attempt === 1 && !reclaimed)).toBe(true);
    end.resolve();
    await stopping;
    expect(started).toEqual([0]);
    expect(await at.answers()).toHaveLength(1);
  });

  it('gives back what takes longer than it may wait, and sends nothing afterwards', async () => {
    const at = workerHarness({ shutdownTimeoutMs: 20 });
    const end = deferred<string>();
    const signal = deferred<AbortSignal>();
    at.handle('slow', (_, step) => (signal.resolve(step.signal), end.promise));
    await at.dispatch([1, { name: 'slow' }]);
    at.worker.start();
    const aborted = await signal.promise;
    await at.worker.stop();
    expect(aborted.aborted).toBe(true);
    const calls: string[] = [];
    for (const method of ['claim', 'extend', 'report', 'release'] as const) {
      const original = at.transport[method].bind(at.transport) as (...args: unknown[]) => Promise<never>;
      at.transport[method] = (...args: unknown[]) => (calls.push(method), original(...args));
    }
    end.resolve('late');
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(calls).toEqual([]);
    const [again] = await at.transport.claim({
      workerId: 'w2',
      groups: [{ group: 'slow', limit: 1 }],
      names: ['slow'],
      limit: 1,
      leaseMs: 30_000,
    });
    expect(again).toMatchObject({ attempt: 1, reclaimed: false });
  });

  it('gives back a claim that arrives while it stops', async () => {
    const at = workerHarness();
    const gate = deferred();
    const claimed = deferred();
    const claim = at.transport.claim.bind(at.transport);
    at.transport.claim = async (request) => {
      const tasks = await claim(request);
      claimed.resolve();
      await gate.promise;
      return tasks;
    };
    let ran = false;
    at.handle('x', () => (ran = true));
    await at.dispatch([1, { name: 'x' }]);
    at.worker.start();
    await claimed.promise;
    const stopping = at.worker.stop();
    gate.resolve();
    await stopping;
    expect(ran).toBe(false);
    at.transport.claim = claim;
    expect(
      await claim({ workerId: 'w2', groups: [{ group: 'x', limit: 1 }], names: ['x'], limit: 1, leaseMs: 1 }),
    ).toHaveLength(1);
  });
});
