import type { ClaimedRun } from './run.js';
import type { StepRecord } from './step-record.js';

/**
 * Reads the history of one run for people, by its key and in parts. Payloads are read only where it says so: other steps
 * have `output: null`. Locks and changes nothing.
 */
export interface StepReads {
  /** The run as a claim would return it, whatever its status. */
  claimed(runId: string): Promise<ClaimedRun | undefined>;
  /** The first position of its life: `continueAsNew` and `restart` begin another, above all positions before. */
  firstSeq(runId: string): Promise<number | undefined>;
  /** The highest `settled` of its steps; 0 if none has an outcome. */
  lastSettled(runId: string): Promise<number>;
  /** The positions after `after`, in their order, at most `limit`. With `payloads` also outputs and inputs that are kept. */
  page(query: { runId: string; after: number; limit: number; payloads?: boolean }): Promise<StepRecord[]>;
  /** The steps whose outcomes came after the first `settled`, in the order of outcomes, at most `limit`. */
  settledAfter(query: { runId: string; settled: number; limit: number }): Promise<StepRecord[]>;
  /** The steps without an outcome, but no markers, with what they wait for; those asked last first, at most `limit`. */
  open(runId: string, limit: number): Promise<StepRecord[]>;
  /** How many of the run's first 20,000 log lines belong to each of these positions that has any. */
  lineCounts(query: { runId: string; from: number; to: number }): Promise<ReadonlyMap<number, number>>;
}
