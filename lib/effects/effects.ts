import { actingInParts, type ByOperator, OPERATOR_OPTIONS, operatorOf } from '../acts/acts.js';
import { type Codec, type CodecContext, encodedWithin, jsonCodec, StoredTexts } from '../core/codec.js';
import { InvalidArgumentError, RequeueOffError, UnknownEffectHandlerError } from '../core/errors.js';
import { checkedLimit, checkedOptions, type KnownOptions } from '../core/options.js';
import type { TraceCarrier } from '../core/telemetry.js';
import { type Clock, type Duration, systemClock, toMs } from '../core/time.js';
import { parseWireError } from '../core/wire-error.js';
import {
  EFFECT_CALL,
  EFFECT_OPERATION,
  type EffectCall,
  type EffectEntry,
  type EffectGroup,
  type EffectOperation,
  type EffectStatus,
  type EffectStorage,
  type EndedCursor,
  EntryIds,
  type NewEffect,
  type RecordedAuditEvent,
  type StoredEffect,
  type UnclaimedEffects,
} from './entries.js';

export interface EnqueueOptions {
  /**
   * The app's own open transaction, as the ORM passes it: TypeORM's `EntityManager` or `QueryRunner`, MikroORM's
   * `EntityManager`. Default: the surrounding transaction if the ORM knows it (MikroORM), otherwise a new one.
   */
  transaction?: unknown;
}

const ENQUEUE_OPTIONS = { transaction: true } satisfies KnownOptions<EnqueueOptions>;

export interface ListEffects {
  /** The maximum number of entries. Default 100. */
  limit?: number;
}

const LIST_OPTIONS = { limit: true } satisfies KnownOptions<ListEffects>;

export interface PurgeEffects extends ByOperator {
  /** Only calls that ended, or audit events that were recorded, at least this long ago. */
  olderThan: Duration;
  /** How many rows one transaction deletes at most, from 1 to 10,000. Default 500. */
  batchSize?: number;
}

const PURGE_OPTIONS = { ...OPERATOR_OPTIONS, olderThan: true, batchSize: true } satisfies KnownOptions<PurgeEffects>;

export interface PurgeEndedEffects extends PurgeEffects {
  /** Default `'succeeded'`. */
  status?: 'succeeded' | 'abandoned';
}

const PURGE_ENDED_OPTIONS = { ...PURGE_OPTIONS, status: true } satisfies KnownOptions<PurgeEndedEffects>;

export interface EffectsOptions extends OperationRules {
  /** Used only to order ids. Default: the clock of this machine. */
  clock?: Clock;
  /** The caller's span, which calls carry; empty if nobody traces. */
  caller?: () => TraceCarrier;
  /** False: an abandoned call stays abandoned. Default true. */
  requeues?: boolean;
}

/** The most entries of one list, and of one transaction. */
const MOST_LISTED = 10_000;

type Ports = Pick<EffectStorage, 'store' | 'insight' | 'requeue' | 'removal' | 'audit' | 'acts'>;

/**
 * Calls to the outside world, enqueued with the app's own changes and made until they succeed or are abandoned.
 *
 * ```ts
 * await dataSource.transaction(async (tx) => {
 *   await tx.delete(User, id);
 *   await effects.enqueue(
 *     { operation: 'erase', subject: id, calls: [{ handler: 'stripe', ref: user.customerId }] },
 *     { transaction: tx },
 *   );
 * });
 * ```
 */
export class Effects {
  private readonly ids: EntryIds;

  private readonly texts: StoredTexts;

  constructor(
    private readonly ports: Ports,
    private readonly options: EffectsOptions,
  ) {
    this.ids = new EntryIds(options.clock ?? systemClock);
    this.texts = new StoredTexts(options.codec);
  }

  /**
   * Writes the calls with the commit of a transaction; a rollback discards them. Returns the ids of their entries, in
   * the order of the calls: each is the idempotency key of its call. Enqueuing an operation again makes its calls
   * again, with new ids.
   *
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError for an invalid
   *   call; then none is written.
   * @throws InvalidTransactionError when `transaction` is no open transaction of the app's ORM.
   */
  async enqueue(operation: EffectOperation, options: EnqueueOptions = {}): Promise<string[]> {
    const { transaction } = checkedOptions(options, ENQUEUE_OPTIONS, 'Effects.enqueue');
    const caller = this.options.caller?.();
    const traced = caller?.traceparent === undefined ? {} : { trace: JSON.stringify(caller) };
    const effects = checkedOperation(operation, this.options).map((effect) => ({
      entryId: this.ids.next(),
      ...effect,
      ...traced,
    }));
    if (effects.length > 0) await this.ports.store.enqueue(effects, transaction);
    return effects.map(({ entryId }) => entryId);
  }

  /** The number of entries per status, 0 where there is none. Reads all entries. */
  statusCounts(): Promise<Record<EffectStatus, number>> {
    return this.ports.insight.statusCounts();
  }

  /** Abandoned calls, oldest first. They stay abandoned until they are requeued. */
  async listAbandoned(options: ListEffects = {}): Promise<EffectEntry[]> {
    const { limit = 100 } = checkedOptions(options, LIST_OPTIONS, 'listAbandoned');
    return (await this.ports.insight.listAbandoned(checkedLimit(limit, MOST_LISTED))).map((stored) =>
      this.entryOf(stored),
    );
  }

  /**
   * The calls of an operation for a subject that have not succeeded, in the order in which they were enqueued: those in
   * flight too, whose `nextAttemptAt` is the end of the lease, when another process would make the next attempt.
   */
  async listOpen({ operation, subject }: EffectGroup, options: ListEffects = {}): Promise<EffectEntry[]> {
    const { limit = 100 } = checkedOptions(options, LIST_OPTIONS, 'listOpen');
    const open = await this.ports.insight.listOpen({ operation, subject }, checkedLimit(limit, MOST_LISTED));
    return open.map((stored) => this.entryOf(stored));
  }

  /** Calls whose handler returned `scheduleUntil(date)`, soonest first. */
  async listScheduled(options: ListEffects = {}): Promise<EffectEntry[]> {
    const { limit = 100 } = checkedOptions(options, LIST_OPTIONS, 'listScheduled');
    return (await this.ports.insight.listScheduled(checkedLimit(limit, MOST_LISTED))).map((stored) =>
      this.entryOf(stored),
    );
  }

  /**
   * Handlers with entries that have been due and unclaimed for this long: no process serves them. Default 5 minutes.
   */
  async listUnclaimed(options: { olderThan?: Duration } = {}): Promise<UnclaimedEffects[]> {
    const { olderThan = '5m' } = checkedOptions(options, { olderThan: true }, 'listUnclaimed');
    return this.ports.insight.unclaimed(toMs(olderThan, 'olderThan'));
  }

  /**
   * Makes abandoned entries pending again, with their old ids and no attempts. Ids that are unknown, not abandoned, or
   * whose payload was erased are skipped: enqueue those calls anew. Returns the requeued ids; when it throws, nothing
   * was requeued. With an actor each of them is recorded as an act.
   *
   * @throws RequeueOffError with the option `effects.requeue: false`; InvalidArgumentError, DatabaseError
   */
  async requeue(entryIds: readonly string[], options: ByOperator = {}): Promise<string[]> {
    if (!Array.isArray(entryIds) || !entryIds.every((id) => typeof id === 'string'))
      throw new InvalidArgumentError('ids', entryIds, 'a list of entry ids');
    if (this.options.requeues === false) throw new RequeueOffError();
    const { requeue, acts } = this.ports;
    const by = operatorOf(checkedOptions(options, OPERATOR_OPTIONS, 'Effects.requeue'));
    if (entryIds.length === 0) return [];
    if (!by) return requeue.requeue(entryIds);
    const what = { action: 'requeue', kind: 'effect', namespace: null, details: {}, outcome: 'requeued' } as const;
    return acts.within(undefined, async (tx) => {
      const requeued = await requeue.requeue(entryIds, tx);
      await acts.record(
        requeued.map((target) => ({ ...by, ...what, target })),
        tx,
      );
      return requeued;
    });
  }

  /**
   * The audit events of an operation for a subject, in order; empty if the app uses its own audit sink.
   *
   * @throws UnknownAuditEventError when a newer version has written to the log.
   */
  auditLog(group: EffectGroup): Promise<RecordedAuditEvent[]> {
    return this.ports.audit.read(group);
  }

  /**
   * Deletes calls that ended long ago, in small transactions that skip locked rows, and returns how many it deleted.
   * Their audit log stays, see {@link purgeAuditLog}. An abandoned call cannot be requeued once it is deleted; it stays
   * while a run waits for its operation.
   *
   * @throws InvalidArgumentError
   * @example await effects.purge({ olderThan: '90d' });
   */
  async purge(given: PurgeEndedEffects): Promise<number> {
    const { status = 'succeeded', ...options } = checkedOptions(given, PURGE_ENDED_OPTIONS, 'Effects.purge');
    if (status !== 'succeeded' && status !== 'abandoned')
      throw new InvalidArgumentError('status', status, "'succeeded' or 'abandoned'");
    let after: EndedCursor | undefined;
    return this.purgeAll(`purge ${status} effects`, options, async (olderThanMs, limit) => {
      const { purged, next } = await this.ports.removal.purge({ status, olderThanMs, limit }, after);
      after = next;
      return { purged, isOver: next === undefined };
    });
  }

  /** Deletes audit events that were recorded long ago, and returns how many. @throws InvalidArgumentError */
  async purgeAuditLog(options: PurgeEffects): Promise<number> {
    const checked = checkedOptions(options, PURGE_OPTIONS, 'purgeAuditLog');
    return this.purgeAll('purge effect audit', checked, async (olderThanMs, limit) => {
      const purged = await this.ports.removal.purgeAudit(olderThanMs, limit);
      return { purged, isOver: purged === 0 };
    });
  }

  /** With an actor, recorded as an act when it begins and when it ends. */
  private async purgeAll(
    action: string,
    { olderThan, batchSize = 500, ...by }: PurgeEffects,
    purge: (olderThanMs: number, limit: number) => Promise<{ purged: number; isOver: boolean }>,
  ): Promise<number> {
    const [olderThanMs, limit] = [toMs(olderThan, 'olderThan'), checkedLimit(batchSize, MOST_LISTED, 'batchSize')];
    return actingInParts(this.ports.acts, by, { action, namespace: null, details: { olderThanMs } }, async () => {
      for (let sum = 0; ;) {
        const { purged, isOver } = await purge(olderThanMs, limit);
        sum += purged;
        if (isOver) return sum;
      }
    });
  }

  private entryOf({ ref, error, ...stored }: StoredEffect): EffectEntry {
    const { texts } = this;
    const context = { subject: stored.subject, input: ref ?? '' };
    return {
      ...stored,
      // One unreadable entry must not fail a whole list.
      ref: ref === null ? null : texts.readValue(ref, context),
      error: error === null ? null : texts.readable(parseWireError(error), context),
      enqueuedAt: new Date(stored.enqueuedAt),
      nextAttemptAt: dateOf(stored.nextAttemptAt),
      lastAttemptAt: dateOf(stored.lastAttemptAt),
      finishedAt: dateOf(stored.finishedAt),
    };
  }
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

export interface OperationRules {
  readonly codec: Codec;
  /** The maximum size of one payload, in bytes of JSON. */
  readonly payloadBytes: number;
  /** Whether some process serves a handler of this name. Default: all names are accepted. */
  readonly knows?: ((handler: string) => boolean) | undefined;
}

const LONGEST_NAME = 191;
const LONGEST_SUBJECT = 255;
const LARGEST_REF = 8_192;

/**
 * Checks an operation and returns its calls as they are stored, without ids. `context`: what is known of the run that
 * makes them.
 *
 * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError, naming the call.
 */
export function checkedOperation(
  given: EffectOperation,
  rules: OperationRules,
  context: CodecContext = {},
): Omit<NewEffect, 'entryId'>[] {
  if (typeof given !== 'object' || given === null)
    throw new InvalidArgumentError('operation', given, 'an object with operation, subject and calls');
  const { calls } = checkedOptions(given, EFFECT_OPERATION, 'The operation');
  const operation = checkedText('operation', given.operation, LONGEST_NAME);
  const subject = checkedText('subject', given.subject, LONGEST_SUBJECT);
  if (!Array.isArray(calls)) throw new InvalidArgumentError('calls', calls, 'a list of { handler, ref, payload? }');
  const seen = new Set<string>();
  return calls.map((call: EffectCall, n) => {
    const { key, ...checked } = checkedCall(call, `calls[${n}]`, rules, { ...context, subject });
    if (seen.has(key))
      throw new InvalidArgumentError(`calls[${n}]`, call, 'each handler and ref once: an earlier call has the same');
    seen.add(key);
    return { operation, subject, ...checked };
  });
}

function checkedCall(
  call: EffectCall,
  what: string,
  { codec, payloadBytes, knows }: OperationRules,
  context: CodecContext,
) {
  if (typeof call !== 'object' || call === null)
    throw new InvalidArgumentError(what, call, 'an object with handler and ref');
  checkedOptions(call, EFFECT_CALL, what);
  const handler = checkedText(`${what}.handler`, call.handler, LONGEST_NAME);
  if (knows && !knows(handler)) throw new UnknownEffectHandlerError(handler);
  const { ref, payload } = call;
  if (ref === undefined || ref === null || ref === '')
    throw new InvalidArgumentError(`${what}.ref`, ref, 'a string, a number or a small object that identifies it');
  const within = (most: number, field: string, value: unknown) =>
    encodedWithin(most, `${what}.${field}`, () => codec.encode(value, context));
  const plain = within(LARGEST_REF, 'ref', ref);
  return {
    handler,
    ref: plain,
    payload: payload === undefined ? null : within(payloadBytes, 'payload', payload),
    key: `${handler}\n${formOf(ref, plain)}`,
  };
}

/** The same for equal values, as the text of a codec of the app need not be: it may be encrypted. That may store more. */
function formOf(ref: unknown, text: string): string {
  try {
    return JSON.stringify(JSON.parse(jsonCodec.encode(ref)), sortedFields);
  } catch {
    return text;
  }
}

/** Makes the result independent of the order of fields. */
const sortedFields = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function checkedText(what: string, text: unknown, longest: number): string {
  // Length in code points, as the databases count. Lone surrogates (Cs) cannot be stored as text.
  if (typeof text === 'string' && text !== '' && [...text].length <= longest && !/[\p{Cc}\p{Cs}]/u.test(text))
    return text;
  throw new InvalidArgumentError(what, text, `a string of 1 to ${longest} characters, without control characters`);
}
