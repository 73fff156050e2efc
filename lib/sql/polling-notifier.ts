import type { Notifier } from './notifier.js';
import { Subscribers, type TopicListener } from './subscribers.js';

/** Where databases cannot notify: hints stay in this process, and all others find out by polling. */
export class PollingNotifier implements Notifier {
  readonly live = false;
  private readonly subscribers: Subscribers;

  constructor(onError: (error: unknown) => void) {
    this.subscribers = new Subscribers(onError);
  }

  statement(): undefined {
    return undefined;
  }

  hears(topic: string): boolean {
    return this.subscribers.has(topic);
  }

  local(topic: string, payload: string): void {
    this.subscribers.tell(topic, payload);
  }

  publish(): void {
    // Nobody could hear it.
  }

  subscribe(topic: string, listener: TopicListener): () => void {
    return this.subscribers.add(topic, listener);
  }

  start(): void {
    // Nothing to connect.
  }

  async stop(): Promise<void> {
    // Nothing to end.
  }
}
