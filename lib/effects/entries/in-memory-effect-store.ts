import type { Transaction } from '../../protocol/transaction.js';
import type { NewEffect } from '../effect-call.js';
import type { EffectStore } from '../effect-store.js';
import type { MemoryEffects } from './memory-effects.js';

/** The part of a transaction in memory that a store needs. */
export interface MemoryTransactions {
  /** @throws InvalidTransactionError when it is none that is open. */
  join(transaction: unknown): { afterCommit(listener: () => void): void };
}

/** Keeps calls in memory, at the end of their transaction. */
export class InMemoryEffectStore implements EffectStore {
  constructor(
    private readonly tables: MemoryEffects,
    private readonly transactions?: MemoryTransactions,
  ) {}

  async enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void> {
    const enqueuedAt = this.tables.clock.now();
    if (transaction === undefined || !this.transactions) return this.keep(effects, enqueuedAt);
    this.transactions.join(transaction).afterCommit(() => this.keep(effects, enqueuedAt));
  }

  async writeIn(_tx: Transaction, effects: readonly NewEffect[]): Promise<void> {
    this.add(effects, this.tables.clock.now());
  }

  announce(effects: readonly NewEffect[]): void {
    this.tables.announce([...new Set(effects.map(({ handler }) => handler))]);
  }

  private keep(effects: readonly NewEffect[], enqueuedAt: number): void {
    if (effects.length === 0) return;
    this.add(effects, enqueuedAt);
    this.announce(effects);
  }

  private add(effects: readonly NewEffect[], enqueuedAt: number): void {
    for (const effect of effects) this.tables.add(effect, enqueuedAt);
  }
}
