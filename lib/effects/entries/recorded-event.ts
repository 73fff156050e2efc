import { UnknownAuditEventError } from '../../errors.js';
import { AUDIT_EVENT_TYPES, type AuditEventType } from '../audit-event.js';

/** @throws UnknownAuditEventError */
export function knownType(type: string): AuditEventType {
  if (AUDIT_EVENT_TYPES.includes(type as AuditEventType)) return type as AuditEventType;
  throw new UnknownAuditEventError(type);
}
