import { SqlOverdueRuns } from '../../../lib/engine/unfinished.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import type { Statement } from '../../../lib/sql/statement.js';
import { type Scope, tablesWithPrefix } from '../../../lib/sql/tables.js';
import {
  selectGroups,
  selectOverdueGroups,
  selectWindows,
  waitingTasks,
} from '../../../lib/worker/waiting-tasks.sql.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { insertParked, numbersTable } from '../../support/crowded-tables.js';
import { executorOf, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';
import { rowsReadBy } from '../../support/rows-read.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const ROWS = 8_000;
/** Far fewer than there are. */
const FEW = 100;

describeDatabases(
  'a look for what nobody serves, among much that waits',
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let storage: OpenStorage;
    beforeAll(async () => {
      backend = await at.open({ poolMax: 1 });
      db = executorOf(backend);
      storage = await sqlStorage(backend);
      await numbersTable(backend.query, ROWS);
      await insertParked(backend.query, ROWS);
      await backend.query(`UPDATE durable_runs SET workflow = 'other' WHERE id LIKE 'parked-1%'`);
      const task = 'step_id, run_id, seq, name, grp, attempt, status, created_at';
      await backend.query(
        `INSERT INTO durable_transport_tasks (${task}) SELECT CONCAT('t', n), 'r', n, 'x', CONCAT('group €', MOD(n, 4)), 1, 'pending', 1000 + n FROM numbers`,
      );
      // The others do it by themselves, a while after so many inserts.
      const analyze = at.db === 'postgres' ? 'ANALYZE' : 'ANALYZE TABLE';
      await backend.query(`${analyze} durable_runs, durable_transport_tasks`);
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

    const readBy = (statement: Statement): Promise<number> => rowsReadBy(db, (on) => on.run(statement));

    it('reads a few entries for each workflow', async () => {
      const read = await rowsReadBy(db, (on) => new SqlOverdueRuns(on, scope()).find('', 30_000));
      expect(read).toBeLessThan(FEW);
    });

    it('reads a few entries for each group', async () => {
      expect(await readBy(selectOverdueGroups(scope(), '', 30_000))).toBeLessThan(FEW);
      expect(await readBy(selectOverdueGroups(scope(), 'group €1', 30_000))).toBeLessThan(FEW);
      const { rows } = await db.run<{ grp: string; overdue: unknown }>(
        selectOverdueGroups(scope(), 'group €1', 30_000),
      );
      expect(rows.map(({ grp, overdue }) => [grp, Number(overdue)])).toEqual([
        ['group €2', 1],
        ['group €3', 1],
      ]);
    });

    it('reads a few entries for each group of a page of queues', async () => {
      for (const after of ['', 'group €1'])
        expect(await readBy(selectGroups(scope(), { after: after, limit: 10 }))).toBeLessThan(FEW);
    });

    it('reads the tasks of the windows alone', async () => {
      const middle = { createdAt: 1_000 + ROWS / 2, stepId: '' };
      const windows = [
        { group: 'group €1', after: undefined, limit: 20 },
        { group: 'group €2', after: middle, limit: 20 },
      ];
      const statement = selectWindows(scope(), windows);
      expect(await readBy(statement)).toBeLessThan(2 * FEW);
      const { rows } = await db.run<{ grp: string; created_at: unknown }>(statement);
      const ofGroup = (group: string) =>
        rows.filter(({ grp }) => grp === group).map(({ created_at }) => Number(created_at));
      const twenty = Array.from({ length: 20 }, (_, n) => 4 * n);
      expect(ofGroup('group €1')).toEqual(twenty.map((n) => 1_001 + n));
      expect(ofGroup('group €2')).toEqual(twenty.map((n) => middle.createdAt + 2 + n));
    });

    it('takes a fixed number of statements, once all workflows are known', async () => {
      const sent: string[] = [];
      const counting: SqlExecutor = { ...db, dialect: db.dialect, run: (one) => (sent.push('one'), db.run(one)) };
      await waitingTasks(counting, scope(), { olderThanMs: 30_000, cursor: undefined });
      expect(sent).toHaveLength(2);
      const overdue = new SqlOverdueRuns(counting, scope());
      const found = await overdue.find('', 30_000);
      sent.length = 0;
      expect(await overdue.find('', 30_000)).toEqual(found);
      expect(sent).toHaveLength(at.db === 'postgres' ? 1 : 2);
    });
  },
  { only: ({ orm }: Backend) => orm === 'typeorm' },
);
