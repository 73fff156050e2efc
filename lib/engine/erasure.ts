import type { Transaction } from '../core/transaction.js';
import type { GivingUp } from './control.js';
import type { AttributeValue } from './run.js';
import type { PublishedIds } from './step.js';

/** One act of erasing: all that it marks has its id. */
export interface Erasure {
  /** A UUID. */
  id: string;
  namespace: string;
  /** Whether abandoned calls and dead letters of the runs are erased too, so that nobody can requeue them. */
  discards: boolean;
}

/** A run to be erased; or only its step at `seq`, which holds the outcome of a child to be erased. */
export interface Mark {
  runId: string;
  seq: number | null;
}

export interface MarkedRun extends Mark {
  /** Of the erasure that the mark belongs to. */
  erasureId: string;
  discards: boolean;
  /** `missing`: the run was deleted. What it has left elsewhere may still be there. */
  state: 'open' | 'ended' | 'missing';
  scheduleId: string | null;
}

/** Whoever has marked runs that had ended erases them within this time, or was interrupted. */
export const ABANDONED_MS = 60_000;

/** The rows that were blanked or deleted. */
export interface ErasedRows {
  runs: number;
  steps: number;
  attempts: number;
  logs: number;
  attributes: number;
  signals: number;
}

export const NO_ROWS: ErasedRows = { runs: 0, steps: 0, attempts: 0, logs: 0, attributes: 0, signals: 0 };

/** A marker of `ctx.publish`, see `readPublished`. */
export interface PublishedStep {
  runId: string;
  seq: number;
  output: string;
}

/** The `ref` of the markers of `ctx.publish`: they hold ids of events and channels, no payloads, and are not blanked. */
export const PUBLISHED = 'publish';

/**
 * Removes what was stored about persons. A run is marked first, and its mark remains until nothing of it is left to be
 * erased: so an erasure that was interrupted continues, and a run that is under way is erased when it has ended. Each
 * method is one small transaction, or reads; each may be called again.
 */
export interface RunErasure {
  /** Marks these runs of the namespace, also missing ones. Runs that are marked already belong to this erasure then. */
  mark(erasure: Erasure, runIds: readonly string[], tx?: Transaction): Promise<void>;
  /**
   * Marks the children of these marked runs, and the steps of their parents that hold their outcomes, for the same
   * erasures. Returns how many were not marked before.
   */
  follow(runIds: readonly string[]): Promise<number>;
  /**
   * The marks after `after`, in the order of run and position: those of one erasure, or all of the namespace that
   * nobody else erases: their run has ended since they were marked, or they are older than {@link ABANDONED_MS}.
   */
  marked(query: { namespace: string; erasureId?: string; after?: Mark; limit: number }): Promise<MarkedRun[]>;
  /**
   * Of these marked runs and steps, those whose run has ended: marks as in `follow`, sets `erasedAt`, blanks the run or
   * the step, deletes attributes and withdraws tasks. From then on the run is neither retried nor replayed.
   */
  blank(marks: readonly Mark[], givingUp: GivingUp): Promise<ErasedRows>;
  /**
   * Blanks up to `limit` rows of each kind that belong to these runs, if they are still the blanked ones: steps,
   * attempts, log lines, and signals sent to them or taken by them alone or last. Returns zeros when nothing is left.
   */
  sweep(runIds: readonly string[], limit: number): Promise<ErasedRows>;
  /**
   * Removes marks of which nothing is left: those of missing runs, and of ended ones that were blanked. The others stay,
   * for their run has begun anew since it was read; so do marks that a later erasure has taken over. Returns the marks
   * of runs that have begun anew.
   */
  unmark<M extends MarkedRun>(marks: readonly M[]): Promise<M[]>;
}

export interface RunsHaving {
  namespace: string;
  /** All of them: at least one. */
  attributes: readonly (readonly [name: string, value: AttributeValue])[];
  /** The last id of the previous page. */
  after: string;
  limit: number;
}

/** Finds what there is to erase. */
export interface ErasureReads {
  /** The next runs with these attributes, in the order of their ids. */
  having(query: RunsHaving): Promise<string[]>;
  /** The next markers of `ctx.publish` of these runs, in the order of run and position. */
  published(runIds: readonly string[], after: Mark | undefined, limit: number): Promise<PublishedStep[]>;
}

/** Something that an erasure has left, and why. */
export interface KeptItem {
  kind: 'run' | 'step' | 'effect' | 'event' | 'dead-letter' | 'audit' | 'schedule';
  /** Of the run, step, call, event or schedule. */
  id: string;
  /** The run that it belongs to. */
  runId?: string;
  /** A sentence for people. */
  why: string;
}

/** How many rows beside the engine's were erased, and what is left. */
export interface ErasedOutside {
  effects: number;
  auditEvents: number;
  events: number;
  deadLetters: number;
  kept: readonly KeptItem[];
}

export const NOTHING_OUTSIDE: ErasedOutside = { effects: 0, auditEvents: 0, events: 0, deadLetters: 0, kept: [] };

export const sumOutside = (a: ErasedOutside, b: ErasedOutside): ErasedOutside => ({
  effects: a.effects + b.effects,
  auditEvents: a.auditEvents + b.auditEvents,
  events: a.events + b.events,
  deadLetters: a.deadLetters + b.deadLetters,
  kept: [...a.kept, ...b.kept],
});

/** The events that a run has published. */
export interface PublishedBy extends PublishedIds {
  runId: string;
}

/**
 * Erases what runs and the app have given to effects and to the outbox. What is still to be called or published is kept
 * and reported, and erased by a later call. In small transactions; each method may be called again.
 */
export interface OutgoingErasure {
  /** The calls that these runs have enqueued. */
  effectsOf(runIds: readonly string[], discards: boolean): Promise<ErasedOutside>;
  /** All calls of an operation for a subject. */
  effectsFor(groups: readonly { operation: string; subject: string }[], discards: boolean): Promise<ErasedOutside>;
  /** Published events, with their dead letters. */
  eventsOf(published: readonly PublishedBy[], discards: boolean): Promise<ErasedOutside>;
  /** All events of these channels. */
  eventsIn(channels: readonly string[], discards: boolean): Promise<ErasedOutside>;
}

/** An app without effects and outbox. */
export const NO_OUTGOING: OutgoingErasure = {
  effectsOf: async () => NOTHING_OUTSIDE,
  effectsFor: async () => NOTHING_OUTSIDE,
  eventsOf: async () => NOTHING_OUTSIDE,
  eventsIn: async () => NOTHING_OUTSIDE,
};
