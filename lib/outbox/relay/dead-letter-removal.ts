import type { MemoryOutbox } from './memory-outbox.js';
import { keyOf } from './memory-outbox.js';

/** Deletes old dead letters of all destinations. */
export interface DeadLetterRemoval {
  /**
   * Deletes up to `limit` dead letters that were set aside at least `olderThanMs` ago, the oldest first. Never waits for
   * a lock. Requeued ones are kept until they are delivered. The state of a channel is not changed: a parked one stays
   * parked. Returns how many.
   */
  purge(olderThanMs: number, limit: number): Promise<number>;
}

/** The counterpart of `SqlDeadLetterRemoval`. */
export class InMemoryDeadLetterRemoval implements DeadLetterRemoval {
  constructor(private readonly tables: MemoryOutbox) {}

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { dead, clock } = this.tables;
    const before = clock.now() - olderThanMs;
    const old = [...dead.values()]
      .filter(({ failedAt, reason }) => failedAt <= before && reason !== 'requeued')
      .sort((a, b) => a.failedAt - b.failedAt)
      .slice(0, limit);
    for (const { destination, sequenceId } of old) dead.delete(keyOf(destination, sequenceId));
    return old.length;
  }
}
