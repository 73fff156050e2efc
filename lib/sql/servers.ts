import { ConfigurationError, UnsupportedServerError } from '../core/errors.js';
import { sleep } from '../core/time.js';
import { byFamily, type Dialect, type Family } from './dialects.js';
import type { SqlExecutor } from './executor.js';
import type { GoneSession } from './pools.js';
import { int, raw, sql, type Statement } from './statement.js';

/** The minimum versions: SKIP LOCKED, JSON rows, AS MATERIALIZED; on MySQL a collation that keeps trailing spaces. */
const OLDEST: Record<Dialect['name'], readonly number[]> = { postgres: [12], mysql: [8, 0, 17], mariadb: [10, 6] };
const TITLES: Record<Dialect['name'], string> = { postgres: 'PostgreSQL', mysql: 'MySQL', mariadb: 'MariaDB' };

/** A load balancer usually gives successive connections to different nodes. */
const CONNECTIONS_ASKED = 4;
const SECOND_LOOK_MS = 1_000;

type Environment = Record<string, string | undefined>;
/** Lets operators accept the risk and silence the check. */
const ALLOW = 'NEST_DURABLE_ALLOW_UNSUPPORTED_SERVER';

export const allowsUnsupportedServers = (env: Environment = process.env): boolean => env[ALLOW] === '1';

/**
 * @throws UnsupportedServerError when the server only uses the protocol of a supported one.
 * @throws ConfigurationError when the server is too old, or differs from the ORM's configuration.
 */
export async function checkServer(executor: SqlExecutor, env: Environment = process.env): Promise<void> {
  const { dialect } = executor;
  const { rows } = await executor.run<{ version: string; product: string }>(selectServer(dialect));
  const version = String(rows[0]?.version);
  const found = unsupportedServer(dialect.family, version, String(rows[0]?.product)) ?? (await clusterOf(executor));
  if (found && !allowsUnsupportedServers(env)) throw unsupported(found, version);
  const refusal = refusalOf(dialect.name, version);
  if (refusal) throw new ConfigurationError(refusal);
}

/** The unsupported cluster that the server belongs to, if any. */
const clusterOf = (executor: SqlExecutor): Promise<UnsupportedServer | undefined> =>
  byFamily(executor.dialect, { postgres: () => Promise.resolve(undefined), mysql: () => mysqlClusterOf(executor) });

async function mysqlClusterOf(executor: SqlExecutor): Promise<UnsupportedServer | undefined> {
  const { rows } = await executor.run<{ Variable_name: string; Value: string }>(showClusterVariables());
  const variables = new Map(rows.map((row) => [row.Variable_name, row.Value]));
  if (variables.get('group_replication_single_primary_mode') === 'OFF') return multiPrimaryGroupReplication;
  if (variables.get('wsrep_on') !== 'ON' || (await answersAsOne(executor))) return undefined;
  // During a switch of the writer two servers may respond, but only briefly.
  await sleep(SECOND_LOOK_MS);
  return (await answersAsOne(executor)) ? undefined : multiWriterGalera;
}

/** Whether transactions on several connections reach one server; a proxy may route single SELECTs elsewhere. */
async function answersAsOne(executor: SqlExecutor): Promise<boolean> {
  const ask = () => executor.transaction((tx) => tx.run<{ name: string }>(selectServerName()));
  const answers = await Promise.all(Array.from({ length: CONNECTIONS_ASKED }, ask));
  return new Set(answers.map(({ rows }) => rows[0]?.name)).size === 1;
}

const unsupported = ({ name, why, link }: UnsupportedServer, version: string): UnsupportedServerError =>
  new UnsupportedServerError(
    `The server is ${name} (${version}), which is not supported: ${why}. Use one that is listed in docs/databases.md of ` +
      `nest-durable. To use it anyway, at your own risk, set ${ALLOW}=1. See ${link}`,
  );

/** Why a server of this version is not supported; undefined when it is. */
export function refusalOf(expected: Dialect['name'], answer: string): string | undefined {
  const actual = /mariadb/i.test(answer) ? 'mariadb' : /postgres|cockroach/i.test(answer) ? 'postgres' : 'mysql';
  if (actual !== expected) {
    return `The ORM is set up for ${TITLES[expected]}, but the server is ${TITLES[actual]} (${answer}): use the ORM's ${actual} type or driver`;
  }
  // MariaDB's version prefix for old replicas.
  const [number = ''] = /\d+(\.\d+)+/.exec(answer.replace(/^5\.5\.5-/, '')) ?? [];
  const oldest = OLDEST[expected];
  if (isAtLeast(number.split('.').map(Number), oldest)) return undefined;
  return `The server is ${TITLES[expected]} ${number}: it must be ${oldest.join('.')} or newer`;
}

/** Missing numbers count as 0. */
export function isAtLeast(version: readonly number[], oldest: readonly number[]): boolean {
  const at = oldest.findIndex((number, i) => (version[i] ?? 0) !== number);
  return at === -1 || (version[at] ?? 0) > (oldest[at] ?? 0);
}

/** A server with the protocol of a supported one but different guarantees. */
interface UnsupportedServer {
  name: string;
  /** One sentence: what does not work there. */
  why: string;
  /** The vendor's own page about it. */
  link: string;
}

interface Sign extends UnsupportedServer {
  says: RegExp;
}

const SIGNS: Readonly<Record<Family, readonly Sign[]>> = {
  postgres: [
    {
      name: 'CockroachDB',
      says: /cockroach/i,
      why: 'its advisory locks lock nothing, and it has neither `ctid`, which is needed to claim rows, nor LISTEN',
      link: 'https://www.cockroachlabs.com/docs/stable/postgresql-compatibility',
    },
    {
      name: 'YugabyteDB',
      says: /-YB-/,
      why: 'it has no `ctid`, which is needed to claim rows',
      link: 'https://github.com/yugabyte/yugabyte-db/issues/24843',
    },
    {
      name: 'Aurora DSQL',
      says: /Aurora DSQL/,
      why: 'it locks no rows before the commit, and has neither advisory locks nor triggers nor LISTEN',
      link: 'https://docs.aws.amazon.com/aurora-dsql/latest/userguide/working-with-postgresql-compatibility-unsupported-features.html',
    },
    {
      name: 'Spanner',
      says: /Spanner/,
      why: 'it has neither SKIP LOCKED nor advisory locks nor triggers nor LISTEN',
      link: 'https://cloud.google.com/spanner/docs/reference/postgresql/overview',
    },
  ],
  mysql: [
    {
      name: 'TiDB',
      says: /TiDB/i,
      why: 'it accepts SKIP LOCKED and then locks nothing, so that two processes claim the same work',
      link: 'https://github.com/pingcap/tidb/issues/18207',
    },
    {
      name: 'Vitess',
      says: /Vitess|PlanetScale/i,
      why: 'a transaction may be spread over shards, which are not locked and not committed as one',
      link: 'https://vitess.io/docs/reference/compatibility/mysql-compatibility/',
    },
  ],
};

const multiPrimaryGroupReplication: UnsupportedServer = {
  name: 'a member of a multi-primary group (Group Replication)',
  why: 'a row lock holds on one member only, so a write through another member can ignore it',
  link: 'https://dev.mysql.com/doc/refman/8.4/en/group-replication-limitations.html',
};

const multiWriterGalera: UnsupportedServer = {
  name: 'one of several nodes of a Galera cluster that this process writes to',
  why: 'a row lock holds on one node only; route all statements to one (one hostgroup of ProxySQL, readconnroute of MaxScale, one active backend of HAProxy)',
  link: 'https://mariadb.com/docs/galera-cluster/reference/mariadb-galera-cluster-known-limitations',
};

/** The unsupported server with these version texts, if any. */
export function unsupportedServer(family: Family, ...said: readonly string[]): UnsupportedServer | undefined {
  return SIGNS[family].find((sign) => said.some((words) => sign.says.test(words)));
}

/**
 * The version texts of a server. Some call themselves plain PostgreSQL, and TiDB's version is configurable: those are
 * detected by a table, a schema or a kind of comment that only they have. Names are qualified, since a schema before
 * `pg_catalog` in the search path may have its own `version()`.
 */
export const selectServer = (dialect: Dialect): Statement =>
  byFamily(dialect, {
    postgres: () => sql`SELECT pg_catalog.version() AS version, CASE
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'spanner_sys') THEN 'Spanner'
    WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = 'sys' AND c.relname = 'iam_pg_role_mappings') THEN 'Aurora DSQL'
    ELSE '' END AS product`,
    mysql: () => sql`SELECT version() AS version, CONCAT(@@version_comment, '' /*T! , ' TiDB' */) AS product`,
  });

/** The server of a cluster that responds. */
export const selectServerName = (): Statement => sql`SELECT CONCAT(@@hostname, ':', @@port) AS name`;

/** Needs no rights: by SHOW, because a SELECT fails on servers without the variable. */
export const showClusterVariables = (): Statement =>
  sql`SHOW GLOBAL VARIABLES WHERE Variable_name IN ('group_replication_single_primary_mode', 'wsrep_on')`;

/**
 * Sessions behind whose locks statements of this user and database have waited for longer than `afterMs`, the oldest
 * first. MySQL and MariaDB show them to users with PROCESS; MySQL also needs SELECT on `performance_schema`.
 */
export const selectLockHolders = (dialect: Dialect, afterMs: number): Statement =>
  byFamily(dialect, {
    postgres: () => sql`WITH waiting AS (
      SELECT a.pid, extract(epoch FROM clock_timestamp() - a.query_start) * 1000 AS ms FROM pg_catalog.pg_stat_activity AS a
      WHERE a.datname = current_database() AND a.usename = current_user AND a.wait_event_type = 'Lock'
    ), held AS (
      SELECT unnest(pg_blocking_pids(w.pid)) AS pid, w.ms FROM waiting AS w WHERE w.ms >= ${int(afterMs)}
    ) SELECT h.pid AS session, h.client_port AS port, concat_ws(' ', nullif(h.application_name, ''), coalesce(host(h.client_addr), 'local')) AS process,
      h.query AS statement, floor(extract(epoch FROM clock_timestamp() - h.xact_start) * 1000)::bigint AS open_ms,
      floor(max(held.ms))::bigint AS waited_ms
    FROM held JOIN pg_catalog.pg_stat_activity AS h ON h.pid = held.pid
    GROUP BY h.pid, h.client_port, h.application_name, h.client_addr, h.query, h.xact_start ORDER BY h.xact_start LIMIT 10`,
    mysql:
      () => sql`SELECT b.trx_mysql_thread_id AS session, SUBSTRING_INDEX(p.HOST, ':', -1) AS port, CONCAT(p.USER, '@', p.HOST) AS process, b.trx_query AS statement,
      TIMESTAMPDIFF(SECOND, b.trx_started, NOW()) * 1000 AS open_ms,
      MAX(TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000) AS waited_ms
    FROM ${LOCK_WAITS[dialect.name]} AS w
    JOIN information_schema.INNODB_TRX AS r ON r.trx_id = w.waiting
    JOIN information_schema.INNODB_TRX AS b ON b.trx_id = w.holding
    JOIN information_schema.PROCESSLIST AS q ON q.ID = r.trx_mysql_thread_id AND q.DB = DATABASE()
      AND q.USER = SUBSTRING_INDEX(USER(), '@', 1)
    JOIN information_schema.PROCESSLIST AS p ON p.ID = b.trx_mysql_thread_id
    WHERE TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 >= ${int(afterMs)}
    GROUP BY b.trx_mysql_thread_id, p.USER, p.HOST, b.trx_query, b.trx_started ORDER BY b.trx_started LIMIT 10`,
  });

/** Whoever is alive sends something every 5 s on each connection that is in a transaction of ours. */
const SILENT_SECONDS = 12;

/**
 * This session, unless its process may be alive: the server has received something on any of its connections a moment
 * ago, or none of them is idle outside of a transaction, so that no heartbeat could be sent. Not while the server runs a
 * statement for it, which is no sign of either. PostgreSQL ends it at once.
 */
export function selectGone(dialect: Dialect, { session, port, all }: GoneSession): Statement {
  const theirs = sql`SELECT 1 FROM ${openAmong(dialect, all)}`;
  return byFamily(dialect, {
    postgres: () => sql`SELECT pg_catalog.pg_terminate_backend(a.pid) AS ended FROM pg_catalog.pg_stat_activity AS a
      WHERE a.pid = ${session} AND a.client_port = ${port} AND a.usename = current_user AND a.datname = current_database()
        AND (a.state LIKE 'idle in transaction%' OR a.wait_event_type = 'Lock')
        AND NOT EXISTS (${theirs} WHERE s.query_start > clock_timestamp() - ${int(SILENT_SECONDS)} * interval '1 second')
        AND EXISTS (${theirs} WHERE s.state = 'idle')`,
    mysql: () => sql`SELECT CONNECTION_ID() AS own,
        (SELECT SUBSTRING_INDEX(me.HOST, ':', -1) FROM information_schema.PROCESSLIST AS me WHERE me.ID = CONNECTION_ID()) AS own_port
      FROM information_schema.PROCESSLIST AS p
      WHERE p.ID = ${session} AND p.HOST LIKE ${`%:${port}`} AND p.USER = SUBSTRING_INDEX(USER(), '@', 1) AND p.DB = DATABASE()
        AND EXISTS (SELECT 1 FROM information_schema.INNODB_TRX AS t
          WHERE t.trx_mysql_thread_id = p.ID AND (p.COMMAND = 'Sleep' OR t.trx_state = 'LOCK WAIT'))
        AND NOT EXISTS (${theirs} WHERE s.TIME < ${int(SILENT_SECONDS)})
        AND EXISTS (${theirs} WHERE s.COMMAND = 'Sleep' AND NOT EXISTS (
          SELECT 1 FROM information_schema.INNODB_TRX AS t WHERE t.trx_mysql_thread_id = s.ID))`,
  });
}

type Ends = readonly [session: number, port: number];

/** Those of these sessions that the server has, `l`, as it lists them, `s`. */
function openAmong(dialect: Dialect, all: readonly Ends[]): Statement {
  const ends = all.map(([session, port]) => ({ session, port }));
  const listed = dialect.rows(ends, { session: 'int', port: 'int' });
  return byFamily(dialect, {
    postgres: () => sql`${listed} AS l
          JOIN pg_catalog.pg_stat_activity AS s ON s.pid = l.session AND s.client_port = l.port`,
    mysql: () => sql`${listed} AS l
          JOIN information_schema.PROCESSLIST AS s ON s.ID = l.session AND s.HOST LIKE CONCAT('%:', l.port)`,
  });
}

/** Those of these sessions of this user that the server has. */
export const selectOpen = (dialect: Dialect, all: readonly Ends[]): Statement =>
  sql`SELECT l.session, l.port FROM ${openAmong(dialect, all)}`;

/** Whose session this is. MySQL and MariaDB list to a user its own sessions, and others' only with a right. */
export const currentUser = (dialect: Dialect): Statement =>
  byFamily(dialect, { postgres: () => raw('current_user'), mysql: () => raw(`SUBSTRING_INDEX(USER(), '@', 1)`) });

/** This session, as the server lists it. */
export const selectOwnSession = (dialect: Dialect): Statement =>
  byFamily(dialect, {
    postgres: () => sql`SELECT pid AS session, client_port AS port, ${currentUser(dialect)} AS me
      FROM pg_catalog.pg_stat_activity WHERE pid = pg_backend_pid()`,
    mysql: () => sql`SELECT ID AS session, SUBSTRING_INDEX(HOST, ':', -1) AS port, ${currentUser(dialect)} AS me
      FROM information_schema.PROCESSLIST WHERE ID = CONNECTION_ID()`,
  });

/** PostgreSQL tells by a function. */
const LOCK_WAITS: Record<Dialect['name'], Statement> = {
  postgres: sql``,
  mysql: sql`(SELECT REQUESTING_ENGINE_TRANSACTION_ID AS waiting, BLOCKING_ENGINE_TRANSACTION_ID AS holding
    FROM performance_schema.data_lock_waits)`,
  mariadb: sql`(SELECT requesting_trx_id AS waiting, blocking_trx_id AS holding FROM information_schema.INNODB_LOCK_WAITS)`,
};
