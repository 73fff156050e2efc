import {
  foreignAttemptsConformance,
  foreignRowsConformance,
  transportAnswersConformance,
  transportAttemptsConformance,
} from '../../../lib/conformance/transport-answers.js';
import { type SharedTablesFixture, transportTasksConformance } from '../../../lib/conformance/transport.js';
import { ManualClock } from '../../../lib/core/time.js';
import { HandOver } from '../../../lib/engine/tasks.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { mikroOrmExecutor } from '../../../lib/sql/mikro-orm.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { typeOrmExecutor } from '../../../lib/sql/typeorm.js';
import { SqlAnswerLeases, SqlTaskDispatcher, SqlTaskSource } from '../../../lib/worker/transport.sql.js';
import { describeDatabases, type OpenBackend } from '../../support/backends.js';

const cases = [
  ...transportTasksConformance,
  ...transportAnswersConformance,
  ...transportAttemptsConformance,
  ...foreignRowsConformance,
  ...foreignAttemptsConformance,
];

describeDatabases('the transport in SQL', (at) => {
  let backend: OpenBackend;
  let fixture: SharedTablesFixture;
  const tables = tablesWithPrefix('durable');

  beforeAll(async () => {
    backend = await at.open({ poolMax: 20 });
    const db = (at.orm === 'typeorm' ? typeOrmExecutor : mikroOrmExecutor)(backend.handle as object);
    await migrate(db, tables, { part: 'transport' });
    const notifier = createNotifier(db, tables.prefix, () => {});
    const clock = new ManualClock();
    const options = { elapsed: clock, now: () => sql`${clock.now()}`, handOver: new HandOver() };
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
