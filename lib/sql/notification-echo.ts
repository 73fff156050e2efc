import { macrotask } from '../time/macrotask.js';
import { sleep } from '../time/sleep.js';
import { answerWithin } from './answer-within.js';

/**
 * Whether what one connection says is heard by another. A pooler that lends its connections for single transactions takes
 * a LISTEN like any statement, forwards nothing, and answers every other question as if all were well.
 */
export class NotificationEcho {
  private waiting = new AbortController();
  private heard = false;

  /** What was said has come back. */
  hear(): void {
    this.heard = true;
    this.waiting.abort('heard');
  }

  /** @throws what `say` throws, and a DatabaseError when it takes longer than `ms`. */
  async comesBack(say: () => Promise<unknown>, ms: number, over: AbortSignal): Promise<boolean> {
    const waiting = (this.waiting = new AbortController());
    const end = () => waiting.abort('over');
    this.heard = false;
    over.addEventListener('abort', end);
    if (over.aborted) end();
    try {
      await answerWithin(ms, Promise.race([say(), sleep(2 * ms, waiting.signal)]));
      await sleep(ms, waiting.signal);
      // It may have come while the event loop stood still.
      await macrotask();
      return this.heard;
    } finally {
      over.removeEventListener('abort', end);
      end();
    }
  }
}
