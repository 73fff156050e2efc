/**
 * The kinds of recorded positions. A marker holds a value that a replay must return again: a time, a random number. A
 * compensation has the kind of its own work, and the position -1 - seq, where seq is the step that it undoes.
 */
export type StepKind = 'step' | 'transaction' | 'remote' | 'sleep' | 'signal' | 'child' | 'marker';

/**
 * `pending`: requested, no outcome yet. `answered`: a failed attempt or a signal arrived while the run had no owner;
 * the next owner processes it. `completed`, `failed`: final.
 */
export type StepStatus = 'pending' | 'answered' | 'completed' | 'failed';

/** One position of a run's history, as the table holds it. Payloads are JSON texts; times are epoch ms. */
export interface StepRecord {
  runId: string;
  seq: number;
  kind: StepKind;
  name: string;
  status: StepStatus;
  /** How many attempts have failed. */
  attempt: number;
  /** The place in the order in which the code received outcomes, from 1; null without an outcome, and for markers. */
  settled: number | null;
  /** For an open signal wait: the signals it waits for, see `readListened`. */
  output: string | null;
  error: string | null;
  /** The id of a child, the limiter of a limited remote step, or `<channel>:<position>` of a signal it took. */
  ref: string | null;
  /** When a timer continues it: the end of a sleep, the next attempt. */
  wakeAt: number | null;
  createdAt: number;
  /** When the attempt in progress was requested; for settled steps, when the last one began. */
  startedAt: number | null;
  finishedAt: number | null;
}
