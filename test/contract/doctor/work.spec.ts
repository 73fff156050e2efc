import { DurableDoctor } from '../../../lib/doctor/doctor.js';
import { migrateOutbox } from '../../../lib/outbox/schema.sql.js';
import { outboxTableNames, outboxTables } from '../../../lib/outbox/tables.sql.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { emptyTables } from '../../support/empty-tables.js';
import { executorOf } from '../../support/engine-storage.js';
import { checked, mend, saidBy } from '../../support/examined.js';

const DAY = 86_400_000;
/** What is young stays so, however long the machine stands still. */
const LATE = { limits: { late: DAY } };

describeDatabases('the doctor and the work', (at) => {
  let backend: OpenBackend;
  let executor: SqlExecutor;
  beforeAll(async () => {
    backend = await at.open();
    executor = executorOf(backend);
    await migrate(executor, tablesWithPrefix('durable'));
    await migrateOutbox(executor, outboxTables('durable', outboxTableNames({}, 'durable', {})));
  });
  afterAll(() => backend.close());
  beforeEach(() => emptyTables(backend));

  async function insert(table: string, row: Record<string, unknown>): Promise<void> {
    const columns = Object.keys(row);
    const marks = columns.map(() => '?').join(', ');
    await backend.query(`INSERT INTO durable_${table} (${columns.join(', ')}) VALUES (${marks})`, Object.values(row));
  }

  const run = (id: string, more: Record<string, unknown>) => ({
    id,
    namespace: 'default',
    workflow: 'order',
    version: 1,
    epoch: 0,
    settled: 0,
    crashes: 0,
    created_at: Date.now() - 40 * DAY,
    ...more,
  });

  it('finds nothing in tables without work', async () => {
    const ids = new DurableDoctor(executor).checks.filter(({ group }) => group === 'work').map(({ id }) => id);
    expect(ids).toEqual([
      ...['untaken', 'blocked', 'strays', 'retention', 'versions'],
      ...['lost', 'unserved', 'code', 'permits'],
      ...['signals', 'schedules', 'channels', 'effects'],
    ]);
    const { counts } = await new DurableDoctor(executor).examine({ only: ids });
    expect(counts).toEqual({ error: 0, warning: 0, info: 0, untold: 0 });
  });

  it('untaken: runs that are due and that no process takes, unless their workflow is held', async () => {
    await insert('runs', run('a', { status: 'pending', wake_at: Date.now() - 2 * DAY }));
    await insert('runs', run('b', { status: 'pending', wake_at: Date.now() - 2 * DAY, owner: 'somebody' }));
    await insert('runs', run('c', { status: 'pending', wake_at: Date.now() - 10_000 }));
    expect(saidBy(await checked(executor, 'untaken', LATE))).toMatch(
      /^error: 1 runs of "order" version 1 \(namespace default\) are due, and no process takes them/,
    );
    const hold = { kind: 'workflow', name: 'order', since: 1, actor: 'ada', reason: 'the bank is down' };
    await insert('holds', { namespace: 'default', ...hold });
    expect(saidBy(await checked(executor, 'untaken', LATE))).toBe('');
  });

  it('blocked: runs that wait for a mended build', async () => {
    await insert('runs', run('a', { status: 'suspended', reason: 'programming_error' }));
    await insert('runs', run('b', { status: 'suspended', reason: 'programming_error' }));
    const found = await checked(executor, 'blocked');
    expect(saidBy(found)).toMatch(/^error: 2 runs of "order" are blocked as programming_error: mend the code/);
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'blocked'))).toBe('');
  });

  it('strays: old answers to runs that do not exist', async () => {
    await insert('runs', run('a', { status: 'running' }));
    const result = { seq: 1, status: 'completed', created_at: Date.now() - 2 * DAY };
    await insert('transport_results', { step_id: 'a:1', run_id: 'a', ...result });
    await insert('transport_results', { step_id: 'x:1', run_id: 'x', ...result });
    await insert('transport_results', { step_id: 'y:1', run_id: 'y', ...result, created_at: Date.now() });
    const found = await checked(executor, 'strays');
    expect(saidBy(found)).toMatch(/^warning: 1 answers belong to runs that do not exist/);
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'strays'))).toBe('');
    const left = await backend.query('SELECT run_id FROM durable_transport_results ORDER BY run_id');
    expect(left).toEqual([{ run_id: 'a' }, { run_id: 'y' }]);
  });

  it('retention: a million runs that ended long ago, and nothing that deletes them', async () => {
    const ended = { status: 'completed', finished_at: Date.now() - 35 * DAY };
    for (const id of ['a', 'b', 'c']) await insert('runs', run(id, ended));
    await insert('runs', run('d', { ...ended, namespace: 'other' }));
    expect(saidBy(await checked(executor, 'retention'))).toBe('');
    const limits = { endedRuns: 3 };
    const found = await checked(executor, 'retention', { limits });
    expect(saidBy(found)).toBe('warning: More than 3 runs ended over 30 days ago: no retention deletes them');
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'retention', { limits }))).toBe('');
  });

  it('versions: processes with other versions of the package', async () => {
    await insert('nodes', node('a', { version: '0.1.0' }));
    await insert('nodes', node('b', { version: '0.1.0' }));
    expect(saidBy(await checked(executor, 'versions'))).toBe('');
    await insert('nodes', node('c', { version: '0.2.0' }));
    await insert('nodes', node('d', { version: '0.0.1', left_at: 1 }));
    expect(saidBy(await checked(executor, 'versions'))).toMatch(
      /^info: Processes have different versions of nest-durable: 2 of 0\.1\.0, 1 of 0\.2\.0/,
    );
  });

  const node = (id: string, more: Record<string, unknown> = {}) => ({
    id,
    namespace: 'default',
    roles: 'engine,worker',
    started_at: 1,
    expires_at: Date.now() + DAY,
    ...more,
  });

  it('lost: runs of processes that are gone, until an engine takes them over', async () => {
    const gone = { expires_at: Date.now() - 2 * DAY };
    await insert('nodes', node('alive'));
    await insert('nodes', node('killed', gone));
    await insert('nodes', node('late', { expires_at: Date.now() - 10_000 }));
    for (const owner of ['alive', 'killed', 'late', 'forgotten'])
      await insert('runs', run(`of-${owner}`, { status: 'running', owner }));
    const said = saidBy(await checked(executor, 'lost', LATE));
    expect(said).toMatch(
      /^error: 1 runs belong to the process forgotten, which is gone, and no engine takes them over/,
    );
    expect(said).toMatch(/\nerror: 1 runs belong to the process killed/);
    expect(said.split('\n')).toHaveLength(2);
    await backend.query(`UPDATE durable_runs SET owner = 'alive'`);
    expect(saidBy(await checked(executor, 'lost', LATE))).toBe('');
  });

  it('unserved: tasks of groups and steps that no process serves, unless they are held', async () => {
    const task = (id: string, name: string, grp: string) => ({
      ...{ step_id: id, run_id: 'a', seq: 1, name, grp, attempt: 1, status: 'pending' },
      created_at: Date.now() - 2 * DAY,
    });
    await insert('nodes', node('w', { serves: JSON.stringify({ groups: { billing: ['charge'] } }) }));
    await insert('transport_tasks', task('a:1', 'charge', 'billing'));
    await insert('transport_tasks', task('a:2', 'refund', 'billing'));
    await insert('transport_tasks', task('a:3', 'mail', 'mails'));
    await insert('transport_tasks', { ...task('a:4', 'young', 'mails'), created_at: Date.now() });
    const hold = { namespace: '', kind: 'group', name: 'mails', since: 1, actor: 'ada', reason: 'the bank is down' };
    const lines = saidBy(await checked(executor, 'unserved', LATE))
      .split('\n')
      .sort();
    expect(lines).toEqual([
      expect.stringMatching(/^warning: 1 tasks of "mail" wait in the group "mails", which no process serves: start/),
      expect.stringMatching(/^warning: 1 tasks of "refund" wait in the group "billing", which no process serves/),
    ]);
    await insert('holds', hold);
    await backend.query(`DELETE FROM durable_transport_tasks WHERE name = 'refund'`);
    expect(saidBy(await checked(executor, 'unserved', LATE))).toBe('');
  });

  it('code: versions that open runs need and no process has', async () => {
    await insert('nodes', node('e', { serves: JSON.stringify({ workflows: { order: [2] } }) }));
    await insert('runs', run('old', { status: 'suspended' }));
    await insert('runs', run('new', { status: 'suspended', version: 2 }));
    await insert('runs', run('ended', { status: 'completed', version: 3, finished_at: 1 }));
    await insert('runs', run('elsewhere', { status: 'suspended', namespace: 'other' }));
    expect(saidBy(await checked(executor, 'code'))).toBe(
      'warning: 1 open runs of "order" version 1 (namespace default) need code that no process has: ' +
        'they stand still once they are due',
    );
  });

  it('pools: more connections than the server has', async () => {
    const busy = (most: number | null) =>
      JSON.stringify({ steps: 0, residents: 0, pool: { used: 0, most, waiting: 0 } });
    await insert('nodes', node('a', { busy: busy(10) }));
    await insert('nodes', node('b', { busy: busy(null) }));
    expect(saidBy(await checked(executor, 'pools'))).toBe('');
    await insert('nodes', node('c', { busy: busy(100_000) }));
    await insert('nodes', node('d', { busy: busy(100_000), left_at: 1 }));
    const found = await checked(executor, 'pools');
    expect(saidBy(found)).toMatch(
      /^warning: The pools of 2 processes may open 100010 connections, the server takes \d+: under load/,
    );
    expect(found.findings[0]!.mend[0]).toMatch(/^(ALTER SYSTEM SET|SET GLOBAL|SET PERSIST) max_connections = 200020;$/);
  });

  it('sizes: which tables are large', async () => {
    expect(saidBy(await checked(executor, 'sizes'))).toBe('');
    expect(saidBy(await checked(executor, 'sizes', { limits: { size: 1 } }))).toMatch(
      /^info: Our tables take 0\.0 GB: "durable_\w+" 0\.0 GB \(0\.0 of indexes, about \d+ rows\), /,
    );
  });

  it('permits: those of runs that have ended', async () => {
    const entry = (holder: string, runId: string, granted: number) => ({
      ...{ holder, run_id: runId, granted, limiter: 'order', turn: 1, queued_at: 1, limits: '{}' },
    });
    await insert('runs', run('ended', { status: 'completed', finished_at: Date.now() - 120_000 }));
    await insert('runs', run('open', { status: 'running' }));
    await insert('limiter_entries', entry('ended', 'ended', 1));
    await insert('limiter_entries', entry('open', 'open', 1));
    const found = await checked(executor, 'permits');
    expect(saidBy(found)).toMatch(/^error: 1 permits of limits belong to runs that have ended/);
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'permits'))).toBe('');
    expect(await backend.query('SELECT holder FROM durable_limiter_entries')).toEqual([{ holder: 'open' }]);
  });

  it('signals: never taken', async () => {
    const signal = { namespace: 'default', channel: 'c', name: 'go', target: 'nobody', addressed: 'key' };
    await insert('signals', { ...signal, created_at: Date.now() - 8 * DAY, position: 1 });
    await insert('signals', { ...signal, created_at: Date.now() - 8 * DAY, position: 2, taken_by: 'a' });
    await insert('signals', { ...signal, created_at: Date.now(), position: 3 });
    await insert('signals', { ...signal, created_at: Date.now() - 8 * DAY, position: 4, namespace: 'other' });
    const found = await checked(executor, 'signals');
    expect(saidBy(found)).toMatch(
      /^warning: 1 signals of the namespace default are over 7 days old, and no run takes them.*\nwarning: 1 signals of the namespace other/,
    );
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'signals'))).toBe('');
  });

  it('schedules: late, and not paused', async () => {
    const schedule = { namespace: 'default', workflow: 'order', spec: '{}', created_at: 1 };
    const due = Date.now() - 600_000;
    await insert('schedules', { id: 'nightly', ...schedule, next_at: due });
    await insert('schedules', { id: 'paused', ...schedule, next_at: due, paused: 1 });
    await insert('schedules', { id: 'coming', ...schedule, next_at: Date.now() + DAY });
    const said = saidBy(await checked(executor, 'schedules'));
    const late = Number(/^error: The schedule "nightly" of "order" is (\d+) s late/.exec(said)?.[1]);
    expect(late).toBeGreaterThanOrEqual(600);
    expect(late).toBeLessThanOrEqual(Math.round((Date.now() - due) / 1_000));
    expect(said.split('\n')).toHaveLength(1);
  });

  it('channels: blocked and parked', async () => {
    const channel = (name: string, state: string | null) => ({ destination: "ada's", channel: name, state });
    for (const [name, state] of [
      ['a', 'blocked'],
      ['b', 'blocked'],
      ['c', 'parked'],
      ['d', null],
    ] as const)
      await insert('outbox_channels', channel(name, state));
    const found = await checked(executor, 'channels');
    expect(saidBy(found)).toMatch(
      /^error: 2 channels of the destination "ada's" are blocked, such as "a".*\nwarning: 1 channels .* are parked, such as "c"/,
    );
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'channels'))).toMatch(/^warning: 1 channels/);
    expect(saidBy(await checked(executor, 'channels', { outbox: false }))).toBe('');
    await backend.query('DELETE FROM durable_outbox_channels');
  });

  it('effects: abandoned', async () => {
    const effect = { operation: 'o', subject: 's', handler: 'mail', enqueued_at: 1 };
    await insert('effects', { entry_id: '1', ...effect });
    await insert('effects', { entry_id: '2', ...effect, ready: null, status: 'abandoned', finished_at: 1 });
    expect(saidBy(await checked(executor, 'effects'))).toMatch(/^error: 1 calls of the effect "mail" were abandoned/);
  });
});
