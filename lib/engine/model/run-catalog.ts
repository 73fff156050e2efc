import type { Transaction } from '../../protocol/transaction.js';
import type { ListedRuns, ListRuns } from './run-insight.js';
import type { NewRun, RunRecord } from './run.js';
import type { StepRecord } from './step-record.js';

/** The client's access to runs: creates and reads them. */
export interface RunCatalog {
  /**
   * Creates the runs whose id is free, in one statement. Returns for each the run with the id, and whether it is new.
   * Engines are notified with the commit.
   */
  create(runs: readonly NewRun[], tx?: Transaction): Promise<{ created: boolean; run: RunRecord }[]>;
  /** With `tx`, returns the runs that the transaction sees. */
  find(ids: readonly string[], tx?: Transaction): Promise<RunRecord[]>;
  /** What these runs carry, as JSON texts; nothing for runs that carry nothing. With `tx`, of those that it sees. */
  contexts(ids: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, string>>;
  steps(runId: string): Promise<StepRecord[]>;
  /** Returns the step at a position. */
  step(runId: string, seq: number, tx?: Transaction): Promise<StepRecord | undefined>;
  /**
   * Returns a page of runs, ordered by creation time (in ms) and id. Over all pages each run comes once, even if runs
   * are created or changed meanwhile. The work per page is bounded.
   */
  list(query: ListRuns): Promise<ListedRuns>;
  /** Calls `listener` with runs that ended, or without ids when any may have. Returns a function that unsubscribes. */
  onFinished(listener: (ids?: readonly string[]) => void): () => void;
}

/** Joins the app's transactions for our writes, and opens our own transactions for the app's work. */
export interface Transactions {
  /** @throws InvalidTransactionError when it is no open transaction of the app's ORM. */
  join(handle: unknown): Transaction;
  /** The open transaction around the caller, if the ORM tracks it. */
  ambient(): Transaction | undefined;
  /**
   * Opens our own transaction for the app's work, which receives the ORM's handle. `work` is called once.
   *
   * @throws TransactionLostError when the database ended it after its begin. During COMMIT: it may be committed.
   */
  begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T>;
}

/** The transaction that the caller passed, else the one around it. */
export const transactionOf = (transactions: Transactions, handle: unknown): Transaction | undefined =>
  handle === undefined ? transactions.ambient() : transactions.join(handle);
