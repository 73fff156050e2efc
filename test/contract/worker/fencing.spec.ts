import { claim, reportOf, taskOf } from '../../../lib/conformance/transport.js';
import { migrate } from '../../../lib/sql/migrations/migrator.js';
import { createNotifier } from '../../../lib/sql/notifier.js';
import { raw, sql } from '../../../lib/sql/statement.js';
import { tablesWithPrefix } from '../../../lib/sql/tables.js';
import { SqlTaskDispatcher, SqlTaskSource } from '../../../lib/worker/transport.sql.js';
import { describeDatabases } from '../../support/backends.js';
import { executorOf } from '../../support/db-transports.js';
import { gate } from '../../support/gate.js';
import { until } from '../../support/until.js';

const LOCKING = `SELECT count(*) AS n FROM information_schema.processlist
  WHERE info LIKE 'SELECT%FOR UPDATE' AND db = DATABASE() AND id <> CONNECTION_ID()`;

const WAITING = {
  postgres: `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  mysql: LOCKING,
  mariadb: LOCKING,
};

describeDatabases('a task that is claimed again while its old claim waits for the row', (at) => {
  it.each(['report', 'extend', 'release'] as const)('is the new owner’s: %s', async (act) => {
    const backend = await at.open();
    const db = executorOf(at, backend.handle);
    const tables = tablesWithPrefix('durable');
    await migrate(db, tables, { part: 'transport' });
    const notifier = createNotifier(db, 'durable', () => undefined);
    const source = new SqlTaskSource(db, tables, notifier);
    // So many that the server looks for rows by their place.
    await new SqlTaskDispatcher(db, tables, notifier).dispatch(Array.from({ length: 500 }, (_, seq) => taskOf(seq)));
    const [old] = await claim({ source }, { limit: 1 });
    const [claimed, goesOn] = [gate(), gate()];
    const again = db.transaction(async (tx) => {
      await tx.run(sql`UPDATE ${tables.tasks} SET claimed_by = 'other', claimed_at = claimed_at + ${raw('60000')}
        WHERE step_id = ${old!.stepId}`);
      claimed.open();
      await goesOn.opened;
    });
    await claimed.opened;
    const doing = act === 'report' ? source.report([reportOf(old!)]).then(([held]) => held) : source[act]([old!.claim]);
    await until('it waits', async () => Number((await backend.query<{ n: number }>(WAITING[at.db]))[0]?.n) > 0);
    goesOn.open();
    await again;
    expect(await doing).toEqual({ report: false, extend: [], release: undefined }[act]);
    const rows = await backend.query(`SELECT claimed_by FROM durable_transport_tasks WHERE step_id = '${old!.stepId}'`);
    expect(rows).toMatchObject([{ claimed_by: 'other' }]);
    await backend.close();
  });
});
