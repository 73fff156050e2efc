import { AuditTimeoutError } from '../errors.js';
import { within } from '../time/within.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditLog } from './audit-log.js';

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
