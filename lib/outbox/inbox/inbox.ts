import { type Transaction, inMemoryTransaction } from '../../protocol/transaction.js';

/** The twin of `SqlInbox`. What `apply` did elsewhere is not undone when it throws. */
export class InMemoryInbox implements Inbox {
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(private readonly positions = new Map<string, bigint>()) {}

  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean> {
    const { consumer, sequenceId } = incoming;
    const key = JSON.stringify([consumer, positionKeyOf(incoming)]);
    const receive = async (): Promise<boolean> => {
      if ((this.positions.get(key) ?? -1n) >= BigInt(sequenceId)) return false;
      await inMemoryTransaction(undefined, async (tx) => {
        await apply(tx, tx);
        this.positions.set(key, BigInt(sequenceId));
      });
      return true;
    };
    const turn = (this.turns.get(key) ?? Promise.resolve()).then(receive, receive);
    this.turns.set(key, turn);
    return turn;
  }
}

/** One event as its consumer's inbox knows it. */
export interface Incoming {
  consumer: string;
  channel: string;
  /** A whole number as text. */
  sequenceId: string;
  /** It had been put aside and was given back by hand: it is taken once by itself, whatever was taken since. */
  requeued?: boolean;
}

/** Under which channel its position is kept. One that was given back has a place of its own, called as no channel is. */
export const positionKeyOf = ({ channel, sequenceId, requeued }: Incoming): string =>
  requeued ? `\u0001requeued\u0001${sequenceId}` : channel;

/** How far consumers have come in each channel: what makes an event that is delivered twice take effect once. */
export interface Inbox {
  /**
   * Runs `apply` in a transaction of the app's own, unless the consumer has had this event of the channel, or a later
   * one. What `apply` wrote with the handle and that the event was here commit together; when it throws, neither does,
   * and the error is thrown on; nor do they where `apply` has caught an error after which the database undoes all. Of two calls for one consumer and channel at once the second waits for the first.
   * `apply` runs again when its transaction was the victim of another.
   *
   * @returns whether `apply` ran.
   */
  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean>;
}
