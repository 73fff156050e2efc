import { macrotask, sleep } from '../time/sleep.js';

/** The minimum time between two sends; notifications in between are merged. */
const GAP_MS = 5;

/**
 * Sends notifications asynchronously. The first is sent at once; those that arrive while it is being sent, or shortly
 * after, are merged. Equal ones are always merged.
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

  /** Resolves once everything added was sent or abandoned. */
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
