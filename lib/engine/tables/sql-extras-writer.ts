import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Endings, RunWrite } from '../model/run-store.js';
import type { Scope } from './run.sql.js';

/** What came of writing it for others: answers to steps, and whether runs became due. */
export interface ExtrasOutcome extends Partial<Endings> {
  woken?: boolean;
  /** Channels on which signals became anybody's again. */
  offered?: readonly string[];
}

/** Writes its part of what these writes carry besides steps; each once for all of them. */
export type ExtrasWriter = (
  tx: SqlConnection,
  scope: Scope,
  writes: readonly RunWrite[],
) => Promise<ExtrasOutcome | void>;
