import { inMemoryEngineStorage } from '../../../lib/engine/compose/in-memory-engine-storage.js';
import { SqlNodeRoster } from '../../../lib/engine/nodes/sql-node-roster.js';
import { SqlRunCatalog } from '../../../lib/engine/commits/sql-run-catalog.js';
import { SqlRunControl } from '../../../lib/engine/endings/sql-run-control.js';
import { SqlRunStore } from '../../../lib/engine/commits/sql-run-store.js';
import { createNotifier } from '../../../lib/sql/create-notifier.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { sql } from '../../../lib/sql/dialects/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { runAnswersConformance } from '../../../lib/conformance/run-answers.js';
import { runCatalogConformance, runTransactionsConformance } from '../../../lib/conformance/run-catalog.js';
import { runClaimsConformance } from '../../../lib/conformance/run-claims.js';
import { runCommitsConformance } from '../../../lib/conformance/run-commits.js';
import { runFenceConformance } from '../../../lib/conformance/run-fence.js';
import type { TransactionalRunStoreFixture } from '../../../lib/conformance/run-store.js';
import { ManualClock } from '../../../lib/time/clock.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';
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

describeBackends('the storage of runs in SQL', (at) => {
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
  beforeEach(async () => {
    for (const table of ['runs', 'steps', 'nodes']) await backend.query(`DELETE FROM durable_${table}`);
  });
  afterAll(() => backend.close());

  it.each([...cases, ...runTransactionsConformance])('$name', ({ run }) => run(fixture));
});
