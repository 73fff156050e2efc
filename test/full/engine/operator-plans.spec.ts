import { SqlEffectInsight } from '../../../lib/effects/insight.sql.js';
import { effectTables } from '../../../lib/effects/tables.sql.js';
import { SqlFleetInsight } from '../../../lib/engine/fleet.sql.js';
import { type ListRuns, type ListSteps, MOST_SCANNED } from '../../../lib/engine/insight.js';
import { SqlRunListing } from '../../../lib/engine/listing.sql.js';
import { SqlScheduleStore } from '../../../lib/engine/schedules.sql.js';
import { signalChannel } from '../../../lib/engine/signals.js';
import { SqlOverdueRuns } from '../../../lib/engine/unfinished.sql.js';
import { SqlRelayInsight } from '../../../lib/outbox/relay-insight.sql.js';
import { outboxTables } from '../../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { sql } from '../../../lib/sql/statement.js';
import { type Scope, tablesWithPrefix } from '../../../lib/sql/tables.js';
import { MOST_TASKS_SCANNED, type TasksQuery } from '../../../lib/worker/waiting-tasks.js';
import { groupsInSight, listTasks, selectOverdueGroups } from '../../../lib/worker/waiting-tasks.sql.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { FAR, insertParked, insertParkedSteps, numbersTable } from '../../support/crowded-tables.js';
import { executorOf, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { rowsReadBy } from '../../support/rows-read.js';
import { sized } from '../../support/tiers.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const RUNS = 100_000;
/** Of each other kind. */
const ROWS = sized(100_000, 25_000);
/** What is counted, where a test says how much. */
const AT_MOST = 20;
/** A few times as much, and far less than there is. */
const FEW = 600;
/** The newest runs; MySQL and MariaDB also count the two reads of what they put aside. */
const NEWEST = 3 * MOST_SCANNED + FEW;

const OPENED = Array.from({ length: 8 }, (_, n) => `durable_runs AS r${n}`).join(', ');

/** Counts a filter's runs in vain, then scans as many. MariaDB scans twice, and counts the two reads of what it puts aside. */
const PAGE = 6 * MOST_SCANNED + FEW;

type Case = [string, (on: SqlExecutor) => Promise<unknown>];

const channelOf = (target: string, addressed: 'run' | 'key') =>
  signalChannel({ namespace: '', name: 'go', target, addressed });

describeDatabases(
  'the questions of operators, among much of everything',
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let storage: OpenStorage;
    beforeAll(async () => {
      backend = await at.open({ poolMax: 1 });
      db = executorOf(backend);
      storage = await sqlStorage(backend);
      const { query } = backend;
      // As in a server that has opened the empty tables: MySQL and MariaDB plan by the statistics of that moment.
      if (at.db !== 'postgres') await query(`SELECT count(*) FROM ${OPENED}`);
      await numbersTable(query, RUNS);
      await insertParked(query, RUNS);
      await insertParkedSteps(query, ROWS);
      // Half of them wait for the same.
      await query(`UPDATE durable_signal_waits SET channel = 'busy' WHERE step_id LIKE 'parked-1%'`);
      const fields = [
        `status = 'completed', finished_at = n.n`,
        `status = 'failed', finished_at = n.n`,
        `reason = 'non_determinism', wake_at = NULL`,
      ];
      const set = async (id: string, what: string) =>
        query(`UPDATE durable_runs SET ${what.replaceAll('n.n', 'created_at')} WHERE id LIKE '${id}'`);
      await set('parked-1%', fields[0]!);
      await set('parked-2%', fields[1]!);
      await set('parked-31%', fields[2]!);
      await set('parked-5', `workflow = 'rare'`);
      await set('parked-9999%', 'settled = 15000');
      const all = `FROM numbers WHERE n < ${ROWS}`;
      await query(
        `INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, attempt, status, created_at) SELECT CONCAT('t', n), 'r', n, 'x', CONCAT('g', MOD(n, 40)), 1, 'pending', n ${all}`,
      );
      await query(
        `INSERT INTO durable_limiters (limiter, namespace, name, limiter_key) SELECT CONCAT('limiter-', n), '', 'l', '' ${all} AND n < 40`,
      );
      await query(
        `INSERT INTO durable_limiter_entries (holder, limiter, run_id, granted, turn, queued_at, limits) SELECT CONCAT('h', n), CONCAT('limiter-', MOD(n, 40)), CONCAT('parked-', n), CASE WHEN MOD(n, 3) = 0 THEN 1 ELSE 0 END, n, 1, '{"name":"l","key":"","limits":{}}' ${all}`,
      );
      await query(
        `INSERT INTO durable_signals (namespace, channel, name, target, addressed, payload, created_at, position) SELECT '', CONCAT('c', MOD(n, 50)), 'go', CONCAT('k', MOD(n, 50)), CASE WHEN MOD(n, 2) = 0 THEN 'key' ELSE 'run' END, '1', n, n ${all}`,
      );
      // Of the first two every signal has its position, of the third none has one.
      const channels = { c4: channelOf('k4', 'key'), c5: channelOf('k5', 'run'), c6: channelOf('k6', 'key') };
      for (const [channel, hash] of Object.entries(channels))
        await query(
          `UPDATE durable_signals SET channel = '${hash}'${channel === 'c6' ? ', position = NULL' : ''} WHERE channel = '${channel}'`,
        );
      await query(
        `INSERT INTO durable_schedules (id, namespace, workflow, spec, next_at, created_at) SELECT CONCAT('s', n), '', 'work', '{}', CASE WHEN n < 3 THEN 1 ELSE ${FAR} END, 1 ${all}`,
      );
      await query(
        `INSERT INTO durable_outbox_channels (destination, channel, state, failed_at) SELECT CASE WHEN MOD(n, 2) = 0 THEN 'a' ELSE 'b' END, CONCAT('c', n), CASE WHEN MOD(n, 5) = 0 THEN 'blocked' END, 1 ${all}`,
      );
      await query(
        `INSERT INTO durable_outbox_dead (destination, sequence_id, mutation_id, channel, name, attempts, reason, failed_at) SELECT 'a', n, 'm', 'c', 'x', 1, 'failed', 1 ${all}`,
      );
      const states = [
        `'pending', 1, 1, NULL`,
        `'scheduled', 0, 1, NULL`,
        `'abandoned', NULL, 1, 1`,
        `'succeeded', NULL, 0, 1`,
      ];
      for (const [n, state] of states.entries())
        await query(
          `INSERT INTO durable_effects (entry_id, operation, subject, handler, enqueued_at, status, ready, open, finished_at) SELECT CONCAT('e', n), 'o', CONCAT('s', n), 'h', n, ${state} ${all} AND MOD(n, 4) = ${n}`,
        );
      const tables = [
        ...(at.db === 'postgres' ? ['runs'] : []),
        'transport_tasks',
        'limiter_entries',
        'signals',
        'signal_waits',
        'steps',
        'schedules',
        'outbox_channels',
      ];
      const analyzed = [...tables, 'outbox_dead', 'effects'].map((table) => `durable_${table}`).join(', ');
      await query(at.db === 'postgres' ? `ANALYZE ${analyzed}` : `ANALYZE TABLE ${analyzed}`);
    });
    afterAll(async () => {
      await storage?.close();
      await backend?.close();
    });

    const scope = (): Scope => ({
      tables: tablesWithPrefix('durable'),
      dialect: db.dialect,
      now: () => db.dialect.now,
    });

    const readBy = (ask: (on: SqlExecutor) => Promise<unknown>) => rowsReadBy(db, ask);
    const fleet = (on: SqlExecutor) => new SqlFleetInsight(on, scope().tables);

    it('counts of all runs read the newest, and a part of each status', async () => {
      const all = { namespace: '', limit: 1 };
      expect(await readBy((on) => fleet(on).counts(all, AT_MOST))).toBeLessThan(NEWEST);
    });

    it('counts of a status read a part of it, and those of a rare workflow its runs', async () => {
      const failed = { namespace: '', status: ['failed'], limit: 1 } as const;
      expect(await readBy((on) => fleet(on).counts(failed, AT_MOST))).toBeLessThan(NEWEST);
      const rare = { namespace: '', workflow: 'rare', limit: 1 };
      expect(await readBy((on) => fleet(on).counts(rare, AT_MOST))).toBeLessThan(FEW);
      const nobody = { namespace: '', workflow: 'nobody', limit: 1 };
      expect(await readBy((on) => fleet(on).counts(nobody, AT_MOST))).toBeLessThan(FEW);
    });

    it.each<Partial<ListRuns>>([
      {},
      { order: 'oldest' },
      { order: 'ended' },
      { order: 'ended', status: ['failed'] },
      { order: 'ended', workflow: 'nobody' },
      { endedFrom: 1, endedBefore: 50 },
      { endedBefore: 20_000, workflow: 'nobody' },
      { endedBefore: 20_000, status: ['compensating', 'compensation_failed'] },
      { status: ['failed'] },
      { blocked: true },
      { blocked: true, workflow: 'rare' },
      { reason: ['history_lost'] },
      { workflow: 'rare' },
      { idPrefix: 'parked-77' },
      { waitsFor: ['timer', 'limiter'] },
    ])('the list of %j reads no more than a page may look at', async (query) => {
      // Has looked for long after each statement.
      let now = 0;
      const clock = { now: () => (now += 300) };
      const list = (on: SqlExecutor) =>
        new SqlRunListing(on, scope(), clock).list({ namespace: '', limit: 50, ...query });
      expect(await readBy(list)).toBeLessThan(PAGE);
    });

    it.each<Partial<Omit<ListSteps, 'runs'>> & { runs?: Partial<ListRuns> }>([
      {},
      { name: 'nothing' },
      { name: 'nothing', runs: { order: 'oldest' } },
      { status: ['failed'], runs: { order: 'ended', status: ['failed'] } },
      { worker: 'nobody', olderThanMs: 1_000, runs: { workflow: 'rare' } },
      { past: { at: FAR, id: 'parked-7', seq: 0 } },
    ])('the list of steps %j reads no more than a page may look at', async ({ runs, ...query }) => {
      // One look is enough.
      let now = 0;
      const clock = { now: () => (now += 300) };
      const asked = { runs: { namespace: '', limit: 1, ...runs }, limit: 50, ...query };
      expect(await readBy((on) => new SqlRunListing(on, scope(), clock).steps(asked))).toBeLessThan(PAGE);
    });

    it('the steps of runs with long histories are looked at one run after the other', async () => {
      let now = 0;
      const listing = new SqlRunListing(db, scope(), { now: () => (now += 300) });
      expect((await listing.steps({ runs: { namespace: '', limit: 1 }, limit: 50 })).lookedAt).toBe(1);
    });

    it('a page of tasks reads a part of them, whatever is wanted', async () => {
      const list = (query: Partial<TasksQuery>) => (on: SqlExecutor) =>
        listTasks(on, scope(), { olderThanMs: 0, limit: AT_MOST, ...query });
      // Twice, and MySQL and MariaDB also count the two reads of what they put aside.
      const past = { after: { group: 'g3', createdAt: 83, stepId: 't83' } };
      for (const query of [{}, { worker: 'w' }, { status: 'lapsed' } as const, { name: 'none', ...past }])
        expect(await readBy(list(query))).toBeLessThan(4 * MOST_TASKS_SCANNED + FEW);
      for (const query of [{ group: 'g7' }, { group: 'g7', name: 'none' }, { group: 'g3', ...past }])
        expect(await readBy(list(query))).toBeLessThan((4 * ROWS) / 40 + FEW);
    });

    it.each<Case>([
      ['failed runs', (on) => fleet(on).counts({ namespace: '', status: ['failed'], limit: 1 }, AT_MOST)],
      [
        'runs whose compensation failed',
        (on) => fleet(on).counts({ namespace: '', status: ['compensation_failed'], limit: 1 }, AT_MOST),
      ],
      ['blocked runs', (on) => fleet(on).blocked('', AT_MOST)],
      ['due runs', (on) => new SqlOverdueRuns(on, scope()).find('', 1)],
      ['limiters', (on) => fleet(on).limiters({ namespace: '', after: '', limit: 4, atMost: AT_MOST, named: 5 })],
      ...(
        [
          {},
          { name: 'go' },
          { key: 'k4' },
          { run: 'k5' },
          { name: 'go', run: 'k5' },
          { name: 'go', key: 'k4' },
          { name: 'go', key: 'k6' },
        ] as const
      ).map((wanted): Case => [
        `signals: ${JSON.stringify(wanted)}`,
        (on) => fleet(on).untakenSignals({ namespace: '', scan: AT_MOST, limit: AT_MOST, ...wanted }),
      ]),
      ...(
        [
          {},
          { after: { channel: 'channel-5', stepId: 'parked-5:0' } },
          { channel: 'busy' },
          { channel: 'busy', after: { channel: 'busy', stepId: 'parked-5:0' } },
          { after: { channel: 'busy', stepId: 'parked-5:0' } },
          { run: 'parked-7' },
          { run: 'nobody' },
        ] as const
      ).map((wanted): Case => [
        `waits for signals: ${JSON.stringify(wanted)}`,
        (on) => fleet(on).signalWaits({ namespace: '', limit: AT_MOST, ...wanted }),
      ]),
      ['groups', (on) => groupsInSight(on, scope(), { after: '', limit: 5, atMost: AT_MOST })],
      ['late schedules', (on) => new SqlScheduleStore(on, scope().tables, storage.notifier!).late('', 1_000, AT_MOST)],
      ['destinations', (on) => relayInsight(on).troubles(['a', 'b'], AT_MOST)],
      ['effects', (on) => new SqlEffectInsight(on, { ...scope(), tables: effectTables('durable') }).counts(AT_MOST)],
    ])('%s: a part of them is read', async (_name, ask) => {
      expect(await readBy(ask)).toBeLessThan(FEW);
    });

    it('the groups that wait are read as quickly again, after another look at their tasks', async () => {
      const { tasks, nodes } = scope().tables;
      const groups = (on: SqlExecutor) => on.run(selectOverdueGroups(scope(), '', 1));
      const other = sql`SELECT t.grp FROM ${tasks} AS t WHERE t.step_id > ${'t1'} AND NOT EXISTS (
        SELECT 1 FROM ${nodes} AS n WHERE n.id = t.claimed_by) LIMIT 10`;
      for (let n = 0; n < 3; n++) {
        expect(await readBy(groups)).toBeLessThan(FEW);
        await db.run(other);
      }
    });

    const relayInsight = (on: SqlExecutor) =>
      new SqlRelayInsight(on, { ...scope(), tables: outboxTables('durable', {} as never), retains: false });
  },
  { only: ({ orm }: Backend) => orm === 'typeorm' },
);
