import { randomUUID } from 'node:crypto';
import type { ActLog } from '../../acts/act-log.js';
import { InMemoryActLog } from '../../acts/in-memory-act-log.js';
import {
  type AuditEvent,
  type AuditLog,
  type AuditPage,
  type AuditReader,
  type AuditSink,
  ExternalAuditLog,
  type RecordedAuditEvent,
  knownType,
} from '../audit-log.js';
import { type AwaitedGroups, NONE_AWAITED } from '../awaited-groups.js';
import type { EffectGroup, NewEffect } from '../effect-entry.js';
import type { EffectRequeue, EffectStorage, EffectStore } from '../effect-storage.js';
import { requeuedEvent } from './audit-events.js';
import { InMemoryEffectClaims, InMemoryEffectSettlements } from './in-memory-effect-claims.js';
import { InMemoryEffectErasure } from './in-memory-effect-erasure.js';
import { InMemoryEffectInsight, InMemoryEffectStory } from './in-memory-effect-insight.js';
import { InMemoryEffectRemoval } from './in-memory-effect-removal.js';
import { type MemoryEffects, compare } from './memory-effects.js';
import {
  afterCommit,
  type MemoryTransactions,
  type Transaction,
  inMemoryTransaction,
} from '../../protocol/transaction.js';

/** Stores calls in memory when their transaction commits. */
export class InMemoryEffectStore implements EffectStore {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly transactions?: MemoryTransactions,
  ) {}

  async enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void> {
    const enqueuedAt = this.tables.clock.now();
    if (transaction === undefined || !this.transactions) return this.keep(effects, enqueuedAt);
    this.transactions.join(transaction).afterCommit(() => this.keep(effects, enqueuedAt));
  }

  async writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void> {
    this.add(effects, this.tables.clock.now());
    tx.afterCommit(() => this.tables.tellDue(effects));
  }

  private keep(effects: readonly NewEffect[], enqueuedAt: number): void {
    this.add(effects, enqueuedAt);
    this.tables.tellDue(effects);
  }

  private add(effects: readonly NewEffect[], enqueuedAt: number): void {
    for (const effect of effects) this.tables.add(effect, enqueuedAt);
  }
}

export interface InMemoryEffectStorageOptions {
  /** Where audit events go instead of memory. */
  sink?: AuditSink | undefined;
  /** Which transactions may be joined. Default: none; calls are stored at once. */
  transactions?: MemoryTransactions | undefined;
  /** Default: one of its own. */
  acts?: ActLog | undefined;
  /** Default: no runs wait for calls. */
  awaited?: AwaitedGroups | undefined;
}

export function inMemoryEffectStorage(
  tables: MemoryEffects,
  {
    sink,
    transactions,
    acts = new InMemoryActLog(tables.clock),
    awaited = NONE_AWAITED,
  }: InMemoryEffectStorageOptions = {},
): EffectStorage {
  const own = new InMemoryAuditLog(tables);
  const auditLog = sink ? new ExternalAuditLog(sink) : own;
  return {
    store: new InMemoryEffectStore(tables, transactions),
    claims: new InMemoryEffectClaims(tables),
    settlements: new InMemoryEffectSettlements(tables, auditLog),
    insight: new InMemoryEffectInsight(tables),
    story: new InMemoryEffectStory(tables),
    requeue: new InMemoryEffectRequeue(tables, auditLog),
    removal: new InMemoryEffectRemoval(tables, awaited),
    erasure: new InMemoryEffectErasure(tables, awaited),
    audit: own,
    acts,
  };
}

/** The counterpart of `SqlAuditLog`. */
export class InMemoryAuditLog implements AuditLog, AuditReader {
  constructor(private readonly tables: MemoryEffects) {}

  append(events: readonly AuditEvent[]): Promise<void> {
    const recordedAt = new Date(this.tables.clock.now());
    this.tables.events.push(...events.map((event) => ({ ...event, recordedAt })));
    return Promise.resolve();
  }

  async read({ operation, subject }: EffectGroup, page?: AuditPage): Promise<RecordedAuditEvent[]> {
    const events = this.tables.events.filter((event) => event.operation === operation && event.subject === subject);
    const from = events.findIndex(({ eventId }) => eventId === page?.after) + 1;
    const read = events.slice(from, page && from + page.limit);
    return read.map((event) => ({ ...event, type: knownType(event.type) }));
  }
}

/** The counterpart of `SqlEffectRequeue`. */
export class InMemoryEffectRequeue implements EffectRequeue {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly audit: AuditLog,
  ) {}

  async requeue(entryIds: readonly string[], tx?: Transaction): Promise<string[]> {
    const wanted = () =>
      [...new Set(entryIds)]
        .flatMap((id) => this.tables.entries.get(id) ?? [])
        .filter(({ status, payloadErased }) => status === 'abandoned' && !payloadErased)
        .sort((a, b) => compare(a.entryId, b.entryId));
    const requeueId = randomUUID();
    const events = wanted().map((entry) => requeuedEvent(entry, requeueId));
    if (events.length > 0) await inMemoryTransaction(tx, (own) => this.audit.append(events, own));
    // Entries that another call requeued meanwhile are skipped.
    const requeued = wanted();
    for (const entry of requeued)
      this.tables.change(entry, {
        status: 'pending',
        attempts: 0,
        dueAt: null,
        lastError: null,
        error: null,
        finishedAt: null,
      });
    afterCommit(tx, () => this.tables.tellDue(requeued));
    return requeued.map(({ entryId }) => entryId);
  }
}
