import { createHash } from 'node:crypto';
import type { AuditEvent, AuditEventType } from '../audit-log.js';
import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectGroup } from '../effect-entry.js';
import type { Settlement } from '../effect-storage.js';

/** Identifies an event, also when it is appended a second time. */
const idOf = (type: AuditEventType, ...of: readonly (string | number)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([type, ...of]))
    .digest('hex');

type About = Pick<AuditEvent, 'type' | 'details'>;

function about({ attempt }: ClaimedEffect, settlement: Settlement): About | undefined {
  switch (settlement.status) {
    case 'succeeded':
      return { type: 'effect_succeeded', details: { attempts: attempt, already_absent: settlement.alreadyAbsent } };
    case 'abandoned':
      return { type: 'effect_abandoned', details: { attempts: attempt, error: settlement.error } };
    case 'scheduled':
      return { type: 'effect_scheduled', details: { expires_at: settlement.until, prior_attempts: attempt } };
    case 'failed':
      return undefined;
  }
}

/** The audit events of a settlement; none for a failure that is followed by another attempt. */
export function settledEvents(claimed: ClaimedEffect, settlement: Settlement): AuditEvent[] {
  const found = about(claimed, settlement);
  if (!found) return [];
  const { operation, subject, handler, claim } = claimed;
  const eventId = idOf(found.type, claim.entryId, claim.token);
  return [{ eventId, operation, subject, entryId: claim.entryId, handler, ...found }];
}

/** Records that all entries of a group have succeeded: once each time that its last open entry does. */
export function completedEvent({ operation, subject }: EffectGroup, entries: number, lastEntryId: string): AuditEvent {
  const type = 'operation_completed';
  const eventId = idOf(type, operation, subject, entries, lastEntryId);
  return { eventId, type, operation, subject, entryId: null, handler: null, details: { entries } };
}

export interface RequeuedEffect extends EffectGroup {
  readonly entryId: string;
  readonly handler: string;
  readonly attempts: number;
  readonly lastError: string | null;
}

/** `requeueId` identifies the requeue call: an entry may be requeued more than once. */
export function requeuedEvent({ attempts, lastError, ...effect }: RequeuedEffect, requeueId: string): AuditEvent {
  const type = 'effect_requeued';
  const details = { prior_attempts: attempts, prior_error: lastError };
  const { operation, subject, entryId, handler } = effect;
  return { eventId: idOf(type, entryId, requeueId), type, operation, subject, entryId, handler, details };
}
