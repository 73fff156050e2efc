import type { TypeOrmDataSource, TypeOrmQueryRunner } from './typeorm-transaction.js';

interface TransactionEvent {
  queryRunner: TypeOrmQueryRunner;
}

interface Waiting {
  listener: () => void;
  /** How deep in savepoints it was added: a rollback to above drops it. */
  depth: number;
}

/** 1 is the transaction itself, each savepoint adds 1, 0 is after its end. */
const depthOf = (queryRunner: object): number => (queryRunner as { transactionDepth?: number }).transactionDepth ?? 0;

/**
 * Hears the commits and rollbacks of a DataSource as one TypeORM subscriber, however many listeners there are.
 * TypeORM tells of savepoints in the same way as of transactions.
 */
export class TypeOrmCommitListeners {
  private static readonly all = new WeakMap<object, TypeOrmCommitListeners>();
  private readonly waiting = new WeakMap<object, Waiting[]>();

  static of(dataSource: TypeOrmDataSource): TypeOrmCommitListeners {
    const known = this.all.get(dataSource) ?? new TypeOrmCommitListeners(dataSource);
    this.all.set(dataSource, known);
    return known;
  }

  private constructor(private readonly dataSource: TypeOrmDataSource) {}

  add(queryRunner: TypeOrmQueryRunner, listener: () => void): void {
    // Looked for each time: initialize() makes a new list.
    if (!this.dataSource.subscribers.includes(this)) this.dataSource.subscribers.push(this);
    const waiting = this.waiting.get(queryRunner) ?? [];
    waiting.push({ listener, depth: depthOf(queryRunner) });
    this.waiting.set(queryRunner, waiting);
  }

  /** Whatever waited for an earlier transaction of this runner that ended without a word does so in vain. */
  beforeTransactionStart({ queryRunner }: TransactionEvent): void {
    if (depthOf(queryRunner) === 0) this.waiting.delete(queryRunner);
  }

  afterTransactionCommit({ queryRunner }: TransactionEvent): void {
    const waiting = this.waiting.get(queryRunner);
    if (!waiting) return;
    const depth = depthOf(queryRunner);
    if (depth > 0) return waiting.forEach((entry) => (entry.depth = Math.min(entry.depth, depth)));
    this.waiting.delete(queryRunner);
    for (const { listener } of waiting) listener();
  }

  afterTransactionRollback({ queryRunner }: TransactionEvent): void {
    const depth = depthOf(queryRunner);
    const left = this.waiting.get(queryRunner)?.filter((entry) => entry.depth <= depth);
    if (left?.length) this.waiting.set(queryRunner, left);
    else this.waiting.delete(queryRunner);
  }
}
