import type { EffectGroup } from './effect-entry.js';

/** Ends, and what somebody has decided; a failed try that is followed by another one is no event. */
export type AuditEventType =
  'effect_succeeded' | 'effect_abandoned' | 'effect_scheduled' | 'effect_requeued' | 'operation_completed';

export const AUDIT_EVENT_TYPES: readonly AuditEventType[] = [
  ...(['effect_succeeded', 'effect_abandoned', 'effect_scheduled', 'effect_requeued'] as const),
  'operation_completed',
];

/** What is kept for ever of what became of a call, or of a group of them: names, ids and numbers. */
export interface AuditEvent extends EffectGroup {
  /** The same for the same thing that happened, however often it is appended: keep one of each. */
  readonly eventId: string;
  readonly type: AuditEventType;
  /** Null when it is about the whole group. */
  readonly entryId: string | null;
  readonly handler: string | null;
  /** Scalars. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** One that was kept. */
export interface RecordedAuditEvent extends AuditEvent {
  /** By the storage's clock. */
  readonly recordedAt: Date;
}
