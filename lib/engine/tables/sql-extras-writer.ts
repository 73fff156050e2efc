import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import type { Endings, RunWrite } from '../model/run-store.js';

/** The effects of written extras on others: answers to steps, and whether runs became due. */
export interface ExtrasOutcome extends Partial<Endings> {
  woken?: boolean;
  /** Channels on which signals were released. */
  offered?: readonly string[];
}

/** Writes one kind of extras, for all writes together. */
export type ExtrasWriter = (
  tx: SqlConnection,
  scope: Scope,
  writes: readonly RunWrite[],
) => Promise<ExtrasOutcome | void>;
