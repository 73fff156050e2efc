export type TopicListener = (payload: string | undefined) => void;

/** The listeners of each topic in this process. One that throws does not affect the others. */
export class Subscribers {
  private readonly listeners = new Map<string, Set<TopicListener>>();

  constructor(private readonly onError: (error: unknown) => void) {}

  get topics(): string[] {
    return [...this.listeners.keys()];
  }

  has(topic: string): boolean {
    return this.listeners.has(topic);
  }

  /** Returns a function that removes only this subscription, even if the listener has others. */
  add(topic: string, listener: TopicListener): () => void {
    const own: TopicListener = (payload) => listener(payload);
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.listeners.get(topic) === listeners) this.listeners.delete(topic);
    };
  }

  tell(topic: string, payload: string | undefined): void {
    for (const listener of this.listeners.get(topic) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        this.onError(error);
      }
    }
  }

  /** Notifications may have been lost: all listeners read everything. */
  tellAll(): void {
    for (const topic of this.topics) this.tell(topic, undefined);
  }
}
