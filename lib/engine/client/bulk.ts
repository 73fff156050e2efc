import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { jsonCodec } from '../../protocol/codec.js';

/** What one batch of a bulk did or, with `dryRun`, would do. */
export interface BulkBatch {
  /** The runs of this batch that were changed: in the order of the given ids, or oldest first. */
  ids: string[];
  refused: { id: string; why: string }[];
  /** Since the bulk began. */
  total: BulkTotal;
  /** Where the bulk goes on, also in another process; undefined if it has ended. */
  cursor?: string;
}

export interface BulkTotal {
  done: number;
  refused: number;
}

/** How far a bulk is. */
export interface BulkProgress extends BulkTotal {
  /** Its id in the act log. */
  id: string;
  /** A hash of its action, filter and `dryRun`: its cursor goes on with nothing else. */
  of: string;
  /** Epoch ms: runs that were created later are left alone. */
  bound: number;
  /** The cursor of the list, or the number of ids that are done. */
  past?: string | number;
}

export type NextBatch = (progress: BulkProgress) => Promise<{ batch: Omit<BulkBatch, 'cursor'>; next?: BulkProgress }>;

/**
 * A change of many runs, in batches. It begins when it is first awaited or iterated. Each run is changed in a
 * transaction of its own with its act; a bulk that was interrupted goes on from its last cursor.
 *
 * @example
 * for await (const { total, cursor } of workflows.cancelAll({ workflow: 'order' }, by)) console.log(total.done, cursor);
 */
export class Bulk implements AsyncIterable<BulkBatch> {
  constructor(
    private readonly begin: () => Promise<BulkProgress>,
    private readonly next: NextBatch,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<BulkBatch, void, undefined> {
    let progress: BulkProgress | undefined = await this.begin();
    while (progress) {
      const { batch, next } = await this.next(progress);
      yield { ...batch, ...(next && { cursor: textOf(next) }) };
      progress = next;
    }
  }

  /** Makes one batch, for a page that asks again with its cursor. */
  async batch(): Promise<BulkBatch> {
    for await (const batch of this) return batch;
    throw new Error('A bulk has at least one batch');
  }

  /** Makes all batches. Returns the numbers, and the first 1,000 refusals. */
  async all(): Promise<BulkTotal & { refusals: BulkBatch['refused'] }> {
    const refusals: BulkBatch['refused'] = [];
    let total: BulkTotal = { done: 0, refused: 0 };
    for await (const batch of this) {
      refusals.push(...batch.refused.slice(0, MOST_NAMED - refusals.length));
      ({ total } = batch);
    }
    return { ...total, refusals };
  }
}

const MOST_NAMED = 1_000;

const textOf = (progress: BulkProgress): string => Buffer.from(JSON.stringify(progress)).toString('base64url');

/** What a cursor belongs to. The order of names in a filter does not count; that of ids does. */
export const hashOf = (what: readonly unknown[], filter: object): string =>
  createHash('sha256')
    .update(jsonCodec.encode([what, sorted(filter)]))
    .digest('base64url');

/** The entries by name; also those of the attributes. */
const sorted = (fields: object): unknown[] =>
  Object.entries(fields)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]: [string, unknown]) => [name, name === 'attributes' ? sorted(value as object) : value]);

/** @throws InvalidArgumentError when the text is no cursor of a bulk with this hash. */
export function progressIn(cursor: unknown, of: string): BulkProgress {
  try {
    const progress = JSON.parse(Buffer.from(cursor as string, 'base64url').toString()) as BulkProgress;
    const { id, bound, done, refused } = progress;
    if (progress.of === of && typeof id === 'string' && [bound, done, refused].every(Number.isFinite)) return progress;
  } catch {
    // The error is thrown below.
  }
  throw new InvalidArgumentError('cursor', cursor, 'the cursor of a bulk with the same action, filter and dryRun');
}
