import { sourcesOf } from '../../../lib/engine/insight/listing.sql.js';
import { SqlRunListing } from '../../../lib/engine/insight/sql-run-listing.js';
import type { ListedRuns, ListRuns } from '../../../lib/engine/model/run-insight.js';
import type { SqlExecutor } from '../../../lib/sql/sql-executor.js';
import { sql } from '../../../lib/sql/dialects/statement.js';
import { type Scope, tablesWithPrefix } from '../../../lib/sql/tables.js';
import { type Clock, ManualClock } from '../../../lib/time/clock.js';
import { type Backend, describeBackends, type OpenBackend } from '../../support/backends.js';
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

describeBackends(
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
      await backend.query(`UPDATE durable_runs SET workflow = 'rare', version = 2 WHERE id = 'parked-7'`);
    }, 120_000);
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

    it('has the only run of a workflow on the first one, and nothing of one that nobody has', async () => {
      // PostgreSQL has no index of all runs by workflow, so that it looks through them.
      const clock = () => (at.db === 'postgres' ? new ManualClock() : impatient());
      expect(idsOf(await firstPage({ workflow: 'rare' }, clock()))).toEqual(['parked-7']);
      expect(idsOf(await firstPage({ workflow: 'rare', version: 1 }, clock()))).toEqual([]);
      expect(await firstPage({ workflow: 'nobody' }, clock())).toEqual({ runs: [], next: undefined });
    });

    it('returns an empty page with a cursor once it has looked for long', async () => {
      const page = await firstPage({ scheduleId: 'nobody' });
      expect(page.runs).toEqual([]);
      expect(page.next).toBeDefined();
      const all = await firstPage({ scheduleId: 'nobody' }, new ManualClock());
      expect(all).toEqual({ runs: [], next: undefined });
    });

    const itOfMysql = at.db === 'postgres' ? it.skip : it;
    itOfMysql('reads the kinds of runs from their index, one entry each', async () => {
      const [, blocked] = sourcesOf(scope(), { namespace: '', limit: 50, workflow: 'x', blocked: true });
      const { rows } = await db.run(sql`EXPLAIN ${blocked!.ids}`);
      expect(JSON.stringify(rows)).toMatch(
        /Using index for group-by|Covering index skip scan for (grouping|deduplication)/,
      );
    });
  },
  once,
);
