import type { PublishedIds } from './outgoing.js';

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
