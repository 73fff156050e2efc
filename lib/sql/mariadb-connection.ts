import { plainInteger } from './dialects/mysql-result.js';
import { type DriverConnection, ignoreError } from './driver-connection.js';
import { mysqlResult } from './mysql2-connection.js';

/** The callback connection of the `mariadb` connector; its listeners are called on the connection within. */
interface Connection {
  on(event: string, listener: (this: Within, name: string) => void): unknown;
}

/** What the connector does not show. The promise is the head of the chain that ends the sign-in. */
interface Within {
  executeSessionVariableQuery?(): Promise<void>;
  removeAllListeners(event: string): unknown;
}

interface Connector {
  createConnection(options: object): Connection;
}

/** A promise of which every follower is listened to, so that no rejection of the chain is left to nobody. */
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
 * The connector that MikroORM 6 brings (`mariadb` 3.4) rejects twice when a connection is closed while it signs in: to
 * whoever asked for it, and to nobody, which ends the process (`authSucceedHandler` in its `lib/connection.js`; compare its
 * issue 323). This client's connections listen to that, and nothing else does.
 */
export function hearSignIn(client: { driver: object }): void {
  if (listening.has(client)) return;
  listening.add(client);
  const connector = client.driver as Connector;
  client.driver = Object.assign(Object.create(connector) as Connector, {
    createConnection(options: object): Connection {
      const connection = connector.createConnection(options);
      // It signs in later, once its socket is there.
      connection.on('newListener', function () {
        this.removeAllListeners('newListener');
        const begin = this.executeSessionVariableQuery?.bind(this);
        if (begin) this.executeSessionVariableQuery = () => Heard.resolve(begin());
      });
      return connection;
    },
  });
}

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
