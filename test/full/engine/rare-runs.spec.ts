import { type Clock, ManualClock } from '../../../lib/core/time.js';
import type { ListedRuns, ListRuns } from '../../../lib/engine/insight.js';
import { countSource, sourcesOf, SqlRunListing } from '../../../lib/engine/listing.sql.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { sql } from '../../../lib/sql/statement.js';
import { type Scope, tablesWithPrefix } from '../../../lib/sql/tables.js';
import { type Backend, describeDatabases, type OpenBackend } from '../../support/backends.js';
import { insertParked, numbersTable } from '../../support/crowded-tables.js';
import { executorOf, type OpenStorage, sqlStorage } from '../../support/engine-storage.js';

const RUNS = 32_000;
/** The oldest, so that the newest are read in vain. */
const BLOCKED = ['parked-5', 'parked-3', 'parked-1'];

/** Has looked for long after each statement. */
const impatient = (): Clock => {
  let now = 0;
  return { now: () => (now += 300) };
};

/** Which rows are read does not depend on the ORM. */
const once = { only: ({ orm }: Backend) => orm === 'typeorm' };

describeDatabases(
  'pages of few runs among many',
  (at) => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let storage: OpenStorage;

    /** The first page, read by somebody without patience unless told otherwise. */
    const firstPage = (query: Partial<ListRuns>, clock: Clock = impatient()): Promise<ListedRuns> => {
      return new SqlRunListing(db, scope(), clock).list({ namespace: '', limit: 50, ...query });
    };
    const scope = (): Scope => ({
      tables: tablesWithPrefix('durable'),
      dialect: db.dialect,
      now: () => db.dialect.now,
    });
    const idsOf = ({ runs }: ListedRuns): string[] => runs.map(({ id }) => id);

    beforeAll(async () => {
      backend = await at.open();
      db = executorOf(backend);
      storage = await sqlStorage(backend);
      await numbersTable(backend.query, RUNS);
      await insertParked(backend.query, RUNS);
      await backend.query(
        `UPDATE durable_runs SET reason = 'non_determinism' WHERE id IN ('parked-1', 'parked-3', 'parked-5')`,
      );
      const rare = ["wake_at = 1, status = 'pending'", "finished_at = 1, status = 'completed'", 'wake_at = NULL'];
      for (const [n, fields] of rare.entries())
        await backend.query(
          `UPDATE durable_runs SET workflow = 'rare', version = 2, ${fields} WHERE id = 'parked-${n + 7}'`,
        );
      if (at.db === 'postgres') await backend.query('ANALYZE durable_runs');
    });
    afterAll(async () => {
      await storage?.close();
      await backend?.close();
    });

    it('has all that are blocked on the first one', async () => {
      const page = await firstPage({ blocked: true });
      expect(idsOf(page)).toEqual(BLOCKED);
      expect(page.next).toBeUndefined();
      expect(idsOf(await firstPage({ blocked: true, workflow: 'work', order: 'oldest', limit: 2 }))).toEqual([
        'parked-1',
        'parked-3',
      ]);
    });

    it('has all that have a reason on the first one', async () => {
      expect(idsOf(await firstPage({ reason: ['non_determinism'] }))).toEqual(BLOCKED);
      expect(await firstPage({ reason: ['history_lost'] })).toMatchObject({ runs: [], next: undefined });
    });

    it('has the few runs of a workflow on the first one, and nothing of one that nobody has', async () => {
      expect(idsOf(await firstPage({ workflow: 'rare' }))).toEqual(['parked-9', 'parked-8', 'parked-7']);
      expect(idsOf(await firstPage({ workflow: 'rare', version: 2 }))).toEqual(['parked-9', 'parked-8', 'parked-7']);
      expect(idsOf(await firstPage({ workflow: 'rare', status: ['completed'] }))).toEqual(['parked-8']);
      expect(await firstPage({ workflow: 'rare', version: 1 })).toMatchObject({ runs: [], next: undefined });
      expect(await firstPage({ workflow: 'nobody' })).toMatchObject({ runs: [], next: undefined });
    });

    const itOfPostgres = at.db === 'postgres' ? it : it.skip;
    itOfPostgres(
      'reads the runs of a workflow from the indexes of those that are due and those that are not',
      async () => {
        const [source] = sourcesOf(scope(), { namespace: '', limit: 50, workflow: 'nobody' });
        const { rows } = await db.run(sql`EXPLAIN ${countSource(source!)}`);
        expect(JSON.stringify(rows)).toMatch(/durable_runs_due[^]*durable_runs_not_due/);
        expect(JSON.stringify(rows)).not.toContain('Seq Scan');
      },
    );

    it('has the few runs that ended in one way on the first one', async () => {
      expect(idsOf(await firstPage({ status: ['completed'] }))).toEqual(['parked-8']);
      expect(await firstPage({ status: ['failed', 'cancelled'] })).toMatchObject({ runs: [], next: undefined });
      const [source] = sourcesOf(scope(), { namespace: '', limit: 50, status: ['failed'] });
      expect(JSON.stringify((await db.run(sql`EXPLAIN ${countSource(source!)}`)).rows)).toContain(
        'durable_runs_finished',
      );
    });

    it('returns an empty page with a cursor once it has looked for long', async () => {
      const page = await firstPage({ scheduleId: 'nobody' });
      expect(page.runs).toEqual([]);
      expect(page.next).toBeDefined();
      const all = await firstPage({ scheduleId: 'nobody' }, new ManualClock());
      expect(all).toMatchObject({ runs: [], next: undefined });
    });
  },
  once,
);
