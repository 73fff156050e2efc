export type TopicListener = (payload: string | undefined) => void;

/** Who listens to which topic in this process. A listener that throws hurts nobody but itself. */
export class Subscribers {
  private readonly listeners = new Map<string, Set<TopicListener>>();

  constructor(private readonly onError: (error: unknown) => void) {}

  get topics(): string[] {
    return [...this.listeners.keys()];
  }

  has(topic: string): boolean {
    return this.listeners.has(topic);
  }

  /** Returns a function that removes this subscription, and no other of the same listener. */
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

  /** Hints may have been lost: everybody looks at everything. */
  tellAll(): void {
    for (const topic of this.topics) this.tell(topic, undefined);
  }
}
