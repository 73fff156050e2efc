import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfigurationError } from '../core/errors.js';
import { toldOf } from '../core/transaction.js';
import { joinedConnection, PooledConnection } from './connections.js';
import { toDatabaseError } from './database-errors.js';
import { postgres } from './dialects.js';
import {
  type Apart,
  type JoinedTransaction,
  limitedUnder,
  ormTransaction,
  type OrmTransactionOptions,
  type OrmWork,
  type OwnTables,
  runCommitWorks,
  type SqlConnection,
  type SqlExecutor,
  type TableProtection,
  takeWorks,
} from './executor.js';
import {
  failureOf,
  isOver,
  type MikroOrmBelow,
  type MikroOrmConnection,
  mikroOrmBelow,
  type MikroOrmEntityManager,
  openTransactionOf,
} from './mikro-orm-pools.js';
import { listenOnPostgres } from './pg.js';
import { ownFirst } from './pg-sessions.js';
import { callThrough } from './pools.js';
import { protectOnMikroOrm } from './table-protection.js';
import { Within } from './transaction-parts.js';

/**
 * An executor for MikroORM (6.6 or 7.2 and newer): pass `orm` or `orm.em`. Our statements go to the driver connection
 * below MikroORM, so they are bound and prepared, and MikroORM does not log them.
 *
 * @throws ConfigurationError for other values, or a database other than PostgreSQL, MySQL or MariaDB.
 */
export function mikroOrmExecutor(emOrOrm: object): SqlExecutor {
  const em = 'em' in emOrOrm && 'connect' in emOrOrm ? (emOrOrm as { em: object }).em : emOrOrm;
  if (typeof (em as Partial<MikroOrmEntityManager>).getTransactionContext !== 'function') {
    throw new ConfigurationError('invalid argument of mikroOrmExecutor(): pass orm.em, or the MikroORM instance');
  }
  return new MikroOrmExecutor(em as MikroOrmEntityManager, mikroOrmBelow(em as MikroOrmEntityManager));
}

class MikroOrmExecutor extends PooledConnection implements SqlExecutor {
  readonly schema: string | undefined;
  readonly listen?: NonNullable<SqlExecutor['listen']>;
  private readonly commitListeners: MikroOrmCommitListeners;
  private readonly around = new MikroOrmAround();

  constructor(
    private readonly em: MikroOrmEntityManager,
    private readonly below: MikroOrmBelow,
  ) {
    const pool = { ...below.pool, setting: 'pool.max' };
    super(pool, pool.dialect === postgres ? ownFirst(pool, () => below.ownSessions()) : undefined);
    this.schema = em.config.get('schema');
    this.commitListeners = MikroOrmCommitListeners.of(em);
    if (this.dialect.canListen) this.listen = this.openListener.bind(this);
  }

  ormTransaction<T>(work: OrmWork<T>, options?: OrmTransactionOptions): Promise<T> {
    return this.atLevel('read committed', work, options);
  }

  ormSnapshot<T>(work: OrmWork<T>): Promise<T> {
    return this.atLevel('repeatable read', work);
  }

  join(handle: unknown): JoinedTransaction {
    const context = openTransactionOf(handle, this.em, this.isOpen);
    return this.joined(context, handle as MikroOrmEntityManager);
  }

  ambient(): JoinedTransaction | undefined {
    const context = this.em.getTransactionContext();
    if (context && this.isOpen(context)) return this.joined(context, this.em);
    return void this.around.begins('write');
  }

  onApart(listener: (apart: Apart) => void): void {
    this.around.watch(this.em.getConnection('write'), listener);
  }

  protectTables(own: OwnTables): TableProtection {
    return protectOnMikroOrm(this.em.config, own);
  }

  private atLevel<T>(isolationLevel: string, work: OrmWork<T>, options?: OrmTransactionOptions): Promise<T> {
    // A fork of the global one, even when the caller has an open transaction: this is our own.
    const fork = () => this.em.fork({ disableContextResolution: true });
    return ormTransaction<MikroOrmEntityManager, T>(
      async (inside) => {
        await this.below.watch(this.report);
        const arrived = this.waits.begin();
        const begun = (em: MikroOrmEntityManager) => {
          arrived();
          return this.around.ours(em.getTransactionContext(), () => inside(em));
        };
        const opening = this.around.ours(undefined, () => fork().transactional(begun, { isolationLevel }));
        return opening.catch((error: unknown) => {
          arrived(error);
          throw error;
        });
      },
      (em, checkout) => work(em, limitedUnder(checkout, this.join(em))),
      { ...options, onSlow: this.onSlow },
    );
  }

  private joined(context: object, em: MikroOrmEntityManager): JoinedTransaction {
    this.commitListeners.watchSavepoints(context);
    const within = this.withinOf(context);
    return {
      ...this.connectionOf(context, within),
      afterCommit: (listener) => this.commitListeners.addAfter(em, context, listener),
      beforeCommit: (work) => {
        if (within.isOver) return false;
        const root = this.commitListeners.rootOf(context);
        const last = () => this.committing(root, () => this.connectionOf(root, this.withinOf(root)));
        return this.commitListeners.addBefore(em, context, () => work(last()));
      },
    };
  }

  private readonly isOpen = (context: object): boolean => this.commitListeners.isOpen(context);

  private withinOf(context: object): Within {
    return new Within(undefined, () => this.isOpen(context));
  }

  private connectionOf(context: object, within: Within): SqlConnection {
    return joinedConnection(this.dialect, () => this.below.connectionOf(context), within);
  }

  private async openListener(channels: readonly string[], onNotify: (channel: string, payload: string) => void) {
    try {
      const { Client, options } = await this.below.source();
      return await listenOnPostgres(Client, options, channels, onNotify);
    } catch (error) {
      throw toDatabaseError(error);
    }
  }
}

/**
 * Tells of what is committed beside an open transaction of which MikroORM does not know: one that a fork begins by hand,
 * or a new one of a fork that is made inside of ours.
 */
class MikroOrmAround {
  private readonly around = new AsyncLocalStorage<Around>();
  private tell: (apart: Apart) => void = () => undefined;

  /** Runs `work`, which begins a transaction of ours, or runs in it. */
  ours<T>(context: object | undefined, work: () => Promise<T>): Promise<T> {
    return this.around.run({ isOurs: true, context }, work);
  }

  begins(apart: Apart): void {
    const { isOurs = false, context } = this.innermost ?? {};
    if (context && isOurs === (apart === 'transaction')) this.tell(apart);
  }

  /** Every transaction goes through these methods of the connection, which all forks share. */
  watch(connection: MikroOrmConnection, tell: (apart: Apart) => void): void {
    this.tell = tell;
    const { around } = this;
    const [begin, transactional] = [connection.begin.bind(connection), connection.transactional.bind(connection)];
    connection.begin = async (options) => {
      const outer = this.innermost;
      if (options?.ctx || (outer?.isOurs && !outer.context)) return begin(options);
      this.begins('transaction');
      const apps: Around = { outer };
      // For the code of the caller that follows.
      around.enterWith(apps);
      return (apps.context = await begin(options));
    };
    // What it begins is seen by the callback alone, not by its caller.
    connection.transactional = (...args) => around.run({ outer: this.innermost }, () => transactional(...args));
  }

  /** The transaction around the caller that is not over. */
  private get innermost(): Around | undefined {
    let around = this.around.getStore();
    while (around && (around.context ? isOver(around.context) : !around.isOurs)) around = around.outer;
    return around;
  }
}

/** A transaction, ours or of the app. Without a context: not begun yet. */
interface Around {
  isOurs?: true;
  context?: object | undefined;
  outer?: Around | undefined;
}

interface TransactionEvent {
  transaction?: object | null;
}

interface Waiting {
  /** The savepoint or transaction in which it was added: a rollback of it drops the entry. */
  scope: object;
  after?: () => void;
  before?: () => Promise<void>;
}

/** What rolls back to a savepoint of Kysely. */
interface Command {
  execute(): Promise<unknown>;
}

/**
 * Hears of the commits and rollbacks of a MikroORM: by its methods, which all forks share, and by an event subscriber,
 * which is told although one of the app fails later. MikroORM 6 reports only the outermost transaction; 7 also reports
 * savepoints, but not all of them.
 */
class MikroOrmCommitListeners {
  private static readonly all = new WeakMap<object, MikroOrmCommitListeners>();
  private readonly waiting = new WeakMap<object, Waiting[]>();
  private readonly parents = new WeakMap<object, object>();
  private readonly starting = new WeakMap<object, object>();
  /** Contexts whose COMMIT or ROLLBACK was sent; of Kysely also savepoints that were rolled back to. */
  private readonly ending = new WeakSet<object>();
  private readonly watched = new WeakSet<object>();

  static of(em: MikroOrmEntityManager): MikroOrmCommitListeners {
    const connection = em.getConnection('write');
    const known = this.all.get(connection) ?? new MikroOrmCommitListeners(connection);
    this.all.set(connection, known);
    // Forks share or copy this event manager, so the subscriber must be registered before any transaction starts.
    em.getEventManager().registerSubscriber(known);
    return known;
  }

  /** A fork may have subscribers of its own, and code may begin a transaction that tells nobody. */
  private constructor(connection: MikroOrmConnection) {
    callThrough(connection, 'begin', async (args, begin) => {
      const context = (await begin(args)) as object;
      const outer = (args[0] as { ctx?: object } | undefined)?.ctx;
      if (outer) this.parents.set(context, outer);
      return context;
    });
    callThrough(connection, 'commit', async (args, commit) => {
      const transaction = args[0] as object;
      await this.workBefore(transaction);
      await commit(args);
      this.afterTransactionCommit({ transaction });
    });
  }

  addAfter(em: MikroOrmEntityManager, context: object, after: () => void): void {
    this.add(em, { scope: context, after });
  }

  /** Returns false if COMMIT or ROLLBACK was already sent. */
  addBefore(em: MikroOrmEntityManager, context: object, before: () => Promise<void>): boolean {
    if (this.ending.has(this.rootOf(context))) return false;
    this.add(em, { scope: context, before });
    return true;
  }

  /** The outermost transaction. */
  rootOf(context: object): object {
    const parent = this.parentOf(context);
    return parent ? this.rootOf(parent) : context;
  }

  /** Kysely says of a savepoint neither that it was rolled back to, nor that its transaction is over. */
  isOpen(context: object): boolean {
    const parent = this.parentOf(context);
    return !isOver(context) && (!parent || (!this.ending.has(context) && this.isOpen(parent)));
  }

  /** MikroORM 7, for a savepoint: `transaction` is the enclosing one. */
  beforeTransactionStart({ em, transaction }: TransactionEvent & { em: object }): void {
    if (transaction) this.starting.set(em, transaction);
    else this.starting.delete(em);
  }

  /** @throws DatabaseError when BEGIN has failed: Knex hands out the transaction all the same. */
  async afterTransactionStart({ em, transaction }: TransactionEvent & { em: object }): Promise<void> {
    if (transaction && isOver(transaction)) throw toDatabaseError(await failureOf(transaction));
    const parent = this.starting.get(em);
    if (parent && transaction) this.parents.set(transaction, parent);
    this.starting.delete(em);
  }

  private async workBefore(transaction: object): Promise<void> {
    if (this.parentOf(transaction)) return;
    await runCommitWorks(() => takeWorks(this.waiting.get(transaction)));
    this.ending.add(transaction);
  }

  afterTransactionCommit({ transaction }: TransactionEvent): void {
    const waiting = transaction && this.waiting.get(transaction);
    if (!waiting) return;
    this.waiting.delete(transaction);
    for (const { after } of waiting) if (after) toldOf(after);
  }

  afterTransactionRollback({ transaction }: TransactionEvent): void {
    if (!transaction) return;
    this.ending.add(transaction);
    this.drop(transaction);
  }

  private add(em: MikroOrmEntityManager, entry: Waiting): void {
    em.getEventManager().registerSubscriber(this);
    const root = this.rootOf(entry.scope);
    this.waiting.set(root, [...(this.waiting.get(root) ?? []), entry]);
  }

  /** MikroORM reports the rollback to a savepoint late, or not at all: so what sends it is wrapped. */
  watchSavepoints(context: object): void {
    const parent = this.parentOf(context);
    if (!parent) return;
    if (!this.watched.has(context)) {
      this.watched.add(context);
      if ('rollbackToSavepoint' in context) this.watchKysely(context);
      else
        callThrough(context, 'rollback', (args, rollback) => {
          this.drop(context);
          return rollback(args);
        });
    }
    this.watchSavepoints(parent);
  }

  private watchKysely(savepoint: object): void {
    callThrough(savepoint, 'rollbackToSavepoint', (args, call) => {
      const command = call(args) as Command;
      const execute = async () => {
        this.ending.add(savepoint);
        const undone = await command.execute();
        this.drop(savepoint);
        return undone;
      };
      return { execute };
    });
  }

  private drop(transaction: object): void {
    const root = this.rootOf(transaction);
    const left = this.waiting.get(root)?.filter(({ scope }) => !this.isWithin(scope, transaction));
    if (left?.length) this.waiting.set(root, left);
    else this.waiting.delete(root);
  }

  private isWithin(scope: object, transaction: object): boolean {
    if (scope === transaction) return true;
    const parent = this.parentOf(scope);
    return parent !== undefined && this.isWithin(parent, transaction);
  }

  /** Knex stores the parent; for Kysely it was recorded at the start. */
  private parentOf(context: object): object | undefined {
    return (context as { parentTransaction?: object }).parentTransaction ?? this.parents.get(context);
  }
}
