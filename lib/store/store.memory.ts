import type { Clock } from '../core/time.js';
import { afterCommit, type MemoryTransactions } from '../core/transaction.js';
import {
  type Broadcast,
  type Broadcasts,
  COUNTER,
  END_OF_COUNTERS,
  type EntryKey,
  type KeyValues,
  type NewEntry,
  type StoreStorage,
} from './store.js';

interface Entry {
  value: string;
  expiresAt: number | null;
}

/** The table of the store in memory. */
export class MemoryStore {
  readonly entries = new Map<string, Entry>();
}

export const inMemoryStoreStorage = (
  clock: Clock,
  table = new MemoryStore(),
  transactions?: MemoryTransactions,
): StoreStorage => ({
  entries: new InMemoryKeyValues(clock, table, transactions),
  broadcasts: new InMemoryBroadcasts(transactions),
});

/** Texts by key in memory, where nothing is rolled back. */
class InMemoryKeyValues implements KeyValues {
  constructor(
    private readonly clock: Clock,
    private readonly table: MemoryStore,
    private readonly transactions?: MemoryTransactions,
  ) {}

  async get(entry: EntryKey, transaction?: unknown): Promise<string | undefined> {
    this.check(transaction);
    return this.find(entry)?.value;
  }

  async set(entry: NewEntry, transaction?: unknown): Promise<void> {
    this.check(transaction);
    this.put(entry);
  }

  async delete(entry: EntryKey, transaction?: unknown): Promise<boolean> {
    this.check(transaction);
    return this.find(entry) !== undefined && this.table.entries.delete(keyOf(entry));
  }

  async setIfNotExists(entry: NewEntry, transaction?: unknown): Promise<boolean> {
    this.check(transaction);
    if (this.find(entry)) return false;
    this.put(entry);
    return true;
  }

  async increment(entry: NewEntry, transaction?: unknown): Promise<number | undefined> {
    this.check(transaction);
    const found = this.find(entry);
    if (found && !COUNTER.test(found.value)) return undefined;
    const sum = Number(found?.value ?? 0) + Number(entry.value);
    if (Math.abs(sum) >= END_OF_COUNTERS) return undefined;
    const expiresAt = found && entry.ttlMs === null ? found.expiresAt : this.endOf(entry);
    this.table.entries.set(keyOf(entry), { value: String(sum), expiresAt });
    return sum;
  }

  async sweep(limit: number): Promise<number> {
    const { entries } = this.table;
    const over = [...entries].filter(([, entry]) => this.isOver(entry)).slice(0, limit);
    for (const [key] of over) entries.delete(key);
    return over.length;
  }

  private find(entry: EntryKey): Entry | undefined {
    const found = this.table.entries.get(keyOf(entry));
    return found && !this.isOver(found) ? found : undefined;
  }

  private put(entry: NewEntry): void {
    this.table.entries.set(keyOf(entry), { value: entry.value, expiresAt: this.endOf(entry) });
  }

  private endOf({ ttlMs }: NewEntry): number | null {
    return ttlMs === null ? null : this.clock.now() + ttlMs;
  }

  private isOver({ expiresAt }: Entry): boolean {
    return expiresAt !== null && expiresAt <= this.clock.now();
  }

  /** @throws InvalidTransactionError */
  private check(transaction: unknown): void {
    if (transaction !== undefined) this.transactions?.join(transaction);
  }
}

const keyOf = ({ namespace, key }: EntryKey): string => JSON.stringify([namespace, key]);

/** Messages to all apps that share a storage in memory. None is lost. */
class InMemoryBroadcasts implements Broadcasts {
  private readonly listeners = new Set<(broadcast: Broadcast) => void>();

  constructor(private readonly transactions?: MemoryTransactions) {}

  async publish(broadcast: Broadcast, transaction?: unknown): Promise<void> {
    const tx = transaction === undefined ? undefined : this.transactions?.join(transaction);
    afterCommit(tx, () => [...this.listeners].forEach((listener) => listener(broadcast)));
  }

  subscribe(listener: (broadcast: Broadcast | undefined) => void): () => void {
    const own = (broadcast: Broadcast) => listener(broadcast);
    this.listeners.add(own);
    return () => void this.listeners.delete(own);
  }
}
