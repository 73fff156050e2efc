import type { Limits } from '../model/run.js';

/** A step that has no outcome yet. */
export interface WaitingStep {
  /** A description for people. */
  text: string;
  seq: number;
  name: string;
}

/** One thing that a run waits for; times are epoch ms. */
export type WaitingFor =
  /** A worker's answer: `claimedBy` holds the task since `claimedAt`, or no worker has claimed it since `since`. */
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
  /** The first of these signals; `key` is null for one that must be sent to the run itself. */
  | (WaitingStep & { kind: 'signal'; signals: { name: string; key: string | null }[]; until: number | null })
  | (WaitingStep & { kind: 'child'; id: string | null })
  /** The success of all calls of an operation for a subject; `entries` are the calls that the step has enqueued. */
  | (WaitingStep & { kind: 'effects'; operation: string; subject: string; entries: readonly string[] })
  /** An answer has arrived; the next owner of the run processes it. */
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
  /** A process that has the run's code. */
  | { kind: 'process'; text: string; workflow: string; version: number; signedIn: number };
