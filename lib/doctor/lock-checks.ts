import { type Answer, type Check, info, type Patient, warning } from './check.js';
import { grantOnServer, mysqlSettings, UNLISTABLE } from './settings.js';
import { isDenied, isUnlistable } from '../sql/database-errors.js';
import type { Dialect } from '../sql/dialects/dialect.js';
import { sql, type Statement } from '../sql/dialects/statement.js';

interface Wait {
  waiting: number | string;
  holding: number | string;
  waits: number | string;
  about: string | null;
}

/** Whoever waits for a row has a lock on its table, too. */
const selectWaits = (prefix: string, longerThanMs: number): Statement => sql`
  SELECT a.pid AS waiting, b.pid AS holding, left(h.query, 100) AS about,
    CAST(extract(epoch FROM clock_timestamp() - a.query_start) * 1000 AS bigint) AS waits
  FROM pg_catalog.pg_stat_activity AS a CROSS JOIN LATERAL unnest(pg_blocking_pids(a.pid)) AS b(pid)
  LEFT JOIN pg_catalog.pg_stat_activity AS h ON h.pid = b.pid
  WHERE a.datname = current_database() AND a.wait_event_type = 'Lock'
    AND extract(epoch FROM clock_timestamp() - a.query_start) * 1000 > CAST(${longerThanMs} AS bigint)
    AND EXISTS (SELECT 1 FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
      WHERE l.pid = a.pid AND c.relname LIKE ${namesLike(prefix)})
  ORDER BY a.query_start LIMIT 10`;

const namesLike = (prefix: string): string => `${prefix.replaceAll('_', '\\_')}\\_%`;

const waitFindings = (waits: readonly Wait[], mend: (holding: number | string) => string): Answer =>
  waits.map(({ waiting, holding, waits: ms, about }) =>
    warning(
      `Session ${waiting} has waited for ${Math.round(Number(ms) / 1_000)} s for a lock of session ${holding} (${about ?? 'idle'})`,
      mend(holding),
    ),
  );

async function locksOnPostgres({ ask, tables, limits }: Patient): Promise<Answer> {
  const waits = await ask<Wait>(selectWaits(tables.prefix, limits.lockWait));
  return waitFindings(waits, (pid) => `SELECT pg_terminate_backend(${pid});`);
}

/** MySQL: only the performance schema knows who waits for whom. */
const selectMysqlWaits = (prefix: string, longerThanMs: number): Statement => sql`
  SELECT r.trx_mysql_thread_id AS waiting, b.trx_mysql_thread_id AS holding, LEFT(b.trx_query, 100) AS about,
    TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 AS waits
  FROM performance_schema.data_lock_waits AS w
  JOIN performance_schema.data_locks AS l ON l.ENGINE_LOCK_ID = w.REQUESTING_ENGINE_LOCK_ID
  JOIN information_schema.INNODB_TRX AS r ON r.trx_id = w.REQUESTING_ENGINE_TRANSACTION_ID
  JOIN information_schema.INNODB_TRX AS b ON b.trx_id = w.BLOCKING_ENGINE_TRANSACTION_ID
  WHERE l.OBJECT_SCHEMA = DATABASE() AND l.OBJECT_NAME LIKE ${namesLike(prefix)}
    AND TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 >= ${longerThanMs} LIMIT 10`;

/** MySQL: for MariaDB, which writes the table as text. */
const selectMariadbWaits = (prefix: string, longerThanMs: number): Statement => sql`
  SELECT r.trx_mysql_thread_id AS waiting, b.trx_mysql_thread_id AS holding, LEFT(b.trx_query, 100) AS about,
    TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 AS waits
  FROM information_schema.INNODB_LOCK_WAITS AS w
  JOIN information_schema.INNODB_LOCKS AS l ON l.lock_id = w.requested_lock_id
  JOIN information_schema.INNODB_TRX AS r ON r.trx_id = w.requesting_trx_id
  JOIN information_schema.INNODB_TRX AS b ON b.trx_id = w.blocking_trx_id
  WHERE l.lock_table LIKE CONCAT('%', DATABASE(), '\`.\`', ${namesLike(prefix)})
    AND TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 >= ${longerThanMs} LIMIT 10`;

async function locksOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, 'performance_schema');
  if (settings.get('performance_schema') === 'OFF')
    return {
      untold: 'the server was started with performance_schema = OFF, so nobody knows who waits for whom',
      mend: [],
    };
  return askForLocks(patient, selectMysqlWaits);
}

const locksOnMariadb = (patient: Patient): Promise<Answer> => askForLocks(patient, selectMariadbWaits);

async function askForLocks(patient: Patient, select: typeof selectMysqlWaits): Promise<Answer> {
  try {
    const waits = await patient.ask<Wait>(select(patient.tables.prefix, patient.limits.lockWait));
    return waitFindings(waits, (thread) => `KILL ${thread};`);
  } catch (refusal) {
    return unseen(patient, refusal);
  }
}

async function unseen(patient: Patient, refusal: unknown): Promise<Answer> {
  if (isUnlistable(refusal)) return UNLISTABLE;
  if (!isDenied(refusal)) throw refusal;
  const rights = await Promise.all(['PROCESS', 'SELECT'].map((right) => grantOnServer(patient, right)));
  return {
    untold: 'this user may not see the locks of others',
    mend: [rights[0]!, rights[1]!.replace('*.*', 'performance_schema.*')],
  };
}

const selectDeadlocks = sql`
  SELECT deadlocks, CAST(coalesce(stats_reset, pg_postmaster_start_time()) AS text) AS since
  FROM pg_catalog.pg_stat_database WHERE datname = current_database()`;

async function deadlocksOnPostgres({ ask }: Patient): Promise<Answer> {
  const [row] = await ask<{ deadlocks: number | string; since: string }>(selectDeadlocks);
  if (Number(row?.deadlocks) === 0) return [];
  const text = `${row?.deadlocks} deadlocks in this database since ${row?.since}: ours are repeated, those of the app fail`;
  // Resetting the counter would also reset what autovacuum goes by.
  return [info(text)];
}

const selectCounts = sql`
  SELECT NAME AS name, COUNT_RESET AS count FROM information_schema.INNODB_METRICS
  WHERE NAME IN ('lock_deadlocks', 'lock_timeouts') AND COUNT_RESET > 0`;

/** MariaDB counts from its start, and cannot begin anew. */
const RESET: Readonly<Record<Dialect['name'], (counter: string) => string[]>> = {
  postgres: () => [],
  mysql: (counter) => [`SET GLOBAL innodb_monitor_reset = '${counter}';`],
  mariadb: () => [],
};

async function deadlocksOnMysql(patient: Patient): Promise<Answer> {
  try {
    const rows = await patient.ask<{ name: string; count: number | string }>(selectCounts);
    return rows.map(({ name, count }) => {
      const what = name === 'lock_deadlocks' ? 'deadlocks' : 'lock timeouts';
      const text = `${count} ${what} on this server so far: ours are repeated, those of the app fail`;
      return info(text, ...RESET[patient.executor.dialect.name](name));
    });
  } catch (refusal) {
    return unseen(patient, refusal);
  }
}

/** Who waits for whom. */
export const lockChecks: readonly Check[] = [
  {
    id: 'locks',
    group: 'locks',
    meaning: 'Nobody waits for long for a lock on our tables',
    looks: { postgres: locksOnPostgres, mysql: locksOnMysql, mariadb: locksOnMariadb },
  },
  {
    id: 'deadlocks',
    group: 'locks',
    meaning: 'There were no deadlocks',
    looks: { postgres: deadlocksOnPostgres, mysql: deadlocksOnMysql, mariadb: deadlocksOnMysql },
  },
];
