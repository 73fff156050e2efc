interface Queued<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<Item = unknown> {
  /** The most items of one write. Default 500. */
  maxItems?: number;
  /** The length of an item's texts in characters; limits a write to what fits into one statement. */
  sizeOf?: (item: Item) => number;
  /** Whether a failed write of several items is retried in halves, so that one bad item fails alone. */
  isolates?: (error: unknown) => boolean;
}

/**
 * In characters, which take up to three bytes each: this fits into a statement with the default settings of any server.
 * If a server accepts less, the statement is refused before it is sent, and the batch is retried in halves.
 */
const MAX_SIZE = 2_000_000;

/** How many of the first items go into one write; at least one, however long it is. */
export function howManyFit<Item>(
  items: readonly Item[],
  maxItems: number,
  sizeOf: (item: Item) => number,
  maxSize = MAX_SIZE,
): number {
  let size = 0;
  const end = items.slice(0, maxItems).findIndex((item) => (size += sizeOf(item)) > maxSize);
  return end === -1 ? Math.min(items.length, maxItems) : Math.max(1, end);
}

/**
 * Combines many small writes into few large ones without a timer: an item is written with all other items of
 * the same turn of the event loop; items that arrive during a write go into the next one. Writes never overlap
 * and keep the order of arrival.
 */
export class Batcher<Item, Answer> {
  private readonly queue: Queued<Item, Answer>[] = [];
  private writing: Promise<void> | undefined;

  /** `write` returns one answer per item, at the same index. */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>,
    private readonly options: BatcherOptions<Item> = {},
  ) {}

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => this.put(item, resolve, reject));
  }

  /** Like `add`, without a promise: calls `resolve` or `reject` after the item's write; neither may throw. */
  put(item: Item, resolve: (answer: Answer) => void, reject: (error: unknown) => void): void {
    this.queue.push({ item, resolve, reject });
    this.writing ??= this.drain();
  }

  /** Resolves once nothing is queued or being written. */
  async idle(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async drain(): Promise<void> {
    // Waits one turn of the event loop, so that items added in this turn are included.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.queue.length > 0) await this.writeOut(this.queue.splice(0, this.nextCount()));
    this.writing = undefined;
  }

  private nextCount(): number {
    const { maxItems = 500, sizeOf } = this.options;
    return sizeOf ? howManyFit(this.queue, maxItems, ({ item }) => sizeOf(item)) : maxItems;
  }

  private async writeOut(batch: Queued<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.write(batch.map(({ item }) => item));
      if (answers.length !== batch.length) throw new Error(`${answers.length} answers to ${batch.length} items`);
      batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer));
    } catch (error) {
      if (batch.length === 1 || !this.isolates(error)) return batch.forEach(({ reject }) => reject(error));
      const half = Math.ceil(batch.length / 2);
      await this.writeOut(batch.slice(0, half));
      await this.writeOut(batch.slice(half));
    }
  }

  private isolates(error: unknown): boolean {
    try {
      return this.options.isolates?.(error) ?? false;
    } catch {
      return false;
    }
  }
}
