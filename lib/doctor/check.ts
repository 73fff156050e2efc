import type { Clock } from '../core/time.js';
import type { OutboxOrdering } from '../outbox/events.js';
import type { OutboxTables } from '../outbox/tables.sql.js';
import { type Dialect, DIALECTS } from '../sql/dialects.js';
import type { SqlExecutor } from '../sql/executor.js';
import { connectedAs } from '../sql/migrations/rights.js';
import { id, join, raw, render, sql, type Statement } from '../sql/statement.js';
import type { Tables } from '../sql/tables.js';

/** `error`: work stands still, or may be lost. `warning`: it may come to that. `info`: to be known. */
export type FindingLevel = 'error' | 'warning' | 'info';

export interface Finding {
  readonly level: FindingLevel;
  /** What was found, with its names and numbers. */
  readonly text: string;
  /** Statements, or commands of `npx nest-durable`, that mend it, in order; empty if none can. */
  readonly mend: readonly string[];
}

/** The answer of a check that could not be made. */
interface Untold {
  readonly untold: string;
  /** Statements after which it can be made. */
  readonly mend: readonly string[];
}

/** What a check finds; an empty list: nothing is wrong. */
export type Answer = readonly Finding[] | Untold;

export type Look = (patient: Patient) => Promise<Answer>;

/** The headings of `docs/doctor.md`. */
export type CheckGroup = 'server' | 'connections' | 'schema' | 'rights' | 'upkeep' | 'locks' | 'work';

export interface Check {
  /** As `only` and `skip` name it. */
  readonly id: string;
  readonly group: CheckGroup;
  /** What it is about, in one sentence. */
  readonly meaning: string;
  /** What it looks at on each server; undefined where there is nothing like it. */
  readonly looks: Readonly<Record<Dialect['name'], Look | undefined>>;
}

/** The same look on every server. */
export const on = (look: Look): Check['looks'] => ({ postgres: look, mysql: look, mariadb: look });

/** A database, and how to look at it. */
export interface Patient {
  readonly executor: SqlExecutor;
  readonly tables: Tables;
  /** Undefined: the app has none. */
  readonly outbox: { readonly tables: OutboxTables; readonly ordering: OutboxOrdering } | undefined;
  /** The option `limits.payload` of the app. */
  readonly payloadBytes: number;
  readonly limits: DoctorLimits;
  /** This machine's. */
  readonly clock: Clock;
  /** Reads; the server ends what takes longer than a look may. */
  readonly ask: <Row>(read: Statement) => Promise<Row[]>;
}

export const error = (text: string, ...mend: string[]): Finding => ({ level: 'error', text, mend });
export const warning = (text: string, ...mend: string[]): Finding => ({ level: 'warning', text, mend });
export const info = (text: string, ...mend: string[]): Finding => ({ level: 'info', text, mend });

/** From when on a finding is one. Times are milliseconds. */
export interface DoctorLimits {
  /** The difference between the clocks of the database and of this machine. Default 1,000. */
  clock: number;
  /** Server timeouts below this are too short for our statements. Default 30,000. */
  timeout: number;
  /** The share of the connections in use. Default 0.8. */
  connections: number;
  /** How long a transaction may be open before it is a warning. Default 60,000. */
  openWarning: number;
  /** How long before it is an error. Default 600,000. */
  openError: number;
  /** PostgreSQL: how many transactions a slot or a standby may lag behind. Default 1,000,000. */
  openTransactions: number;
  /** MySQL and MariaDB: the number of changes that wait for the purge. Default 100,000. */
  historyLength: number;
  /** How long a statement may wait for a lock. Default 5,000. */
  lockWait: number;
  /** PostgreSQL: the number of dead rows of a table, if they are more than a fifth of it. Default 10,000. */
  deadRows: number;
  /** PostgreSQL: the age of a table in transactions. Default 1,000,000,000. */
  wraparound: number;
  /** The share of its numbers that a sequence has used. Default 0.8. */
  sequence: number;
  /** PostgreSQL: the share of the queue of notifications that is in use. Default 0.5. */
  notifications: number;
  /** The age of answers to runs that do not exist; engines delete them after a day. Default 93,600,000 (26 hours). */
  strays: number;
  /** The age of signals that no run takes. Default 604,800,000 (7 days). */
  signals: number;
  /** How late a schedule, or a run that is due, may be. Default 60,000. */
  late: number;
  /** The bytes of all our tables with their indexes. Default 10,000,000,000 (10 GB). */
  size: number;
  /** The number of runs that ended long ago. Default 1,000,000. */
  endedRuns: number;
  /** How long ago. Default 2,592,000,000 (30 days). */
  endedAge: number;
}

export const DEFAULT_LIMITS: DoctorLimits = {
  clock: 1_000,
  timeout: 30_000,
  connections: 0.8,
  openWarning: 60_000,
  openError: 600_000,
  openTransactions: 1_000_000,
  historyLength: 100_000,
  lockWait: 5_000,
  deadRows: 10_000,
  wraparound: 1_000_000_000,
  sequence: 0.8,
  notifications: 0.5,
  strays: 26 * 3_600_000,
  signals: 7 * 86_400_000,
  late: 60_000,
  size: 1e10,
  endedRuns: 1_000_000,
  endedAge: 30 * 86_400_000,
};

/** What a check has found. */
export interface CheckReport {
  readonly id: string;
  readonly group: CheckGroup;
  readonly meaning: string;
  /** The page of the documentation, relative to the package. */
  readonly page: string;
  /** `untold`: it could not be made. */
  readonly outcome: 'well' | 'found' | 'untold';
  readonly findings: readonly Finding[];
  /** Why it could not be made. */
  readonly reason?: string;
  /** Statements after which it can be made. */
  readonly mend?: readonly string[];
  readonly tookMs: number;
}

export interface DoctorReport {
  /** The kind and version of the server. */
  readonly server: string;
  readonly checks: readonly CheckReport[];
  /** The number of findings of each level, and of checks that could not be made. */
  readonly counts: Readonly<Record<FindingLevel | 'untold', number>>;
}

export function reportOf(server: string, checks: readonly CheckReport[]): DoctorReport {
  const findings = checks.flatMap((check) => check.findings);
  const count = (level: FindingLevel) => findings.filter((finding) => finding.level === level).length;
  const untold = checks.filter(({ outcome }) => outcome === 'untold').length;
  return {
    server,
    checks,
    counts: { error: count('error'), warning: count('warning'), info: count('info'), untold },
  };
}

/** 1: an error was found. 2: something could not be told. 3: only warnings, if they count. 0: all is well. */
export function exitCodeOf({ counts }: DoctorReport, { strict = false } = {}): 0 | 1 | 2 | 3 {
  if (counts.error > 0) return 1;
  if (counts.untold > 0) return 2;
  return strict && counts.warning > 0 ? 3 : 0;
}

/** The settings of a server by name. On PostgreSQL those with which a session of this user begins. */
export type Settings = ReadonlyMap<string, string>;

const literals = (names: readonly string[]): Statement => join(names.map((name) => raw(`'${name}'`)));

/** PostgreSQL: times are milliseconds. Not the current values: a look bounds its own statements. */
const selectSettings = (names: readonly string[]): Statement =>
  sql`SELECT name, reset_val AS value FROM pg_catalog.pg_settings WHERE name IN (${literals(names)})`;

/** MySQL: by SHOW, since SELECT fails on a server that lacks one of them. */
const showSettings = (names: readonly string[]): Statement =>
  sql`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${literals(names)})`;

export async function postgresSettings({ ask }: Patient, ...names: string[]): Promise<Settings> {
  const rows = await ask<{ name: string; value: string }>(selectSettings(names));
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function mysqlSettings({ ask }: Patient, ...names: string[]): Promise<Settings> {
  const rows = await ask<{ Variable_name: string; Value: string }>(showSettings(names));
  return new Map(rows.map((row) => [row.Variable_name.toLowerCase(), row.Value]));
}

/** What is said if the list of transactions failed, see `isUnlistable`. */
export const UNLISTABLE: Untold = {
  untold:
    'MySQL cannot list transactions while one of them runs a statement with a character of four bytes, such as an emoji: ask again',
  mend: [],
};

/** A statement as its text, as people run it. */
export const textOf = (statement: Statement, { name }: Pick<Dialect, 'name'>): string =>
  `${render(statement, DIALECTS[name]).text.trim()};`;

/** PostgreSQL: sets it for this user in this database, which outranks every other place but the connection itself. */
export async function setForUser({ executor, ask }: Patient, name: string, value: string): Promise<string> {
  const [row] = await ask<{ user: string; database: string }>(
    sql`SELECT current_user AS "user", current_database() AS database`,
  );
  const { user = '', database = '' } = row ?? {};
  const change = sql`ALTER ROLE ${id(user)} IN DATABASE ${id(database)} SET ${raw(name)} = ${executor.dialect.literal(value)}`;
  return textOf(change, executor.dialect);
}

/** PostgreSQL: sets it for the server. */
export const setForServer = (name: string, value: string): string[] => [
  `ALTER SYSTEM SET ${name} = ${value};`,
  'SELECT pg_reload_conf();',
];

const SET_GLOBAL: Readonly<Record<Dialect['name'], string>> = {
  postgres: 'ALTER SYSTEM SET',
  // Survives a restart.
  mysql: 'SET PERSIST',
  mariadb: 'SET GLOBAL',
};

/** MySQL and MariaDB: sets it for new connections. */
export const setGlobally = ({ executor }: Patient, name: string, value: string): string =>
  `${SET_GLOBAL[executor.dialect.name]} ${name} = ${value};`;

/** The grantee of this connection, as GRANT takes it. */
export async function granteeOf({ executor, tables }: Patient): Promise<Statement> {
  const { user, host } = await connectedAs(executor, tables.prefix, tables.home);
  const { dialect } = executor;
  const account = () => sql`${dialect.literal(user)}@${dialect.literal(host)}`;
  const grantees: Record<Dialect['name'], () => Statement> = {
    postgres: () => sql`${id(user)}`,
    mysql: account,
    mariadb: account,
  };
  return grantees[dialect.name]();
}

/** MySQL and MariaDB: looks that need a right of the whole server say how to get it. */
export const grantOnServer = async (patient: Patient, right: string): Promise<string> =>
  textOf(sql`GRANT ${raw(right)} ON *.* TO ${await granteeOf(patient)}`, patient.executor.dialect);
