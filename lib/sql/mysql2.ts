import { ConfigurationError } from '../core/errors.js';
import { sleep, stopwatch, Timers } from '../core/time.js';
import { type ConnectionPool, type DriverConnection, DriverConnections, type LeasedConnection } from './connections.js';
import { affectedRows, type Dialect, plainInteger } from './dialects.js';
import type { RenderedStatement } from './statement.js';
import type { SqlResult } from './executor.js';
import {
  besideAll,
  callThrough,
  Checkout,
  endsOf,
  IDLE_SECONDS,
  ignoreError,
  isRollback,
  keepAlive,
  mysql2Counts,
  type Mysql2PoolState,
  type Report,
  Session,
  type SessionDriver,
  type SessionEnds,
  sessionOf,
  type Socket,
  textOf,
  type TransactionState,
  withoutLiterals,
} from './pools.js';
import type { SqlValue } from './statement.js';
import { type Position, positionAfter, Within } from './transaction-parts.js';

export interface Mysql2PoolConnection extends Mysql2Connection {
  on(event: 'error', listener: (error: unknown) => void): unknown;
  listeners(event: 'error'): unknown[];
  release(): void;
  destroy(): void;
}

/** The used part of `mysql2`'s callback pool. */
export interface Mysql2Pool extends Mysql2PoolState<Mysql2PoolConnection> {
  getConnection(callback: (error: Error | null, connection: Mysql2PoolConnection) => void): void;
  on?(event: 'connection' | 'acquire', listener: (connection: Mysql2PoolConnection) => void): unknown;
}

const guarded = new WeakMap<Mysql2Pool, Set<Report>>();

/** Ensures that an acquired connection has no transaction that was left open on it. */
export function guardMysql2Pool(pool: Mysql2Pool, report: Report): Mysql2Pool {
  const known = guarded.get(pool);
  if (known) known.add(report);
  if (known || !pool.on) return pool;
  const reports = new Set([report]);
  guarded.set(pool, reports);
  pool.on('connection', (connection) => void mysql2Session(connection, { fresh: true }));
  pool.on('acquire', (connection) => {
    const session = mysql2Session(connection);
    for (const each of reports) session.watchedBy(each);
    // A connection runs statements in order: the ROLLBACK precedes statements of its next user.
    void session.end()?.catch(ignoreError);
  });
  return pool;
}

const connect = (pool: Mysql2Pool): Promise<Mysql2PoolConnection> =>
  new Promise((resolve, reject) =>
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection))),
  );

/** Connections of a `mysql2` pool from any source. */
export function mysql2Pool(dialect: Dialect, poolOf: () => Mysql2Pool | Promise<Mysql2Pool>): ConnectionPool {
  const connections = new DriverConnections<Mysql2Connection>((raw) => {
    // Added once and never removed, for all executors of the pool: the pool does not handle connection errors.
    const connection = raw as Mysql2PoolConnection;
    if (!connection.listeners('error').includes(ignoreError)) connection.on('error', ignoreError);
    return mysql2Connection(raw);
  });
  let known: Mysql2Pool | undefined;
  return {
    dialect,
    counts: () => known && mysql2Counts(known, (connection) => mysql2Session(connection).isBusy),
    setting: 'connectionLimit',
    acquire: async (report): Promise<LeasedConnection> => {
      known = await poolOf();
      const connection = await connect(guardMysql2Pool(known, report));
      return {
        connection: connections.of(connection),
        raw: connection,
        session: mysql2Session(connection).watchedBy(report),
        release: (broken) => (broken ? connection.destroy() : connection.release()),
      };
    },
  };
}

/** Overrides the app's connection options, so that results always have the same form. */
const MYSQL2_OPTIONS = {
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

type Mysql2Options = typeof MYSQL2_OPTIONS & { sql: string; values?: readonly unknown[]; within?: Within };
/** For these types the connection's own options win, so differing values are converted again. */
const LONGLONG = 8;
const JSON_TYPE = 245;

interface Field {
  name: string;
  columnType?: number;
  extendedFormat?: string;
}

type Mysql2Callback = (error: Error | null, answer: unknown, fields?: readonly Field[]) => void;

/** The used part of `mysql2`'s callback connection. */
export interface Mysql2Connection {
  execute(options: Mysql2Options, callback: Mysql2Callback): unknown;
  query(options: Mysql2Options, callback: Mysql2Callback): unknown;
  unprepare(options: Mysql2Options): unknown;
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
const isPrepared = (params: readonly unknown[]): boolean => params.length > 0;

/**
 * How many statements of ours stay prepared on a connection. By default a server has place for 16,382
 * (`max_prepared_stmt_count`), for all connections of all its clients.
 */
const MOST_PREPARED = 32;

/** The server has no place for another prepared statement. */
const TOO_MANY_PREPARED = 1461;

/** How many statements of a connection are then sent unprepared, before one is prepared again. */
const UNPREPARED = 500;

/** What is prepared on one connection, whichever executors use it. */
export class Preparing {
  private static readonly all = new WeakMap<object, Preparing>();
  private readonly texts = new Set<string>();
  private unprepared = 0;
  /** Statements whose results have not come. */
  running = 0;

  static on(connection: object): Preparing {
    const known = this.all.get(connection) ?? new Preparing();
    this.all.set(connection, known);
    return known;
  }

  get isPaused(): boolean {
    return this.unprepared > 0;
  }

  /** The text of the statement that has to be closed before `text` is prepared. */
  oldestBefore(text: string): string | undefined {
    this.texts.delete(text);
    this.texts.add(text);
    if (this.texts.size <= MOST_PREPARED) return undefined;
    const [oldest] = this.texts;
    this.texts.delete(oldest!);
    return oldest;
  }

  async send(prepared: () => Promise<unknown>, plain: () => Promise<unknown>): Promise<unknown> {
    this.running++;
    try {
      if (!this.isPaused) return await prepared();
      this.unprepared--;
    } catch (error) {
      if ((error as { errno?: unknown } | null)?.errno !== TOO_MANY_PREPARED) throw error;
      this.unprepared = UNPREPARED;
    } finally {
      this.running--;
    }
    return plain();
  }
}

/** A value for the text of a statement: encoded as hex, since how others are escaped depends on the `sql_mode`. */
const inText = (value: SqlValue): unknown =>
  typeof value === 'string' ? { toSqlString: () => `_utf8mb4 X'${Buffer.from(value).toString('hex')}'` } : value;

/** Rows, or the header of a statement without rows. */
function mysqlResult(answer: unknown): SqlResult<Record<string, unknown>> {
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
  const preparing = Preparing.on(connection);
  const send = (method: 'execute' | 'query', text: string, values?: readonly unknown[], within?: Within) =>
    new Promise<unknown>((resolve, reject) => {
      const options = { ...MYSQL2_OPTIONS, sql: text, ...(values ? { values } : {}), ...(within && { within }) };
      connection[method](options, (error, answer, fields) => {
        if (error) return reject(error);
        readAgain(answer, fields);
        resolve(answer);
      });
    });
  const sendPrepared = ({ text, params, within }: RenderedStatement) => {
    const oldest = preparing.oldestBefore(text);
    // The driver finds it by its text and by how its rows are read.
    if (oldest !== undefined) connection.unprepare({ ...MYSQL2_OPTIONS, sql: oldest });
    return send('execute', text, bindable(text, params), within);
  };
  return {
    get interpolates() {
      return preparing.isPaused;
    },
    execute: async (statement) => {
      const { text, params, within } = statement;
      if (!isPrepared(params)) return mysqlResult(await send('query', text, [], within));
      const plain = () => send('query', text, params.map(inText), within);
      return mysqlResult(await preparing.send(() => sendPrepared(statement), plain));
    },
    command: async (text) => void (await send('query', text)),
  };
}

/** Flags of the server's status, part of every OK packet. */
const IN_TRANSACTION = 1;
const AUTOCOMMIT = 2;

export interface MysqlSessionOptions {
  /** It was just opened, and nothing was sent on it. */
  fresh?: boolean;
}

interface RawConnection {
  query(options: { sql: string }, callback: (error: Error | null, answer?: unknown) => void): unknown;
  ping?(callback: (error: Error | null) => void): unknown;
}

/** Settings of a session, in seconds. The server closes what is idle for longer, in a transaction or not. */
const LIMITS = ['wait_timeout', 'net_read_timeout'] as const;

type Seconds = Partial<Record<(typeof LIMITS)[number], unknown>>;

const setting = (to: (limit: (typeof LIMITS)[number]) => number | 'DEFAULT'): string =>
  `SET SESSION ${LIMITS.map((limit) => `${limit} = ${to(limit)}`).join(', ')}`;

const DEADLOCK = 1213;

/** How long a connection of the pool keeps the limits of our transactions after the last one. */
const KEEPS_MS = 1_000;

/** A callback connection of the MySQL family, of either driver. */
export abstract class MysqlSession<R extends RawConnection> implements SessionDriver {
  checkout: Checkout | undefined;
  position?: Position;
  readonly timers = new Timers(stopwatch);
  protected sent: string | undefined;
  /** The last status flags from the server. */
  protected flags: number | undefined;
  /** Its limits are those of our transactions. */
  private isLimited = false;
  /** Its own limits, once they were read. */
  private own: Seconds | undefined;
  private letGoAt = 0;
  private isTimed = false;
  /** Statements that nobody else needs to know of. */
  private readonly query: RawConnection['query'];

  constructor(
    protected readonly connection: R,
    { fresh = false }: MysqlSessionOptions,
  ) {
    if (fresh) this.flags = AUTOCOMMIT;
    this.query = connection.query.bind(connection);
    for (const method of ['query', 'execute']) {
      callThrough(connection, method, (args, call) => {
        if (this.refuses(args)) return undefined;
        this.sends(args[0]);
        return this.send(this.listening(args), call);
      });
    }
  }

  /** A deadlock has rolled back the whole transaction, whether its code goes on or not. */
  private listening(args: unknown[]): unknown[] {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return args;
    const heard = (error: unknown, ...more: unknown[]): unknown => {
      this.hears(error);
      return (callback as (...answer: unknown[]) => unknown)(error, ...more);
    };
    return [...args.slice(0, -1), heard];
  }

  protected hears(error: unknown): void {
    const isDeadlock = (error as { errno?: unknown } | null)?.errno === DEADLOCK;
    if (isDeadlock) this.position = positionAfter('ROLLBACK', this.position);
  }

  /** What must not be sent fails, as if it had been. */
  protected refuses(args: unknown[]): boolean {
    const refusal = Within.refusal(this, args[0]);
    if (refusal) process.nextTick(args.at(-1) as (error: Error) => void, refusal);
    return refusal !== undefined;
  }

  /** Called before each statement, of whoever. */
  protected sends(statement: unknown): void {
    this.sent = textOf(statement);
    const begins = Checkout.sends(this, this.sent);
    if (begins && !this.isLimited) this.limit();
    if (!this.checkout && this.isLimited) this.putBack();
  }

  /**
   * There is no setting for one transaction. So a connection keeps the limits as long as transactions of ours follow each
   * other on it, and gets its own back before another statement, and before it is idle for long: few of our transactions
   * take a round trip more.
   */
  private limit(): void {
    this.isLimited = true;
    if (!this.own) {
      const columns = LIMITS.map((limit) => `@@SESSION.${limit} AS ${limit}`).join(', ');
      const read = { sql: `SELECT ${columns}`, rowsAsArray: false, nestTables: false };
      besideAll(() => this.query(read, (error, rows) => (this.own = error ? {} : (rows as Seconds[])[0])));
    }
    besideAll(() => this.query({ sql: setting(() => IDLE_SECONDS) }, ignoreError));
  }

  private putBack(): void {
    this.isLimited = false;
    besideAll(() => this.query({ sql: setting((limit) => Number(this.own?.[limit]) || 'DEFAULT') }, ignoreError));
  }

  letGo(): void {
    this.letGoAt = stopwatch.now();
    if (this.isLimited && !this.isTimed) this.putBackIn(KEEPS_MS);
  }

  private putBackIn(ms: number): void {
    this.isTimed = true;
    const look = () => {
      this.isTimed = false;
      if (this.checkout || !this.isLimited) return;
      const left = KEEPS_MS - (stopwatch.now() - this.letGoAt);
      if (left > 0) this.putBackIn(left);
      else this.putBack();
    };
    this.timers.at(stopwatch.now() + ms, look);
  }

  ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.connection.ping?.((error) => (error ? reject(error) : resolve()));
    });
  }

  abstract get ends(): Required<SessionEnds> | undefined;

  abstract destroy(): void;

  /** Sends a statement and reads the status flags of its result. */
  protected abstract send(args: unknown[], call: (args: unknown[]) => unknown): unknown;

  /** Without autocommit a read opens a transaction too, and drivers do not expose the status after its rows. */
  get state(): TransactionState {
    if (this.flags === undefined) return 'unknown';
    if (this.flags & IN_TRANSACTION) return 'open';
    return this.flags & AUTOCOMMIT ? 'none' : 'unknown';
  }

  abstract get isBusy(): boolean;

  get lastStatement(): string | undefined {
    return this.sent === undefined ? undefined : withoutLiterals(this.sent, { quoted: true });
  }

  rollback(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.connection.query({ sql: 'ROLLBACK' }, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** The holder of a connection that failed its ROLLBACK has this long to release it. */
const GRACE_MS = 1_000;

interface Raw extends RawConnection {
  readonly threadId?: number | null;
  destroy(): void;
  readonly stream?: Socket;
  /** Internal: what it sends, or waits for. */
  readonly _command?: unknown;
}

interface Command {
  /** Called when it is sent. A command that returns null is over. */
  start?(...packet: unknown[]): unknown;
  on?(event: 'result', listener: (header: { serverStatus?: unknown } | null) => void): unknown;
  on?(event: 'end', listener: () => void): unknown;
}

class Mysql2Session extends MysqlSession<Raw> {
  /** How often it was returned to its pool. */
  private returns = 0;

  constructor(connection: Raw, options: MysqlSessionOptions) {
    super(connection, options);
    keepAlive(connection.stream);
  }

  get ends(): Required<SessionEnds> | undefined {
    return endsOf(this.connection.threadId, this.connection.stream);
  }

  /** The driver's own would tell nobody who waits for an answer. */
  destroy(): void {
    this.connection.stream?.destroy();
  }

  get isBusy(): boolean {
    return Boolean(this.connection._command);
  }

  givenBack(): void {
    this.returns++;
  }

  /** Statements that begin or end a transaction have their own result header. */
  protected send(args: unknown[], call: (args: unknown[]) => unknown): unknown {
    const command = call(args) as Command | undefined;
    if (command && (args[0] as { within?: Within } | null)?.within) this.asksAgain(command, args);
    command?.on?.('result', (header) => {
      if (typeof header?.serverStatus === 'number' && 'affectedRows' in header) this.flags = header.serverStatus;
    });
    if (isRollback(this.sent)) command?.on?.('end', () => this.state === 'open' && this.destroyIfKept());
    return command;
  }

  /** It is queued behind others: one of them may fail by a deadlock before it is sent. */
  private asksAgain(command: Command, args: unknown[]): void {
    const start = command.start?.bind(command);
    if (start) command.start = (...packet) => (this.refuses(args) ? null : start(...packet));
  }

  /** Kysely, below MikroORM 7, never releases a connection that failed its ROLLBACK. */
  private destroyIfKept(): void {
    const { returns, sent } = this;
    void sleep(GRACE_MS).then(() => returns === this.returns && sent === this.sent && this.connection.destroy());
  }
}

/**
 * The session of a pooled connection. A connection released with an open transaction returns to the pool after its
 * rollback; if that fails, it does not return.
 */
export const mysql2Session = (connection: Raw, options: MysqlSessionOptions = {}): Session =>
  sessionOf(connection, () => {
    const driver = new Mysql2Session(connection, options);
    const session = new Session(driver);
    callThrough(connection, 'release', (args, release) => {
      driver.givenBack();
      const ending = session.endLeft();
      if (!ending) return release(args);
      return ending.then(
        () => void release(args),
        () => {
          driver.destroy();
          connection.destroy();
        },
      );
    });
    return session;
  });

/** The callback connection of the `mariadb` connector; `this` in its listeners is the inner connection. */
interface Connection {
  on(event: string, listener: (this: InnerConnection, name: string) => void): unknown;
}

/** Internals of the connector. The promise starts the chain that completes the sign-in. */
interface InnerConnection {
  executeSessionVariableQuery?(): Promise<void>;
  removeAllListeners(event: string): unknown;
  readonly opts?: { readonly prepareCacheLength?: number };
  readonly info?: object;
  /** Null if nothing is kept. */
  prepareCache?: PrepareCache | null;
}

interface PrepareCache {
  /** Closes what it keeps. */
  reset(): void;
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
const MARIADB_OPTIONS = {
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

type MariaDbOptions = typeof MARIADB_OPTIONS & { sql: string; values?: readonly unknown[]; within?: Within };
type MariaDbCallback = (error: Error | null, answer: unknown) => void;

/** The used part of the `mariadb` connector's callback connection. */
export interface MariaDbConnection extends Connection {
  prepare(options: MariaDbOptions, callback: (error: Error | null, prepared: MariaDbPrepared) => void): unknown;
  query(options: MariaDbOptions, callback: MariaDbCallback): unknown;
}

interface MariaDbPrepared {
  execute(values: readonly unknown[], options: object): Promise<unknown>;
  /** It stays in the connector's cache. */
  close(): void;
}

const plainRow = (row: Record<string, unknown>): Record<string, unknown> => {
  for (const key in row) if (typeof row[key] === 'bigint') row[key] = plainInteger(row[key]);
  return row;
};

const keepingFew = new WeakSet<object>();

/** The connector keeps 256 statements of a connection prepared, unless the app has set `prepareCacheLength`. */
function keepFewPrepared(connection: Connection): void {
  if (keepingFew.has(connection)) return;
  keepingFew.add(connection);
  const replace = function (this: InnerConnection): void {
    this.removeAllListeners('newListener');
    const { prepareCache: cache, info, opts: { prepareCacheLength: length = 0 } = {} } = this;
    if (!cache || length <= MOST_PREPARED) return;
    cache.reset();
    const Cache = cache.constructor as new (info: object | undefined, length: number) => PrepareCache;
    this.prepareCache = new Cache(info, MOST_PREPARED);
  };
  // Any listener tells of the inner connection.
  connection.on('newListener', replace);
  connection.on('end', ignoreError);
}

/**
 * Not by the connector's `execute`, which sends a statement with its preparation and names it as the last prepared one:
 * if it could not be prepared, or is prepared already, MariaDB executes an earlier one with these values.
 */
export function mariaDbConnection(connection: MariaDbConnection): DriverConnection {
  const preparing = Preparing.on(connection);
  // Those of a transaction one after the other: the connector sends the next one before it hears of a deadlock of the first.
  let last: Promise<unknown> | undefined;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last ? last.then(work) : work();
    const over: Promise<unknown> = turn.catch(ignoreError).then(() => last === over && (last = undefined));
    last = over;
    return turn;
  };
  keepFewPrepared(connection);
  const send = (text: string, values?: readonly unknown[], within?: Within) =>
    new Promise<unknown>((resolve, reject) => {
      const options = { ...MARIADB_OPTIONS, sql: text, ...(values ? { values } : {}), ...(within && { within }) };
      connection.query(options, (error, answer) => (error ? reject(error) : resolve(answer)));
    });
  // Executed where its preparation is heard of: until then its session lets nothing else be sent.
  const sendPrepared = ({ text, params, within }: RenderedStatement) =>
    new Promise<unknown>((resolve, reject) => {
      const options = { ...MARIADB_OPTIONS, sql: text, ...(within && { within }) };
      connection.prepare(options, (error, statement) => {
        if (error) return reject(error);
        const answer = statement.execute(params, MARIADB_OPTIONS).finally(() => statement.close());
        answer.then(resolve, reject);
      });
    });
  return {
    get interpolates() {
      return preparing.isPaused;
    },
    execute: async (statement) => {
      const { text, params, within } = statement;
      const plain = () => send(text, params, within);
      const ask = () => (isPrepared(params) ? preparing.send(() => sendPrepared(statement), plain) : plain());
      const { rows, affected } = mysqlResult(await (within ? inTurn(ask) : ask()));
      return { rows: rows.map(plainRow), affected };
    },
    command: async (text) => void (await send(text)),
  };
}
