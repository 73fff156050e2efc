import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The isolation levels at which this package opens transactions of the app's ORM. */
export type AmbientIsolation = 'READ COMMITTED' | 'REPEATABLE READ';

/**
 * How a library of transaction decorators finds the transaction that surrounds its caller, and opens one. Those of
 * `typeorm-transactional` and `@nestjs-cls/transactional` are found by themselves.
 */
export interface AmbientTransactions {
  /** The handle of the open transaction around the caller, as `transaction` takes it; undefined outside of one. */
  current(): unknown;
  /**
   * Opens a transaction of its own, even inside of another, and runs `work` in it, with its handle. Commits when `work`
   * resolves, rolls back when it throws.
   */
  run<T>(isolationLevel: AmbientIsolation, work: (handle: unknown) => Promise<T>): Promise<T>;
}

/** What knows the transactions of this connection of the app; undefined if nothing does. */
export type FindAmbient = (connection: object) => AmbientTransactions | undefined;

/** What happens beside a transaction that is open around it. */
export type Apart =
  /** A start, signal, event or effect is committed by itself. */
  | 'write'
  /** A transaction of its own begins inside of one that we have opened. */
  | 'transaction';

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
  const host = hosts.filter(isTransactionHost).find(({ tx }) => connectionOf(tx as AmbientManager) === connection);
  if (!host) return undefined;
  return {
    current: () => (host.isTransactionActive() ? host.tx : undefined),
    run: (isolationLevel, work) => host.withTransaction('REQUIRES_NEW', { isolationLevel }, () => work(host.tx)),
  };
}

/** The used part of TypeORM. */
export interface AmbientDataSource {
  readonly manager: AmbientManager;
}

interface AmbientManager {
  readonly queryRunner?: { readonly isTransactionActive: boolean; readonly isReleased: boolean };
  readonly dataSource?: unknown;
  readonly connection?: unknown;
  transaction(...args: unknown[]): Promise<unknown>;
}

/** The connection of a manager; TypeORM 0.3 calls it `connection`. */
export const connectionOf = ({ dataSource, connection }: Pick<AmbientManager, 'dataSource' | 'connection'>): unknown =>
  dataSource ?? connection;

const isOpen = (handle: unknown): handle is AmbientManager => {
  const { queryRunner = handle } = (handle ?? {}) as AmbientManager;
  const { isTransactionActive, isReleased } = (queryRunner ?? {}) as Partial<
    NonNullable<AmbientManager['queryRunner']>
  >;
  return isTransactionActive === true && isReleased === false;
};

/** The property in which `typeorm-transactional` keeps the name of a DataSource. */
const NAME = '@transactional/data-source';

/** The used part of `typeorm-transactional`. */
interface TypeOrmTransactional {
  getDataSourceByName(name: string): unknown;
  runInTransaction<T>(work: () => Promise<T>, options: object): Promise<T>;
}

/**
 * The transactions around the callers of a DataSource: those of a library of decorators, and our own. TypeORM itself
 * does not know them.
 */
export class TypeOrmAmbient {
  /** The transaction that we have opened around the caller. */
  private readonly ours = new AsyncLocalStorage<unknown>();
  /** That of the app, outside of production, where somebody may be told. */
  private readonly apps = new AsyncLocalStorage<unknown>();
  private readonly listeners: ((apart: Apart) => void)[] = [];
  private find: () => AmbientTransactions | undefined = () => undefined;
  private library: AmbientTransactions | undefined;

  constructor(private readonly dataSource: AmbientDataSource) {}

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
    const around = [this.found()?.current(), this.dataSource.manager, this.ours.getStore()].find(isOpen);
    if (around === undefined && isOpen(this.apps.getStore())) this.tell('write');
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
  within<Handle, T>(handle: Handle, work: (handle: Handle) => Promise<T>): Promise<T> {
    return this.ours.run(handle, () => work(handle));
  }

  private found(): AmbientTransactions | undefined {
    return (this.library ??= this.find());
  }

  private tell(apart: Apart): void {
    for (const listener of this.listeners) listener(apart);
  }

  /** Every transaction of the app that has a callback goes through this method. */
  private watchApp(): void {
    const { manager } = this.dataSource;
    const { transaction } = manager;
    manager.transaction = (...args) => {
      if (!this.library && isOpen(this.ours.getStore())) this.tell('transaction');
      const watched = (work: (handle: unknown) => unknown) => (handle: unknown) =>
        this.apps.run(handle, () => work(handle));
      // The isolation level may come before the callback, or not.
      const given = args.map((arg) => (typeof arg === 'function' ? watched(arg as (handle: unknown) => unknown) : arg));
      return transaction.apply(manager, given);
    };
  }
}

/** The transactions of `typeorm-transactional`, if the app has given it this DataSource. */
async function transactionalOf(dataSource: object): Promise<AmbientTransactions | undefined> {
  const { [NAME]: name } = dataSource as { [NAME]?: unknown };
  if (typeof name !== 'string') return undefined;
  const library = (await copies()).find((copy) => copy.getDataSourceByName(name) === dataSource);
  if (!library) return undefined;
  const options = { connectionName: name, propagation: 'REQUIRES_NEW' };
  const { manager } = Object.getOwnPropertyDescriptors(dataSource) as { manager?: PropertyDescriptor };
  const around = (): unknown => manager?.get?.call(dataSource);
  return {
    current: around,
    run: (isolationLevel, work) => library.runInTransaction(() => work(around()), { ...options, isolationLevel }),
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
