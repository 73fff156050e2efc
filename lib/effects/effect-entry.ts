import { randomBytes } from 'node:crypto';
import type { Clock } from '../time/clock.js';

const COUNTS = 2 ** 12;

/**
 * Ids of calls: UUIDs (version 7) that grow with time and, within a process, one after the other. So calls of one
 * operation are claimed in the order given, and new rows go to one end of an index. No order between processes.
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

  /** Never back, also when the clock goes back; where a millisecond is full, into the next. */
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
  /** The name of an `@Effect` method, of this process or of another one. */
  handler: string;
  /** What the call is about, as an id of the other side: a text, a number or a small object. At most 8 KiB of JSON. */
  ref: unknown;
  /** What the handler needs besides; erased once the call has come to its end. */
  payload?: unknown;
}

/** What `Effects.enqueue` takes. */
export interface EffectOperation {
  /** 1 to 191 characters. */
  operation: string;
  /** 1 to 255 characters that stand for nothing else: calls with the same operation and subject complete together. */
  subject: string;
  /** Each handler and ref once. None: nothing is written. */
  calls: readonly EffectCall[];
}

/** A checked call on its way into storage. */
export interface NewEffect {
  readonly entryId: string;
  readonly operation: string;
  readonly subject: string;
  readonly handler: string;
  /** As the codec wrote it. */
  readonly ref: string;
  /** The same; null when there is none. */
  readonly payload: string | null;
}

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

/** 0 of each status. */
export const noEntries = (): Record<EffectStatus, number> =>
  Object.fromEntries(EFFECT_STATUSES.map((status) => [status, 0])) as Record<EffectStatus, number>;
