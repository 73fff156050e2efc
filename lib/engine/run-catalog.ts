import type { Transaction } from '../protocol/transaction.js';
import type { NewRun, RunRecord, RunStatus } from './run.js';
import type { StepRecord } from './step-record.js';

export interface ListRuns {
  namespace: string;
  status?: readonly RunStatus[];
  workflow?: string;
  /** Only runs that stand still for a reason. */
  blocked?: boolean;
  limit: number;
  /** Where the last page ended: newest first, so the next page is older. */
  before?: { createdAt: number; id: string };
}

/** What the application's side asks of the database: to begin runs, look at them and end them. */
export interface RunCatalog {
  /**
   * Creates the runs whose id is free, in one statement, and tells engines. Answers for each the run that has the id,
   * and whether it is new. With `tx` nobody is told: that is {@link announceDue}'s, after the commit.
   */
  create(runs: readonly NewRun[], tx?: Transaction): Promise<{ created: boolean; run: RunRecord }[]>;
  find(ids: readonly string[]): Promise<RunRecord[]>;
  steps(runId: string): Promise<StepRecord[]>;
  /** Newest first. */
  list(query: ListRuns): Promise<RunRecord[]>;
  /**
   * Ends a run that has not ended, whoever owns it, and hands the step ids of its open remote steps to
   * `alongside` in the same transaction. Answers whether it did.
   */
  cancel(
    id: string,
    alongside: (stepIds: readonly string[], tx: Transaction) => Promise<void>,
    tx?: Transaction,
  ): Promise<boolean>;
  /** Tells engines that runs have become due. Call it after the commit that made them so. */
  announceDue(): void;
  /** Calls `listener` when these runs have ended, or without ids when any may have. Answers a function that ends it. */
  onFinished(listener: (ids?: readonly string[]) => void): () => void;
}

/** A transaction that the application has open. */
export interface OpenTransaction {
  tx: Transaction;
  /** Called once after its commit, never after a rollback; best effort. */
  afterCommit(listener: () => void): void;
}

/** Where a `transaction` argument becomes one we can write in, and where our own carry the app's work. */
export interface Transactions {
  /** @throws InvalidTransactionError when it is no open transaction of the app's ORM. */
  join(handle: unknown): OpenTransaction;
  /** The one around the caller, where the ORM knows it. */
  ambient(): OpenTransaction | undefined;
  /** A transaction of our own for the app's work, which gets the ORM's handle. May run `work` again after a deadlock. */
  begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T>;
}
