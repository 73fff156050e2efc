import { DatabaseError, MissingTableError } from '../core/errors.js';

/** Conflicts: the transaction lost against another one, had no effect and may be retried. Plus SQLSTATE class 40. */
const CONFLICTS = new Set(['55P03', '1213', '1205', '1020', '1412', '3101', '3572']);

/** It is unknown whether the transaction was committed. */
const UNDECIDED = new Set(['40003']);

/** The connection is lost or unusable; another one may work. Plus SQLSTATE class 08. */
const LOST = new Set([
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '53300', '25006', '25P03', '25P04', '26000', '42P05'],
  ...UNDECIDED,
  // Another user's transaction is open on it.
  ...['25001', '1568'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT', 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR'],
  ...['ER_SOCKET_UNEXPECTED_CLOSE', 'ER_CMD_CONNECTION_CLOSED', 'ER_CONNECTION_ALREADY_CLOSED'],
  ...['ER_CMD_NOT_EXECUTED_DESTROYED', 'ER_SOCKET_TIMEOUT', 'ER_CONNECTION_TIMEOUT', 'ER_GET_CONNECTION_TIMEOUT'],
  'ER_POOL_ALREADY_CLOSED',
  ...['1040', '1047', '1053', '1077', '1079', '1129', '1152', '1153', '1158', '1159', '1160', '1161', '1203', '1226'],
  ...['1243', '1290', '1615', '1792', '1836', '1927', '2006', '2013', '2055', '3100', '3169', '4031'],
]);

/**
 * The connection is intact: the server or the pool is temporarily overloaded or short of a resource. Plus the SQLSTATE
 * classes of {@link BUSY_CLASSES}.
 */
const BUSY = new Set([
  ...['1021', '1026', '1030', '1037', '1038', '1041', '1114', '1135', '1180', '1206', '1223', '1296', '1297', '1317'],
  ...['1461', '1637', '1689', '1874', '1969', '3024'],
]);

/** PostgreSQL: the server accepts no writes until a vacuum (transaction ids are running out), of class 54. */
const NOT_ACCEPTING = /is not accepting commands/i;
/** PostgreSQL: a sequence is exhausted, of class 22. */
const EXHAUSTED = new Set(['2200H']);

/** PostgreSQL: resources, prerequisites, the operator, the system, internal errors. */
const BUSY_CLASSES = new Set(['53', '55', '57', '58', 'XX']);

/**
 * The values cause the error: with them the statement always fails. Plus SQLSTATE class 22 (data exceptions) and 54
 * (limits, for example a string's length). Packet size, invalid text and invalid JSON have other states or none.
 */
const ABOUT_DATA = new Set([
  ...['1153', '1162', '1264', '1292', '1300', '1301', '1366', '1367', '1406', '3140', '3141', '3854'],
  ...['4036', '4037', '4038', '4039', '4040', 'ER_MAX_ALLOWED_PACKET'],
]);

const DATA_CLASSES = new Set(['22', '54']);

/** Drivers and pools report some lost connections only by message. */
const LOST_MESSAGES =
  /has not responded|connection (terminated|ended|lost|is closed|was closed|closed)|in closed state|client has encountered a connection error|client was closed|socket has been ended|timeout exceeded when trying to connect|timeout expired|timeout acquiring a connection|query read timeout|cannot use a pool after calling end|pool is closed|(no connections|queue limit) (available|reached)|unable to acquire a connection|cached plan must not change result type/i;

interface DriverError {
  code?: unknown;
  errno?: unknown;
  sqlState?: unknown;
  message?: unknown;
  sqlMessage?: unknown;
  driverError?: unknown;
  cause?: unknown;
}

/** The error and the errors that it wraps. */
function layersOf(error: unknown): DriverError[] {
  if (typeof error !== 'object' || error === null) return [];
  const { driverError, cause } = error as DriverError;
  return [error, ...layersOf(driverError), ...(driverError === undefined && cause !== error ? layersOf(cause) : [])];
}

/** The code and errno of an error, including wrapped errors. On PostgreSQL the code is the SQLSTATE. */
const codesOf = (error: unknown): string[] =>
  layersOf(error)
    .flatMap(({ code, errno }) => [code, errno])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String);

/** The classes of its SQLSTATEs, which MySQL and MariaDB drivers keep in a separate field. */
function classesOf(error: unknown): string[] {
  const states = layersOf(error).flatMap(({ code, sqlState }) => [code, sqlState]);
  return states.flatMap((state) => (typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state) ? state.slice(0, 2) : []));
}

/** The server's own message, if the driver has it separately: the driver's may contain the statement and values. */
function messageOf(error: unknown): string {
  const { sqlMessage, message } = (error ?? {}) as DriverError;
  return typeof sqlMessage === 'string' ? sqlMessage : String(message ?? error);
}

const anyOf = (codes: ReadonlySet<string>, error: unknown): boolean => codesOf(error).some((code) => codes.has(code));

const ofClass = (classes: ReadonlySet<string>, error: unknown): boolean =>
  classesOf(error).some((each) => classes.has(each));

const CONFLICT_CLASS = new Set(['40']);
const CONNECTION_CLASS = new Set(['08']);

/** A deadlock, lock timeout or serialization failure: the transaction may be retried from its start. */
export const isConflict = (error: unknown): boolean =>
  anyOf(CONFLICTS, error) || (ofClass(CONFLICT_CLASS, error) && !anyOf(UNDECIDED, error));

/** A lock was not acquired in time or at once: the app may have requested this (NOWAIT, lock_timeout). */
export const isLockTimeout = (error: unknown): boolean => anyOf(new Set(['55P03', '1205', '3572']), error);

/** A unique key already exists. */
export const isDuplicate = (error: unknown): boolean => anyOf(new Set(['23505', '1062']), error);

/** Whether the connection with this error must not be used again. */
export const isConnectionLost = (error: unknown): boolean =>
  anyOf(LOST, error) || ofClass(CONNECTION_CLASS, error) || LOST_MESSAGES.test(messageOf(error));

/** Of a class about values, though it would have happened with any values. */
const isExhausted = (error: unknown): boolean =>
  anyOf(EXHAUSTED, error) || (ofClass(new Set(['54']), error) && NOT_ACCEPTING.test(messageOf(error)));

const isAboutData = (error: unknown): boolean =>
  anyOf(ABOUT_DATA, error) || (ofClass(DATA_CLASSES, error) && !isExhausted(error));

/** The server accepts no writes: it is a standby, or about to become one. */
export const isReadOnly = (error: unknown): boolean => anyOf(new Set(['25006', '1290', '1792', '1836']), error);

/** PostgreSQL: resources, the system. */
const SHORTAGE_CLASSES = new Set(['53', '58']);
const SHORTAGES = new Set([
  ...['1021', '1026', '1030', '1037', '1038', '1040', '1041', '1047', '1114', '1135', '1180', '1203'],
]);

/** It would have happened to any statement, or to any that needs the same lock. */
const isElsewhere = (error: unknown): boolean =>
  isConflict(error) ||
  isReadOnly(error) ||
  isExhausted(error) ||
  ofClass(SHORTAGE_CLASSES, error) ||
  anyOf(SHORTAGES, error);

export const isTransient = (error: unknown): boolean =>
  !isAboutData(error) &&
  (isConflict(error) ||
    isExhausted(error) ||
    anyOf(BUSY, error) ||
    ofClass(BUSY_CLASSES, error) ||
    isConnectionLost(error));

/** Converts an error of a driver. */
export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const codes = codesOf(error);
  if (codes.includes('42P01') || codes.includes('1146')) return new MissingTableError({ cause: error });
  const code = codes.length > 0 ? ` (${[...new Set(codes)].join(', ')})` : '';
  const message = `The database reported an error${code}: ${withoutValues(messageOf(error), codes)}`;
  const [aboutData, elsewhere] = [isAboutData(error), isElsewhere(error)];
  return new DatabaseError(message, isTransient(error), { cause: error, aboutData, elsewhere });
}

/** How pools say that no connection has become free in time, or that too many requests wait for one. */
const POOL_MESSAGES =
  /timeout exceeded when trying to connect|timeout acquiring a connection|(no connections|queue limit) (available|reached)|pool timeout: failed to/i;

/** The pool of the app, not the server, had no connection. */
export const isPoolTimeout = (error: unknown): boolean =>
  anyOf(new Set(['ER_GET_CONNECTION_TIMEOUT']), error) ||
  layersOf(error).some(({ message }) => typeof message === 'string' && POOL_MESSAGES.test(message));

/** TypeORM and Knex release a lost connection themselves; later statements only get these messages. */
export const isReleased = (error: unknown): boolean =>
  /already released|query already complete/.test(String((error as Partial<Error> | null)?.message));

/** The connection's role lacks a right. */
export const isDenied = (error: unknown): boolean =>
  anyOf(new Set(['42501', '1044', '1142', '1143', '1227', '1370']), error);

/**
 * Whether MySQL could not list its sessions or transactions: the list has no characters of four bytes, and one of them
 * runs a statement with such a character at the moment.
 */
export const isUnlistable = (error: unknown): boolean => anyOf(new Set(['3854']), error);

/**
 * Servers quote the values that caused an error. These are removed; the full text is in `cause`. PostgreSQL quotes only
 * names in errors of class 23 and 42, and an error without a code comes from the driver.
 */
function withoutValues(message: string, codes: readonly string[]): string {
  const quotesNames = codes.length === 0 || codes.some((code) => /^(23|42)\w{3}$/.test(code) && code !== '42601');
  const text = quotesNames ? message : message.replace(/["'`][^]*["'`]|["'`][^]*$/, '…');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
