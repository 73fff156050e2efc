import type { EffectGroup } from './effect-entry.js';
import { AuditTimeoutError, UnknownAuditEventError } from '../errors/effect-errors.js';
import type { Transaction } from '../protocol/transaction.js';
import { within } from '../time/sleep.js';

/** The app's own store for audit events: another database, an append-only log, a service. */
export interface AuditSink {
  /**
   * Resolves once the events are durable, within 30 s: a transaction waits for it. Events may be appended again with
   * the same `eventId` if a later part of the transaction failed; no event is ever omitted.
   */
  append(events: readonly AuditEvent[]): Promise<void>;
}

const APPEND_MS = 30_000;

/** Appends to a sink outside the transaction, before the change that the event records: at least once. */
export class ExternalAuditLog implements AuditLog {
  constructor(
    private readonly sink: AuditSink,
    private readonly timeoutMs = APPEND_MS,
  ) {}

  /** @throws any error of the sink, and AuditTimeoutError when it takes longer than the timeout. */
  async append(events: readonly AuditEvent[]): Promise<void> {
    const appending = (async () => this.sink.append(events))();
    await within(this.timeoutMs, appending, () => new AuditTimeoutError(this.timeoutMs));
  }
}

/** Final outcomes and requeues by people. A failed try that is followed by another one is not an audit event. */
export type AuditEventType =
  'effect_succeeded' | 'effect_abandoned' | 'effect_scheduled' | 'effect_requeued' | 'operation_completed';

export const AUDIT_EVENT_TYPES: readonly AuditEventType[] = [
  ...(['effect_succeeded', 'effect_abandoned', 'effect_scheduled', 'effect_requeued'] as const),
  'operation_completed',
];

/** A permanent record of the outcome of a call, or of a group of calls: names, ids and numbers. */
export interface AuditEvent extends EffectGroup {
  /** The same each time that the same occurrence is appended: use it to drop duplicates. */
  readonly eventId: string;
  readonly type: AuditEventType;
  /** Null when it is about the whole group. */
  readonly entryId: string | null;
  readonly handler: string | null;
  /** Scalar values only. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

/** An audit event that was stored. */
export interface RecordedAuditEvent extends AuditEvent {
  /** By the storage's clock. */
  readonly recordedAt: Date;
}

/**
 * Records the outcomes of calls. Append-only: nothing is changed, and only retention deletes. Every change of an entry that must be
 * recorded waits for the append, and does not happen if the append fails.
 */
export interface AuditLog {
  /**
   * Stores the events. A log in the same storage writes them in `tx`, so they are visible exactly if that commits. Any
   * other log stores them at once: before the change they record, and perhaps again with the same ids.
   *
   * @throws when they were not stored; then the change does not happen.
   */
  append(events: readonly AuditEvent[], tx: Transaction): Promise<void>;
}

/** Which events of a group are read. */
export interface AuditPage {
  /** The `eventId` of the last event of the previous page. Default: from the first one. */
  after?: string;
  limit: number;
}

export interface AuditReader {
  /**
   * The audit events of a group, in the order in which they were recorded; all of them without a page.
   *
   * @throws UnknownAuditEventError for an event of a type that this version does not know: the log must not be returned
   *   with gaps.
   */
  read(group: EffectGroup, page?: AuditPage): Promise<RecordedAuditEvent[]>;
}

/** @throws UnknownAuditEventError */
export function knownType(type: string): AuditEventType {
  if (AUDIT_EVENT_TYPES.includes(type as AuditEventType)) return type as AuditEventType;
  throw new UnknownAuditEventError(type);
}
