import { type Answer, type Check, type Finding, type Patient, warning } from './check.js';
import { mysqlSettings, postgresSettings, setForUser, setGlobally, textOf } from './settings.js';
import { id, sql } from '../sql/dialects/statement.js';
import { largestPayload } from '../sql/statement-size.js';

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
