import { DatabaseError, MissingTableError } from '../errors.js';

/** The whole transaction may run again: it lost against another one and left nothing behind. */
const CONFLICTS = new Set(['40P01', '40001', '55P03', '1213', '1205', '1020', '3572']);

/** The connection is gone or of no use; another one may work. */
const LOST = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300', '25006', '26000', '42P05'],
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ],
  ...[
    'PROTOCOL_CONNECTION_LOST',
    'PROTOCOL_SEQUENCE_TIMEOUT',
    'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
    'ER_SOCKET_UNEXPECTED_CLOSE',
  ],
  ...['ER_CMD_CONNECTION_CLOSED', 'ER_CONNECTION_ALREADY_CLOSED', 'ER_CMD_NOT_EXECUTED_DESTROYED', 'ER_SOCKET_TIMEOUT'],
  ...['ER_CONNECTION_TIMEOUT', 'ER_GET_CONNECTION_TIMEOUT', 'ER_POOL_ALREADY_CLOSED'],
  ...[
    '1040',
    '1053',
    '1077',
    '1079',
    '1152',
    '1153',
    '1158',
    '1159',
    '1160',
    '1161',
    '1203',
    '1226',
    '1243',
    '1290',
    '1615',
  ],
  ...['1792', '1836', '1927', '1129', '3100', '3169', '4031', '2006', '2013', '2055'],
]);

/** Nothing is wrong with the connection: the server or the pool is short of something for the moment. */
const BUSY = new Set([
  '53000',
  '53100',
  '53200',
  '53400',
  '57014',
  '58000',
  '58030',
  '1114',
  '1021',
  '1037',
  '1317',
  '3024',
  '1969',
]);

/** Drivers and pools report some losses by message alone. */
const LOST_MESSAGES =
  /has not answered|connection (terminated|ended|lost|is closed|was closed|closed)|in closed state|client has encountered a connection error|client was closed|socket has been ended|timeout exceeded when trying to connect|timeout acquiring a connection|query read timeout|cannot use a pool after calling end|pool is closed|(no connections|queue limit) (available|reached)|unable to acquire a connection|cached plan must not change result type/i;

interface DriverError {
  code?: unknown;
  errno?: unknown;
  message?: unknown;
  sqlMessage?: unknown;
  driverError?: unknown;
  cause?: unknown;
}

/** The SQLSTATE, errno and code of an error, also of one that an ORM or we have wrapped. */
function codesOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, errno, driverError, cause } = error as DriverError;
  const own = [code, errno].filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  return [...own, ...codesOf(driverError), ...(driverError === undefined && cause !== error ? codesOf(cause) : [])];
}

/** The server's own words where the driver keeps them apart: its message may hold the statement and the values. */
function messageOf(error: unknown): string {
  const { sqlMessage, message } = (error ?? {}) as DriverError;
  return typeof sqlMessage === 'string' ? sqlMessage : String(message ?? error);
}

const anyOf = (codes: ReadonlySet<string>, error: unknown): boolean => codesOf(error).some((code) => codes.has(code));

/** A deadlock, lock timeout or serialization failure: what ran may run again from its beginning. */
export const isConflict = (error: unknown): boolean => anyOf(CONFLICTS, error);

/** A unique key is taken. */
export const isDuplicate = (error: unknown): boolean => anyOf(new Set(['23505', '1062']), error);

/** Whether the connection that failed so must not be used again. */
export function isConnectionLost(error: unknown): boolean {
  return (
    anyOf(LOST, error) || codesOf(error).some((code) => /^08\w{3}$/.test(code)) || LOST_MESSAGES.test(messageOf(error))
  );
}

/** The server takes no writes: it is a standby, or about to become one. */
export const isReadOnly = (error: unknown): boolean => anyOf(new Set(['25006', '1290', '1792', '1836']), error);

export const isTransient = (error: unknown): boolean =>
  isConflict(error) || anyOf(BUSY, error) || isConnectionLost(error);

/** What an error of a driver is to the rest of the library. */
export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const codes = codesOf(error);
  if (codes.includes('42P01') || codes.includes('1146')) return new MissingTableError({ cause: error });
  const code = codes.length > 0 ? ` (${[...new Set(codes)].join(', ')})` : '';
  return new DatabaseError(
    `The database answered${code}: ${withoutValues(messageOf(error), codes)}`,
    isTransient(error),
    { cause: error },
  );
}

/** The role of the connection lacks a right. */
export const isDenied = (error: unknown): boolean => anyOf(new Set(['42501', '1142', '1143', '1370']), error);

/**
 * Servers quote the values they complain about; what is left names the kind of error, and the rest is in `cause`.
 * PostgreSQL quotes only names in errors of class 23 and 42, and an error without a code is the driver's own.
 */
function withoutValues(message: string, codes: readonly string[]): string {
  const quotesNames = codes.length === 0 || codes.some((code) => /^(23|42)\w{3}$/.test(code) && code !== '42601');
  const text = quotesNames ? message : message.replace(/["'`][^]*["'`]|["'`][^]*$/, '…');
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
