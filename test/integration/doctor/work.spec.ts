import { DurableDoctor } from '../../../lib/doctor/durable-doctor.js';
import { migrateOutbox } from '../../../lib/outbox/events/sql-outbox-schema.js';
import { outboxTableNames, outboxTables } from '../../../lib/outbox/tables/sql-outbox-tables.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import type { SqlExecutor } from '../../../lib/sql/sql-executor.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { emptyTables } from '../../support/empty-tables.js';
import { executorOf } from '../../support/engine-storage.js';
import { checked, mend, saidBy } from '../../support/examined.js';

const DAY = 86_400_000;

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
  beforeEach(() => emptyTables(executor));

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
      ...['signals', 'schedules', 'channels', 'effects'],
    ]);
    const { counts } = await new DurableDoctor(executor).examine({ only: ids });
    expect(counts).toEqual({ error: 0, warning: 0, info: 0, untold: 0 });
  });

  it('untaken: runs that are due and that no process takes, unless their workflow is held', async () => {
    await insert('runs', run('a', { status: 'pending', wake_at: Date.now() - 120_000 }));
    await insert('runs', run('b', { status: 'pending', wake_at: Date.now() - 120_000, owner: 'somebody' }));
    await insert('runs', run('c', { status: 'pending', wake_at: Date.now() - 10_000 }));
    expect(saidBy(await checked(executor, 'untaken'))).toMatch(
      /^error: 1 runs of "order" version 1 \(namespace default\) are due, and no process takes them/,
    );
    const hold = { kind: 'workflow', name: 'order', since: 1, actor: 'ada', reason: 'the bank is down' };
    await insert('holds', { namespace: 'default', ...hold });
    expect(saidBy(await checked(executor, 'untaken'))).toBe('');
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
    for (const id of ['a', 'b', 'c'])
      await insert('runs', run(id, { status: 'completed', finished_at: Date.now() - 35 * DAY }));
    expect(saidBy(await checked(executor, 'retention'))).toBe('');
    const limits = { endedRuns: 2 };
    const found = await checked(executor, 'retention', { limits });
    expect(saidBy(found)).toBe('warning: More than 2 runs ended over 30 days ago: no retention deletes them');
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'retention', { limits }))).toBe('');
  });

  it('versions: processes with other versions of the package', async () => {
    const node = (id: string, version: string) => ({
      id,
      version,
      namespace: 'default',
      started_at: 1,
      expires_at: Date.now() + DAY,
    });
    await insert('nodes', node('a', '0.1.0'));
    await insert('nodes', node('b', '0.1.0'));
    expect(saidBy(await checked(executor, 'versions'))).toBe('');
    await insert('nodes', node('c', '0.2.0'));
    await insert('nodes', { ...node('d', '0.0.1'), left_at: 1 });
    expect(saidBy(await checked(executor, 'versions'))).toMatch(
      /^info: Processes have different versions of nest-durable: 2 of 0\.1\.0, 1 of 0\.2\.0/,
    );
  });

  it('signals: never taken', async () => {
    const signal = { namespace: 'default', channel: 'c', name: 'go', target: 'nobody', addressed: 'key' };
    await insert('signals', { ...signal, created_at: Date.now() - 8 * DAY, position: 1 });
    await insert('signals', { ...signal, created_at: Date.now() - 8 * DAY, position: 2, taken_by: 'a' });
    await insert('signals', { ...signal, created_at: Date.now(), position: 3 });
    const found = await checked(executor, 'signals');
    expect(saidBy(found)).toMatch(/^warning: 1 signals are over 7 days old, and no run takes them/);
    await mend(found, backend);
    expect(saidBy(await checked(executor, 'signals'))).toBe('');
  });

  it('schedules: late, and not paused', async () => {
    const schedule = { namespace: 'default', workflow: 'order', spec: '{}', created_at: 1 };
    await insert('schedules', { id: 'nightly', ...schedule, next_at: Date.now() - 600_000 });
    await insert('schedules', { id: 'paused', ...schedule, next_at: Date.now() - 600_000, paused: 1 });
    await insert('schedules', { id: 'coming', ...schedule, next_at: Date.now() + 600_000 });
    expect(saidBy(await checked(executor, 'schedules'))).toMatch(
      /^error: The schedule "nightly" of "order" is 60\d s late/,
    );
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
