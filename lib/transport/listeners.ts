/** Who wants to hear. A listener that throws does not keep the others from hearing. */
export class Listeners<Args extends unknown[]> {
  private readonly listeners = new Set<(...args: Args) => void>();

  /** Returns a function that ends it. */
  add(listener: (...args: Args) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  tell(...args: Args): void {
    for (const listener of this.listeners) {
      try {
        listener(...args);
      } catch {
        // Its own business: a hint is no work.
      }
    }
  }
}
