import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm-executor.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { createNotifier } from '../../../lib/sql/create-notifier.js';
import { sql } from '../../../lib/sql/dialects/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm-executor.js';
import { foreignRowsConformance } from '../../../lib/conformance/foreign-rows.js';
import type { SharedTablesFixture } from '../../../lib/conformance/transport.js';
import { transportAnswersConformance } from '../../../lib/conformance/transport-answers.js';
import {
  foreignAttemptsConformance,
  transportAttemptsConformance,
} from '../../../lib/conformance/transport-attempts.js';
import { transportTasksConformance } from '../../../lib/conformance/transport-tasks.js';
import { ManualClock } from '../../../lib/time/clock.js';
import { SqlAnswerLeases } from '../../../lib/transport/sql-answer-leases.js';
import { SqlTaskDispatcher } from '../../../lib/transport/sql-task-dispatcher.js';
import { SqlTaskSource } from '../../../lib/transport/sql-task-source.js';
import { describeBackends, type OpenBackend } from '../../support/backends.js';

const cases = [
  ...transportTasksConformance,
  ...transportAnswersConformance,
  ...transportAttemptsConformance,
  ...foreignRowsConformance,
  ...foreignAttemptsConformance,
];

describeBackends('the transport in SQL', (at) => {
  let backend: OpenBackend;
  let fixture: SharedTablesFixture;
  const tables = tablesWithPrefix('durable');

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
    const db = (at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(backend.handle as object);
    await migrate(db, tables, { part: 'transport' });
    const notifier = createNotifier(db, tables.prefix, () => {});
    const clock = new ManualClock();
    const options = { clock, now: () => sql`${clock.now()}` };
    fixture = {
      clock,
      dispatcher: new SqlTaskDispatcher(db, tables, notifier, options),
      source: new SqlTaskSource(db, tables, notifier, options),
      leases: new SqlAnswerLeases(db, tables, options),
      foreign: {
        insert: async (table, row) => {
          const columns = Object.keys(row);
          const text = `INSERT INTO durable_transport_${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
          await backend.query(text, Object.values(row));
        },
        select: (table) => backend.query(`SELECT * FROM durable_transport_${table} ORDER BY seq`),
      },
    };
  });
  beforeEach(async () => {
    await backend.query('DELETE FROM durable_transport_tasks');
    await backend.query('DELETE FROM durable_transport_results');
    // Past the moment until which a claim steps over what it has claimed already.
    fixture.clock.advance(10_000);
  });
  afterAll(() => backend.close());

  it.each(cases)('$name', ({ run }) => run(fixture));
});
