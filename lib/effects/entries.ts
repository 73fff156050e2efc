import { createHash, randomBytes } from 'node:crypto';
import { ACT_METHODS, type ActLog } from '../acts/acts.js';
import { AuditTimeoutError, UnknownAuditEventError } from '../core/errors.js';
import type { KnownOptions } from '../core/options.js';
import type { Moment, MomentQuery } from '../core/protocol.js';
import { type Clock, within } from '../core/time.js';
import type { StorageMethods, Transaction } from '../core/transaction.js';

const COUNTS = 2 ** 12;

/**
 * Ids of calls: UUIDs (version 7) that grow with time and, within a process, strictly. So calls of one operation are
 * claimed in the given order, and new rows go to one end of an index. Processes have no common order.
 */
export class EntryIds {
  private ms = 0;
  private count = 0;

  constructor(private readonly clock: Clock) {}

  next(): string {
    this.tick();
    const random = randomBytes(8);
    // The variant, in the highest two bits.
    random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
    const hex = this.ms.toString(16).padStart(12, '0') + (0x7000 + this.count).toString(16) + random.toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  /** Never decreases, even when the clock goes back; a full millisecond continues in the next one. */
  private tick(): void {
    const now = this.clock.now();
    this.count = now > this.ms ? 0 : this.count + 1;
    this.ms = Math.max(this.ms, now);
    if (this.count < COUNTS) return;
    this.ms++;
    this.count = 0;
  }
}

/** One call to the outside world. */
export interface EffectCall {
  /** The name of an `@Effect` method of this process or of another one. */
  handler: string;
  /** What the call is about, for example the other side's id: a text, number or small object. At most 8 KiB of JSON. */
  ref: unknown;
  /** Further data for the handler; erased once the call has ended. */
  payload?: unknown;
}

export const EFFECT_CALL = { handler: true, ref: true, payload: true } satisfies KnownOptions<EffectCall>;

/** What `Effects.enqueue` takes. */
export interface EffectOperation {
  /** 1 to 191 characters. */
  operation: string;
  /** 1 to 255 characters, unique to one subject: calls with the same operation and subject complete together. */
  subject: string;
  /** Each pair of handler and ref at most once. With an empty list nothing is written. */
  calls: readonly EffectCall[];
}

export const EFFECT_OPERATION = { operation: true, subject: true, calls: true } satisfies KnownOptions<EffectOperation>;

/** A checked call that is about to be stored. */
export interface NewEffect {
  readonly entryId: string;
  readonly operation: string;
  readonly subject: string;
  readonly handler: string;
  /** The text that the codec wrote. */
  readonly ref: string;
  /** The text that the codec wrote; null when there is none. */
  readonly payload: string | null;
  /** The run that enqueued it by `ctx.effects`. */
  readonly runId?: string;
  /** JSON: the span of the app that enqueues it. */
  readonly trace?: string;
}

/**
 * `pending`: not tried yet. `in_flight`: claimed by a process that calls its handler. `failed`: the last try failed,
 * and another one follows. `scheduled`: its handler returned the time of the next call. `succeeded` and `abandoned` are
 * final; an abandoned call stays until a person requeues it.
 */
export type EffectStatus = 'pending' | 'in_flight' | 'succeeded' | 'failed' | 'abandoned' | 'scheduled';

export const EFFECT_STATUSES: readonly EffectStatus[] = [
  ...(['pending', 'in_flight', 'succeeded', 'failed', 'abandoned', 'scheduled'] as const),
];

/** The group of a call: when all calls of a group have succeeded, the operation is complete for its subject. */
export interface EffectGroup {
  /** The kind of work, for example `erase`. */
  readonly operation: string;
  /** The id of what the work is for. It must be unique: calls of an operation with the same subject are one group. */
  readonly subject: string;
}

/** An error as it was recorded. */
export interface RecordedError {
  name?: string;
  message: string;
  code?: string;
  cause?: RecordedError;
  /** The errors of an `AggregateError`. */
  errors?: readonly RecordedError[];
  /** The frames, one per line, those of the app first. Recorded as the option `errors.stack` says. */
  stack?: string;
}

/** One call as it is listed. The payload is not included. */
export interface EffectEntry extends EffectGroup {
  /** Never changes; the idempotency key of every try. */
  readonly entryId: string;
  readonly handler: string;
  readonly ref: unknown;
  readonly status: EffectStatus;
  /** How often it was claimed since it was enqueued, requeued or scheduled. */
  readonly attempts: number;
  readonly enqueuedAt: Date;
  /** The earliest time of the next try; for a call in flight, the end of its lease. Null: at once, or never again. */
  readonly nextAttemptAt: Date | null;
  readonly lastAttemptAt: Date | null;
  /** The class of the last error. */
  readonly lastError: string | null;
  /** The last error, with its causes. Null unless the option `effects.errors` is `'full'`. */
  readonly error: RecordedError | null;
  readonly finishedAt: Date | null;
}

/** An entry as it is read from storage. */
export interface StoredEffect extends Omit<
  EffectEntry,
  'ref' | 'error' | 'enqueuedAt' | 'nextAttemptAt' | 'lastAttemptAt' | 'finishedAt'
> {
  /** The text that the codec wrote; null if it was erased. */
  readonly ref: string | null;
  /** The error as it is stored: JSON, which is sealed if the app has a codec of its own. */
  readonly error: string | null;
  /** Times are epoch ms by the storage's clock. */
  readonly enqueuedAt: number;
  readonly nextAttemptAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly finishedAt: number | null;
}

/** 0 for each status. */
export const noEntries = (): Record<EffectStatus, number> =>
  Object.fromEntries(EFFECT_STATUSES.map((status) => [status, 0])) as Record<EffectStatus, number>;

/** Where `Effects` stores calls that it has checked. */
export interface EffectStore {
  /**
   * Writes the calls with the commit of a transaction: `transaction`, which is the app's own as its ORM passes it;
   * otherwise the surrounding transaction if the ORM knows it; otherwise a new one, which commits all calls or none. A
   * rollback, also to a savepoint, discards them. Never commits a transaction that it did not begin. Effect runners are
   * notified after the commit.
   *
   * @throws InvalidTransactionError when `transaction` is not an open transaction.
   */
  enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void>;
  /** Writes the calls in one of our own transactions. Effect runners are notified after its commit. */
  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void>;
}

/** The result of a claimed entry. `error` is the class of the error, and `recorded` the error as it is stored. */
export type Settlement =
  | { readonly status: 'succeeded'; readonly alreadyAbsent: boolean }
  /** Tried again after `delayMs`. */
  | { readonly status: 'failed'; readonly error: string; readonly recorded?: string; readonly delayMs: number }
  | { readonly status: 'abandoned'; readonly error: string; readonly recorded?: string }
  /** Called again at `until` (epoch ms) but not before `delayMs` has passed, with its attempts counted from zero. */
  | { readonly status: 'scheduled'; readonly until: number; readonly delayMs: number };

/** `lost`: the claim no longer held, and nothing was written. `completed`: it was the last open entry of its group. */
export type Settled = 'settled' | 'completed' | 'lost';

/** Runs inside the settling transaction: `handle` is the transaction handle of the app's ORM. */
export type OnCompletion = (group: EffectGroup, handle: unknown, tx: Transaction) => Promise<void>;

export interface EffectSettlements {
  /**
   * Writes the result of a claim and, if the result is final, its audit event in one transaction. A claim that no
   * longer holds writes nothing.
   *
   * A success locks the open entries of its group in the order of their ids: if two processes settle the last two
   * entries, one waits for the other, and exactly one completes the group. That one runs `onCompletion` and records the
   * completion in the same transaction; both may be retried after a deadlock. When it throws, nothing is written.
   *
   * @throws any error of the audit log or `onCompletion`; the entry then stays in flight until its lease expires.
   */
  settle(claimed: ClaimedEffect, settlement: Settlement, onCompletion?: OnCompletion): Promise<Settled>;
}

/** A handler with entries that have waited too long: no process serves it, or too few do. */
export interface UnclaimedEffects {
  readonly handler: string;
  /** When the longest waiting entry became claimable, epoch ms. */
  readonly since: number;
  /** How long ago that was. */
  readonly ageMs: number;
}

export interface CountedEffects {
  count: number;
  more: boolean;
}

export interface HandlerCount {
  handler: string;
  status: EffectStatus;
  count: number;
}

/** Read-only queries on entries. */
export interface EffectInsight {
  /**
   * The number of entries per status, counted up to `atMost`. `more`: there may be more. Reads a few times as many. `of`:
   * only these are asked for, and the others may be too low.
   */
  counts(atMost: number, of?: readonly EffectStatus[]): Promise<Record<EffectStatus, CountedEffects>>;
  /** The same by handler, without those that have none. Together they are counted up to `atMost` per status. */
  countsByHandler(atMost: number): Promise<HandlerCount[]>;
  /** The number of entries per status; 0 where there is none. Reads all entries. */
  statusCounts(): Promise<Record<EffectStatus, number>>;
  /** Oldest first, by enqueue time and id. */
  listAbandoned(limit: number): Promise<StoredEffect[]>;
  /** Ordered by the time of the next call, then by id. */
  listScheduled(limit: number): Promise<StoredEffect[]>;
  /** The entries of a group that have not succeeded, in the order of their ids. */
  listOpen(group: EffectGroup, limit: number): Promise<StoredEffect[]>;
  /** Handlers with entries that have been due and unclaimed for at least `olderThanMs`, longest first. */
  unclaimed(olderThanMs: number): Promise<UnclaimedEffects[]>;
  /**
   * Whether the group has entries and all of them have succeeded. Reads in `tx`, the transaction of a completion, or
   * without it the committed state.
   */
  isComplete(group: EffectGroup, tx?: Transaction): Promise<boolean>;
}

/** A call at one moment of a story. */
export interface EffectMoment extends Moment {
  readonly call: Pick<
    StoredEffect,
    'entryId' | 'operation' | 'subject' | 'handler' | 'ref' | 'status' | 'attempts' | 'lastError' | 'error'
  >;
  readonly isErased: boolean;
}

/** What runs have enqueued by `ctx.effects`, in the order of time. */
export interface EffectStory {
  /** The next moments at which these calls were enqueued, last tried, and ended. */
  moments(query: MomentQuery): Promise<EffectMoment[]>;
  /** The calls of these runs, up to `limit`. */
  entries(runIds: readonly string[], limit: number): Promise<{ runId: string; entryId: string }[]>;
}

/** Requeues abandoned calls. */
export interface EffectRequeue {
  /**
   * Makes these abandoned entries pending again, with no attempts, no error and their old ids, and records it. Ids that
   * are unknown, not abandoned, or whose payload was erased are skipped. When it throws, nothing was requeued. Returns
   * the requeued ids.
   */
  requeue(entryIds: readonly string[], tx?: Transaction): Promise<string[]>;
}

export interface PurgeEnded {
  readonly status: 'succeeded' | 'abandoned';
  /** Only calls that ended at least this long ago, in ms. */
  readonly olderThanMs: number;
  /** The most calls that are looked at. */
  readonly limit: number;
}

/** A place in the order in which calls ended. */
export interface EndedCursor {
  readonly finishedAt: number;
  readonly entryId: string;
}

export interface PurgedEffects {
  readonly purged: number;
  /** Where the next call goes on; undefined at the end. */
  readonly next: EndedCursor | undefined;
}

/** Deletes calls that have ended, and their audit log. Never waits for a lock. */
export interface EffectRemoval {
  /**
   * Looks at up to `limit` calls that ended with this status long enough ago, in the order of their ends, and deletes
   * them. Their audit events stay. Abandoned calls stay while a run waits for their operation.
   */
  purge(request: PurgeEnded, after?: EndedCursor): Promise<PurgedEffects>;
  /** Deletes up to `limit` audit events that were recorded at least `olderThanMs` ago, oldest first. Returns how many. */
  purgeAudit(olderThanMs: number, limit: number): Promise<number>;
}

/** Every port of effects. */
export interface EffectStorage {
  readonly store: EffectStore;
  readonly claims: EffectClaims;
  readonly settlements: EffectSettlements;
  readonly insight: EffectInsight;
  readonly story: EffectStory;
  readonly requeue: EffectRequeue;
  readonly removal: EffectRemoval;
  readonly erasure: EffectErasure;
  /** Reads the audit log of the same storage; empty if the app uses its own audit sink. */
  readonly audit: AuditReader;
  readonly acts: ActLog;
}

/** The kind of access of each method to the storage. */
export const EFFECT_METHODS: StorageMethods<EffectStorage> = {
  store: { enqueue: 'writes', writeIn: 'writes' },
  claims: { claim: 'finds', extend: 'lives', release: 'writes', onDue: 'tells' },
  settlements: { settle: 'writes' },
  insight: {
    counts: 'reads',
    countsByHandler: 'reads',
    statusCounts: 'reads',
    listAbandoned: 'reads',
    listScheduled: 'reads',
    listOpen: 'reads',
    unclaimed: 'reads',
    isComplete: 'reads',
  },
  story: { moments: 'reads', entries: 'reads' },
  requeue: { requeue: 'writes' },
  removal: { purge: 'finds', purgeAudit: 'finds' },
  erasure: { erase: 'writes', kept: 'reads' },
  audit: { read: 'reads' },
  acts: ACT_METHODS,
};

/** One claim of one entry. Only its holder may renew, settle and release it. */
export interface EffectClaim {
  readonly entryId: string;
  /** New for every claim. */
  readonly token: string;
}

/** A claim to be renewed, for this long from now. */
export interface Renewal extends EffectClaim {
  readonly leaseMs: number;
}

/** A claim that still holds. */
export interface HeldClaim extends EffectClaim {
  /** False while a settlement has locked the row: no other process can claim it now, but its lease was not extended. */
  readonly renewed: boolean;
}

/** The part of a handler's policy that claiming needs. */
export interface ClaimedHandler {
  readonly name: string;
  /** How long the claim lasts without renewal. */
  readonly leaseMs: number;
  /** The maximum number of attempts per entry. */
  readonly attempts: number;
}

export interface ClaimEffects {
  /** The claiming node; informational only. */
  readonly nodeId: string;
  /** Entries of other handlers are not touched. */
  readonly handlers: readonly ClaimedHandler[];
  /** The maximum number of entries in total. */
  readonly limit: number;
}

export interface ClaimedEffect extends EffectGroup {
  readonly claim: EffectClaim;
  readonly handler: string;
  /** The text that the codec wrote. */
  readonly ref: string;
  readonly payload: string | null;
  /** The run that enqueued it; null for calls of the app. */
  readonly runId: string | null;
  /** JSON: the span of the app that has enqueued it; undefined if a run did, or nobody traced. */
  readonly trace?: string;
  /** The number of this attempt, from 1; if `exhausted`, the number of attempts made. */
  readonly attempt: number;
  /**
   * All attempts are used up and the last one was not settled, because its process died. The entry must be abandoned
   * without another call.
   */
  readonly exhausted: boolean;
  /** The class of the previous attempt's error. */
  readonly lastError: string | null;
}

/** How processes claim entries for their handlers. Times are those of the storage's clock. */
export interface EffectClaims {
  /**
   * Claims up to `limit` entries that are due: pending ones, failed and scheduled ones whose time has come (including
   * the current millisecond), and those in flight whose lease has expired. Oldest first by enqueue time and id; if
   * thousands come due at the same time, only among those that are queued. A claim counts as an attempt at once. No
   * entry is held by two claims at the same time.
   */
  claim(request: ClaimEffects): Promise<ClaimedEffect[]>;
  /**
   * Renews claims together, each for its `leaseMs` from now. Skips rows that a settlement has locked. Returns the
   * claims that still hold; the others are lost, and the results of their handlers must be discarded.
   */
  extend(claims: readonly Renewal[]): Promise<HeldClaim[]>;
  /**
   * Releases claims: due at once, the attempt not counted. Of lost claims nothing is released; if their handlers were
   * not called (`uncalled`), their attempts are not counted either. Not to be repeated for the same claims.
   */
  release(claims: readonly EffectClaim[], uncalled?: boolean): Promise<void>;
  /** True while hints from other processes arrive, so that polling may be slow. */
  readonly live: boolean;
  /**
   * Calls `listener` with the handlers that have new due entries, or without an argument when any handler may have.
   * Hints can be lost, so callers must also poll. Returns a function that removes the listener.
   */
  onDue(listener: (handlers?: readonly string[]) => void): () => void;
}

/** Of these groups, those that runs wait for; read in `tx`. */
export type AwaitedGroups = (groups: readonly EffectGroup[], tx: Transaction) => Promise<readonly EffectGroup[]>;

/** An app without runs. */
export const NONE_AWAITED: AwaitedGroups = async () => [];

/**
 * Those of these abandoned calls that may be removed. Without the others, a run that waits for them would wait for ever,
 * or learn that all calls of its operation have succeeded.
 */
export async function removable<Call extends EffectGroup>(
  abandoned: readonly Call[],
  awaited: AwaitedGroups,
  tx: Transaction,
): Promise<Call[]> {
  if (abandoned.length === 0) return [];
  const groups = new Map(
    abandoned.map(({ operation, subject }) => [keyOf({ operation, subject }), { operation, subject }]),
  );
  const kept = new Set((await awaited([...groups.values()], tx)).map(keyOf));
  return abandoned.filter((call) => !kept.has(keyOf(call)));
}

const keyOf = ({ operation, subject }: EffectGroup): string => JSON.stringify([operation, subject]);

/** The calls of these runs, or of these groups. */
export type WhoseEffects = { readonly runIds: readonly string[] } | { readonly groups: readonly EffectGroup[] };

export interface EraseEffects {
  readonly whose: WhoseEffects;
  /** Abandoned calls too: then nobody can requeue them. */
  readonly discards: boolean;
  /** The most calls that one transaction looks at. */
  readonly limit: number;
  /** Only calls with a greater id: the `next` of the previous page. */
  readonly after?: string;
}

export interface ErasedEffects {
  readonly effects: number;
  readonly auditEvents: number;
  /** Where the next page begins; without it at the end. */
  readonly next?: string;
}

/** A call that may still be made. */
export interface KeptEffect {
  readonly entryId: string;
  readonly handler: string;
  /** The run that enqueued it; null for a call of the app. */
  readonly runId: string | null;
  readonly isAbandoned: boolean;
}

/** Removes what calls hold about a person. Nothing that is still to be called is touched. */
export interface EffectErasure {
  /**
   * Erases up to `limit` ended calls: subject, ref, payload and error, and in our audit log subject and details. Counts,
   * handlers, times and outcomes stay. An erased call cannot be requeued, so abandoned ones stay while a run waits for
   * their operation. One transaction.
   */
  erase(request: EraseEffects): Promise<ErasedEffects>;
  /** The first calls that `erase` keeps. */
  kept(request: EraseEffects): Promise<KeptEffect[]>;
}

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

/** The topic of notifications about due calls; the payload is a JSON list of handlers. */
export const EFFECTS_TOPIC = 'effects';

/** Notifies this process at once and others soon. */
export interface DueHints {
  local(topic: string, payload: string): void;
  publish(topic: string, payload: string): void;
}

/** Notifies runners of the handlers of these calls. */
export function tellDue(hints: DueHints, calls: readonly { handler: string }[]): void {
  if (calls.length === 0) return;
  const payload = JSON.stringify([...new Set(calls.map(({ handler }) => handler))]);
  hints.local(EFFECTS_TOPIC, payload);
  hints.publish(EFFECTS_TOPIC, payload);
}

/** The handlers of a notification; undefined when any may be due. */
export function dueHandlers(payload: string | undefined): readonly string[] | undefined {
  if (payload === undefined) return undefined;
  try {
    const handlers: unknown = JSON.parse(payload);
    return Array.isArray(handlers) ? handlers.filter((handler) => typeof handler === 'string') : undefined;
  } catch {
    return undefined;
  }
}
