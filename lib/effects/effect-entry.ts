/**
 * `pending`: not tried yet. `in_flight`: claimed by a process that calls its handler. `failed`: the last try failed, and
 * another one follows. `scheduled`: its handler has said not before when it is to be called again. `succeeded` and
 * `abandoned` are ends; an abandoned one waits for somebody to look at it.
 */
export type EffectStatus = 'pending' | 'in_flight' | 'succeeded' | 'failed' | 'abandoned' | 'scheduled';

export const EFFECT_STATUSES: readonly EffectStatus[] = [
  ...(['pending', 'in_flight', 'succeeded', 'failed', 'abandoned', 'scheduled'] as const),
];

/** What calls of an operation belong to: when all of them have succeeded, the operation is complete for its subject. */
export interface EffectGroup {
  /** What is done, as `erase`. */
  readonly operation: string;
  /** To whom: an id that nothing else has, since all calls of an operation with the same one are one group. */
  readonly subject: string;
}

/** One call as people see it. Its payload is not shown. */
export interface EffectEntry extends EffectGroup {
  /** Never changes; the idempotency key of every try. */
  readonly entryId: string;
  readonly handler: string;
  readonly ref: unknown;
  readonly status: EffectStatus;
  /** How often it was claimed since it was enqueued, requeued or scheduled. */
  readonly attempts: number;
  readonly enqueuedAt: Date;
  /** Not before then is it tried; of one in flight, until when it is its claim's. Null: at once, or never again. */
  readonly nextAttemptAt: Date | null;
  readonly lastAttemptAt: Date | null;
  /** The class of the last error, never its message. */
  readonly lastError: string | null;
  readonly finishedAt: Date | null;
}

/** The same on its way out of storage. */
export interface StoredEffect extends Omit<
  EffectEntry,
  'ref' | 'enqueuedAt' | 'nextAttemptAt' | 'lastAttemptAt' | 'finishedAt'
> {
  /** As the codec wrote it. */
  readonly ref: string;
  /** Times are epoch ms by the storage's clock. */
  readonly enqueuedAt: number;
  readonly nextAttemptAt: number | null;
  readonly lastAttemptAt: number | null;
  readonly finishedAt: number | null;
}
