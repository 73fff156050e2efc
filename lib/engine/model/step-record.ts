/**
 * The kinds of recorded positions. A marker holds a value that code must see again: a time, a random number. Compensations have
 * the kind of what they do, and the position -1 - seq of the step they undo.
 */
export type StepKind = 'step' | 'transaction' | 'remote' | 'sleep' | 'signal' | 'child' | 'marker';

/**
 * `pending`: asked for, no outcome yet. `answered`: something came in while nobody owned the run, on which its
 * next owner decides: a failed attempt, or a signal. `completed`, `failed`: final.
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
  /** The order in which outcomes were handed to the code, from 1; null while there is none, and for markers. */
  settled: number | null;
  /** Of a signal that is waited for, which it is: see `listened-signals.ts`. */
  output: string | null;
  error: string | null;
  /** What it is about: the id of a child, the limiter of a limited remote step, `<channel>:<position>` of a signal it took. */
  ref: string | null;
  /** When it goes on by itself: the end of a sleep, the next attempt. */
  wakeAt: number | null;
  createdAt: number;
  /** When the attempt in progress was asked for; for settled steps, when the last one began. */
  startedAt: number | null;
  finishedAt: number | null;
}
