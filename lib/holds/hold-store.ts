import type { PortMethods } from '../protocol/port-methods.js';
import type { Transaction } from '../protocol/transaction.js';
import type { HeldThing, Hold, NewHold } from './hold.js';

/**
 * Stores what is held. A hold whose `until` has passed, by the storage's clock, does not exist any more: it is not
 * listed, and the next hold deletes its row.
 */
export interface HoldStore {
  /**
   * Begins a hold, or changes the reason and the end of the one in force, which keeps its `since`. Returns that one as it
   * was. Processes are notified with the commit.
   */
  put(namespace: string, hold: NewHold, tx: Transaction): Promise<Hold | undefined>;
  /** Ends a hold and returns it; undefined if there was none. Processes are notified with the commit. */
  lift(namespace: string, thing: HeldThing, tx: Transaction): Promise<Hold | undefined>;
  /**
   * The holds in force on things of this namespace, and on things without one; by kind and name. One small read; with
   * `tx`, of the newest rows.
   */
  list(namespace: string, tx?: Transaction): Promise<Hold[]>;
  /** Calls `listener` when holds may have changed. Notifications may be lost. */
  onChanged(listener: () => void): () => void;
}

export const HOLD_METHODS: PortMethods<HoldStore> = {
  put: 'writes',
  lift: 'writes',
  list: 'reads',
  onChanged: 'tells',
};
