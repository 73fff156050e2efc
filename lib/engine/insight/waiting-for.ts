import type { Limits } from '../model/run.js';

/** A step that has no outcome yet. */
export interface WaitingStep {
  /** In words. */
  text: string;
  seq: number;
  name: string;
}

/** One thing that a run waits for; times are epoch ms. */
export type WaitingFor =
  /** A worker's answer: `claimedBy` holds the task since `claimedAt`, or nobody has taken it since `since`. */
  | (WaitingStep & {
      kind: 'task';
      attempt: number;
      group: string | null;
      since: number;
      claimedBy: string | null;
      claimedAt: number | null;
    })
  /** The next attempt, after an error. */
  | (WaitingStep & { kind: 'retry'; attempt: number; at: number; error: string })
  | (WaitingStep & { kind: 'timer'; until: number })
  /** The first of these; `key` is null for one that has to be sent to the run itself. */
  | (WaitingStep & { kind: 'signal'; signals: { name: string; key: string | null }[]; until: number | null })
  | (WaitingStep & { kind: 'child'; id: string | null })
  /** The success of all calls of an operation for a subject; `entries` are those that the step has enqueued. */
  | (WaitingStep & { kind: 'effects'; operation: string; subject: string; entries: readonly string[] })
  /** An answer is there; whoever plays the run next decides on it. */
  | (WaitingStep & { kind: 'decision' })
  /** Its turn in the queue of a limit. */
  | {
      kind: 'limiter';
      text: string;
      holder: string;
      name: string;
      key: string;
      limits: Limits;
      ahead: number;
      holding: number;
      openAt: number | null;
    }
  /** Another run that has not ended. */
  | { kind: 'run'; text: string; id: string; status: string | null }
  | { kind: 'time'; text: string; until: number }
  /** A process that has its code. */
  | { kind: 'process'; text: string; workflow: string; version: number; signedIn: number };
