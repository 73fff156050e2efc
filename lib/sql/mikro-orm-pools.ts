import { promisify } from 'node:util';
import { ConfigurationError, InvalidTransactionError } from '../core/errors.js';
import { type ConnectionPool, type DriverConnection, DriverConnections } from './connections.js';
import { affectedRows, byFamily, type Dialect, mariadb, mysql, postgres } from './dialects.js';
import {
  guardMysql2Pool,
  hearSignIn,
  type MariaDbConnection,
  mariaDbConnection,
  type Mysql2Connection,
  mysql2Connection,
  type Mysql2Pool,
  mysql2Pool,
  type Mysql2PoolConnection,
  mysql2Session,
  MysqlSession,
  type MysqlSessionOptions,
  Preparing,
} from './mysql2.js';
import {
  guardPgPool,
  type PgAppPool,
  type PgClient,
  type PgClientClass,
  pgConnection,
  pgPool,
  pgSession,
  PoolStatements,
} from './pg.js';
import { ownSessionsBeside, ownSessionsOfPg, type OwnSessions, pgSource, type PgSource } from './pg-sessions.js';
import {
  callThrough,
  endsOf,
  giveBackLostClients,
  ignoreError,
  keepAlive,
  type PoolCounts,
  type Report,
  Session,
  type SessionEnds,
  sessionOf,
  type Socket,
  tarnCounts,
  type TarnPoolState,
} from './pools.js';
import type { MikroOrmConfiguration } from './table-protection.js';

/** The used parts of MikroORM 6 and 7, so that it stays an optional peer. */
export interface MikroOrmEntityManager {
  readonly config: MikroOrmConfiguration;
  getTransactionContext(): object | undefined;
  getConnection(type: 'write'): MikroOrmConnection;
  getDriver(): object;
  getEventManager(): { registerSubscriber(subscriber: object): void };
  fork(options: { disableContextResolution: boolean }): MikroOrmEntityManager;
  transactional<T>(work: (em: MikroOrmEntityManager) => Promise<T>, options: { isolationLevel: string }): Promise<T>;
}

export interface MikroOrmConnection {
  /** MikroORM 6. */
  getKnex?(): { readonly client: KnexClient };
  /** MikroORM 7.2 and newer: the pool of the driver. */
  getNativeClient?(): Promise<unknown>;
  /** With `ctx`: a savepoint in that transaction. */
  begin(options?: { ctx?: object }): Promise<object>;
  transactional(work: (context: object) => Promise<unknown>, options?: object): Promise<unknown>;
}

/** The used part of Knex's client. */
interface KnexClient {
  driver: { readonly Client?: unknown };
  readonly connectionSettings: object;
  readonly connectionConfigProvider?: unknown;
  readonly config?: { readonly pool?: { afterCreate?(raw: object, done: (error?: Error | null) => void): void } };
  readonly pool?: KnexPool;
  /** PostgreSQL. */
  setSchemaSearchPath?(raw: object): unknown;
  acquireConnection(): Promise<object>;
  releaseConnection(connection: object): Promise<unknown>;
}

/** The used part of Tarn's pool. */
interface KnexPool extends TarnPoolState {
  on(event: 'createSuccess' | 'acquireSuccess', listener: (eventId: number, connection: object) => void): unknown;
  on(event: 'release', listener: (connection: object) => void): unknown;
  destroy(): Promise<unknown>;
}

/** A transaction of MikroORM 6: a Knex transaction. */
interface KnexTransaction {
  readonly client: Pick<KnexClient, 'acquireConnection'>;
  readonly parentTransaction?: KnexTransaction;
  /** Settles when it is over. */
  readonly executionPromise: Promise<unknown>;
  isCompleted(): boolean;
}

/** A transaction of MikroORM 7: Kysely's ControlledTransaction. */
interface KyselyTransaction {
  readonly isCommitted: boolean;
  readonly isRolledBack: boolean;
  executeQuery(
    query: object,
  ): Promise<{ rows: Record<string, unknown>[]; numAffectedRows?: bigint; insertId?: bigint }>;
}

export const isOver = (context: object): boolean =>
  'isCompleted' in context
    ? (context as KnexTransaction).isCompleted()
    : (context as KyselyTransaction).isCommitted || (context as KyselyTransaction).isRolledBack;

/** Why a transaction has failed that is over. */
export const failureOf = (context: object): Promise<unknown> =>
  Promise.resolve((context as Partial<KnexTransaction>).executionPromise).then(
    () => new Error('The transaction is over'),
    (error: unknown) => error,
  );

const HOW =
  'pass the EntityManager that em.transactional(async (em) => …) passes to its callback, or one after em.begin()';

/** The open transaction of a handle on the database of `own`. */
export function openTransactionOf(
  handle: unknown,
  own: MikroOrmEntityManager,
  isOpen: (context: object) => boolean,
): object {
  if (typeof handle !== 'object' || handle === null) throw refuse(`is ${handle === null ? 'null' : typeof handle}`);
  if ('em' in handle && 'connect' in handle)
    throw refuse('is the MikroORM instance itself, which has no transaction of its own');
  if ('isTransactionActive' in handle || 'queryRunner' in handle || 'createQueryRunner' in handle) {
    throw refuse('comes from TypeORM, but this module uses MikroORM');
  }
  const em = handle as Partial<MikroOrmEntityManager>;
  if (typeof em.getTransactionContext !== 'function' || typeof em.getConnection !== 'function')
    throw refuse('is no EntityManager');
  if (em.getConnection('write') !== own.getConnection('write'))
    throw refuse('belongs to another MikroORM instance than the one this module uses');
  const context = em.getTransactionContext();
  if (!context) throw refuse('is an EntityManager without an open transaction');
  if (!isOpen(context)) throw refuse('belongs to a transaction that has ended');
  return context;
}

const refuse = (what: string): InvalidTransactionError =>
  new InvalidTransactionError(`The given transaction ${what}: ${HOW}`);

type OpenConnection = Pick<DriverConnection, 'execute' | 'interpolates'>;

let queries = 0;

/**
 * A transaction of MikroORM 7, which hides its driver connection behind Kysely. Kysely passes text and values on
 * unchanged, so on PostgreSQL the "text" may be the driver's own query object, with a name and our type parsers.
 */
function kyselyConnection(dialect: Dialect, trx: KyselyTransaction, statements: PoolStatements): OpenConnection {
  return {
    interpolates: byFamily(dialect, { postgres: () => false, mysql: () => true }),
    execute: async (statement) => {
      const { rows, numAffectedRows, insertId } = await trx.executeQuery({
        sql: byFamily<unknown>(dialect, {
          postgres: () => statements.query(statement),
          mysql: () => ({ sql: statement.text, within: statement.within }),
        }),
        parameters: statement.params,
        query: { kind: 'RawNode' },
        queryId: { queryId: `durable-${++queries}` },
      });
      const affected = numAffectedRows === undefined ? rows.length : Number(numAffectedRows);
      return { rows, affected: affectedRows(affected, insertId) };
    },
  };
}

/** The layer below MikroORM: Knex in 6, the driver's own pool in 7. */
export interface MikroOrmBelow {
  readonly pool: ConnectionPool;
  /** Call it before the ORM opens connections itself; `report` receives transactions left open on them. */
  watch(report: Report): Promise<void>;
  /** The connection of an open transaction. */
  connectionOf(context: object): Promise<OpenConnection>;
  /** How more connections are opened. PostgreSQL only. */
  source(): Promise<PgSource>;
  /** PostgreSQL only; undefined until the pool is known. */
  ownSessions(): OwnSessions | undefined;
}

const DIALECTS: Record<string, Dialect> = { PostgreSqlDriver: postgres, MySqlDriver: mysql, MariaDbDriver: mariadb };

export function mikroOrmBelow(em: MikroOrmEntityManager): MikroOrmBelow {
  const driver = em.getDriver().constructor.name;
  const dialect = DIALECTS[driver];
  if (!dialect) throw new ConfigurationError(`MikroORM's ${driver} is not supported: use postgresql, mysql or mariadb`);
  const connection = em.getConnection('write');
  if (connection.getKnex) return belowKnex(dialect, () => em.getConnection('write').getKnex!().client);
  if (connection.getNativeClient) return belowNative(dialect, em);
  throw new ConfigurationError('This version of MikroORM gives no access to the driver: use 6.6, or 7.2 or newer');
}

function belowKnex(dialect: Dialect, clientOf: () => KnexClient): MikroOrmBelow {
  const driver = KNEX_DRIVERS[dialect.name];
  const statements = new PoolStatements();
  const connections = new DriverConnections<object>((raw) => driver.connection(raw, statements));
  return {
    pool: {
      dialect,
      counts: () => knexCounts(driver, clientOf()),
      acquire: async (report) => {
        const client = clientOf();
        guardKnex(dialect, client, report);
        const raw = await client.acquireConnection();
        const release = (broken: boolean) => {
          if (broken) dispose(raw);
          void client.releaseConnection(raw);
        };
        const session = driver.session(raw).watchedBy(report);
        return { connection: connections.of(raw), raw, session, release };
      },
    },
    watch: async (report) => guardKnex(dialect, clientOf(), report),
    connectionOf: async (context) => {
      const raw = await (context as KnexTransaction).client.acquireConnection();
      driver.session(raw);
      return connections.of(raw);
    },
    source: () => knexSource(clientOf()),
    ownSessions: () => {
      const client = clientOf();
      return client.pool && ownSessionsBeside(client.pool, 'destroy', () => knexSource(client));
    },
  };
}

async function knexSource(client: KnexClient): Promise<PgSource> {
  // A function that makes the settings is called when Knex connects, so it must have connected once.
  if (client.connectionConfigProvider) await client.releaseConnection(await client.acquireConnection());
  const { pool } = client.config ?? {};
  return {
    Client: client.driver.Client as PgClientClass,
    options: client.connectionSettings,
    prepare: async (raw) => {
      await client.setSchemaSearchPath?.(raw);
      if (pool?.afterCreate) await promisify(pool.afterCreate.bind(pool))(raw);
    },
  };
}

function belowNative(dialect: Dialect, em: MikroOrmEntityManager): MikroOrmBelow {
  const poolOf = () => em.getConnection('write').getNativeClient!();
  // Kysely calls it with connections of its own kind.
  const isPrepared = em.config.get('onCreateConnection') !== undefined;
  let known: PgAppPool | undefined;
  const pgPoolOf = async () => (known = giveBackLostClients((await poolOf()) as PgAppPool));
  const mysql2PoolOf = async () => (await poolOf()) as Mysql2Pool;
  const statements = new PoolStatements();
  return {
    pool: byFamily(dialect, {
      postgres: () => pgPool(pgPoolOf, statements),
      mysql: () => mysql2Pool(dialect, mysql2PoolOf),
    }),
    watch: (report) =>
      byFamily(dialect, {
        postgres: async () => void guardPgPool(await pgPoolOf(), report),
        mysql: async () => void guardMysql2Pool(await mysql2PoolOf(), report),
      }),
    connectionOf: (context) => Promise.resolve(kyselyConnection(dialect, context as KyselyTransaction, statements)),
    source: async () => pgSource((await poolOf()) as PgAppPool),
    ownSessions: () => (known && !isPrepared ? ownSessionsOfPg(known) : undefined),
  };
}

interface Raw {
  query(options: { sql: string }, callback: (error: Error | null) => void): unknown;
  ping(callback: (error: Error | null) => void): unknown;
  on(event: string, listener: (this: { readonly socket?: Socket }) => void): unknown;
  off(event: string, listener: () => void): unknown;
  readonly info?: { readonly status?: number } | null;
  readonly threadId?: number | null;
}

type Callback = (error: unknown, ...more: unknown[]) => unknown;

class MariaDbSession extends MysqlSession<Raw> {
  /** Results that have not come, but those of prepared statements. */
  private awaited = 0;
  /** The connector's own `destroy` first opens another connection. */
  private readonly socket: Socket | undefined;
  /** What waits until a statement that is being prepared is executed; undefined while none is. */
  private held: (() => unknown)[] | undefined;

  constructor(connection: Raw, options: MysqlSessionOptions) {
    super(connection, options);
    this.socket = socketOf(connection);
    keepAlive(this.socket);
    // A prepared statement is no method of the connection: what is prepared is sent next.
    callThrough(connection, 'prepare', (args, call) => {
      if (this.refuses(args)) return;
      this.sends(args[0]);
      this.prepare(args, call);
    });
  }

  /** Whatever is sent meanwhile would come before it: a ROLLBACK, and it would be committed by itself. */
  private prepare(args: unknown[], call: (args: unknown[]) => unknown): void {
    if (this.held) return void this.held.push(() => this.prepare(args, call));
    this.held = [];
    let isOver = false;
    // What a callback throws, the connector passes to it as an error.
    const heard: Callback = (error, ...more) => {
      if (isOver) return;
      isOver = true;
      if (!error) this.hearExecution(more[0] as object);
      try {
        (args.at(-1) as Callback)(error, ...more);
      } finally {
        const held = this.held ?? [];
        this.held = undefined;
        for (const next of held) this.sendHeld(next);
      }
    };
    call([...args.slice(0, -1), heard]);
  }

  private sendHeld(next: () => unknown): unknown {
    return this.held ? this.held.push(next) : next();
  }

  private hearExecution(prepared: object): void {
    callThrough(prepared, 'execute', (args, call) => {
      const answer = call(args) as Promise<unknown>;
      answer.catch((error: unknown) => this.hears(error));
      return answer;
    });
  }

  get ends(): Required<SessionEnds> | undefined {
    return endsOf(this.connection.threadId, this.socket);
  }

  /** With an error: without one the connector would not notice. */
  destroy(): void {
    const error = new Error('The connection was closed because it did not respond');
    this.socket?.destroy(Object.assign(error, { code: 'ECONNABORTED' }));
  }

  get isBusy(): boolean {
    return this.awaited > 0 || Preparing.on(this.connection).running > 0;
  }

  /** After an error the connector reports every session as in a transaction, so only successful results count. */
  protected send(args: unknown[], call: (args: unknown[]) => unknown): unknown {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return call(args);
    this.awaited++;
    const heard: Callback = (error, ...more) => {
      this.awaited--;
      if (!error) this.flags = this.connection.info?.status;
      return (callback as Callback)(error, ...more);
    };
    const sent = [...args.slice(0, -1), heard];
    return this.held ? void this.held.push(() => call(sent)) : call(sent);
  }
}

/** Of the inner connection, which is `this` in its listeners. */
function socketOf(connection: Raw): Socket | undefined {
  let found: Socket | undefined;
  const find = function (this: { readonly socket?: Socket }): void {
    found = this.socket;
  };
  connection.on('newListener', find);
  connection.on('end', ignoreError);
  connection.off('newListener', find);
  return found;
}

const mariaDbSession = (connection: Raw, options: MysqlSessionOptions = {}): Session =>
  sessionOf(connection, () => new Session(new MariaDbSession(connection, options)));

/** How the connections of a Knex client are used. */
interface KnexDriver {
  session(raw: object, options?: MysqlSessionOptions): Session;
  connection(raw: object, statements: PoolStatements): DriverConnection;
  /** Called before the client opens connections. */
  prepare?(client: { driver: object }): void;
}

/** MikroORM 6 uses the `mariadb` connector for MariaDB, version 7 uses `mysql2`. */
const KNEX_DRIVERS: Record<Dialect['name'], KnexDriver> = {
  postgres: {
    session: (raw, options) => pgSession(raw as PgClient, options),
    connection: (raw, statements) => pgConnection(raw as PgClient, statements),
  },
  mysql: {
    session: (raw, options) => mysql2Session(raw as Mysql2PoolConnection, options),
    connection: (raw) => mysql2Connection(raw as Mysql2Connection),
  },
  mariadb: {
    session: (raw, options) => mariaDbSession(raw as Raw, options),
    connection: (raw) => mariaDbConnection(raw as MariaDbConnection),
    prepare: hearSignIn,
  },
};

const knexCounts = (driver: KnexDriver, { pool }: KnexClient): PoolCounts | undefined =>
  pool && tarnCounts(pool, (raw) => driver.session(raw).isBusy);

/** Marks a connection, as Knex does, so that it is not used again. */
const dispose = (raw: object): void =>
  void Object.assign(raw, {
    __knex__disposed: new Error('The connection was lost, or released with an open transaction'),
  });

const isDisposed = (raw: object): boolean => Boolean((raw as { __knex__disposed?: unknown }).__knex__disposed);

const guarded = new WeakMap<KnexPool, Set<Report>>();

/** Ensures that an acquired connection has no transaction that was left open on it. */
function guardKnex(dialect: Dialect, client: KnexClient, report: Report): void {
  const driver = KNEX_DRIVERS[dialect.name];
  driver.prepare?.(client);
  const { pool } = client;
  if (!pool) return;
  const known = guarded.get(pool);
  if (known) return void known.add(report);
  const reports = new Set([report]);
  guarded.set(pool, reports);
  const watched = (raw: object) => {
    const session = driver.session(raw);
    for (const each of reports) session.watchedBy(each);
    return session;
  };
  const endings = new WeakMap<object, Promise<void>>();
  pool.on('createSuccess', (_, raw) => void driver.session(raw, { fresh: true }));
  // A connection runs statements in order: the ROLLBACK precedes statements of its next user.
  pool.on('acquireSuccess', (_, raw) => void watched(raw).end()?.catch(ignoreError));
  pool.on('release', (raw) => {
    const ending = watched(raw).endLeft(!isDisposed(raw));
    if (!ending) return;
    dispose(raw);
    const destroyed = () => watched(raw).destroy();
    endings.set(raw, ending.catch(destroyed));
  });
  // Otherwise the ROLLBACK would be lost with the connection, and the open transaction not reported.
  callThrough(client, 'destroyRawConnection', (args, destroy) => {
    const ending = endings.get(args[0] as object);
    return ending ? ending.then(() => destroy(args)) : destroy(args);
  });
}
