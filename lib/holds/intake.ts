import type { Held } from './held-names.js';
import type { HoldKind } from './hold.js';

/** What this process must not begin: what is held, and while it drains, everything. */
export class Intake implements Held {
  private draining = false;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly held: Held) {}

  /** Whether it begins nothing new. */
  get isDraining(): boolean {
    return this.draining;
  }

  /** Called with what each heartbeat has heard. */
  drain(draining: boolean): void {
    if (this.draining === draining) return;
    this.draining = draining;
    for (const listener of this.listeners) listener();
  }

  isHeld(kind: HoldKind, name: string): boolean {
    return this.draining || this.held.isHeld(kind, name);
  }

  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    const unsubscribe = this.held.onChanged(listener);
    return () => {
      this.listeners.delete(listener);
      unsubscribe();
    };
  }

  look(): Promise<void> {
    return this.held.look();
  }
}
