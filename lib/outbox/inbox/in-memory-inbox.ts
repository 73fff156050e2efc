import type { Transaction } from '../../protocol/transaction.js';
import { type Inbox, type Incoming, positionKeyOf } from './inbox.js';

/** The twin of `SqlInbox`. What `apply` did elsewhere is not undone when it throws. */
export class InMemoryInbox implements Inbox {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(private readonly positions = new Map<string, bigint>()) {}

  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean> {
    const { consumer, sequenceId } = incoming;
    const key = JSON.stringify([consumer, positionKeyOf(incoming)]);
    const receive = async (): Promise<boolean> => {
      if ((this.positions.get(key) ?? -1n) >= BigInt(sequenceId)) return false;
      const tx = {};
      await apply(tx, tx);
      this.positions.set(key, BigInt(sequenceId));
      return true;
    };
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(receive, receive);
    this.turns.set(key, turn);
    return turn;
  }
}
