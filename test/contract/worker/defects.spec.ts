import { NonRetryableStepError } from '../../../lib/core/run-errors.js';
import { ManualClock } from '../../../lib/core/time.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { DbTransports, type Delivered } from '../../support/db-transports.js';
import { until } from '../../support/until.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('a DbTransport makes the tables');

type Request = { runId: string; seq: number; stepId: string; name: string; input?: unknown; attempt?: number };
const requestOf = (seq: number, name: string, more: Partial<Request> = {}): Request => {
  const runId = more.runId ?? 'run';
  return { runId, seq, stepId: `${runId}:${seq}`, name, ...more };
};

describeDatabases('defects of other transports', (at) => {
  let backend: OpenBackend;
  let transports: DbTransports;
  let results: Delivered[];
  let serial = 0;
  let prefix: string;

  beforeAll(async () => {
    backend = await at.open({ poolMax: 12 });
  });
  beforeEach(() => {
    prefix = `t${++serial}`;
    transports = new DbTransports(backend);
    results = [];
  });
  afterEach(() => transports.close());
  afterAll(() => backend.close());

  const create = (options = {}) => transports.create({ prefix, ...options });
  const collecting = () => create().onResult((result) => void results.push(result));
  const received = (count: number) => until(`${count} results`, () => results.length >= count);
  const dispatchAll = (engine: ReturnType<typeof create>, requests: Request[]) =>
    Promise.all(requests.map((request) => engine.dispatch({ attempt: 1, ...request })));
  const rows = (table: 'tasks' | 'results') => backend.query(`SELECT * FROM ${prefix}_transport_${table}`);

  it('T1: ten tasks that take longer than a lease together, two workers: ten executions', async () => {
    let executions = 0;
    const clock = new ManualClock();
    const from = clock.now();
    const leaseMs = 300;
    const running: (() => void)[] = [];
    for (let n = 0; n < 2; n++) {
      create({ leaseMs, clock, concurrency: 1, batchSize: 10 }).handle('slow', () => {
        executions++;
        return new Promise<void>((resolve) => running.push(resolve));
      });
    }
    await dispatchAll(
      create({ clock }).onResult((result) => void results.push(result)),
      Array.from({ length: 10 }, (_, seq) => requestOf(seq, 'slow')),
    );
    // Each takes a third of a lease, and a worker at least five of them, so it holds the last for longer than its lease.
    const isRenewed = async () =>
      (await rows('tasks')).every((row) => row.claimed_by === null || Number(row.claimed_at) >= clock.now());
    while (results.length < 10) {
      await until('the next one runs', () => running.length > 0 || results.length >= 10);
      clock.advance(leaseMs / 3);
      await until('what is claimed is renewed', isRenewed);
      for (const end of running.splice(0)) end();
    }
    expect(executions).toBe(10);
    expect(clock.now() - from).toBeGreaterThan(leaseMs);
  });

  it('an answer that is committed later than younger ones is collected, though the clock stands', async () => {
    const clock = new ManualClock();
    const engine = create({ clock }).onResult((result) => void results.push(result));
    await dispatchAll(engine, [requestOf(0, 'x'), requestOf(1, 'x')]);
    clock.advance(500);
    const answer = (seq: number, ageMs: number) =>
      backend.query(
        `INSERT INTO ${prefix}_transport_results (step_id, run_id, seq, status, output, created_at)
         VALUES ('run:${seq}', 'run', ${seq}, 'completed', 'null', ${clock.now() - ageMs})`,
      );
    await answer(0, 0);
    await received(1);
    await answer(1, 400);
    await received(2);
  });

  it('T2: one step of three leases, three workers: one execution, one result', async () => {
    let executions = 0;
    const clock = new ManualClock();
    const leaseMs = 300;
    let end = () => {};
    const gate = new Promise<void>((resolve) => (end = resolve));
    for (let n = 0; n < 3; n++) {
      create({ leaseMs, clock }).handle('long', async () => {
        executions++;
        await gate;
        return 'done';
      });
    }
    const engine = create({ clock }).onResult((result) => void results.push(result));
    await engine.dispatch(requestOf(1, 'long'));
    await until('it runs', () => executions > 0);
    for (let beat = 0; beat < 9; beat++) {
      clock.advance(leaseMs / 3);
      await until('its lease is renewed', async () => Number((await rows('tasks'))[0]?.claimed_at) >= clock.now());
    }
    end();
    await received(1);
    expect(executions).toBe(1);
    expect(results).toMatchObject([{ status: 'completed', output: 'done' }]);
  });

  it('T3: a zombie writes nothing, and its signal aborts', async () => {
    // A short lease is looked after often, and does not run out while the clock stands.
    const clock = new ManualClock();
    const engine = create({ clock }).onResult((result) => void results.push(result));
    const signals: AbortSignal[] = [];
    let end = (_: unknown) => {};
    const worker = create({ leaseMs: 300, clock, concurrency: 1 }).handle('x', (_, { signal, attempt }) => {
      signals.push(signal);
      return attempt === 1 ? new Promise((resolve) => (end = resolve)) : attempt;
    });
    await engine.dispatch(requestOf(1, 'x'));
    await until('the first attempt runs', () => signals.length === 1);
    await engine.dispatch(requestOf(1, 'x', { attempt: 2 }));
    await until('its signal aborts', () => signals[0]?.aborted);
    end('late');
    await received(1);
    await worker.close();
    await until('nothing is left', async () => (await rows('tasks')).length + (await rows('results')).length === 0);
    expect(results).toMatchObject([{ output: 2 }]);
  });

  it('T4: a retry that is dispatched while the old row still stands runs', async () => {
    const engine = collecting();
    await dispatchAll(engine, [requestOf(1, 'x', { input: 'first' })]);
    await backend.query(`UPDATE ${prefix}_transport_tasks SET claimed_by = 'python', claimed_at = 9000000000000`);
    await engine.dispatch(requestOf(1, 'x', { attempt: 2, input: 'second' }));
    create().handle('x', (input, { attempt }) => [input, attempt]);
    await received(1);
    expect(results).toMatchObject([{ output: ['second', 2] }]);
  });

  it('T5: two engines, each gets its own results: twenty of twenty', async () => {
    const seen = { a: new Set<string>(), b: new Set<string>() };
    const engines = (['a', 'b'] as const).map((name) =>
      create().onResult(({ runId, stepId }) => (runId === name ? void seen[name].add(stepId) : false)),
    );
    create({ concurrency: 10 }).handle('x', () => 1);
    await Promise.all(
      engines.map((engine, i) =>
        dispatchAll(
          engine,
          Array.from({ length: 10 }, (_, seq) => requestOf(seq, 'x', { runId: 'ab'[i] ?? '' })),
        ),
      ),
    );
    await until('all twenty', () => seen.a.size + seen.b.size === 20);
    await until('none left', async () => (await rows('results')).length === 0);
  });

  it('T6: results that nobody here wants stay, and keep none of the others waiting', async () => {
    const foreign = Array.from({ length: 40 }, (_, seq) => requestOf(seq, 'x', { runId: 'foreign' }));
    const engine = create({ batchSize: 5 }).onResult((result) =>
      result.runId === 'foreign' ? false : void results.push(result),
    );
    create({ concurrency: 10 }).handle('x', () => 1);
    await dispatchAll(engine, [...foreign, requestOf(1, 'x'), requestOf(2, 'x')]);
    await received(2);
    await until('the foreign ones are free again', async () => {
      const left = await rows('results');
      return left.length === 40 && left.every(({ claimed_by }) => claimed_by === null);
    });
  });

  it('T7: a result that is not JSON fails with a code, its neighbours arrive', async () => {
    const engine = collecting();
    await dispatchAll(engine, [requestOf(0, 'x')]);
    for (const [seq, output] of [
      [1, '1'],
      [2, 'NaN'],
      [3, '{"a":'],
    ] as const) {
      await backend.query(
        `INSERT INTO ${prefix}_transport_results (step_id, run_id, seq, status, output, created_at) VALUES (?, 'f', ?, 'completed', ?, ?)`,
        [`f:${seq}`, seq, output, seq],
      );
    }
    await received(3);
    results.sort((a, b) => a.seq - b.seq);
    const unreadable = { status: 'failed', error: { code: 'UNREADABLE_PAYLOAD', retryable: false } };
    expect(results).toMatchObject([{ status: 'completed', output: 1 }, unreadable, unreadable]);
    await until('all are deleted', async () => (await rows('results')).length === 0);
  });

  it('T8: an output without a JSON form, or over the limit, fails once', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    let executions = 0;
    const worker = create({ leaseMs: 3_000 });
    const outputs = { circle, function: () => 1, huge: 'x'.repeat(1_100_000) };
    for (const [name, output] of Object.entries(outputs)) worker.handle(name, () => (executions++, output));
    worker.handle('good', () => 10n);
    const names = [...Object.keys(outputs), 'good'];
    await dispatchAll(
      collecting(),
      names.map((name, seq) => requestOf(seq, name)),
    );
    await received(4);
    const codes = results.sort((a, b) => a.seq - b.seq).map(({ error, output }) => error?.code ?? output);
    expect(codes).toEqual(['NOT_SERIALIZABLE', 'NOT_SERIALIZABLE', 'PAYLOAD_TOO_LARGE', 10n]);
    expect(executions).toBe(3);
  });

  it('T11: a slow callback keeps no other waiting', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const engine = create({ concurrency: 1, batchSize: 1 }).onResult(async (result) => {
      if (result.seq === 0) await gate;
      results.push(result);
    });
    create().handle('x', () => 1);
    await dispatchAll(
      engine,
      Array.from({ length: 10 }, (_, seq) => requestOf(seq, 'x')),
    );
    await received(9);
    release();
    await received(10);
  });

  it('T12: close starts nothing more and frees what it claimed', async () => {
    const started: number[] = [];
    let end = () => {};
    const gate = new Promise<void>((resolve) => (end = resolve));
    const engine = create();
    await dispatchAll(
      engine,
      Array.from({ length: 10 }, (_, seq) => requestOf(seq, 'x')),
    );
    const worker = create({ concurrency: 3, batchSize: 10 }).handle('x', (_, { seq }) => (started.push(seq), gate));
    await until('three run', () => started.length === 3);
    const closing = worker.close();
    end();
    await closing;
    const count = started.length;
    expect(count).toBe(3);
    const left = await rows('tasks');
    expect(left).toHaveLength(7);
    expect(left.every(({ claimed_by }) => claimed_by === null)).toBe(true);
  });

  it('T13: a task of a name nobody handles yet waits for a worker that does', async () => {
    const engine = collecting();
    const old = create({ group: 'g' }).handle('old', () => 'old');
    await engine.dispatch({ ...requestOf(1, 'new'), group: 'g' });
    await engine.dispatch({ ...requestOf(2, 'old'), group: 'g' });
    await received(1);
    expect(results).toMatchObject([{ seq: 2, output: 'old' }]);
    await old.close();
    create({ group: 'g' }).handle('new', (_, { attempt }) => attempt);
    await received(2);
    expect(results[1]).toMatchObject({ seq: 1, status: 'completed', output: 1 });
  });

  it('T14: a fatal error is said to be one', async () => {
    create()
      .handle('fatal', () => {
        throw new NonRetryableStepError('declined', 'DECLINED');
      })
      .handle('plain', () => {
        throw new Error('try again');
      });
    await dispatchAll(collecting(), [requestOf(1, 'fatal'), requestOf(2, 'plain')]);
    await received(2);
    results.sort((a, b) => a.seq - b.seq);
    expect(results[0]?.error).toEqual({
      name: 'NonRetryableStepError',
      message: 'declined',
      code: 'DECLINED',
      retryable: false,
    });
    expect(results[1]?.error).toEqual({ name: 'Error', message: 'try again' });
  });

  it('T17: a process whose clock is 31 s ahead steals no lease', async () => {
    const realNow = Date.now;
    let executions = 0;
    let end = () => {};
    const gate = new Promise<void>((resolve) => (end = resolve));
    const run = () => (executions++, gate);
    create({ leaseMs: 20_000 }).handle('x', run);
    await dispatchAll(collecting(), [requestOf(1, 'x')]);
    await until('it runs', () => executions === 1);
    Date.now = () => realNow() + 31_000;
    try {
      const ahead = create({ leaseMs: 20_000, pollMs: 20 })
        .handle('x', run)
        .handle('y', () => 1);
      await ahead.dispatch(requestOf(2, 'y'));
      await received(1);
    } finally {
      Date.now = realNow;
    }
    expect(executions).toBe(1);
    end();
    await received(2);
  });

  it('T20, T21: one worker serves many groups, on every pair of ORM and database', async () => {
    const worker = create({ concurrency: 20, batchSize: 20 });
    const names = Array.from({ length: 20 }, (_, i) => `ns:step.${i}`);
    for (const name of names) worker.handle(name, (input) => ({ name, input }));
    await dispatchAll(
      collecting(),
      names.map((name, seq) => requestOf(seq, name, { input: { ü: '😀\u0000 \\ "', d: new Date(seq) } })),
    );
    await received(20);
    for (const { seq, output } of results) {
      expect(output).toEqual({ name: names[seq], input: { ü: '😀\u0000 \\ "', d: new Date(seq) } });
    }
  });

  it('T23: a task that ends its worker again and again fails after ten claims', async () => {
    let executions = 0;
    await dispatchAll(collecting(), [requestOf(1, 'crash')]);
    const killed = { claimed_by: 'killed', claimed_at: 1 };
    for (let death = 0; death < 10; death++) {
      // As a worker leaves it that was killed at work, and as the next one claims it.
      await backend.query(`UPDATE ${prefix}_transport_tasks SET claimed_by = ?, claimed_at = ?, attempt = ?`, [
        killed.claimed_by,
        killed.claimed_at,
        death + 1,
      ]);
    }
    create().handle('crash', () => executions++);
    await received(1);
    expect(results).toMatchObject([{ status: 'failed', error: { code: 'crash_loop', retryable: false } }]);
    expect(executions).toBe(0);
  });

  it('a callback that fails gets its result again', async () => {
    let calls = 0;
    const engine = create().onResult((result) => {
      if (++calls < 3) throw new Error('not now');
      results.push(result);
    });
    create().handle('x', () => 1);
    await dispatchAll(engine, [requestOf(1, 'x')]);
    await received(1);
    expect(calls).toBe(3);
    await until('it is deleted', async () => (await rows('results')).length === 0);
  });
});
