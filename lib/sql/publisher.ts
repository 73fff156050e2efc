import { macrotask } from '../time/within.js';
import { sleep } from '../time/sleep.js';

/** At least this long between two sends: what comes in between goes together. */
const GAP_MS = 5;

/**
 * Sends hints off everybody's path. The first goes out at once; those that come while it is under way, or shortly
 * after, become one. Equal ones become one in any case.
 */
export class Publisher {
  private readonly waiting = new Map<string, Set<string>>();
  private sending: Promise<void> | undefined;

  constructor(
    private readonly send: (topic: string, payloads: readonly string[]) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  add(topic: string, payload: string): void {
    const payloads = this.waiting.get(topic) ?? new Set();
    this.waiting.set(topic, payloads.add(payload));
    this.sending ??= this.drain();
  }

  /** Resolves once all that was added has been sent or given up. */
  async idle(): Promise<void> {
    while (this.sending) await this.sending;
  }

  private async drain(): Promise<void> {
    await macrotask();
    while (this.waiting.size > 0) {
      const batch = [...this.waiting];
      this.waiting.clear();
      for (const [topic, payloads] of batch) await this.send(topic, [...payloads]).catch(this.onError);
      await sleep(GAP_MS);
    }
    this.sending = undefined;
  }
}
