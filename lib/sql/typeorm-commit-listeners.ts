import { toldOf } from '../protocol/transaction.js';
import { runCommitWorks } from './commit-works.js';
import type { TypeOrmDataSource, TypeOrmQueryRunner } from './typeorm-transaction.js';

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

/**
 * Receives the commits and rollbacks of a DataSource with one TypeORM subscriber for all listeners. TypeORM reports
 * savepoints in the same way as transactions.
 */
export class TypeOrmCommitListeners {
  private static readonly all = new WeakMap<object, TypeOrmCommitListeners>();
  private readonly waiting = new WeakMap<object, Waiting[]>();
  /** Query runners whose COMMIT was sent. */
  private readonly committing = new WeakSet<object>();

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

  /** Drops entries of an earlier transaction of this runner that ended without an event. */
  beforeTransactionStart({ queryRunner }: TransactionEvent): void {
    if (depthOf(queryRunner) === 0) this.forget(queryRunner);
  }

  async beforeTransactionCommit({ queryRunner }: TransactionEvent): Promise<void> {
    if (depthOf(queryRunner) !== 1) return;
    await runCommitWorks(() => this.takeBefore(queryRunner));
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

  private takeBefore(queryRunner: TypeOrmQueryRunner): (() => Promise<void>)[] {
    return (this.waiting.get(queryRunner) ?? []).flatMap((entry) => {
      const { before } = entry;
      delete entry.before;
      return before ?? [];
    });
  }

  private forget(queryRunner: TypeOrmQueryRunner): void {
    this.waiting.delete(queryRunner);
    this.committing.delete(queryRunner);
  }
}
