import type { TelemetryEvents } from './events.js';

export type TelemetryListener<Name extends keyof TelemetryEvents> = (event: TelemetryEvents[Name]) => void;

type AnyListener = (event: unknown) => void;

/** Tells whoever listens what happened. A listener that fails breaks nothing, and nobody waits for one. */
export class Telemetry {
  private readonly listeners = new Map<keyof TelemetryEvents, Set<AnyListener>>();

  /** Answers a function that ends it. */
  on<Name extends keyof TelemetryEvents>(name: Name, listener: TelemetryListener<Name>): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners);
    listeners.add(listener as AnyListener);
    return () => void listeners.delete(listener as AnyListener);
  }

  /** Whether anybody listens: an event nobody hears need not be made up. */
  hears(name: keyof TelemetryEvents): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0;
  }

  emit<Name extends keyof TelemetryEvents>(name: Name, event: TelemetryEvents[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      try {
        // An async listener's rejection is as much its own business as what it throws.
        void Promise.resolve(listener(event) as unknown).catch(() => {});
      } catch {
        // See above.
      }
    }
  }
}
