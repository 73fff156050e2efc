import type { ActKind } from '../../acts/act.js';
import type { ListenedSignal } from '../model/mailbox.js';
import type { BlockReason, RunStatus } from '../model/run.js';
import type { StepKind, StepStatus } from '../model/step-record.js';
import type { ErrorView } from './workflow-status.js';

interface Told<Kind extends string> {
  kind: Kind;
  at: Date;
  /** The run that it belongs to. */
  runId: string;
  /** Payloads of the run, or a part of its history, were erased; of a call, the call was. */
  erased: boolean;
}

interface OfStep<Kind extends string> extends Told<Kind> {
  seq: number;
  name: string;
  step: StepKind;
  /** The position of the step that it undoes; null if it is no compensation. */
  compensates: number | null;
}

interface OfCall<Kind extends string> extends Told<Kind> {
  entryId: string;
  operation: string;
  subject: string;
  handler: string;
}

interface Outcome {
  status: StepStatus;
  error: ErrorView | null;
  /** With `payloads`. */
  output?: unknown;
}

/** One thing that happened. `kind` says what; fields marked "with `payloads`" are there only if they were asked for. */
export type StoryEntry =
  /** A schedule fired, and started the run. */
  | (Told<'schedule.fired'> & { scheduleId: string })
  | (Told<'run.created'> & {
      workflow: string;
      version: number;
      parentId: string | null;
      forkedFrom: { id: string; seq: number } | null;
      /** With `payloads`. */
      input?: unknown;
    })
  /** A process began to play it. */
  | Told<'run.started'>
  /** It is blocked now. `at`: when it last recorded something, since nobody records when it was blocked. */
  | (Told<'run.blocked'> & { reason: BlockReason; detail: string | null })
  | (Told<'run.ended'> & {
      status: RunStatus;
      error: ErrorView | null;
      /** With `payloads`. */
      output?: unknown;
    })
  | Told<'run.erased'>
  /** An operator did something to the run, or to one of its calls. */
  | (Told<'act'> & {
      id: string;
      actor: string;
      reason: string | null;
      action: string;
      outcome: string;
      target: { kind: ActKind; id: string };
      /** What was there before, and what the act was given. With `payloads`. */
      details?: Readonly<Record<string, unknown>>;
    })
  | OfStep<'step.asked'>
  /** An attempt ended that was followed by another one. */
  | (OfStep<'step.attempt'> & {
      attempt: number;
      outcome: 'failed' | 'lost' | 'deferred' | 'completed';
      startedAt: Date | null;
      worker: string | null;
      error: ErrorView | null;
    })
  | (OfStep<'step.ended'> & Outcome & { startedAt: Date | null; failures: number; worker: string | null })
  /** `until`: null once it has ended. */
  | (OfStep<'timer.set'> & { until: Date | null })
  | OfStep<'timer.ended'>
  | (OfStep<'child.asked'> & { childId: string | null })
  | (OfStep<'child.ended'> & Outcome & { childId: string | null })
  /** It waits for signals, or for the calls of `ctx.effects`. `signals`: empty once the wait has ended. */
  | (OfStep<'wait.begun'> & { signals: readonly ListenedSignal[] })
  /** Without a signal: at its timeout, or because all calls have succeeded. */
  | (OfStep<'wait.ended'> & Outcome)
  | (OfStep<'signal.taken'> & Outcome)
  /** A value that the code noted: a time, a random number, a patch, its status, attributes. */
  | OfStep<'marker'>
  /** Committed to the outbox by `ctx.publish`. */
  | (OfStep<'event.published'> & { mutationIds: readonly string[]; channels: readonly string[] })
  /** Set aside for one destination: nobody publishes it there until it is requeued. */
  | (Told<'event.dead'> & {
      mutationId: string;
      channel: string;
      name: string;
      destination: string;
      sequenceId: string;
      attempts: number;
      reason: string;
      error: string | null;
    })
  /** `key`: null if it was sent to the run itself. */
  | (Told<'signal.sent'> & {
      id: string;
      name: string;
      key: string | null;
      /** With `payloads`. */
      payload?: unknown;
    })
  /** A call was enqueued by `ctx.effects`. */
  | (OfCall<'effect.asked'> & {
      /** With `payloads`. */
      ref?: unknown;
    })
  /** The last try began. */
  | (OfCall<'effect.attempted'> & { attempts: number })
  | (OfCall<'effect.ended'> & { status: string; attempts: number; error: ErrorView | null });

export interface StoryOptions {
  /** Also inputs, outputs and payloads, decoded. Default false. */
  payloads?: boolean;
  /** The maximum number of entries of a page, from 1 to 1,000. Default 200. */
  limit?: number;
  /** The cursor of the previous page. */
  cursor?: string;
}

/** A page of a story. */
export interface Story {
  /** In the order of time, the oldest first. */
  entries: StoryEntry[];
  /** For the next page; undefined on the last one. */
  cursor?: string;
  /** How many runs it tells of. */
  runs: number;
  /** False: more than 1,000 runs belong to it. It tells only of 1,000 of them. */
  complete: boolean;
}
