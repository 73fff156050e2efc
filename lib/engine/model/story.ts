import type { Moment, MomentQuery } from '../../protocol/moment.js';
import type { AttemptRecord } from './run-insight.js';
import type { StepRecord } from './step-record.js';

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

export interface EffectInStory extends Moment {
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

export interface DeadLetterInStory extends Moment {
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
