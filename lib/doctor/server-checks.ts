import { ConfigurationError, DatabaseError } from '../core/errors.js';
import { largestPayload } from '../sql/executor.js';
import { isDenied, isUnlistable } from '../sql/database-errors.js';
import { KEY_COLLATION } from '../sql/dialects.js';
import { checkServer } from '../sql/servers.js';
import { id, join, raw, sql, type Statement } from '../sql/statement.js';
import {
  type Answer,
  type Check,
  error,
  type Finding,
  granteeOf,
  grantOnServer,
  info,
  mysqlSettings,
  on,
  type Patient,
  postgresSettings,
  setForServer,
  setForUser,
  setGlobally,
  textOf,
  UNLISTABLE,
  warning,
} from './check.js';
import { expectedSchema, foundSchema, isListed, namespaceOf, type OwnTable, ownTables } from './tables.js';

/** What the start of an app refuses, even where it is allowed by an environment variable. */
async function lookAtVersion({ executor }: Patient): Promise<Answer> {
  try {
    await checkServer(executor, {});
    return [];
  } catch (refusal) {
    if (refusal instanceof DatabaseError || !(refusal instanceof ConfigurationError)) throw refusal;
    return [error(refusal.message)];
  }
}

const selectRecovery = sql`SELECT pg_catalog.pg_is_in_recovery() AS replica`;

async function writableOnPostgres(patient: Patient): Promise<Answer> {
  const [row] = await patient.ask<{ replica: boolean }>(selectRecovery);
  if (row?.replica) return [error('The server is a replica, which takes no writes: connect to the primary')];
  const settings = await postgresSettings(patient, 'default_transaction_read_only');
  if (settings.get('default_transaction_read_only') !== 'on') return [];
  const mend = await setForUser(patient, 'default_transaction_read_only', 'off');
  // A session that begins read only would refuse the mend.
  return [
    error('Transactions of this user are read only by default', 'SET default_transaction_read_only = off;', mend),
  ];
}

async function writableOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, 'read_only', 'super_read_only');
  const on = [...settings].filter(([, value]) => value !== 'OFF' && value !== '0').map(([name]) => name);
  if (on.length === 0) return [];
  const replica = 'The server takes no writes: it is a replica, or was set so';
  return [error(`${replica} (${on.join(', ')})`, ...on.reverse().map((name) => `SET GLOBAL ${name} = OFF;`))];
}

async function durabilityOnPostgres(patient: Patient): Promise<Answer> {
  const settings = await postgresSettings(patient, 'synchronous_commit', 'fsync', 'full_page_writes');
  const findings: Finding[] = [];
  if (settings.get('synchronous_commit') === 'off') {
    const text = 'synchronous_commit is off: a crash of the server loses commits of the last moments';
    findings.push(warning(text, await setForUser(patient, 'synchronous_commit', 'on')));
  }
  for (const name of ['fsync', 'full_page_writes']) {
    if (settings.get(name) !== 'off') continue;
    findings.push(
      warning(`${name} is off: a crash of the machine may destroy the database`, ...setForServer(name, 'on')),
    );
  }
  return findings;
}

async function durabilityOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, 'innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin');
  const flush = settings.get('innodb_flush_log_at_trx_commit') ?? '1';
  const findings: Finding[] = [];
  if (flush !== '1') {
    const text = `innodb_flush_log_at_trx_commit is ${flush}: a crash of the machine loses commits of the last second`;
    findings.push(warning(text, setGlobally(patient, 'innodb_flush_log_at_trx_commit', '1')));
  }
  if (settings.get('log_bin') === 'ON' && settings.get('sync_binlog') === '0') {
    const text = 'sync_binlog is 0: after a crash of the machine, replicas may lack commits, and so may their takeover';
    findings.push(warning(text, setGlobally(patient, 'sync_binlog', '1')));
  }
  return findings;
}

async function isolationOnPostgres(patient: Patient): Promise<Answer> {
  const level = (await postgresSettings(patient, 'default_transaction_isolation')).get('default_transaction_isolation');
  if (level === undefined || level === 'read committed' || level === 'read uncommitted') return [];
  const text =
    `Transactions of the app are ${level}: one that signals or publishes may fail with a serialization error, and must ` +
    'then be repeated. Ours are READ COMMITTED';
  return [info(text, await setForUser(patient, 'default_transaction_isolation', 'read committed'))];
}

async function isolationOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, 'transaction_isolation', 'tx_isolation');
  const [name, level] = [...settings][0] ?? [];
  if (level !== 'SERIALIZABLE') return [];
  const text = 'Transactions of the app are SERIALIZABLE: each of their reads locks, and ends in more deadlocks';
  return [info(text, setGlobally(patient, String(name), `'REPEATABLE-READ'`))];
}

/** What the server is, and what its settings mean for the promises. */
export const serverChecks: readonly Check[] = [
  {
    id: 'version',
    group: 'server',
    meaning: 'The product and version of the server are supported',
    looks: on(lookAtVersion),
  },
  {
    id: 'writable',
    group: 'server',
    meaning: 'The server takes writes: it is no replica and not read only',
    looks: { postgres: writableOnPostgres, mysql: writableOnMysql, mariadb: writableOnMysql },
  },
  {
    id: 'durability',
    group: 'server',
    meaning: 'A commit survives a crash of the server',
    looks: { postgres: durabilityOnPostgres, mysql: durabilityOnMysql, mariadb: durabilityOnMysql },
  },
  {
    id: 'isolation',
    group: 'server',
    meaning: 'Transactions of the app have a usual isolation level',
    looks: { postgres: isolationOnPostgres, mysql: isolationOnMysql, mariadb: isolationOnMysql },
  },
];

interface Limit {
  what: string;
  used: number | string;
  most: number | string;
  database: string;
  role: string;
}

/** No limit is -1. Reserved connections are not for apps. */
const selectLimits = sql`
  SELECT l.what, l.used, l.most, current_database() AS database, current_user AS role FROM (
    SELECT 'server' AS what, count(*) AS used, current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int AS most
      FROM pg_catalog.pg_stat_activity WHERE backend_type = 'client backend'
    UNION ALL
    SELECT 'database', (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE datname = current_database()), datconnlimit
      FROM pg_catalog.pg_database WHERE datname = current_database()
    UNION ALL
    SELECT 'role', (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE usename = current_user), rolconnlimit
      FROM pg_catalog.pg_roles WHERE rolname = current_user
  ) AS l WHERE l.most >= 0`;

async function connectionsOnPostgres({ ask, limits, executor }: Patient): Promise<Answer> {
  const rows = await ask<Limit>(selectLimits);
  return rows
    .filter(({ used, most }) => Number(used) > limits.connections * Number(most))
    .map((limit) => {
      const { what, used, most, database, role } = limit;
      const mends: Record<string, string> = {
        database: textOf(sql`ALTER DATABASE ${id(database)} CONNECTION LIMIT -1`, executor.dialect),
        role: textOf(sql`ALTER ROLE ${id(role)} CONNECTION LIMIT -1`, executor.dialect),
        // Takes effect when the server restarts.
        server: `ALTER SYSTEM SET max_connections = ${Number(most) * 2};`,
      };
      return warning(`${used} of the ${most} connections of the ${what} are in use`, mends[what]!);
    });
}

const showUsed = sql`SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'Connection_errors_max_connections')`;

async function connectionsOnMysql(patient: Patient): Promise<Answer> {
  const status = await patient.ask<{ Variable_name: string; Value: string }>(showUsed);
  const valueOf = (name: string) => Number(status.find((row) => row.Variable_name === name)?.Value ?? 0);
  const most = Number((await mysqlSettings(patient, 'max_connections')).get('max_connections'));
  const [used, refused] = [valueOf('Threads_connected'), valueOf('Connection_errors_max_connections')];
  if (used <= patient.limits.connections * most) return [];
  const text = `${used} of the ${most} connections of the server are in use`;
  const more = refused > 0 ? `; ${refused} were refused since it started` : '';
  return [warning(`${text}${more}`, setGlobally(patient, 'max_connections', String(most * 2)))];
}

const ENDS_ON_POSTGRES = {
  statement_timeout: 'statements',
  idle_in_transaction_session_timeout: 'transactions that wait for their app',
  transaction_timeout: 'transactions',
};

async function timeoutsOnPostgres(patient: Patient): Promise<Answer> {
  const settings = await postgresSettings(patient, ...Object.keys(ENDS_ON_POSTGRES));
  const findings: Finding[] = [];
  for (const [name, what] of Object.entries(ENDS_ON_POSTGRES)) {
    const ms = Number(settings.get(name) ?? 0);
    if (ms === 0 || ms >= patient.limits.timeout) continue;
    const mend = await setForUser(patient, name, `${patient.limits.timeout}ms`);
    findings.push(warning(`${name} ends ${what} of this user after ${ms} ms`, mend));
  }
  return findings;
}

/** A pool keeps idle connections for a minute. */
const POOL_IDLE_SECONDS = 60;
const LOCK_WAIT_SECONDS = 5;

interface Least {
  what: string;
  /** How many milliseconds a unit of it is. */
  unit: number;
  /** Undefined: the limit of all timeouts. */
  seconds?: number;
}

const ENDS_ON_MYSQL: Readonly<Record<string, Least>> = {
  // MySQL.
  max_execution_time: { what: 'ends reads', unit: 1 },
  // MariaDB.
  max_statement_time: { what: 'ends statements', unit: 1_000 },
  idle_transaction_timeout: { what: 'ends transactions that wait for their app', unit: 1_000 },
  wait_timeout: { what: 'closes idle connections of a pool', unit: 1_000, seconds: POOL_IDLE_SECONDS },
  innodb_lock_wait_timeout: { what: 'ends statements that wait for a lock', unit: 1_000, seconds: LOCK_WAIT_SECONDS },
};

async function timeoutsOnMysql(patient: Patient): Promise<Answer> {
  const settings = await mysqlSettings(patient, ...Object.keys(ENDS_ON_MYSQL));
  return Object.entries(ENDS_ON_MYSQL).flatMap(([name, { what, unit, seconds }]) => {
    const ms = Number(settings.get(name) ?? 0) * unit;
    const least = seconds === undefined ? patient.limits.timeout : seconds * 1_000;
    if (ms === 0 || ms >= least) return [];
    return [warning(`${name} ${what} after ${ms} ms`, setGlobally(patient, name, String(least / unit)))];
  });
}

/** Halfway between question and answer. */
async function offsetOf({ ask, clock, executor }: Patient): Promise<{ offset: number; doubt: number }> {
  const asked = clock.now();
  const [row] = await ask<{ now: number | string }>(sql`SELECT ${executor.dialect.now} AS now`);
  const answered = clock.now();
  return { offset: Number(row?.now) - (asked + answered) / 2, doubt: (answered - asked) / 2 };
}

async function lookAtClock(patient: Patient): Promise<Finding[]> {
  const { offset, doubt } = await offsetOf(patient);
  if (Math.abs(offset) - doubt <= patient.limits.clock) return [];
  const seconds = (Math.abs(offset) / 1_000).toFixed(1);
  const text = `The clock of the database is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} this machine`;
  return [warning(`${text}: leases and times follow the database, log lines do not. Set both by NTP`)];
}

const selectZone = sql`SELECT @@session.time_zone AS zone, TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), NOW()) AS ahead`;

async function clockOnMysql(patient: Patient): Promise<Answer> {
  const findings = await lookAtClock(patient);
  const [row] = await patient.ask<{ zone: string; ahead: number | string }>(selectZone);
  if (!row || Number(row.ahead) === 0) return findings;
  const text = `Sessions have the time zone ${row.zone}: times of events in the outbox are not UTC, and repeat when summer ends`;
  return [...findings, warning(text, setGlobally(patient, 'time_zone', `'+00:00'`))];
}

async function lookAtPackets(patient: Patient): Promise<Answer> {
  const most = await largestPayload(patient.executor);
  if (most === undefined || most >= patient.payloadBytes) return [];
  const now = Number((await mysqlSettings(patient, 'max_allowed_packet')).get('max_allowed_packet'));
  const wanted = Math.max(2 ** 24, 2 ** Math.ceil(Math.log2(patient.payloadBytes * 6)));
  const text = `max_allowed_packet is ${now}: payloads above ${Math.max(0, most)} bytes are refused, though the app allows ${patient.payloadBytes}`;
  return [warning(text, setGlobally(patient, 'max_allowed_packet', String(wanted)))];
}

/** How sessions of this user begin, and how many there may be. */
export const connectionChecks: readonly Check[] = [
  {
    id: 'connections',
    group: 'connections',
    meaning: 'Connections are left for new processes',
    looks: { postgres: connectionsOnPostgres, mysql: connectionsOnMysql, mariadb: connectionsOnMysql },
  },
  {
    id: 'timeouts',
    group: 'connections',
    meaning: 'No timeout of the server ends our statements and transactions',
    looks: { postgres: timeoutsOnPostgres, mysql: timeoutsOnMysql, mariadb: timeoutsOnMysql },
  },
  {
    id: 'packets',
    group: 'connections',
    meaning: 'Payloads of the allowed size fit into a packet',
    looks: { postgres: undefined, mysql: lookAtPackets, mariadb: lookAtPackets },
  },
  {
    id: 'clock',
    group: 'connections',
    meaning: 'The clock of the database agrees with that of this machine, and its sessions use UTC',
    looks: { postgres: lookAtClock, mysql: clockOnMysql, mariadb: clockOnMysql },
  },
];

const tableNames = ({ executor, tables }: Patient): string[] =>
  expectedSchema(executor.dialect, tables).tables.map(({ name }) => name);

const alter = ({ executor, tables }: Patient, table: string, change: Statement): string =>
  textOf(sql`ALTER TABLE ${id(table, tables.home)} ${change}`, executor.dialect);

const selectOptions = (namespace: Statement, names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, array_to_string(c.reloptions, ',') AS options FROM pg_catalog.pg_class AS c
  WHERE c.relnamespace = ${namespace} AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

/** `fillfactor = 80, …`, as CREATE TABLE has them. */
const optionsIn = ({ strings, values }: Statement): string[] => {
  const text = [
    ...strings,
    ...values.map((value) => (typeof value === 'object' && value && 'strings' in value ? value.strings.join('') : '')),
  ];
  return /WITH \(([^)]+)\)/.exec(text.join(' '))?.[1]?.split(', ') ?? [];
};

async function storageOnPostgres(patient: Patient): Promise<Answer> {
  const { executor, tables, ask } = patient;
  const found = await ask<{ name: string; options: string | null }>(
    selectOptions(namespaceOf(patient), tableNames(patient)),
  );
  const wanted = new Map(
    expectedSchema(executor.dialect, tables).tables.map(({ name, create }) => [name, optionsIn(create)]),
  );
  return found.flatMap(({ name, options }) => {
    const set = new Set((options ?? '').split(','));
    const lost = (wanted.get(name) ?? []).filter(
      (option) => !set.has(option.replaceAll(' ', '')) && !option.endsWith('= 100'),
    );
    if (lost.length === 0) return [];
    const text = `"${name}" has lost ${lost.join(', ')}: dead rows make its looks slow`;
    return [warning(text, alter(patient, name, sql`SET (${raw(lost.join(', '))})`))];
  });
}

const selectEngines = (tables: readonly OwnTable[]): Statement => sql`
  SELECT TABLE_SCHEMA AS within, TABLE_NAME AS name, ENGINE AS engine FROM information_schema.TABLES
  WHERE ENGINE <> 'InnoDB' AND ${isListed(tables)}`;

async function storageOnMysql(patient: Patient): Promise<Answer> {
  const found = await patient.ask<{ within: string; name: string; engine: string }>(selectEngines(ownTables(patient)));
  return found.map(({ within, name, engine }) => {
    const mend = sql`ALTER TABLE ${id(within)}.${id(name)} ENGINE = InnoDB`;
    const text = `"${name}" is stored by ${engine}, which has no transactions`;
    return error(text, textOf(mend, patient.executor.dialect));
  });
}

const selectNondeterministic = (namespace: Statement, names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, a.attname AS attribute, o.collname AS collation, format_type(a.atttypid, a.atttypmod) AS type
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_catalog.pg_collation AS o ON o.oid = a.attcollation AND NOT o.collisdeterministic
  WHERE c.relnamespace = ${namespace} AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

/** PostgreSQL before 15 does not keep the version of a database's collation. */
const selectHasVersion = sql`SELECT 1 AS found FROM pg_catalog.pg_attribute
  WHERE attrelid = CAST('pg_catalog.pg_database' AS regclass) AND attname = 'datcollversion'`;

const selectVersion = sql`SELECT datname AS name, datcollversion AS was, pg_database_collation_actual_version(oid) AS now
  FROM pg_catalog.pg_database WHERE datname = current_database()
    AND datcollversion <> pg_database_collation_actual_version(oid)`;

async function collationsOnPostgres(patient: Patient): Promise<Answer> {
  const { ask, executor } = patient;
  const columns = await ask<{ name: string; attribute: string; collation: string; type: string }>(
    selectNondeterministic(namespaceOf(patient), tableNames(patient)),
  );
  const findings: Finding[] = columns.map(({ name, attribute, collation, type }) =>
    error(
      `"${name}"."${attribute}" has the collation "${collation}": different ids may be equal there`,
      alter(patient, name, sql`ALTER COLUMN ${id(attribute)} TYPE ${raw(type)} COLLATE "default"`),
    ),
  );
  if ((await ask(selectHasVersion)).length === 0) return findings;
  const databases = await ask<{ name: string; was: string; now: string }>(selectVersion);
  const moved = databases.map(({ name, was, now }) =>
    error(
      `The texts of this database are sorted by version ${now} of its collation, its indexes by ${was}: rows are not found`,
      textOf(sql`REINDEX DATABASE ${id(name)}`, executor.dialect),
      textOf(sql`ALTER DATABASE ${id(name)} REFRESH COLLATION VERSION`, executor.dialect),
    ),
  );
  return [...findings, ...moved];
}

async function collationsOnMysql(patient: Patient): Promise<Answer> {
  const { executor } = patient;
  const { columns } = await foundSchema(patient, tableNames(patient));
  const ours = KEY_COLLATION[executor.dialect.name as keyof typeof KEY_COLLATION];
  const wrong = columns.filter(({ collation }) => collation !== undefined && collation !== ours);
  return [...new Set(wrong.map(({ table }) => table))].map((table) => {
    const of = wrong.filter((column) => column.table === table);
    const named = of.map(({ name, collation }) => `${name} (${collation})`).join(', ');
    const text = `Texts of "${table}" are compared otherwise than byte by byte, so that different ids are equal: ${named}`;
    return error(text, alter(patient, table, sql`CONVERT TO CHARACTER SET utf8mb4 COLLATE ${raw(ours)}`));
  });
}

/** How the tables of this server are stored. */
export const storageChecks: readonly Check[] = [
  {
    id: 'storage',
    group: 'schema',
    meaning: 'Our tables have kept their storage parameters, and are stored with transactions',
    looks: { postgres: storageOnPostgres, mysql: storageOnMysql, mariadb: storageOnMysql },
  },
  {
    id: 'collations',
    group: 'schema',
    meaning: 'Ids are compared byte by byte, and indexes are sorted as the server sorts now',
    looks: { postgres: collationsOnPostgres, mysql: collationsOnMysql, mariadb: collationsOnMysql },
  },
];

const namesOf = ({ executor, tables, outbox }: Patient): string[] => [
  ...expectedSchema(executor.dialect, tables).tables.map(({ name }) => name),
  ...(outbox ? [outbox.tables.names.table] : []),
];

interface Condition {
  name: string;
  live: number | string;
  dead: number | string;
  turned_off: boolean;
  recent: boolean;
}

/** `recent`: within the last hour. */
const selectConditions = (namespace: Statement, names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, coalesce(s.n_live_tup, 0) AS live, coalesce(s.n_dead_tup, 0) AS dead,
    coalesce('autovacuum_enabled=false' = ANY (c.reloptions) OR 'autovacuum_enabled=off' = ANY (c.reloptions), false) AS turned_off,
    coalesce(greatest(s.last_autovacuum, s.last_vacuum) > now() - interval '1 hour', false) AS recent
  FROM pg_catalog.pg_class AS c LEFT JOIN pg_catalog.pg_stat_user_tables AS s ON s.relid = c.oid
  WHERE c.relnamespace = ${namespace} AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

async function lookAtAutovacuum(patient: Patient): Promise<Answer> {
  const settings = await postgresSettings(patient, 'autovacuum', 'track_counts');
  const off = [...settings].filter(([, value]) => value === 'off');
  const ofServer = off.map(([name]) =>
    error(`${name} is off: dead rows are never removed, and every look becomes slower`, ...setForServer(name, 'on')),
  );
  const rows = await patient.ask<Condition>(selectConditions(namespaceOf(patient), namesOf(patient)));
  return [...ofServer, ...rows.flatMap((row) => conditionFindings(patient, row))];
}

/** A vacuum within the last hour that left them was held up by something else: see the check `horizon`. */
function conditionFindings(
  { executor, limits, tables }: Patient,
  { name, live, dead, turned_off, recent }: Condition,
): Finding[] {
  const say = (statement: Statement) => textOf(statement, executor.dialect);
  const findings: Finding[] = [];
  if (turned_off)
    findings.push(
      error(
        `Autovacuum is turned off for "${name}"`,
        say(sql`ALTER TABLE ${id(name, tables.home)} RESET (autovacuum_enabled)`),
      ),
    );
  if (!recent && Number(dead) > limits.deadRows && Number(dead) > Number(live) / 5)
    findings.push(
      warning(
        `"${name}" has ${dead} dead rows beside ${live}, and no vacuum within an hour`,
        say(sql`VACUUM (ANALYZE) ${id(name, tables.home)}`),
      ),
    );
  return findings;
}

const selectAges = (namespace: Statement, names: readonly string[]): Statement => sql`
  SELECT c.relname AS name, age(c.relfrozenxid) AS age FROM pg_catalog.pg_class AS c
  WHERE c.relnamespace = ${namespace} AND c.relkind = 'r' AND c.relname IN (${join(names)})`;

async function lookAtWraparound(patient: Patient): Promise<Answer> {
  const { ask, limits, executor, tables } = patient;
  const rows = await ask<{ name: string; age: number | string }>(selectAges(namespaceOf(patient), namesOf(patient)));
  return rows
    .filter(({ age }) => Number(age) > limits.wraparound)
    .map(({ name, age }) =>
      error(
        `"${name}" was not frozen for ${age} transactions: at 2 billion the server takes no more writes`,
        textOf(sql`VACUUM (FREEZE) ${id(name, tables.home)}`, executor.dialect),
      ),
    );
}

/** What PostgreSQL does beside, so that tables stay fast. */
export const upkeepChecks: readonly Check[] = [
  {
    id: 'autovacuum',
    group: 'upkeep',
    meaning: 'Dead rows of our tables are removed',
    looks: { postgres: lookAtAutovacuum, mysql: undefined, mariadb: undefined },
  },
  {
    id: 'wraparound',
    group: 'upkeep',
    meaning: 'Our tables are frozen long before the numbers of transactions repeat',
    looks: { postgres: lookAtWraparound, mysql: undefined, mariadb: undefined },
  },
];

/** How many of the oldest are named. */
const MOST = 5;

interface Holder {
  what: 'session' | 'prepared';
  who: string;
  about: string | null;
  open: number | string;
}

const openMs = (since: Statement): Statement =>
  sql`CAST(extract(epoch FROM clock_timestamp() - ${since}) * 1000 AS bigint)`;

/** A transaction that has only begun and read nothing holds nothing; one with a number of its own does. */
const selectHolders = (olderThanMs: number): Statement => sql`
  SELECT * FROM (
    SELECT 'session' AS what, CAST(pid AS text) AS who, ${openMs(sql`xact_start`)} AS open,
      concat_ws(', ', nullif(application_name, ''), usename, state, left(query, 100)) AS about
    FROM pg_catalog.pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'
      AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
    UNION ALL
    SELECT 'prepared', gid, ${openMs(sql`prepared`)}, CAST(owner AS text) FROM pg_catalog.pg_prepared_xacts
    WHERE database = current_database()
  ) AS h WHERE h.open > CAST(${olderThanMs} AS bigint) ORDER BY h.open DESC LIMIT ${MOST}`;

interface Lagging {
  what: 'slot' | 'standby';
  who: string;
  lag: number | string;
  active: boolean;
}

const selectLagging = (most: number): Statement => sql`
  SELECT * FROM (
    SELECT 'slot' AS what, CAST(slot_name AS text) AS who, greatest(age(xmin), age(catalog_xmin)) AS lag, active
    FROM pg_catalog.pg_replication_slots
    UNION ALL
    SELECT 'standby', application_name, age(backend_xmin), true FROM pg_catalog.pg_stat_replication
  ) AS l WHERE l.lag > CAST(${most} AS bigint) ORDER BY l.lag DESC LIMIT ${MOST}`;

/** Other users' sessions are blank without the right to see them. */
const selectHidden = sql`
  SELECT count(*) AS hidden FROM pg_catalog.pg_stat_activity
  WHERE datname = current_database() AND query = '<insufficient privilege>'`;

const seconds = (ms: number | string): string => `${Math.round(Number(ms) / 1_000)} s`;

const levelOf = ({ limits }: Patient, open: number | string): Finding['level'] =>
  Number(open) > limits.openError ? 'error' : 'warning';

async function horizonOnPostgres(patient: Patient): Promise<Answer> {
  const { ask, limits, executor } = patient;
  const { dialect } = executor;
  const [row] = await ask<{ hidden: number | string }>(selectHidden);
  if (Number(row?.hidden) > 0) {
    const grant = textOf(sql`GRANT pg_read_all_stats TO ${await granteeOf(patient)}`, dialect);
    return { untold: `this user cannot see the transactions of ${row?.hidden} other sessions`, mend: [grant] };
  }
  const holders = await ask<Holder>(selectHolders(limits.openWarning));
  const lagging = await ask<Lagging>(selectLagging(limits.openTransactions));
  return [
    ...holders.map(({ what, who, about, open }): Finding => {
      const isSession = what === 'session';
      const named = isSession ? `Session ${who} (${about})` : `The prepared transaction "${who}" of ${about}`;
      const text = `${named} has been in a transaction for ${seconds(open)}: rows deleted since are kept, and looks read them`;
      const end = isSession
        ? `SELECT pg_terminate_backend(${who});`
        : textOf(sql`ROLLBACK PREPARED ${dialect.literal(who)}`, dialect);
      return { level: levelOf(patient, open), text, mend: [end] };
    }),
    ...lagging.map(({ what, who, lag, active }) => {
      const text = `The ${what} "${who}" is ${lag} transactions behind${active ? '' : ', and nobody reads it'}: deleted rows are kept for it`;
      return warning(
        text,
        ...(active ? [] : [textOf(sql`SELECT pg_drop_replication_slot(${dialect.literal(who)})`, dialect)]),
      );
    }),
  ];
}

const selectTransactions = (olderThanMs: number): Statement => sql`
  SELECT trx_mysql_thread_id AS thread, TIMESTAMPDIFF(SECOND, trx_started, NOW()) * 1000 AS open,
    LEFT(COALESCE(trx_query, trx_state), 100) AS about
  FROM information_schema.INNODB_TRX
  WHERE trx_mysql_thread_id <> CONNECTION_ID() AND TIMESTAMPDIFF(SECOND, trx_started, NOW()) * 1000 >= ${olderThanMs}
  ORDER BY trx_started LIMIT 5`;

const selectHistory = sql`
  SELECT COUNT AS length FROM information_schema.INNODB_METRICS WHERE NAME = 'trx_rseg_history_len'`;

async function horizonOnMysql(patient: Patient): Promise<Answer> {
  const { ask, limits } = patient;
  try {
    const open = await ask<{ thread: number | string; open: number | string; about: string }>(
      selectTransactions(limits.openWarning),
    );
    const [history] = await ask<{ length: number | string }>(selectHistory);
    const held = open.map(({ thread, open: ms, about }): Finding => {
      const text = `Connection ${thread} (${about}) has been in a transaction for ${seconds(ms)}: rows deleted since are kept, and looks read them`;
      return { level: levelOf(patient, ms), text, mend: Number(thread) > 0 ? [`KILL ${thread};`] : [] };
    });
    const long = Number(history?.length) > limits.historyLength;
    const text = `${history?.length} changes wait for the purge: looks read the rows that they deleted`;
    return long ? [...held, warning(text)] : held;
  } catch (refusal) {
    if (isUnlistable(refusal)) return UNLISTABLE;
    if (!isDenied(refusal)) throw refusal;
    return {
      untold: 'this user may not see the transactions of others',
      mend: [await grantOnServer(patient, 'PROCESS')],
    };
  }
}

/** Every queue in SQL becomes slow while something keeps the rows that it has deleted. */
export const horizonCheck: Check = {
  id: 'horizon',
  group: 'upkeep',
  meaning: 'No open transaction, slot or standby keeps deleted rows for long',
  looks: { postgres: horizonOnPostgres, mysql: horizonOnMysql, mariadb: horizonOnMysql },
};
