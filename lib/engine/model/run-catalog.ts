import type { Transaction } from '../../protocol/transaction.js';
import type { ListedRuns, ListRuns } from './run-insight.js';
import type { NewRun, RunRecord } from './run.js';
import type { StepRecord } from './step-record.js';

/** What the application's side asks of the database: to begin runs and look at them. */
export interface RunCatalog {
  /**
   * Creates the runs whose id is free, in one statement. Returns for each the run that has the id, and whether it is new.
   * Engines hear of it with the commit.
   */
  create(runs: readonly NewRun[], tx?: Transaction): Promise<{ created: boolean; run: RunRecord }[]>;
  /** With `tx` those that it can see. */
  find(ids: readonly string[], tx?: Transaction): Promise<RunRecord[]>;
  steps(runId: string): Promise<StepRecord[]>;
  /** The one at a position. */
  step(runId: string, seq: number, tx?: Transaction): Promise<StepRecord | undefined>;
  /**
   * A page of runs in the order of creation, of those that were created within one millisecond in the order of their
   * ids: page after page each run comes once, whatever is created or changed meanwhile. Work per page is bounded.
   */
  list(query: ListRuns): Promise<ListedRuns>;
  /** Calls `listener` when these runs have ended, or without ids when any may have. Returns a function that ends it. */
  onFinished(listener: (ids?: readonly string[]) => void): () => void;
}

/** Where a `transaction` argument becomes one we can write in, and where our own carry the app's work. */
export interface Transactions {
  /** @throws InvalidTransactionError when it is no open transaction of the app's ORM. */
  join(handle: unknown): Transaction;
  /** The one around the caller, where the ORM knows it. */
  ambient(): Transaction | undefined;
  /**
   * A transaction of our own for the app's work, which gets the ORM's handle. `work` is called once.
   *
   * @throws TransactionLostError when it began and the database ended it: where COMMIT was under way it may be committed.
   */
  begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T>;
}

/** The transaction that a caller has named, or else the one around it. */
export const transactionOf = (transactions: Transactions, handle: unknown): Transaction | undefined =>
  handle === undefined ? transactions.ambient() : transactions.join(handle);
