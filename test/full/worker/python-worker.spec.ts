import { join } from 'node:path';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { DbTransports, type Delivered } from '../../support/db-transports.js';
import { describeUnlessMissing } from '../../support/installed-programs.js';
import { until } from '../../support/until.js';
import { ROOT } from '../../support/root.mjs';

const WORKER = join(ROOT, 'sample/05-python-worker/worker.py');
const PYTHON = '/usr/bin/python3';
const DRIVERS = { postgres: 'psycopg2', mysql: 'pymysql', mariadb: 'pymysql' } as const;
/** Python itself takes its time on a machine that is busy. */
/** As long as a condition is waited for. */
const AT_MOST_MS = 120_000;

describeDatabases(
  'workers in Python',
  (at) => {
    const driver = DRIVERS[at.db];
    const hasDriver = spawnSync(PYTHON, ['-c', `import ${driver}`]).status === 0;
    const reason = hasDriver ? undefined : `${PYTHON} has no ${driver}; run .ci/programs`;
    describeUnlessMissing('Python', reason, 'of the sample', () => workersInPython(at));
  },
  { only: ({ orm }) => orm === 'typeorm' },
);

function workersInPython(at: Backend): void {
  let backend: OpenBackend;
  let transports: DbTransports;
  let python: ChildProcess | undefined;
  let output = '';

  beforeAll(async () => {
    backend = await at.open();
    transports = new DbTransports(backend);
    // Creates the tables.
    await transports.create().dispatch({ runId: 'first', seq: 0, stepId: 'first:0', name: 'nobody', attempt: 1 });
  });
  afterEach(async () => {
    python?.kill('SIGKILL');
    await transports.close();
  });
  afterAll(() => backend?.close());

  function start(environment: Record<string, string> = {}): ChildProcess {
    const child = spawn(PYTHON, [WORKER], {
      env: { ...process.env, DATABASE_URL: backend.url, DURABLE_POLL_MS: '50', ...environment },
    });
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    return (python = child);
  }

  const requestOf = (seq: number, name: string, input: unknown) => ({
    runId: 'run',
    seq,
    stepId: `run:${seq}`,
    name,
    input,
    attempt: 1,
  });

  it('serve what DbTransport dispatches, and end cleanly when told to', async () => {
    const results: Delivered[] = [];
    const engine = transports.create().onResult((result) => void results.push(result));
    const child = start();
    await Promise.all([
      ...Array.from({ length: 25 }, (_, seq) =>
        engine.dispatch(requestOf(seq, 'pipeline.extract', { text: `ünö ${seq} 😀`.repeat(3) })),
      ),
      engine.dispatch(requestOf(100, 'pipeline.shout', 'quiet ü😀')),
      engine.dispatch(requestOf(101, 'pipeline.shout', { no: 'text' })),
      engine.dispatch(requestOf(102, 'pipeline.extract', {})),
      engine.dispatch(requestOf(103, 'pipeline.collect', { readyAt: Date.now() + 3_600_000 })),
    ]);
    await until('all results', () => results.length === 29).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${output}`);
    });
    const bySeq = new Map(results.map((result) => [result.seq, result]));
    expect(bySeq.get(3)).toMatchObject({ status: 'completed', output: { words: 7, step: 'run:3' } });
    expect(bySeq.get(100)).toMatchObject({ status: 'completed', output: 'QUIET Ü😀' });
    expect(bySeq.get(101)).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_A_TEXT', retryable: false, name: 'NonRetryable' },
    });
    expect(bySeq.get(102)).toMatchObject({ status: 'failed', error: { name: 'KeyError' } });
    const later = bySeq.get(103)!.error as { message: string; retryAfterMs: number };
    expect(later.message).toBe('it is not ready yet');
    expect(Math.abs(3_600_000 - later.retryAfterMs)).toBeLessThan(AT_MOST_MS);
    // Only then all that it has printed has been read.
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(output).toContain('has stopped');
  });

  it('are taken over from when they are killed', async () => {
    const results: Delivered[] = [];
    const engine = transports.create().onResult((result) => void results.push(result));
    await engine.dispatch(requestOf(1, 'pipeline.shout', 'a'));
    // As a killed worker leaves it.
    await backend.query(
      `UPDATE durable_transport_tasks SET claimed_by = 'python-dead', claimed_at = 1 WHERE step_id = 'run:1'`,
    );
    start();
    await until('the result', () => results.length === 1);
    expect(results).toMatchObject([{ output: 'A' }]);
  });

  it('and ours serve what plain SQL asks for, and answer in plain SQL', async () => {
    const insert = (seq: number, name: string, input: string | null, createdAt: number) =>
      backend.query(
        `INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, input, attempt, status, created_at) VALUES (?, 'sql', ?, ?, ?, ?, 1, 'pending', ?)`,
        [`sql:${seq}`, seq, name, name.replaceAll(':', '-'), input, createdAt],
      );
    await insert(1, 'ours:add', '{"a":1,"b":2}', 5);
    await insert(2, 'ours:add', null, 4_000_000_000_000);
    await insert(-1, 'ours:fail', '"x"', 1_700_000_000);
    transports
      .create()
      .handle('ours:add', (input) => {
        const { a, b } = (input ?? { a: 0, b: 0 }) as { a: number; b: number };
        return a + b;
      })
      .handle('ours:fail', () => {
        throw Object.assign(new Error('broken'), { code: 'E_BROKEN' });
      });
    const read = () => backend.query(`SELECT * FROM durable_transport_results WHERE run_id = 'sql' ORDER BY seq`);
    await until('three results', async () => (await read()).length === 3);
    const rows = await read();
    expect(rows).toMatchObject([
      { step_id: 'sql:-1', seq: -1, status: 'failed', output: null, claimed_at: null },
      { step_id: 'sql:1', seq: 1, status: 'completed', output: '3', error: null },
      { step_id: 'sql:2', seq: 2, status: 'completed', output: '0', error: null },
    ]);
    for (const { claimed_by } of rows) expect(claimed_by).toMatch(/^by:1:./);
    expect(JSON.parse(String(rows[0]?.error))).toEqual({ name: 'Error', message: 'broken', code: 'E_BROKEN' });
    for (const { started_at } of rows) expect(Math.abs(Number(started_at) - Date.now())).toBeLessThan(60_000);
    expect(await backend.query(`SELECT step_id FROM durable_transport_tasks WHERE run_id = 'sql'`)).toEqual([]);
  });
}
