import { ConfigurationError } from '../errors/setup-errors.js';
import type { DriverConnection } from './driver-connection.js';
import { affectedRows, plainInteger } from './dialects/mysql.dialect.js';
import { preparedTexts } from './prepared-texts.js';
import type { SqlResult } from './sql-executor.js';
import type { SqlValue } from './dialects/statement.js';

/** Overrides the app's connection options, so that results always have the same form. */
const OPTIONS = {
  rowsAsArray: false,
  namedPlaceholders: false,
  nestTables: false,
  typeCast: true,
  supportBigNumbers: true,
  bigNumberStrings: false,
  decimalNumbers: false,
  dateStrings: true,
  jsonStrings: true,
} as const;

type Options = typeof OPTIONS & { sql: string; values?: readonly unknown[] };
/** For these types the connection's own options win, so differing values are converted again. */
const LONGLONG = 8;
const JSON_TYPE = 245;

interface Field {
  name: string;
  columnType?: number;
  extendedFormat?: string;
}

type Callback = (error: Error | null, answer: unknown, fields?: readonly Field[]) => void;

/** The used part of `mysql2`'s callback connection. */
export interface Mysql2Connection {
  execute(options: Options, callback: Callback): unknown;
  query(options: Options, callback: Callback): unknown;
  unprepare(text: string): unknown;
}

const limitsOf = new Map<string, ReadonlySet<number>>();

/** The indexes of LIMIT parameters. */
function limitPositions(text: string): ReadonlySet<number> {
  const known = limitsOf.get(text);
  if (known) return known;
  const limits = [...text.matchAll(/\blimit\s+\?/gi)].map(({ index }) => text.slice(0, index).split('?').length - 1);
  const positions = new Set(limits);
  if (limitsOf.size < 1_000) limitsOf.set(text, positions);
  return positions;
}

/** Before 3.24 `mysql2` binds numbers as doubles, which cannot hold 64 bits and which LIMIT rejects. */
function bindable(text: string, params: readonly SqlValue[]): unknown[] {
  const limits = limitPositions(text);
  return params.map((value, i) => (typeof value === 'bigint' || limits.has(i) ? String(value) : value));
}

/**
 * A text without values is not prepared: MariaDB 10.11 forgets, when it executes such a statement again after another
 * one on the table, that it grouped by jumping from key to key, and reads the whole index.
 */
export const isPrepared = (params: readonly unknown[]): boolean => params.length > 0;

/** Rows, or the header of a statement without rows. */
export function mysqlResult(answer: unknown): SqlResult<Record<string, unknown>> {
  if (Array.isArray(answer)) return { rows: answer as Record<string, unknown>[], affected: answer.length };
  const { affectedRows: affected = 0, insertId } = answer as {
    affectedRows?: number;
    insertId?: number | bigint | string;
  };
  return { rows: [], affected: affectedRows(affected, insertId) };
}

const isJson = ({ columnType, extendedFormat }: Field): boolean =>
  columnType === JSON_TYPE || extendedFormat === 'json';

function readAgain(rows: unknown, fields: readonly Field[] = []): void {
  if (!Array.isArray(rows)) return;
  for (const field of fields) {
    const { name } = field;
    if (field.columnType === LONGLONG)
      for (const row of rows as Record<string, unknown>[]) row[name] = plainInteger(row[name]);
    if (isJson(field)) for (const row of rows as Record<string, unknown>[]) row[name] = jsonText(row[name]);
  }
}

const jsonText = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

/** @throws ConfigurationError for connections of the older `mysql` package, which cannot bind values. */
export function mysql2Connection(connection: Mysql2Connection): DriverConnection {
  if (typeof connection.execute !== 'function') {
    throw new ConfigurationError(
      "The DataSource uses the package mysql: install mysql2, and set connectorPackage: 'mysql2'",
    );
  }
  const send = (method: 'execute' | 'query', text: string, values?: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const options = { ...OPTIONS, sql: text, ...(values ? { values } : {}) };
      connection[method](options, (error, answer, fields) => {
        if (error) return reject(error);
        readAgain(answer, fields);
        resolve(answer);
      });
    });
  return {
    execute: async ({ text, params }) => {
      if (!isPrepared(params)) return mysqlResult(await send('query', text, []));
      const result = mysqlResult(await send('execute', text, bindable(text, params)));
      if (preparedTexts.nameOf(text) === undefined) connection.unprepare(text);
      return result;
    },
    command: async (text) => void (await send('query', text)),
  };
}
