import type { ActInStory, ActKind } from '../acts/acts.js';
import { type Moment, type MomentQuery, WHAT } from '../core/protocol.js';
import { parseWireError } from '../core/wire-error.js';
import { PUBLISHED } from './erasure.js';
import type { AttemptRecord } from './insight.js';
import type { Payloads } from './payloads.js';
import { type BlockReason, readDetail, type RunRecord, type RunStatus } from './run.js';
import { type ListenedSignal, readListened } from './signals.js';
import { readPublished, type StepKind, type StepRecord, type StepStatus } from './step.js';
import { date, type ErrorView, readError } from './views.js';

/** A run of a story: when it did what. Times are epoch ms. */
export interface RunTimes {
  id: string;
  namespace: string;
  scheduleId: string | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  erasedAt: number | null;
  /** Of a run that is blocked now: when it last recorded something. */
  blockedAt: number | null;
}

export interface ChildrenQuery {
  namespace: string;
  parentIds: readonly string[];
  limit: number;
}

export interface StepKey {
  runId: string;
  seq: number;
}

export interface SignalInStory {
  id: string;
  name: string;
  addressed: 'run' | 'key';
  /** The run's id or the key. */
  target: string;
  /** Null unless it was asked for. */
  payload: string | null;
}

/** Rows of steps with this or a lower number are no positions. */
export const LOWEST_SEQ = -900_000_000;

/** The most signals to keys, taken by the runs of a story, that it tells of. */
export const MOST_TAKEN = 10_000;

/** Reads what runs did, in the order of time. Each method is one or two bounded statements, however many runs there are. */
export interface StoryReads {
  /** Those of these runs that exist, of any namespace, in the order of ids. */
  runs(runIds: readonly string[]): Promise<RunTimes[]>;
  /** The first `limit` runs of a namespace that these runs have started, in the order of ids. */
  children(query: ChildrenQuery): Promise<RunTimes[]>;
  /**
   * The next moments at which steps were asked for, tried, or ended, and at which signals were sent that belong to these
   * runs: sent to them, or to keys and taken by them.
   */
  moments(query: MomentQuery): Promise<Moment[]>;
  /** The steps at these positions; with `payloads` also their outputs. Those of `ctx.publish` and of open waits are always there. */
  steps(keys: readonly StepKey[], payloads: boolean): Promise<StepRecord[]>;
  /** All attempts at these positions that have records. */
  attempts(keys: readonly StepKey[]): Promise<AttemptRecord[]>;
  signals(ids: readonly string[], payloads: boolean): Promise<SignalInStory[]>;
}

interface EffectInStory extends Moment {
  entryId: string;
  operation: string;
  /** Empty if it was erased. */
  subject: string;
  handler: string;
  status: string;
  attempts: number;
  lastError: string | null;
  /** JSON, as it is stored. */
  error: string | null;
  /** As it is stored; null if it was erased. */
  ref: string | null;
  isErased: boolean;
}

interface DeadLetterInStory extends Moment {
  destination: string;
  sequenceId: string;
  mutationId: string;
  channel: string;
  name: string;
  attempts: number;
  reason: string;
  error: string | null;
}

/** What runs of the story have published. Which event went to which of the channels is not recorded. */
export interface PublishedEvents {
  events: readonly { run: number; mutationId: string }[];
  channels: readonly string[];
}

/** What effects and the outbox tell of runs. A part is undefined if the app does not have it. */
export interface OutgoingStory {
  /** The next moments of the calls that these runs have enqueued: enqueued, last tried, ended. */
  effects?: (query: MomentQuery) => Promise<EffectInStory[]>;
  /** The ids of these calls. */
  entries?: (runIds: readonly string[], limit: number) => Promise<{ runId: string; entryId: string }[]>;
  /** The next of these events that were set aside. */
  deadLetters?: (published: PublishedEvents, query: Omit<MomentQuery, 'runIds'>) => Promise<DeadLetterInStory[]>;
}

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

/** What an entry is made of. */
export interface TellingOf {
  /** Undefined if the run was deleted. */
  run: RunRecord | undefined;
  payloads: Payloads;
  /** Whether values are told, too. */
  withPayloads: boolean;
}

type Base = Pick<StoryEntry, 'at' | 'runId' | 'erased'>;

const baseOf = ({ at }: Moment, runId: string, { run }: TellingOf): Base => ({
  at: new Date(at),
  runId,
  erased: (run?.erasedAt ?? null) !== null,
});

/** A run's own moments. */
export function tellRun(moment: Moment, run: RunRecord, telling: TellingOf): StoryEntry {
  const { payloads, withPayloads } = telling;
  const base = baseOf(moment, run.id, telling);
  const { workflow, version, parentId, scheduleId, status } = run;
  switch (moment.what) {
    case WHAT.scheduled:
      return { kind: 'schedule.fired', ...base, scheduleId: scheduleId ?? '' };
    case WHAT.created: {
      const forkedFrom = run.forkedFrom === null ? null : { id: run.forkedFrom, seq: run.forkedSeq ?? 0 };
      const input = withPayloads && { input: payloads.readValue(run.input) };
      return { kind: 'run.created', ...base, workflow, version, parentId, forkedFrom, ...input };
    }
    case WHAT.blocked:
      return { kind: 'run.blocked', ...base, reason: run.reason as BlockReason, detail: detailOf(run, payloads) };
    case WHAT.runEnded: {
      const output = withPayloads && { output: payloads.readValue(run.output) };
      return { kind: 'run.ended', ...base, status, error: readError(run.error, payloads), ...output };
    }
    default:
      return { kind: moment.what === WHAT.erased ? 'run.erased' : 'run.started', ...base };
  }
}

function detailOf({ reasonDetail }: RunRecord, { texts, context }: Payloads): string | null {
  const { detail } = readDetail(reasonDetail);
  return detail === null ? null : texts.readText(detail, context);
}

const ofStep = (moment: Moment, step: StepRecord, telling: TellingOf) => ({
  ...baseOf(moment, step.runId, telling),
  seq: step.seq,
  name: step.name,
  step: step.kind,
  compensates: step.seq < 0 ? -1 - step.seq : null,
});

/** A step was asked for. */
export function tellAsked(moment: Moment, step: StepRecord, telling: TellingOf): StoryEntry {
  const base = ofStep(moment, step, telling);
  switch (step.kind) {
    case 'sleep':
      return { kind: 'timer.set', ...base, until: date(step.wakeAt) };
    case 'child':
      return { kind: 'child.asked', ...base, childId: step.ref };
    case 'signal':
      return { kind: 'wait.begun', ...base, signals: step.settled === null ? readListened(step.output) : [] };
    case 'marker': {
      if (step.ref !== PUBLISHED) return { kind: 'marker', ...base };
      const { ids: mutationIds, channels } = readPublished(step.output);
      return { kind: 'event.published', ...base, mutationIds, channels };
    }
    default:
      return { kind: 'step.asked', ...base };
  }
}

export function tellEnded(moment: Moment, step: StepRecord, telling: TellingOf): StoryEntry {
  const { payloads, withPayloads } = telling;
  const base = ofStep(moment, step, telling);
  const { status, failures, worker } = step;
  const output = withPayloads && { output: payloads.readValue(step.output) };
  const outcome = { status, error: readError(step.error, payloads), ...output };
  switch (step.kind) {
    case 'sleep':
      return { kind: 'timer.ended', ...base };
    case 'child':
      return { kind: 'child.ended', ...base, ...outcome, childId: step.ref };
    case 'signal':
      return { kind: step.ref === null ? 'wait.ended' : 'signal.taken', ...base, ...outcome };
    default:
      return { kind: 'step.ended', ...base, ...outcome, startedAt: date(step.startedAt), failures, worker };
  }
}

export function tellAttempt(
  moment: Moment,
  step: StepRecord,
  { attempt, outcome, startedAt, worker, error }: AttemptRecord,
  telling: TellingOf,
): StoryEntry {
  const told = { attempt, outcome, startedAt: date(startedAt), worker };
  return { kind: 'step.attempt', ...ofStep(moment, step, telling), ...told, error: readError(error, telling.payloads) };
}

export function tellSignal(moment: Moment, runId: string, signal: SignalInStory, telling: TellingOf): StoryEntry {
  const { id, name, addressed, target } = signal;
  // As it was encoded: for one run, or for whoever takes it.
  const payloads = telling.payloads.of(addressed === 'run' ? { runId: target } : {});
  const payload = telling.withPayloads && { payload: payloads.readValue(signal.payload) };
  const key = addressed === 'run' ? null : target;
  return { kind: 'signal.sent', ...baseOf(moment, runId, telling), id, name, key, ...payload };
}

export function tellEffect(effect: EffectInStory, runId: string, telling: TellingOf): StoryEntry {
  const { entryId, operation, subject, handler, status, attempts, isErased } = effect;
  const base = { ...baseOf(effect, runId, telling), erased: isErased, entryId, operation, subject, handler };
  const payloads = telling.payloads.of({ subject, input: effect.ref ?? '' });
  if (effect.what === WHAT.effectAttempted) return { kind: 'effect.attempted', ...base, attempts };
  const ref = telling.withPayloads && { ref: payloads.readValue(effect.ref) };
  if (effect.what === WHAT.effectAsked) return { kind: 'effect.asked', ...base, ...ref };
  const { error, lastError } = effect;
  const stored = error === null ? null : payloads.texts.readable(parseWireError(error), payloads.context);
  const last = stored ?? (lastError === null ? null : { message: lastError });
  return { kind: 'effect.ended', ...base, status, attempts, error: status === 'succeeded' ? null : last };
}

export function tellDead(dead: DeadLetterInStory, runId: string, telling: TellingOf): StoryEntry {
  const { mutationId, channel, name, destination, sequenceId, attempts, reason, error } = dead;
  const letter = { mutationId, channel, name, destination, sequenceId, attempts, reason, error };
  return { kind: 'event.dead', ...baseOf(dead, runId, telling), ...letter };
}

export function tellAct({ moment, act }: ActInStory, runId: string, telling: TellingOf): StoryEntry {
  const { id, actor, reason, action, outcome, kind, target, details } = act;
  const told = { id, actor, reason, action, outcome, target: { kind, id: target } };
  return { kind: 'act', ...baseOf(moment, runId, telling), ...told, ...(telling.withPayloads && { details }) };
}
