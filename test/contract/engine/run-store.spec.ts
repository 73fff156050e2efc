import { ManualClock } from '../../../lib/core/time.js';
import { SqlRunControl } from '../../../lib/engine/control.sql.js';
import { SqlNodeRoster } from '../../../lib/engine/nodes.sql.js';
import { SqlRunStore } from '../../../lib/engine/runs.sql.js';
import { SqlRunCatalog } from '../../../lib/engine/starts.sql.js';
import { inMemoryEngineStorage } from '../../../lib/engine/storage.memory.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import type { TransactionalRunStoreFixture } from '../conformance/fixtures.js';
import { runCatalogConformance, runTransactionsConformance } from '../conformance/run-catalog.js';
import { runClaimsConformance, runFenceConformance } from '../conformance/run-claims.js';
import { runAnswersConformance, runCommitsConformance } from '../conformance/run-commits.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';
import { executorOf } from '../../support/engine-storage.js';

const cases = [
  ...runClaimsConformance,
  ...runCommitsConformance,
  ...runFenceConformance,
  ...runAnswersConformance,
  ...runCatalogConformance,
];

describe('the storage of runs in memory', () => {
  it.each(cases)('$name', async ({ run }) => {
    const clock = new ManualClock();
    const { store, catalog, control, roster } = inMemoryEngineStorage(clock);
    await run({ store, catalog, control, roster, clock });
  });
});

describeDatabases('the storage of runs in SQL', (at) => {
  let backend: OpenBackend;
  let fixture: TransactionalRunStoreFixture;

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
    const db = executorOf(backend);
    const tables = tablesWithPrefix('durable');
    await migrate(db, tables);
    const notifier = createNotifier(db, tables.prefix, () => {});
    const clock = new ManualClock();
    const now = () => sql`${clock.now()}`;
    fixture = {
      clock,
      store: new SqlRunStore(db, tables, notifier, now),
      catalog: new SqlRunCatalog(db, tables, notifier, now),
      control: new SqlRunControl(db, tables, notifier, now),
      roster: new SqlNodeRoster(db, tables, now),
      transaction: (work) => db.transaction(work),
    };
  });
  beforeEach(() =>
    backend.script(['runs', 'steps', 'nodes'].map((table) => `DELETE FROM durable_${table}`).join(';\n')),
  );
  afterAll(() => backend.close());

  it.each([...cases, ...runTransactionsConformance])('$name', ({ run }) => run(fixture));
});
