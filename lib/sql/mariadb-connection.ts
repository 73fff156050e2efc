import type { DriverConnection } from './driver-connection.js';
import { mysqlResult } from './mysql2-connection.js';
import { plainInteger } from './mysql-result.js';

/** Overrides whatever the app has set on its connections, so that results always look the same. */
const OPTIONS = {
  rowsAsArray: false,
  namedPlaceholders: false,
  nestTables: false,
  metaAsArray: false,
  supportBigNumbers: false,
  bigNumberStrings: false,
  bigIntAsNumber: false,
  insertIdAsNumber: false,
  decimalAsNumber: false,
  checkNumberRange: false,
  dateStrings: true,
  jsonStrings: true,
  autoJsonMap: false,
  // A function would see every value; undefined keeps the connector's own reading.
  typeCast: undefined,
} as const;

type Options = typeof OPTIONS & { sql: string; values?: readonly unknown[] };
type Callback = (error: Error | null, answer: unknown) => void;

/** The part of the `mariadb` connector's callback connection we use. */
export interface MariaDbConnection {
  execute(options: Options, callback: Callback): unknown;
  query(options: Options, callback: Callback): unknown;
}

const plainRow = (row: Record<string, unknown>): Record<string, unknown> => {
  for (const key in row) if (typeof row[key] === 'bigint') row[key] = plainInteger(row[key]);
  return row;
};

export function mariaDbConnection(connection: MariaDbConnection): DriverConnection {
  const send = (method: 'execute' | 'query', text: string, values?: readonly unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      const options = { ...OPTIONS, sql: text, ...(values ? { values } : {}) };
      connection[method](options, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
  return {
    execute: async ({ text, params }) => {
      const { rows, affected } = mysqlResult(await send('execute', text, params));
      return { rows: rows.map(plainRow), affected };
    },
    command: async (text) => void (await send('query', text)),
  };
}
