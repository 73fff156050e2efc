import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ConfigurationError, DatabaseError, InvalidTransactionError } from '../core/errors.js';
import { toldOf } from '../core/transaction.js';
import { type ConnectionPool, type DriverConnection, joinedConnection, PooledConnection } from './connections.js';
import { toDatabaseError } from './database-errors.js';
import { byFamily, mariadb, mysql, postgres } from './dialects.js';
import {
  type AmbientIsolation,
  type AmbientTransactions,
  type Apart,
  type FindAmbient,
  type JoinedTransaction,
  limitedUnder,
  ormTransaction,
  type OrmTransactionOptions,
  type OrmWork,
  runCommitWorks,
  type SqlConnection,
  type SqlExecutor,
  takeWorks,
} from './executor.js';
import { mysql2Connection, type Mysql2Pool, mysql2Pool, type Mysql2PoolConnection, mysql2Session } from './mysql2.js';
import {
  listenOnPostgres,
  type PgAppPool,
  type PgClient,
  pgConnection,
  type PgPool,
  pgPool,
  pgSession,
  PoolStatements,
} from './pg.js';
import { ownSessionsOfPg, ownFirst, type OwnSessions } from './pg-sessions.js';
import type { Session } from './pools.js';
import { isOverError, type TransactionPart, Within } from './transaction-parts.js';

type TypeOrmDriver = TypeOrmDataSource['driver'];

/**
 * An executor for a TypeORM `DataSource`. Our statements go to the driver connection below TypeORM, so they are bound
 * and prepared, and TypeORM does not log them.
 *
 * @throws ConfigurationError when it is not a DataSource of PostgreSQL, MySQL or MariaDB.
 */
export function typeOrmExecutor(dataSource: object): SqlExecutor {
  const { driver, options, createQueryRunner } = dataSource as Partial<TypeOrmDataSource>;
  if (!driver || !options || typeof createQueryRunner !== 'function') {
    throw new ConfigurationError('invalid argument of typeOrmExecutor(): pass the DataSource');
  }
  return new TypeOrmExecutor(dataSource as TypeOrmDataSource);
}

class TypeOrmExecutor extends PooledConnection implements SqlExecutor {
  readonly schema: string | undefined;
  readonly listen?: NonNullable<SqlExecutor['listen']>;
  private readonly commitListeners: TypeOrmCommitListeners;
  private readonly around: TypeOrmAmbient;

  constructor(
    private readonly dataSource: TypeOrmDataSource,
    private readonly statements = new PoolStatements(),
  ) {
    const pool = { ...poolOf(dataSource, statements), setting: 'poolSize' };
    super(pool, pool.dialect === postgres ? ownFirst(pool, () => ownSessionsOf(dataSource)) : undefined);
    this.schema = dataSource.options.schema;
    this.around = new TypeOrmAmbient(dataSource);
    this.commitListeners = TypeOrmCommitListeners.of(dataSource);
    if (this.dialect.canListen) this.listen = this.openListener.bind(this);
  }

  ormTransaction<T>(work: OrmWork<T>, options?: OrmTransactionOptions): Promise<T> {
    return this.atLevel('READ COMMITTED', work, options);
  }

  ormSnapshot<T>(work: OrmWork<T>): Promise<T> {
    return this.atLevel('REPEATABLE READ', work);
  }

  join(handle: unknown): JoinedTransaction {
    const queryRunner = queryRunnerOf(handle, this.dataSource);
    const within = this.withinOf(queryRunner);
    const last = () => this.committing(queryRunner, () => this.connectionOf(queryRunner, new Within()));
    return {
      ...this.connectionOf(queryRunner, within),
      afterCommit: (listener) => this.commitListeners.addAfter(queryRunner, listener),
      beforeCommit: (work) => !within.isOver && this.commitListeners.addBefore(queryRunner, () => work(last())),
    };
  }

  /** That of a library of decorators, or ours. One of another DataSource is none. */
  ambient(): JoinedTransaction | undefined {
    const handle = this.around.current();
    const queryRunner = handle && ((handle as TypeOrmEntityManager).queryRunner ?? (handle as TypeOrmQueryRunner));
    return queryRunner && dataSourceOf(queryRunner) === this.dataSource ? this.join(handle) : undefined;
  }

  findAmbientBy(find: FindAmbient): void {
    this.around.findBy(() => find(this.dataSource));
  }

  onApart(listener: (apart: Apart) => void): void {
    this.around.onApart(listener);
  }

  /** Savepoints share the query runner: what is asked later must not come behind another one. */
  private withinOf(queryRunner: TypeOrmQueryRunner): Within {
    const { databaseConnection } = queryRunner;
    const begun = () => partOf(depthOf(queryRunner));
    return new Within(databaseConnection && this.sessionOf(databaseConnection).positionSince(begun));
  }

  private connectionOf(queryRunner: TypeOrmQueryRunner, within: Within): SqlConnection {
    const wrap = byFamily<(raw: never, statements: PoolStatements) => DriverConnection>(this.dialect, {
      postgres: () => pgConnection,
      mysql: () => mysql2Connection,
    });
    const connect = async () => {
      if (!isOpen(queryRunner)) throw isOverError();
      const raw = await queryRunner.connect();
      this.sessionOf(raw);
      return wrap(raw as never, this.statements);
    };
    return joinedConnection(this.dialect, connect, within);
  }

  private atLevel<T>(level: AmbientIsolation, work: OrmWork<T>, options?: OrmTransactionOptions): Promise<T> {
    return ormTransaction<TypeOrmEntityManager, T>(
      (inside) =>
        this.commitListeners.starting(
          (queryRunner) => this.clean(queryRunner),
          () => this.around.open(level, inside, () => this.opened(level, inside)),
        ),
      (manager, checkout) => work(manager, limitedUnder(checkout, this.join(manager))),
      { ...options, onSlow: this.onSlow },
    );
  }

  /** Ends what others have left open on the connection, before BEGIN. */
  private async clean(queryRunner: TypeOrmQueryRunner): Promise<void> {
    const ending = this.sessionOf(await this.arrivalOf(queryRunner))
      .watchedBy(this.report)
      .end();
    if (ending) await ending;
  }

  private async opened<T>(level: AmbientIsolation, inside: (manager: TypeOrmEntityManager) => Promise<T>): Promise<T> {
    const queryRunner = this.dataSource.createQueryRunner();
    ownRunners.add(queryRunner);
    try {
      return await queryRunner.manager.transaction(level, (manager) => this.around.within(manager, inside));
    } finally {
      await queryRunner.release();
    }
  }

  private async arrivalOf(queryRunner: TypeOrmQueryRunner): Promise<unknown> {
    const arrived = this.waits.begin();
    try {
      return await queryRunner.connect();
    } catch (error) {
      arrived(error);
      throw error;
    } finally {
      arrived();
    }
  }

  private sessionOf(raw: unknown): Session {
    return byFamily(this.dialect, {
      postgres: () => pgSession(raw as PgClient),
      mysql: () => mysql2Session(raw as Mysql2PoolConnection),
    });
  }

  private async openListener(channels: readonly string[], onNotify: (channel: string, payload: string) => void) {
    const pool = this.dataSource.driver.master as PgAppPool;
    try {
      return await listenOnPostgres(pool.Client, pool.options, channels, onNotify);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}

/** TypeORM releases a runner whose connection is lost, and leaves its transaction active. */
function isOpen({ isTransactionActive, isReleased }: TypeOrmQueryRunner): boolean {
  if (isTransactionActive && isReleased)
    throw new DatabaseError('The transaction is lost: its connection ended, or was already released', true);
  return isTransactionActive;
}

function poolOf(dataSource: TypeOrmDataSource, statements: PoolStatements): ConnectionPool {
  switch (dataSource.options.type) {
    case 'postgres':
      return pgPool(() => initialized(dataSource).master as PgPool, statements);
    case 'mysql':
      return mysql2Pool(mysql, () => masterOf(initialized(dataSource)));
    case 'mariadb':
      return mysql2Pool(mariadb, () => masterOf(initialized(dataSource)));
    default:
      throw new ConfigurationError(
        `TypeORM's "${dataSource.options.type}" is not supported: use postgres, mysql or mariadb`,
      );
  }
}

const ownSessionsOf = (dataSource: TypeOrmDataSource): OwnSessions =>
  ownSessionsOfPg(initialized(dataSource).master as PgAppPool);

/** With replicas, the driver provides the connections of the primary. */
function masterOf(driver: TypeOrmDriver): Mysql2Pool {
  if (driver.pool) return driver.pool as Mysql2Pool;
  return {
    getConnection: (callback) =>
      void driver.obtainMasterConnection().then(
        (connection) => callback(null, connection as Mysql2PoolConnection),
        (error: Error) => callback(error, undefined as never),
      ),
  };
}

function initialized(dataSource: TypeOrmDataSource): TypeOrmDriver {
  if (dataSource.isInitialized) return dataSource.driver;
  throw new ConfigurationError(
    'The DataSource is not initialized, or was destroyed: await dataSource.initialize() first',
  );
}

/** The used parts of TypeORM, so that it stays an optional peer. */
interface TypeOrmDataSource {
  /** `schema`: PostgreSQL. */
  readonly options: { readonly type: string; readonly schema?: string };
  readonly isInitialized: boolean;
  readonly driver: {
    /** PostgreSQL: the pool of the primary. */
    readonly master?: unknown;
    /** MySQL and MariaDB: the pool, if there are no replicas. */
    readonly pool?: unknown;
    obtainMasterConnection(): Promise<unknown>;
  };
  readonly subscribers: object[];
  readonly manager: TypeOrmEntityManager;
  createQueryRunner(): TypeOrmQueryRunner;
}

interface TypeOrmEntityManager extends OfDataSource {
  readonly queryRunner?: TypeOrmQueryRunner;
  transaction<T>(isolation: AmbientIsolation, work: (manager: TypeOrmEntityManager) => Promise<T>): Promise<T>;
}

/** TypeORM 0.3 calls it `connection`. */
interface OfDataSource {
  readonly dataSource?: object;
  readonly connection?: object;
}

const dataSourceOf = ({ dataSource, connection }: OfDataSource): object | undefined => dataSource ?? connection;

interface TypeOrmQueryRunner extends OfDataSource {
  /** Of the driver, while it has one. */
  readonly databaseConnection?: object;
  readonly isTransactionActive: boolean;
  readonly isReleased: boolean;
  readonly manager: TypeOrmEntityManager;
  startTransaction(...level: unknown[]): Promise<void>;
  connect(): Promise<unknown>;
  release(): Promise<void>;
}

const HOW =
  'pass the EntityManager that dataSource.transaction(async (manager) => …) passes to its callback, or a QueryRunner after startTransaction()';

/** The query runner of a handle with an open transaction of this DataSource. */
function queryRunnerOf(handle: unknown, dataSource: object): TypeOrmQueryRunner {
  if (typeof handle !== 'object' || handle === null) throw refuse(`is ${handle === null ? 'null' : typeof handle}`);
  if ('createQueryRunner' in handle) throw refuse('is the DataSource itself, which has no transaction of its own');
  if (typeof (handle as { getTransactionContext?: unknown }).getTransactionContext === 'function') {
    throw refuse("is MikroORM's EntityManager, but this module uses TypeORM");
  }
  const queryRunner =
    'isTransactionActive' in handle ? (handle as TypeOrmQueryRunner) : (handle as TypeOrmEntityManager).queryRunner;
  if (!queryRunner && !('getRepository' in handle)) throw refuse('is no EntityManager');
  if (!queryRunner) throw refuse('is an EntityManager without a transaction');
  if (!isOpen(queryRunner))
    throw refuse(queryRunner.isReleased ? 'belongs to a transaction that has ended' : 'has no open transaction');
  if (dataSourceOf(queryRunner) !== dataSource)
    throw refuse('belongs to another DataSource than the one this module uses');
  return queryRunner;
}

const refuse = (what: string): InvalidTransactionError =>
  new InvalidTransactionError(`The given transaction ${what}: ${HOW}`);

interface TransactionEvent {
  queryRunner: TypeOrmQueryRunner;
}

interface Waiting {
  /** The savepoint depth at which it was added: a rollback to a lower depth drops it. */
  depth: number;
  after?: () => void;
  before?: () => Promise<void>;
}

/** 1 is the transaction itself, each savepoint adds 1, 0 is after its end. */
const depthOf = (queryRunner: object): number => (queryRunner as { transactionDepth?: number }).transactionDepth ?? 0;

/** With TypeORM's names of savepoints. */
const partOf = (depth: number): TransactionPart =>
  depth > 1 ? { outer: partOf(depth - 1), savepoint: `typeorm_${depth - 1}` } : {};

/**
 * Receives the commits and rollbacks of a DataSource with one TypeORM subscriber for all listeners. TypeORM reports
 * savepoints in the same way as transactions.
 */
class TypeOrmCommitListeners {
  private static readonly all = new WeakMap<object, TypeOrmCommitListeners>();
  private readonly waiting = new WeakMap<object, Waiting[]>();
  /** Query runners whose COMMIT was sent. */
  private readonly committing = new WeakSet<object>();
  private readonly checks = new AsyncLocalStorage<(queryRunner: TypeOrmQueryRunner) => Promise<void>>();

  static of(dataSource: TypeOrmDataSource): TypeOrmCommitListeners {
    const known = this.all.get(dataSource) ?? new TypeOrmCommitListeners(dataSource);
    this.all.set(dataSource, known);
    known.subscribe();
    return known;
  }

  private constructor(private readonly dataSource: TypeOrmDataSource) {}

  addAfter(queryRunner: TypeOrmQueryRunner, after: () => void): void {
    this.add(queryRunner, { depth: depthOf(queryRunner), after });
  }

  /** Returns false if COMMIT was already sent, or there is no transaction. */
  addBefore(queryRunner: TypeOrmQueryRunner, before: () => Promise<void>): boolean {
    if (this.committing.has(queryRunner) || depthOf(queryRunner) === 0) return false;
    this.add(queryRunner, { depth: depthOf(queryRunner), before });
    return true;
  }

  /** `check` is awaited before the BEGIN of every transaction that `work` opens, whoever opens it. */
  starting<T>(check: (queryRunner: TypeOrmQueryRunner) => Promise<void>, work: () => Promise<T>): Promise<T> {
    this.subscribe();
    return this.checks.run(check, work);
  }

  /** Drops entries of an earlier transaction of this runner that ended without an event. */
  async beforeTransactionStart({ queryRunner }: TransactionEvent): Promise<void> {
    if (depthOf(queryRunner) > 0) return;
    this.forget(queryRunner);
    await this.checks.getStore()?.(queryRunner);
  }

  async beforeTransactionCommit({ queryRunner }: TransactionEvent): Promise<void> {
    if (depthOf(queryRunner) !== 1) return;
    await runCommitWorks(() => takeWorks(this.waiting.get(queryRunner)));
    this.committing.add(queryRunner);
  }

  afterTransactionCommit({ queryRunner }: TransactionEvent): void {
    const waiting = this.waiting.get(queryRunner) ?? [];
    const depth = depthOf(queryRunner);
    if (depth > 0) return waiting.forEach((entry) => (entry.depth = Math.min(entry.depth, depth)));
    this.forget(queryRunner);
    for (const { after } of waiting) if (after) toldOf(after);
  }

  afterTransactionRollback({ queryRunner }: TransactionEvent): void {
    const depth = depthOf(queryRunner);
    const left = this.waiting.get(queryRunner)?.filter((entry) => entry.depth <= depth);
    this.forget(queryRunner);
    if (left?.length) this.waiting.set(queryRunner, left);
  }

  private add(queryRunner: TypeOrmQueryRunner, entry: Waiting): void {
    this.subscribe();
    const waiting = this.waiting.get(queryRunner) ?? [];
    waiting.push(entry);
    this.waiting.set(queryRunner, waiting);
  }

  /** Checked each time: initialize() replaces the list. */
  private subscribe(): void {
    if (!this.dataSource.subscribers.includes(this)) this.dataSource.subscribers.push(this);
  }

  private forget(queryRunner: TypeOrmQueryRunner): void {
    this.waiting.delete(queryRunner);
    this.committing.delete(queryRunner);
  }
}

/** The used part of `TransactionHost`, of `@nestjs-cls/transactional`. */
interface TransactionHost {
  /** The client of the transaction; outside of one, that of the connection. */
  readonly tx: unknown;
  isTransactionActive(): boolean;
  withTransaction<T>(propagation: 'REQUIRES_NEW', options: object, work: () => Promise<T>): Promise<T>;
}

const isTransactionHost = (value: unknown): value is TransactionHost =>
  typeof (value as Partial<TransactionHost> | null)?.withTransaction === 'function' &&
  typeof (value as Partial<TransactionHost>).isTransactionActive === 'function';

/** The transactions of the host, among these, that is for the connection. */
export function ambientOfHosts(hosts: readonly unknown[], connection: object): AmbientTransactions | undefined {
  const host = hosts
    .filter(isTransactionHost)
    // Adapters of other libraries have other clients, and outside of transactions some have none.
    .find(({ tx }) => dataSourceOf((tx ?? {}) as OfDataSource) === connection);
  if (!host) return undefined;
  return {
    current: () => (host.isTransactionActive() ? host.tx : undefined),
    run: (isolationLevel, work) => host.withTransaction('REQUIRES_NEW', { isolationLevel }, () => work(host.tx)),
  };
}

/** Also of one that is lost: what its code does then must not be committed beside it. */
const isActive = (handle: unknown): boolean => {
  const { queryRunner = handle } = (handle ?? {}) as Partial<TypeOrmEntityManager>;
  return ((queryRunner ?? {}) as Partial<TypeOrmQueryRunner>).isTransactionActive === true;
};

/** The property in which `typeorm-transactional` keeps the name of a DataSource. */
const NAME = '@transactional/data-source';

/** The used part of `typeorm-transactional`. */
interface TypeOrmTransactional {
  getDataSourceByName(name: string): unknown;
  runInTransaction<T>(work: () => Promise<T>, options: object): Promise<T>;
}

/** Those with which we open transactions of our own. */
const ownRunners = new WeakSet<TypeOrmQueryRunner>();

/**
 * The transactions around the callers of a DataSource: those of a library of decorators, and our own. TypeORM itself
 * does not know them.
 */
class TypeOrmAmbient {
  /** The transaction that we have opened around the caller; without its handle, once it is over. */
  private readonly ours = new AsyncLocalStorage<{ handle: unknown }>();
  /** That of the app, outside of production, where somebody may be told. */
  private readonly apps = new AsyncLocalStorage<unknown>();
  private readonly listeners: ((apart: Apart) => void)[] = [];
  private find: () => AmbientTransactions | undefined = () => undefined;
  private library: AmbientTransactions | undefined;

  constructor(private readonly dataSource: TypeOrmDataSource) {}

  /** `find` is asked until it finds any. */
  findBy(find: () => AmbientTransactions | undefined): void {
    this.find = find;
  }

  /** Calls `listener` with what happens beside an open transaction, where that is known. */
  onApart(listener: (apart: Apart) => void): void {
    if (this.listeners.length === 0) this.watchApp();
    this.listeners.push(listener);
  }

  /** The handle of the open transaction around the caller. */
  current(): unknown {
    // `typeorm-transactional` makes `manager` that of the transaction around whoever reads it.
    const around = [this.found()?.current(), this.dataSource.manager, this.ours.getStore()?.handle].find(isActive);
    if (around === undefined && isActive(this.apps.getStore())) this.tell('write');
    return around;
  }

  /** Runs `work` in a new transaction, in which libraries see it; `plain` opens one where there is no library. */
  async open<Handle, T>(
    level: AmbientIsolation,
    work: (handle: Handle) => Promise<T>,
    plain: () => Promise<T>,
  ): Promise<T> {
    const library = this.found() ?? (this.library = await transactionalOf(this.dataSource));
    return library ? library.run(level, (handle) => this.within(handle as Handle, work)) : plain();
  }

  /** Runs `work` in this open transaction of ours. */
  async within<Handle, T>(handle: Handle, work: (handle: Handle) => Promise<T>): Promise<T> {
    const around: { handle: unknown } = { handle };
    try {
      return await this.ours.run(around, () => work(handle));
    } finally {
      around.handle = undefined;
    }
  }

  private found(): AmbientTransactions | undefined {
    return (this.library ??= this.find());
  }

  private tell(apart: Apart): void {
    for (const listener of this.listeners) listener(apart);
  }

  /** Every transaction of the app goes through one of these methods: with a callback, or begun by hand. */
  private watchApp(): void {
    const { dataSource, apps } = this;
    const { manager } = dataSource;
    const create = dataSource.createQueryRunner.bind(dataSource) as (...args: unknown[]) => TypeOrmQueryRunner;
    const creating = (...args: unknown[]): TypeOrmQueryRunner => {
      const runner = create(...args);
      const start = runner.startTransaction.bind(runner);
      const starting = (...level: unknown[]): Promise<void> => {
        if (ownRunners.has(runner)) return start(...level);
        if (!this.library && isActive(this.ours.getStore()?.handle)) this.tell('transaction');
        // For the code of the caller that follows.
        apps.enterWith(runner);
        return start(...level);
      };
      return Object.assign(runner, { startTransaction: starting });
    };
    Object.assign(dataSource, { createQueryRunner: creating });
    const transaction = manager.transaction.bind(manager) as (...args: unknown[]) => Promise<unknown>;
    const watching = (...args: unknown[]) => {
      const watched = (work: (handle: unknown) => unknown) => (handle: unknown) => apps.run(handle, () => work(handle));
      // The isolation level may come before the callback, or not.
      const given = args.map((arg) => (typeof arg === 'function' ? watched(arg as (handle: unknown) => unknown) : arg));
      // What it begins is seen by the callback alone, not by its caller.
      return apps.run({}, () => transaction(...given));
    };
    Object.assign(manager, { transaction: watching });
  }
}

/** The transactions of `typeorm-transactional`, if the app has given it this DataSource, with its manager. */
async function transactionalOf(dataSource: TypeOrmDataSource): Promise<AmbientTransactions | undefined> {
  const { [NAME]: name } = dataSource as { [NAME]?: unknown };
  const isPatched = Object.getOwnPropertyDescriptor(dataSource, 'manager')?.get !== undefined;
  if (typeof name !== 'string' || !isPatched) return undefined;
  const library = (await copies()).find((copy) => copy.getDataSourceByName(name) === dataSource);
  if (!library) return undefined;
  const options = { connectionName: name, propagation: 'REQUIRES_NEW' };
  return {
    current: () => dataSource.manager,
    run: (isolationLevel, work) =>
      library.runInTransaction(() => work(dataSource.manager), { ...options, isolationLevel }),
  };
}

/** The copies of it that the app has loaded: that which knows the DataSource may not be the one that we would import. */
async function copies(): Promise<TypeOrmTransactional[]> {
  const { cache } = createRequire(join(process.cwd(), 'package.json'));
  const loaded = Object.entries(cache)
    .filter(([path]) => /[\\/]typeorm-transactional[\\/]/.test(path))
    .map(([, module]) => module?.exports as unknown);
  const packageName: string = 'typeorm-transactional';
  // Test runners keep modules of their own.
  const imported: unknown = await import(packageName).catch(() => undefined);
  return [...loaded, imported].filter(isTransactional);
}

const isTransactional = (exports: unknown): exports is TypeOrmTransactional =>
  typeof (exports as Partial<TypeOrmTransactional> | null | undefined)?.runInTransaction === 'function' &&
  typeof (exports as Partial<TypeOrmTransactional>).getDataSourceByName === 'function';
