import { commitAll } from '../../../lib/engine/commits.sql.js';
import { freeClaims, freeRuns, withdrawEnded } from '../../../lib/engine/tables.sql.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import type { SqlExecutor } from '../../../lib/sql/executor.js';
import { type Scope, tablesWithPrefix } from '../../../lib/sql/tables.js';
import { sql, type Statement } from '../../../lib/sql/statement.js';
import { backends, type OpenBackend } from '../../support/backends.js';
import { insertParked, numbersTable } from '../../support/crowded-tables.js';
import { executorOf } from '../../support/engine-storage.js';
import { needsOwner } from '../../support/role-of-tests.js';

needsOwner('checks plans or costs by the number of rows; its statements are those of other suites');

const RUNS = 40_000;
const ids = Array.from({ length: 100 }, (_, n) => `parked-${n}`);

/** MySQL and MariaDB join by a whole primary key before they look at other indexes. */
const onPostgres = backends.filter(({ orm, db }) => orm === 'typeorm' && db === 'postgres');

for (const at of onPostgres) {
  describe(`the fence of runs goes by their keys, whatever the server believes of owners [${at.name}]`, () => {
    let backend: OpenBackend;
    let db: SqlExecutor;
    let scope: Scope;

    beforeAll(async () => {
      backend = await at.open();
      db = executorOf(backend);
      const tables = tablesWithPrefix('durable');
      await migrate(db, tables);
      scope = { tables, dialect: db.dialect, now: () => db.dialect.now };
      await numbersTable(backend.query, RUNS);
      await backend.query('ALTER TABLE durable_runs SET (autovacuum_enabled = false)');
      await insertParked(backend.query, RUNS);
      // As when a deploy, or a night, has parked them all.
      await backend.query('ANALYZE durable_runs');
      await backend.query(`UPDATE durable_runs SET owner = 'me' WHERE wake_at IS NULL`);
    });
    afterAll(() => backend.close());

    const statements: Record<string, () => Statement> = {
      'of a claim that is given back': () =>
        freeClaims(
          scope,
          ids.map((runId) => ({ runId, epoch: 1, owner: 'me' })),
          false,
        ),
      'of runs whose owner has ended': () => freeRuns(scope, 'me', ids),
      'of an owner that is back': () => withdrawEnded(scope, 'me', ids),
      'of a write': () => {
        const nothing = { steps: [], tasks: [], takes: [], withdraws: [] };
        const writes = ids.map((runId) => ({ runId, epoch: 1, owner: 'me', ...nothing }));
        return commitAll(scope, writes, { notification: undefined, notifying: true });
      },
    };

    it.each(Object.keys(statements))('%s', async (which) => {
      const { rows } = await db.run<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${statements[which]!()}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('durable_runs_pkey');
      expect(plan).not.toContain('durable_runs_owner');
    });
  });
}
