import type { MikroOrmEntityManager } from './mikro-orm-transaction.js';

interface TransactionEvent {
  em: object;
  transaction?: object | null;
}

interface Waiting {
  listener: () => void;
  /** The savepoint or transaction it was added in: its rollback drops it. */
  scope: object;
}

/**
 * Hears the commits and rollbacks of a MikroORM as one event subscriber, however many listeners there are.
 * MikroORM 6 tells of the outermost transaction only; 7 tells of savepoints too, but not of all.
 */
export class MikroOrmCommitListeners {
  private static readonly all = new WeakMap<object, MikroOrmCommitListeners>();
  private readonly waiting = new WeakMap<object, Waiting[]>();
  private readonly parents = new WeakMap<object, object>();
  private readonly starting = new WeakMap<object, object>();

  static of(em: MikroOrmEntityManager): MikroOrmCommitListeners {
    const database = em.getConnection('write');
    const known = this.all.get(database) ?? new MikroOrmCommitListeners();
    this.all.set(database, known);
    // Forks share this event manager or copy what is in it, so it has to be there before any transaction begins.
    em.getEventManager().registerSubscriber(known);
    return known;
  }

  private constructor() {}

  add(em: MikroOrmEntityManager, context: object, listener: () => void): void {
    em.getEventManager().registerSubscriber(this);
    const root = this.rootOf(context);
    this.waiting.set(root, [...(this.waiting.get(root) ?? []), { listener, scope: context }]);
  }

  /** MikroORM 7, for a savepoint: `transaction` is the one around it. */
  beforeTransactionStart({ em, transaction }: TransactionEvent): void {
    if (transaction) this.starting.set(em, transaction);
    else this.starting.delete(em);
  }

  afterTransactionStart({ em, transaction }: TransactionEvent): void {
    const parent = this.starting.get(em);
    if (parent && transaction) this.parents.set(transaction, parent);
    this.starting.delete(em);
  }

  afterTransactionCommit({ transaction }: TransactionEvent): void {
    const waiting = transaction && this.waiting.get(transaction);
    if (!waiting) return;
    this.waiting.delete(transaction);
    for (const { listener } of waiting) listener();
  }

  afterTransactionRollback({ transaction }: TransactionEvent): void {
    if (!transaction) return;
    const root = this.rootOf(transaction);
    const left = this.waiting.get(root)?.filter(({ scope }) => !this.isWithin(scope, transaction));
    if (left?.length) this.waiting.set(root, left);
    else this.waiting.delete(root);
  }

  private rootOf(context: object): object {
    const parent = this.parentOf(context);
    return parent ? this.rootOf(parent) : context;
  }

  private isWithin(scope: object, transaction: object): boolean {
    if (scope === transaction) return true;
    const parent = this.parentOf(scope);
    return parent !== undefined && this.isWithin(parent, transaction);
  }

  /** Knex knows it; of Kysely we have seen it begin. */
  private parentOf(context: object): object | undefined {
    return (context as { parentTransaction?: object }).parentTransaction ?? this.parents.get(context);
  }
}
