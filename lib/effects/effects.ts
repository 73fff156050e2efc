import { InvalidArgumentError } from '../errors.js';
import type { Codec } from '../protocol/codec.js';
import { type Clock, systemClock } from '../time/clock.js';
import { type Duration, toMs } from '../time/duration.js';
import type { RecordedAuditEvent } from './audit-log.js';
import { checkedOperation } from './checked-operation.js';
import {
  type EffectEntry,
  type EffectGroup,
  type EffectOperation,
  type EffectStatus,
  EntryIds,
  type StoredEffect,
} from './effect-entry.js';
import type { EffectStorage, UnclaimedEffects } from './effect-storage.js';

export interface EnqueueOptions {
  /**
   * The app's own open transaction, as the ORM passes it: TypeORM's `EntityManager` or `QueryRunner`, MikroORM's
   * `EntityManager`. Default: the surrounding transaction if the ORM knows it (MikroORM), otherwise a new one.
   */
  transaction?: unknown;
}

export interface ListEffects {
  /** The maximum number of entries. Default 100. */
  limit?: number;
}

export interface EffectsOptions {
  codec: Codec;
  /** The maximum size of one payload, in bytes of JSON. */
  payloadBytes: number;
  /** `enqueue` refuses handlers for which this returns false. Default: all names are accepted. */
  knows?: (handler: string) => boolean;
  /** Used only to order ids. Default: the clock of this machine. */
  clock?: Clock;
}

type Ports = Pick<EffectStorage, 'store' | 'insight' | 'requeue' | 'audit'>;

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

  constructor(
    private readonly ports: Ports,
    private readonly options: EffectsOptions,
  ) {
    this.ids = new EntryIds(options.clock ?? systemClock);
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
  async enqueue(operation: EffectOperation, { transaction }: EnqueueOptions = {}): Promise<string[]> {
    const effects = checkedOperation(operation, this.options).map((effect) => ({
      entryId: this.ids.next(),
      ...effect,
    }));
    if (effects.length > 0) await this.ports.store.enqueue(effects, transaction);
    return effects.map(({ entryId }) => entryId);
  }

  /** The number of entries per status, 0 where there is none. Reads all entries. */
  statusCounts(): Promise<Record<EffectStatus, number>> {
    return this.ports.insight.statusCounts();
  }

  /** Abandoned calls, oldest first. They stay abandoned until they are requeued. */
  async listAbandoned({ limit }: ListEffects = {}): Promise<EffectEntry[]> {
    return (await this.ports.insight.listAbandoned(checkedLimit(limit))).map((stored) => this.entryOf(stored));
  }

  /** Calls whose handler returned `scheduleUntil(date)`, soonest first. */
  async listScheduled({ limit }: ListEffects = {}): Promise<EffectEntry[]> {
    return (await this.ports.insight.listScheduled(checkedLimit(limit))).map((stored) => this.entryOf(stored));
  }

  /**
   * Handlers with entries that have been due and unclaimed for this long: no process serves them. Default 5 minutes.
   */
  listUnclaimed({ olderThan = '5m' }: { olderThan?: Duration } = {}): Promise<UnclaimedEffects[]> {
    return this.ports.insight.unclaimed(toMs(olderThan, 'olderThan'));
  }

  /**
   * Makes abandoned entries pending again, with their old ids and no attempts. Ids that are unknown, not abandoned, or
   * whose payload was erased are skipped: enqueue those calls anew. Returns the requeued ids; when it throws, nothing
   * was requeued.
   */
  async requeue(entryIds: readonly string[]): Promise<string[]> {
    if (!Array.isArray(entryIds) || !entryIds.every((id) => typeof id === 'string'))
      throw new InvalidArgumentError('ids', entryIds, 'a list of entry ids');
    return entryIds.length === 0 ? [] : this.ports.requeue.requeue(entryIds);
  }

  /**
   * The audit events of an operation for a subject, in order; empty if the app uses its own audit sink.
   *
   * @throws UnknownAuditEventError when a newer version has written to the log.
   */
  auditLog(group: EffectGroup): Promise<RecordedAuditEvent[]> {
    return this.ports.audit.read(group);
  }

  private entryOf({ ref, ...stored }: StoredEffect): EffectEntry {
    return {
      ...stored,
      ref: this.decoded(ref),
      enqueuedAt: new Date(stored.enqueuedAt),
      nextAttemptAt: dateOf(stored.nextAttemptAt),
      lastAttemptAt: dateOf(stored.lastAttemptAt),
      finishedAt: dateOf(stored.finishedAt),
    };
  }

  /** Returns the stored text if the codec cannot decode it: one unreadable entry must not fail a whole list. */
  private decoded(text: string): unknown {
    try {
      return this.options.codec.decode(text);
    } catch {
      return text;
    }
  }
}

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

function checkedLimit(limit = 100): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('limit', limit, 'a whole number of 1 to 10000');
}
