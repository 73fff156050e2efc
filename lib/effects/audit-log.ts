import type { EffectGroup } from './effect-entry.js';
import { AuditTimeoutError, UnknownAuditEventError } from '../errors.js';
import type { Transaction } from '../protocol/transaction.js';
import { within } from '../time/within.js';

/** A place of the app's own for audit events: another database, a log that cannot be changed, a service. */
export interface AuditSink {
  /**
   * Resolves once the events are durable, within 30 s: a transaction waits for it. What was appended may be appended again
   * with the same `eventId`, when what came after it failed; never is anything left out.
   */
  append(events: readonly AuditEvent[]): Promise<void>;
}

const APPEND_MS = 30_000;

/** Appends to a sink outside of the transaction, before what it records: at least once. */
export class ExternalAuditLog implements AuditLog {
  constructor(
    private readonly sink: AuditSink,
    private readonly timeoutMs = APPEND_MS,
  ) {}

  /** @throws what the sink throws, and AuditTimeoutError when it takes too long. */
  async append(events: readonly AuditEvent[]): Promise<void> {
    const appending = (async () => this.sink.append(events))();
    await within(this.timeoutMs, appending, () => new AuditTimeoutError(this.timeoutMs));
  }
}

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

/**
 * Where it is recorded what became of calls. Append only: nothing is changed, nothing deleted. Every change of an entry
 * that has to be recorded waits for the append and does not happen without it.
 */
export interface AuditLog {
  /**
   * Keeps the events: in `tx` where it is of the same storage, so that they are there exactly when that commits; or
   * elsewhere at once, so that they are there before the change they are about, and may come again with the same ids.
   *
   * @throws when they were not kept; then nothing changes.
   */
  append(events: readonly AuditEvent[], tx: Transaction): Promise<void>;
}

export interface AuditReader {
  /**
   * What became of a group, in the order in which it was recorded.
   *
   * @throws UnknownAuditEventError when there is an event of a type that this version does not know: an audit log with gaps
   *   would be no audit log.
   */
  read(group: EffectGroup): Promise<RecordedAuditEvent[]>;
}

/** @throws UnknownAuditEventError */
export function knownType(type: string): AuditEventType {
  if (AUDIT_EVENT_TYPES.includes(type as AuditEventType)) return type as AuditEventType;
  throw new UnknownAuditEventError(type);
}
