import { randomBytes } from 'node:crypto';
import type { Clock } from '../time/clock.js';
import type { KnownOptions } from '../options/known-options.js';

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
  /** The last error, with its causes. */
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
