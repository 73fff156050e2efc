import { randomBytes } from 'node:crypto';
import { atMost } from '../core/time.js';
import { pendingSteps } from '../outbox/schema.sql.js';
import { isDenied, isUnlistable } from '../sql/database-errors.js';
import type { Dialect } from '../sql/dialects.js';
import type { SqlExecutor } from '../sql/executor.js';
import type { ListeningExecutor } from '../sql/notifier.js';
import { id, type Identifier, int, sql, type Statement } from '../sql/statement.js';
import { onceNow, type Scope } from '../sql/tables.js';
import {
  type Answer,
  type Check,
  error,
  type Finding,
  grantOnServer,
  info,
  mysqlSettings,
  on,
  type Patient,
  textOf,
  UNLISTABLE,
  warning,
} from './check.js';
import { counted, MOST, quoted, scopeOf } from './run-checks.js';

type Int = number | string;

const selectUntakenSignals = (scope: Scope, ageMs: number): Statement => sql`
  SELECT u.namespace, count(*) AS count FROM (
    SELECT s.namespace FROM ${scope.tables.signals} AS s
    WHERE s.taken_by IS NULL AND s.created_at < ${onceNow(scope)} - ${int(ageMs)} LIMIT ${int(MOST + 1)}
  ) AS u GROUP BY u.namespace ORDER BY u.namespace`;

async function lookAtSignals(patient: Patient): Promise<Answer> {
  const { ask, limits, tables } = patient;
  const rows = await ask<{ namespace: string; count: Int }>(selectUntakenSignals(scopeOf(patient), limits.signals));
  const days = Math.floor(limits.signals / 86_400_000);
  return rows.map(({ namespace, count }) => {
    const text = `${counted(count)} signals of the namespace ${namespace} are over ${days} days old, and no run takes them: a name or a key may be wrong`;
    const which = `--prefix ${tables.prefix} --namespace ${quoted(namespace)} --what signals --older-than ${limits.signals} --yes`;
    return warning(text, `npx nest-durable purge ${which}`);
  });
}

const selectLate = (scope: Scope, lateMs: number): Statement => sql`
  SELECT s.namespace, s.id, s.workflow, ${onceNow(scope)} - s.next_at AS late FROM ${scope.tables.schedules} AS s
  WHERE s.paused = 0 AND s.next_at IS NOT NULL AND s.next_at < ${onceNow(scope)} - ${int(lateMs)} ORDER BY s.next_at LIMIT 10`;

async function lookAtSchedules(patient: Patient): Promise<Answer> {
  const rows = await patient.ask<{ namespace: string; id: string; workflow: string; late: Int }>(
    selectLate(scopeOf(patient), patient.limits.late),
  );
  return rows.map(({ namespace, id: name, workflow, late }) =>
    error(
      `The schedule "${name}" of "${workflow}" is ${Math.round(Number(late) / 1_000)} s late: no engine of the namespace ` +
        `${namespace} is alive, or none has this workflow`,
    ),
  );
}

const selectStanding = (channels: Identifier): Statement => sql`
  SELECT c.destination, c.state, count(*) AS count, min(c.channel) AS example FROM ${channels} AS c
  WHERE c.state IN ('blocked', 'parked') GROUP BY c.destination, c.state ORDER BY c.destination, c.state LIMIT 20`;

/** The same as `OutboxOperations.retryAll`. */
const retryBlocked = ({ executor }: Patient, channels: Identifier, destination: string): Statement => sql`
  UPDATE ${channels} SET state = NULL, attempts = 0, crashed = NULL, available_at = NULL
  WHERE destination = ${executor.dialect.literal(destination)} AND state = 'blocked'`;

async function lookAtChannels(patient: Patient): Promise<Answer> {
  if (!patient.outbox) return [];
  const { channels } = patient.outbox.tables;
  const rows = await patient.ask<{ destination: string; state: string; count: Int; example: string }>(
    selectStanding(channels),
  );
  return rows.map(({ destination, state, count, example }): Finding => {
    const which = `${count} channels of the destination "${destination}"`;
    if (state === 'blocked') {
      const text = `${which} are blocked, such as "${example}": none of their events is published`;
      return error(text, textOf(retryBlocked(patient, channels, destination), patient.executor.dialect));
    }
    return warning(
      `${which} are parked, such as "${example}": their events become dead letters. Once it is mended: npx nest-durable outbox requeue`,
    );
  });
}

const selectAbandoned = ({ prefix, home }: Patient['tables']): Statement => sql`
  SELECT a.handler, count(*) AS count FROM (
    SELECT e.handler FROM ${id(`${prefix}_effects`, home)} AS e WHERE e.ready IS NULL AND e.open = 1 LIMIT 1001
  ) AS a GROUP BY a.handler ORDER BY count(*) DESC LIMIT 20`;

async function lookAtEffects({ ask, tables }: Patient): Promise<Answer> {
  const rows = await ask<{ handler: string; count: Int }>(selectAbandoned(tables));
  return rows.map(({ handler, count }) =>
    error(
      `${counted(count)} calls of the effect "${handler}" were abandoned: their operations never complete. Once it is mended: npx nest-durable effects requeue`,
    ),
  );
}

/** What does not arrive. */
export const deliveryChecks: readonly Check[] = [
  { id: 'signals', group: 'work', meaning: 'Signals are taken', looks: on(lookAtSignals) },
  { id: 'schedules', group: 'work', meaning: 'Schedules fire in time', looks: on(lookAtSchedules) },
  { id: 'channels', group: 'work', meaning: 'No channel of the outbox stands still', looks: on(lookAtChannels) },
  { id: 'effects', group: 'work', meaning: 'No call of an effect was abandoned', looks: on(lookAtEffects) },
];

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
const selectMysqlWaits = (prefix: string, schema: Statement, longerThanMs: number): Statement => sql`
  SELECT r.trx_mysql_thread_id AS waiting, b.trx_mysql_thread_id AS holding, LEFT(b.trx_query, 100) AS about,
    TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 AS waits
  FROM performance_schema.data_lock_waits AS w
  JOIN performance_schema.data_locks AS l ON l.ENGINE_LOCK_ID = w.REQUESTING_ENGINE_LOCK_ID
  JOIN information_schema.INNODB_TRX AS r ON r.trx_id = w.REQUESTING_ENGINE_TRANSACTION_ID
  JOIN information_schema.INNODB_TRX AS b ON b.trx_id = w.BLOCKING_ENGINE_TRANSACTION_ID
  WHERE l.OBJECT_SCHEMA = ${schema} AND l.OBJECT_NAME LIKE ${namesLike(prefix)}
    AND TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 >= ${longerThanMs} LIMIT 10`;

/** MySQL: for MariaDB, which writes the table as text. */
const selectMariadbWaits = (prefix: string, schema: Statement, longerThanMs: number): Statement => sql`
  SELECT r.trx_mysql_thread_id AS waiting, b.trx_mysql_thread_id AS holding, LEFT(b.trx_query, 100) AS about,
    TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 AS waits
  FROM information_schema.INNODB_LOCK_WAITS AS w
  JOIN information_schema.INNODB_LOCKS AS l ON l.lock_id = w.requested_lock_id
  JOIN information_schema.INNODB_TRX AS r ON r.trx_id = w.requesting_trx_id
  JOIN information_schema.INNODB_TRX AS b ON b.trx_id = w.blocking_trx_id
  WHERE l.lock_table LIKE CONCAT('%', ${schema}, '\`.\`', ${namesLike(prefix)})
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
    const { tables, executor, limits } = patient;
    const schema = executor.dialect.schemaOf(tables.home);
    const waits = await patient.ask<Wait>(select(tables.prefix, schema, limits.lockWait));
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

/** How long a notification may take. */
const ECHO_MS = 2_000;

const canListen = (executor: SqlExecutor): executor is ListeningExecutor => executor.listen !== undefined;

/** Sends one through the pool to a connection of ours that listens, as each process does when it starts. */
async function isHeard(executor: ListeningExecutor): Promise<boolean> {
  const channel = `durable_doctor_${randomBytes(6).toString('hex')}`;
  let isHeard = false;
  let told = (): void => undefined;
  const heard = new Promise<void>((resolve) => (told = resolve));
  const listener = await executor.listen([channel], () => {
    isHeard = true;
    told();
  });
  try {
    await executor.run(sql`SELECT pg_notify(${channel}, '')`);
    await atMost(ECHO_MS, heard);
    return isHeard;
  } finally {
    await listener.close();
  }
}

const selectUsage = sql`SELECT pg_notification_queue_usage() AS usage`;

/** Who keeps the queue from being emptied: a session that listens, in a transaction. */
const selectOldest = sql`
  SELECT pid FROM pg_catalog.pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND backend_type = 'client backend'
  ORDER BY xact_start LIMIT 1`;

async function lookAtNotifications(patient: Patient): Promise<Answer> {
  const { executor, ask, limits } = patient;
  const [row] = await ask<{ usage: number | string }>(selectUsage);
  if (Number(row?.usage) > limits.notifications) {
    const [oldest] = await ask<{ pid: number }>(selectOldest);
    const text = `The queue of notifications is ${Math.round(Number(row?.usage) * 100)} % full: when it is full, commits fail`;
    return [warning(text, ...(oldest ? [`SELECT pg_terminate_backend(${oldest.pid});`] : []))];
  }
  if (canListen(executor) && (await isHeard(executor))) return [];
  const text = canListen(executor)
    ? 'A notification to ourselves did not come back: PgBouncer in transaction mode does not pass LISTEN on'
    : 'This executor cannot listen';
  return [warning(`${text}. Processes poll, so that a result waits for up to a second`)];
}

/** Wake-ups of other processes. */
export const notificationCheck: Check = {
  id: 'notifications',
  group: 'connections',
  meaning: "Notifications come back through the app's pool, and their queue is not full",
  looks: { postgres: lookAtNotifications, mysql: undefined, mariadb: undefined },
};

/** Every part that the ordering of the app needs: also a trigger that somebody has turned off. */
async function lookAtPublished({ executor, outbox }: Patient): Promise<Answer> {
  if (!outbox) return [];
  const { ordering, tables } = outbox;
  const steps = await pendingSteps(executor, tables, { ordering });
  const missing = [...new Set(steps.map(({ what }) => what))];
  return missing.map((what) => {
    const mends = steps
      .filter((step) => step.what === what)
      .map(({ statement }) => textOf(statement, executor.dialect));
    return error(`The outbox lacks for the ordering '${ordering}': ${what}`, ...mends);
  });
}

export const publishedCheck: Check = {
  id: 'outbox',
  group: 'schema',
  meaning: 'The outbox has its tables, columns, indexes, functions and enabled triggers',
  looks: on(lookAtPublished),
};
