import { SqlEffectInsight } from '../../../lib/effects/entries/sql-effect-insight.js';
import { effectTables } from '../../../lib/effects/entries/effect-scope.sql.js';
import { SqlFleetInsight } from '../../../lib/engine/insight/sql-fleet-insight.js';
import { overdueRuns } from '../../../lib/engine/insight/sql-overdue-runs.js';
import { SqlScheduleStore } from '../../../lib/engine/schedules/sql-schedule-store.js';
import { MOST_SCANNED } from '../../../lib/engine/model/run-insight.js';
import { SqlRelayInsight } from '../../../lib/outbox/relay/sql-relay-insight.js';
import { outboxTables } from '../../../lib/outbox/tables/sql-outbox-tables.js';
import type { SqlConnection, SqlExecutor } from '../../../lib/sql/sql-executor.js';
import { raw, sql, type Statement } from '../../../lib/sql/dialects/statement.js';
import { type Scope, tablesWithPrefix } from '../../../lib/sql/tables.js';
import { groupsInSight } from '../../../lib/transport/sql-groups.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { FAR, insertParked, numbersTable } from '../../support/crowded-tables.js';
import { executorOf, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { sized } from '../../support/sizes.js';

const ROWS = sized(100_000, 25_000);
/** What is counted, where a test says how much. */
const AT_MOST = 20;
/** A few times as much, and far less than there is. */
const FEW = 600;
/** The newest runs; MySQL and MariaDB also count the two reads of what they put aside. */
const NEWEST = 3 * MOST_SCANNED + FEW;

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  Plans?: PlanNode[];
}

/** How many rows of tables were read. */
function rowsRead(node: PlanNode): number {
  const own = node['Relation Name'] ? (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0) : 0;
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own);
}

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
      await numbersTable(query, ROWS);
      await insertParked(query, ROWS);
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
      const all = `FROM numbers`;
      await query(
        `INSERT INTO durable_transport_tasks (step_id, run_id, seq, name, grp, attempt, status, created_at) SELECT CONCAT('t', n), 'r', n, 'x', CONCAT('g', MOD(n, 40)), 1, 'pending', n ${all}`,
      );
      await query(
        `INSERT INTO durable_limiters (limiter, namespace, name, limiter_key) SELECT CONCAT('limiter-', n), '', 'l', '' ${all} WHERE n < 40`,
      );
      await query(
        `INSERT INTO durable_limiter_entries (holder, limiter, run_id, granted, turn, queued_at, limits) SELECT CONCAT('h', n), CONCAT('limiter-', MOD(n, 40)), 'r', CASE WHEN MOD(n, 3) = 0 THEN 1 ELSE 0 END, n, 1, '{"name":"l","key":"","limits":{}}' ${all}`,
      );
      await query(
        `INSERT INTO durable_signals (namespace, channel, name, target, addressed, payload, created_at, position) SELECT '', CONCAT('c', MOD(n, 50)), 'go', CONCAT('k', MOD(n, 50)), CASE WHEN MOD(n, 2) = 0 THEN 'key' ELSE 'run' END, '1', n, n ${all}`,
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
          `INSERT INTO durable_effects (entry_id, operation, subject, handler, enqueued_at, status, ready, open, finished_at) SELECT CONCAT('e', n), 'o', CONCAT('s', n), 'h', n, ${state} ${all} WHERE MOD(n, 4) = ${n}`,
        );
      const tables = ['runs', 'transport_tasks', 'limiter_entries', 'signals', 'schedules', 'outbox_channels'];
      const analyzed = [...tables, 'outbox_dead', 'effects'].map((table) => `durable_${table}`).join(', ');
      await query(at.db === 'postgres' ? `ANALYZE ${analyzed}` : `ANALYZE TABLE ${analyzed}`);
    }, 240_000);
    afterAll(async () => {
      await storage?.close();
      await backend?.close();
    });

    const scope = (): Scope => ({
      tables: tablesWithPrefix('durable'),
      dialect: db.dialect,
      now: () => db.dialect.now,
    });

    /** Of the only connection. */
    const readOnMysql = async (): Promise<number> => {
      const { rows } = await db.run<{ Value: string }>(raw(`SHOW SESSION STATUS LIKE 'Handler_read%'`));
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
    };

    const plansOf = async (statements: readonly Statement[]): Promise<number> => {
      let read = 0;
      for (const one of statements) {
        const { rows } = await db.run<{ 'QUERY PLAN': string }>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${one}`);
        const [{ Plan: root }] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '') as [{ Plan: PlanNode }];
        read += rowsRead(root);
      }
      return read;
    };

    /** How many rows the statements of `ask` read. */
    const readBy = async (ask: (on: SqlExecutor) => Promise<unknown>): Promise<number> => {
      const asked: Statement[] = [];
      const run: SqlConnection['run'] = (statement) => (asked.push(statement), db.run(statement));
      const before = at.db === 'postgres' ? 0 : await readOnMysql();
      await ask(Object.assign(Object.create(db) as SqlExecutor, { dialect: db.dialect, run }));
      expect(asked.length).toBeGreaterThan(0);
      return at.db === 'postgres' ? plansOf(asked) : (await readOnMysql()) - before;
    };
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

    it.each<[string, (on: SqlExecutor) => Promise<unknown>]>([
      ['blocked runs', (on) => fleet(on).blocked('', AT_MOST)],
      ['due runs', (on) => overdueRuns(on, scope(), '', 1)],
      ['limiters', (on) => fleet(on).limiters({ namespace: '', after: '', limit: 5, atMost: AT_MOST })],
      ['signals', (on) => fleet(on).untakenSignals({ namespace: '', scan: AT_MOST, limit: AT_MOST })],
      ['groups', (on) => groupsInSight(on, scope(), { after: '', limit: 5, atMost: AT_MOST })],
      ['late schedules', (on) => new SqlScheduleStore(on, scope().tables, storage.notifier!).late('', 1_000, AT_MOST)],
      ['destinations', (on) => relayInsight(on).troubles(['a', 'b'], AT_MOST)],
      ['effects', (on) => new SqlEffectInsight(on, { ...scope(), tables: effectTables('durable') }).counts(AT_MOST)],
    ])('%s: a part of them is read', async (_name, ask) => {
      expect(await readBy(ask)).toBeLessThan(FEW);
    });

    const relayInsight = (on: SqlExecutor) =>
      new SqlRelayInsight(on, { ...scope(), tables: outboxTables('durable', {} as never), retains: false });
  },
  { only: ({ orm }: Backend) => orm === 'typeorm' },
);
