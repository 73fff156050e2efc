import { randomUUID } from 'node:crypto';
import type { ActLog } from '../acts/acts.js';
import { InMemoryActLog } from '../acts/acts.memory.js';
import { Turns } from '../core/loops.js';
import { compare, type MomentQuery, nextOf, STAGE, WHAT } from '../core/protocol.js';
import type { Clock } from '../core/time.js';
import { afterCommit, inMemoryTransaction, type MemoryTransactions, type Transaction } from '../core/transaction.js';
import {
  type AuditEvent,
  type AuditLog,
  type AuditPage,
  type AuditReader,
  type AuditSink,
  type AwaitedGroups,
  type ClaimedEffect,
  type ClaimedHandler,
  type ClaimEffects,
  completedEvent,
  type CountedEffects,
  type EffectClaim,
  type EffectClaims,
  type EffectErasure,
  type EffectGroup,
  type EffectInsight,
  type EffectMoment,
  type EffectRemoval,
  type EffectRequeue,
  type EffectSettlements,
  type EffectStatus,
  type EffectStorage,
  type EffectStore,
  type EffectStory,
  type EndedCursor,
  type ErasedEffects,
  type EraseEffects,
  ExternalAuditLog,
  type HandlerCount,
  type HeldClaim,
  type KeptEffect,
  knownType,
  type NewEffect,
  noEntries,
  NONE_AWAITED,
  type OnCompletion,
  type PurgedEffects,
  type PurgeEnded,
  type RecordedAuditEvent,
  removable,
  type Renewal,
  requeuedEvent,
  type Settled,
  settledEvents,
  type Settlement,
  type StoredEffect,
  type UnclaimedEffects,
} from './entries.js';

/** One row. */
export interface HeldEffect extends Omit<NewEffect, 'ref'> {
  /** Null once it was erased, which only ended calls are. */
  ref: string | null;
  enqueuedAt: number;
  status: EffectStatus;
  attempts: number;
  /** The earliest time of the next try; for an entry in flight, the end of its lease. */
  dueAt: number | null;
  token: string | null;
  lastAttemptAt: number | null;
  lastError: string | null;
  /** The recorded error, as it is stored. */
  error: string | null;
  finishedAt: number | null;
  payloadErased: boolean;
}

/** The in-memory counterpart of the effects tables. */
export class MemoryEffects {
  readonly entries = new Map<string, HeldEffect>();
  readonly events: RecordedAuditEvent[] = [];
  /** Entries that are being settled: they cannot be claimed meanwhile. */
  readonly settling = new Set<string>();
  /** Last entries of their groups that are about to succeed: completion listeners already see them as succeeded. */
  readonly completing = new Set<string>();
  private readonly turns = new Turns();
  private readonly listeners = new Set<(handlers?: readonly string[]) => void>();

  constructor(readonly clock: Clock) {}

  add(effect: NewEffect, enqueuedAt: number): void {
    this.entries.set(effect.entryId, {
      ...effect,
      enqueuedAt,
      status: 'pending',
      attempts: 0,
      dueAt: null,
      token: null,
      lastAttemptAt: null,
      lastError: null,
      error: null,
      finishedAt: null,
      payloadErased: false,
    });
  }

  /** The entry, if this claim of it still holds. */
  held({ entryId, token }: EffectClaim): HeldEffect | undefined {
    const entry = this.entries.get(entryId);
    return entry?.status === 'in_flight' && entry.token === token ? entry : undefined;
  }

  change(entry: HeldEffect, changed: Partial<HeldEffect>): void {
    this.entries.set(entry.entryId, { ...entry, ...changed });
  }

  /** Oldest first. */
  sorted(which: (entry: HeldEffect) => boolean): HeldEffect[] {
    return [...this.entries.values()].filter(which).sort(byAge);
  }

  groupOf({ operation, subject }: EffectGroup): HeldEffect[] {
    return this.sorted((entry) => entry.operation === operation && entry.subject === subject);
  }

  /** Runs calls for the same group one after the other. */
  inTurn<T>({ operation, subject }: EffectGroup, work: () => Promise<T>): Promise<T> {
    return this.turns.take(JSON.stringify([operation, subject]), work);
  }

  /** Notifies runners that these calls are due. */
  tellDue(calls: readonly { handler: string }[]): void {
    if (calls.length === 0) return;
    const handlers = [...new Set(calls.map(({ handler }) => handler))];
    for (const listener of this.listeners) listener(handlers);
  }

  onDue(listener: (handlers?: readonly string[]) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

const byAge = (a: HeldEffect, b: HeldEffect): number => a.enqueuedAt - b.enqueuedAt || compare(a.entryId, b.entryId);

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

/** The counterpart of `SqlEffectSettlements`. Side effects of a completion listener are not undone when it throws. */
class InMemoryEffectSettlements implements EffectSettlements {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly audit: AuditLog,
  ) {}

  settle(claimed: ClaimedEffect, settlement: Settlement, onCompletion?: OnCompletion): Promise<Settled> {
    return this.tables.inTurn(claimed, async () => {
      const entry = this.tables.held(claimed.claim);
      if (!entry) return 'lost';
      this.tables.settling.add(entry.entryId);
      try {
        return await inMemoryTransaction(undefined, (tx) => this.write(tx, entry, claimed, settlement, onCompletion));
      } finally {
        this.tables.settling.delete(entry.entryId);
      }
    });
  }

  private async write(
    tx: Transaction,
    entry: HeldEffect,
    claimed: ClaimedEffect,
    settlement: Settlement,
    onCompletion: OnCompletion | undefined,
  ): Promise<Settled> {
    const events = settledEvents(claimed, settlement);
    const siblings = this.tables.groupOf(entry).filter(({ entryId }) => entryId !== entry.entryId);
    const completes = settlement.status === 'succeeded' && siblings.every(({ status }) => status === 'succeeded');
    if (completes) {
      await this.tell(entry, tx, onCompletion);
      events.push(completedEvent(entry, siblings.length + 1, entry.entryId));
    }
    if (events.length > 0) await this.audit.append(events, tx);
    this.tables.change(entry, changedBy(settlement, entry, this.tables.clock.now()));
    return completes ? 'completed' : 'settled';
  }

  private async tell(
    { entryId, operation, subject }: HeldEffect,
    tx: Transaction,
    onCompletion?: OnCompletion,
  ): Promise<void> {
    this.tables.completing.add(entryId);
    try {
      await onCompletion?.({ operation, subject }, tx, tx);
    } finally {
      this.tables.completing.delete(entryId);
    }
  }
}

function changedBy(settlement: Settlement, entry: HeldEffect, now: number): Partial<HeldEffect> {
  const { status } = settlement;
  const unclaimed = { status, token: null };
  const ended = { dueAt: null, payload: null, finishedAt: now };
  const payloadErased = entry.payloadErased || entry.payload !== null;
  switch (settlement.status) {
    case 'succeeded':
      return { ...unclaimed, ...ended, payloadErased, lastError: null, error: null };
    case 'abandoned':
      return { ...unclaimed, ...ended, payloadErased, ...errorOf(settlement) };
    case 'failed':
      return { ...unclaimed, dueAt: now + settlement.delayMs, ...errorOf(settlement) };
    case 'scheduled': {
      const dueAt = Math.max(settlement.until, now + settlement.delayMs);
      return { ...unclaimed, dueAt, attempts: 0, lastError: null, error: null };
    }
  }
}

const errorOf = ({ error: lastError, recorded: error = null }: { error: string; recorded?: string | null }) => ({
  lastError,
  error,
});

/** The counterpart of `SqlEffectClaims`. */
class InMemoryEffectClaims implements EffectClaims {
  readonly live = true;

  constructor(private readonly tables: MemoryEffects) {}

  async claim({ handlers, limit }: ClaimEffects): Promise<ClaimedEffect[]> {
    const now = this.tables.clock.now();
    const served = new Map(handlers.map((handler) => [handler.name, handler]));
    const due = this.tables.sorted((entry) => served.has(entry.handler) && this.isDue(entry, now));
    const token = randomUUID();
    return due.slice(0, limit).map((entry) => this.take(entry, served.get(entry.handler) as ClaimedHandler, token));
  }

  async extend(claims: readonly Renewal[]): Promise<HeldClaim[]> {
    const now = this.tables.clock.now();
    return claims.flatMap(({ leaseMs, entryId, token }) => {
      const entry = this.tables.held({ entryId, token });
      if (!entry) return [];
      this.tables.change(entry, { dueAt: now + leaseMs });
      return [{ entryId, token, renewed: true }];
    });
  }

  async release(claims: readonly EffectClaim[], uncalled = false): Promise<void> {
    const held = claims.flatMap((claim) => this.tables.held(claim) ?? []);
    const ours = new Set(held.map(({ entryId }) => entryId));
    for (const { entryId } of uncalled ? claims : []) {
      const entry = this.tables.entries.get(entryId);
      if (!entry || ours.has(entryId) || entry.finishedAt !== null || entry.attempts === 0) continue;
      this.tables.change(entry, { attempts: entry.attempts - 1 });
    }
    for (const entry of held)
      this.tables.change(entry, {
        status: entry.attempts > 1 ? 'failed' : 'pending',
        token: null,
        dueAt: null,
        attempts: Math.max(0, entry.attempts - 1),
      });
    this.tables.tellDue(held);
  }

  onDue(listener: (handlers?: readonly string[]) => void): () => void {
    return this.tables.onDue(listener);
  }

  private isDue({ entryId, finishedAt, dueAt }: HeldEffect, now: number): boolean {
    return finishedAt === null && (dueAt === null || dueAt <= now) && !this.tables.settling.has(entryId);
  }

  private take(entry: HeldEffect, { leaseMs, attempts: most }: ClaimedHandler, token: string): ClaimedEffect {
    const now = this.tables.clock.now();
    const exhausted = entry.attempts >= most;
    const attempts = entry.attempts + (exhausted ? 0 : 1);
    this.tables.change(entry, { status: 'in_flight', token, attempts, dueAt: now + leaseMs, lastAttemptAt: now });
    const { entryId, operation, subject, handler, ref, payload, runId = null, trace, lastError } = entry;
    const claim = { entryId, token };
    const origin = { runId, ...(trace !== undefined && { trace }) };
    return {
      claim,
      operation,
      subject,
      handler,
      ref: ref!,
      payload,
      ...origin,
      attempt: attempts,
      exhausted,
      lastError,
    };
  }
}

/** The counterpart of `SqlEffectInsight`. */
class InMemoryEffectInsight implements EffectInsight {
  constructor(private readonly tables: MemoryEffects) {}

  async statusCounts(): Promise<Record<EffectStatus, number>> {
    const counts = noEntries();
    for (const { status } of this.tables.entries.values()) counts[status]++;
    return counts;
  }

  async counts(atMost: number): Promise<Record<EffectStatus, CountedEffects>> {
    const counts = Object.entries(await this.statusCounts()).map(([status, count]) => [
      status,
      { count: Math.min(count, atMost), more: count > atMost },
    ]);
    return Object.fromEntries(counts) as Record<EffectStatus, CountedEffects>;
  }

  async countsByHandler(): Promise<HandlerCount[]> {
    const counts = new Map<string, HandlerCount>();
    for (const { handler, status } of this.tables.entries.values()) {
      const key = JSON.stringify([handler, status]);
      counts.set(key, { handler, status, count: (counts.get(key)?.count ?? 0) + 1 });
    }
    return [...counts.values()];
  }

  async listAbandoned(limit: number): Promise<StoredEffect[]> {
    return this.tables
      .sorted(({ status }) => status === 'abandoned')
      .slice(0, limit)
      .map(storedOf);
  }

  async listScheduled(limit: number): Promise<StoredEffect[]> {
    return this.tables
      .sorted(({ status }) => status === 'scheduled')
      .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0) || compare(a.entryId, b.entryId))
      .slice(0, limit)
      .map(storedOf);
  }

  async listOpen(group: EffectGroup, limit: number): Promise<StoredEffect[]> {
    const open = this.tables.groupOf(group).filter(({ status }) => status !== 'succeeded');
    return open
      .sort((a, b) => compare(a.entryId, b.entryId))
      .slice(0, limit)
      .map(storedOf);
  }

  async unclaimed(olderThanMs: number): Promise<UnclaimedEffects[]> {
    const now = this.tables.clock.now();
    const longest = new Map<string, UnclaimedEffects>();
    for (const { handler, finishedAt, dueAt, enqueuedAt, lastAttemptAt } of this.tables.entries.values()) {
      const since = Math.max(enqueuedAt, dueAt ?? 0, lastAttemptAt ?? 0);
      const ageMs = now - since;
      if (finishedAt !== null || ageMs < olderThanMs || ageMs <= (longest.get(handler)?.ageMs ?? -1)) continue;
      longest.set(handler, { handler, since, ageMs });
    }
    return [...longest.values()].sort((a, b) => b.ageMs - a.ageMs || compare(a.handler, b.handler));
  }

  async isComplete(group: EffectGroup): Promise<boolean> {
    const entries = this.tables.groupOf(group);
    return (
      entries.length > 0 &&
      entries.every((entry) => entry.status === 'succeeded' || this.tables.completing.has(entry.entryId))
    );
  }
}

function storedOf(entry: HeldEffect): StoredEffect {
  const { entryId, operation, subject, handler, ref, status, attempts, enqueuedAt, lastAttemptAt } = entry;
  const { lastError, error, finishedAt, dueAt: nextAttemptAt } = entry;
  return {
    entryId,
    operation,
    subject,
    handler,
    ref,
    status,
    attempts,
    enqueuedAt,
    nextAttemptAt,
    lastAttemptAt,
    lastError,
    error,
    finishedAt,
  };
}

/** The counterpart of `SqlEffectStory`. */
class InMemoryEffectStory implements EffectStory {
  constructor(private readonly tables: MemoryEffects) {}

  async moments({ runIds, ...next }: MomentQuery): Promise<EffectMoment[]> {
    const all = runIds.flatMap((runId, run) => this.ofRun(runId).flatMap((entry) => momentsOf(entry, run)));
    return nextOf(all, next);
  }

  async entries(runIds: readonly string[], limit: number): ReturnType<EffectStory['entries']> {
    const all = runIds.flatMap((runId) => this.ofRun(runId).map(({ entryId }) => ({ runId, entryId })));
    return all.slice(0, limit);
  }

  private ofRun(runId: string): HeldEffect[] {
    return this.tables.sorted((entry) => entry.runId === runId);
  }
}

function momentsOf(entry: HeldEffect, run: number): EffectMoment[] {
  const { enqueuedAt, lastAttemptAt, finishedAt, payloadErased: isErased } = entry;
  const told = {
    run,
    stage: STAGE.beside,
    item: entry.entryId,
    call: storedOf(entry),
    isErased: isErased && entry.subject === '',
  };
  return [
    { ...told, at: enqueuedAt, what: WHAT.effectAsked },
    ...(lastAttemptAt === null ? [] : [{ ...told, at: lastAttemptAt, what: WHAT.effectAttempted }]),
    ...(finishedAt === null ? [] : [{ ...told, at: finishedAt, what: WHAT.effectEnded }]),
  ];
}

/** The counterpart of `SqlEffectErasure`. */
class InMemoryEffectErasure implements EffectErasure {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly awaited: AwaitedGroups,
  ) {}

  async erase(request: EraseEffects): Promise<ErasedEffects> {
    const { after = '', limit } = request;
    const isErasable = ({ entryId, status }: HeldEffect) =>
      entryId > after && (status === 'succeeded' || (request.discards && status === 'abandoned'));
    const found = this.left(request, isErasable);
    const removed = await this.removable(found);
    // One may have been requeued meanwhile.
    const going = found.filter((entry) => removed.has(entry) && this.tables.entries.get(entry.entryId) === entry);
    for (const entry of going)
      this.tables.change(entry, {
        subject: '',
        ref: null,
        payload: null,
        lastError: null,
        error: null,
        payloadErased: true,
      });
    const next = found.length < limit ? {} : { next: found.at(-1)!.entryId };
    return { effects: going.length, auditEvents: this.eraseAudit(going), ...next };
  }

  async kept(request: EraseEffects): Promise<KeptEffect[]> {
    const open = this.left(request, ({ status }) => status !== 'succeeded');
    const gone = request.discards ? await this.removable(open.filter(isAbandoned)) : new Set();
    return open
      .filter((entry) => !gone.has(entry))
      .map((entry) => ({
        entryId: entry.entryId,
        handler: entry.handler,
        runId: entry.runId ?? null,
        isAbandoned: isAbandoned(entry),
      }));
  }

  /** All but abandoned ones that a run waits for. */
  private async removable(entries: readonly HeldEffect[]): Promise<Set<HeldEffect>> {
    const abandoned = entries.filter(isAbandoned);
    const free = await inMemoryTransaction(undefined, (tx) => removable(abandoned, this.awaited, tx));
    return new Set([...entries.filter((entry) => !isAbandoned(entry)), ...free]);
  }

  private left({ whose, limit }: EraseEffects, which: (entry: HeldEffect) => boolean): HeldEffect[] {
    const isTheirs = ({ runId, operation, subject }: HeldEffect) =>
      'runIds' in whose
        ? runId !== undefined && whose.runIds.includes(runId)
        : whose.groups.some((group) => group.operation === operation && group.subject === subject);
    const found = [...this.tables.entries.values()].filter((entry) => entry.subject !== '' && isTheirs(entry));
    return found
      .filter(which)
      .sort((a, b) => compare(a.entryId, b.entryId))
      .slice(0, limit);
  }

  /** The events of a whole group once all its calls are erased. */
  private eraseAudit(erased: readonly HeldEffect[]): number {
    let changed = 0;
    for (const { entryId, operation, subject } of erased) {
      const isOver = this.tables.groupOf({ operation, subject }).length === 0;
      this.tables.events.forEach((event, at) => {
        const isOurs = event.operation === operation && event.subject === subject;
        if (!isOurs || (event.entryId === null ? !isOver : event.entryId !== entryId)) return;
        this.tables.events[at] = { ...event, subject: '', details: {} };
        changed++;
      });
    }
    return changed;
  }
}

const isAbandoned = ({ status }: HeldEffect): boolean => status === 'abandoned';

/** The counterpart of `SqlEffectRemoval`. */
class InMemoryEffectRemoval implements EffectRemoval {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly awaited: AwaitedGroups,
  ) {}

  async purge({ status, olderThanMs, limit }: PurgeEnded, after?: EndedCursor): Promise<PurgedEffects> {
    const before = this.tables.clock.now() - olderThanMs;
    const isOld = (entry: HeldEffect) =>
      entry.status === status && entry.finishedAt !== null && entry.finishedAt <= before;
    const old = this.tables
      .sorted((entry) => isOld(entry) && (!after || byEnd(endOf(entry), after) > 0))
      .sort((a, b) => byEnd(endOf(a), endOf(b)))
      .slice(0, limit);
    const going =
      status === 'succeeded' ? old : await inMemoryTransaction(undefined, (tx) => removable(old, this.awaited, tx));
    // One may have been requeued meanwhile.
    const gone = going.filter(({ entryId }) => this.tables.entries.get(entryId)?.status === status);
    for (const { entryId } of gone) this.tables.entries.delete(entryId);
    return { purged: gone.length, next: old.length < limit ? undefined : endOf(old.at(-1)!) };
  }

  async purgeAudit(olderThanMs: number, limit: number): Promise<number> {
    const before = this.tables.clock.now() - olderThanMs;
    const { events } = this.tables;
    const old = events.slice(0, limit).filter(({ recordedAt }) => recordedAt.getTime() <= before);
    for (const event of old) events.splice(events.indexOf(event), 1);
    return old.length;
  }
}

const endOf = ({ finishedAt, entryId }: HeldEffect): EndedCursor => ({ finishedAt: finishedAt ?? 0, entryId });

const byEnd = (a: EndedCursor, b: EndedCursor): number => a.finishedAt - b.finishedAt || compare(a.entryId, b.entryId);
