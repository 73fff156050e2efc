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
   * The app's own open transaction, as its ORM hands it over: TypeORM's `EntityManager` or `QueryRunner`, MikroORM's
   * `EntityManager`. Default: the one that surrounds the caller, where the ORM knows it (MikroORM), or one of its own.
   */
  transaction?: unknown;
}

export interface ListEffects {
  /** The most entries. Default 100. */
  limit?: number;
}

export interface EffectsOptions {
  codec: Codec;
  /** Of one payload, in bytes of JSON. */
  payloadBytes: number;
  /** Refuses calls of handlers for which it returns false. Default: any process may serve them. */
  knows?: (handler: string) => boolean;
  /** Only for the order of ids. Default: this machine's. */
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
   * the order of the calls: each is the idempotency key of its call. Enqueued again, an operation is made again, with
   * new ids.
   *
   * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError or UnknownEffectHandlerError for a call that
   *   cannot be made; then none was written.
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

  /** How many entries there are of each status, 0 where there is none. Reads them all. */
  statusCounts(): Promise<Record<EffectStatus, number>> {
    return this.ports.insight.statusCounts();
  }

  /** What was given up, oldest first: it stays until somebody requeues it. */
  async listAbandoned({ limit }: ListEffects = {}): Promise<EffectEntry[]> {
    return (await this.ports.insight.listAbandoned(checkedLimit(limit))).map((stored) => this.entryOf(stored));
  }

  /** What is called again at a time that its handler has named, soonest first. */
  async listScheduled({ limit }: ListEffects = {}): Promise<EffectEntry[]> {
    return (await this.ports.insight.listScheduled(checkedLimit(limit))).map((stored) => this.entryOf(stored));
  }

  /** Handlers whose entries have been due for so long without being claimed: nobody serves them. Default 5 minutes. */
  listUnclaimed({ olderThan = '5m' }: { olderThan?: Duration } = {}): Promise<UnclaimedEffects[]> {
    return this.ports.insight.unclaimed(toMs(olderThan, 'olderThan'));
  }

  /**
   * Makes abandoned entries pending again, with their old ids and no attempts. Ids that are unknown, not abandoned, or
   * whose payload was erased are skipped: enqueue those calls anew. Returns the requeued ones; when it throws, there are
   * none.
   */
  async requeue(entryIds: readonly string[]): Promise<string[]> {
    if (!Array.isArray(entryIds) || !entryIds.every((id) => typeof id === 'string'))
      throw new InvalidArgumentError('ids', entryIds, 'a list of entry ids');
    return entryIds.length === 0 ? [] : this.ports.requeue.requeue(entryIds);
  }

  /**
   * What became of an operation for a subject, in order; empty where events go to a sink of the app's.
   *
   * @throws UnknownAuditEventError when a newer version has written to it.
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

  /** As it is stored where it cannot be read: a list must not fail for one entry. */
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
