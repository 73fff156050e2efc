import type { Transaction } from '../protocol/transaction.js';
import type { NewEffect } from './effect-call.js';

/** Where `Effects` puts calls that it has checked. */
export interface EffectStore {
  /**
   * Writes the calls with the commit of `transaction`, the app's own as its ORM hands it over; of the one that surrounds
   * the caller, where the ORM knows it; or else at once, in a transaction of its own, all of them or none. Rolled back,
   * also to a savepoint, they never were. It never commits what is not its own. Whoever makes calls is told after the
   * commit.
   *
   * @throws InvalidTransactionError when `transaction` is no open one.
   */
  enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void>;
  /** Writes the calls in a transaction of ours; call {@link announce} after its commit. */
  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void>;
  /** Tells whoever makes calls that these were committed. Best effort. */
  announce(effects: readonly NewEffect[]): void;
}
