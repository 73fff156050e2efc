import { plainInteger } from './dialects/mysql.dialect.js';
import { type DriverConnection, ignoreError } from './driver-connection.js';
import { isPrepared, mysqlResult } from './mysql2-connection.js';

/** The callback connection of the `mariadb` connector; `this` in its listeners is the inner connection. */
interface Connection {
  on(event: string, listener: (this: Within, name: string) => void): unknown;
}

/** Internals of the connector. The promise starts the chain that completes the sign-in. */
interface Within {
  executeSessionVariableQuery?(): Promise<void>;
  removeAllListeners(event: string): unknown;
}

interface Connector {
  createConnection(options: object): Connection;
}

/** A promise that handles rejections of all its followers. */
class Heard<T> extends Promise<T> {
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    const next = super.then(onFulfilled, onRejected);
    void Promise.prototype.then.call(next, ignoreError, ignoreError);
    return next;
  }
}

const listening = new WeakSet<object>();

/**
 * The connector of MikroORM 6 (`mariadb` 3.4) rejects twice when a connection is closed during sign-in: once to the
 * caller, and once unhandled, which ends the process (`authSucceedHandler` in its `lib/connection.js`; see its issue
 * 323). This handles those rejections, for connections of this client only.
 */
export function hearSignIn(client: { driver: object }): void {
  if (listening.has(client)) return;
  listening.add(client);
  const connector = client.driver as Connector;
  client.driver = Object.assign(Object.create(connector) as Connector, {
    createConnection(options: object): Connection {
      const connection = connector.createConnection(options);
      // The sign-in starts later, after the socket is connected.
      connection.on('newListener', function () {
        this.removeAllListeners('newListener');
        const begin = this.executeSessionVariableQuery?.bind(this);
        if (begin) this.executeSessionVariableQuery = () => Heard.resolve(begin());
      });
      return connection;
    },
  });
}

/** Overrides the app's connection options, so that results always have the same form. */
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
  // A function would be called for every value; undefined keeps the connector's own conversion.
  typeCast: undefined,
} as const;

type Options = typeof OPTIONS & { sql: string; values?: readonly unknown[] };
type Callback = (error: Error | null, answer: unknown) => void;

/** The used part of the `mariadb` connector's callback connection. */
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
      const answer = isPrepared(params) ? send('execute', text, params) : send('query', text, []);
      const { rows, affected } = mysqlResult(await answer);
      return { rows: rows.map(plainRow), affected };
    },
    command: async (text) => void (await send('query', text)),
  };
}
