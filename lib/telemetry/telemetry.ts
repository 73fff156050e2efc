import { type Channel, channel } from 'node:diagnostics_channel';
import { EVENT_NAMES } from './event-names.js';
import type { TelemetryEvents } from './telemetry-events.js';
import type { TracedWork, Tracing } from './tracing.js';
import { WORK_CHANNELS } from './work-channels.js';

export type TelemetryListener<Name extends keyof TelemetryEvents> = (event: TelemetryEvents[Name]) => void;

type AnyListener = (event: unknown) => void;

/** Held for the life of the process: Node keeps a channel that nobody holds only while it has subscribers. */
const CHANNELS = new Map<keyof TelemetryEvents, Channel>(
  EVENT_NAMES.map((name) => [name, channel(`nest-durable:${name}`)]),
);

/**
 * Calls listeners of events, then publishes them in `node:diagnostics_channel`. Errors of a listener are ignored, and it
 * is never awaited.
 */
export class Telemetry {
  /** Makes spans; undefined without OpenTelemetry. */
  tracing: Tracing | undefined;
  private readonly listeners = new Map<keyof TelemetryEvents, Set<AnyListener>>();

  /** Returns a function that removes the listener. */
  on<Name extends keyof TelemetryEvents>(name: Name, listener: TelemetryListener<Name>): () => void {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners);
    listeners.add(listener as AnyListener);
    return () => void listeners.delete(listener as AnyListener);
  }

  /** Whether somebody listens to the event; if not, it need not be built. */
  hears(name: keyof TelemetryEvents): boolean {
    return (this.listeners.get(name)?.size ?? 0) > 0 || CHANNELS.get(name)!.hasSubscribers;
  }

  emit<Name extends keyof TelemetryEvents>(name: Name, event: TelemetryEvents[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) {
      try {
        const returned = listener(event) as unknown;
        // Rejections of async listeners are ignored like errors.
        if (isThenable(returned)) void Promise.resolve(returned).catch(() => {});
      } catch {
        // Ignored: see above.
      }
    }
    const published = CHANNELS.get(name)!;
    if (published.hasSubscribers) this.openly(() => published.publish(event));
  }

  /** Calls work of the app, within its span and between the events of its channel if somebody wants them. */
  around<T>(
    kind: keyof typeof WORK_CHANNELS,
    told: () => Omit<TracedWork, 'kind'>,
    run: () => T | Promise<T>,
  ): T | Promise<T> {
    const { tracing } = this;
    const channel = WORK_CHANNELS[kind];
    if (!tracing && !channel.hasSubscribers) return run();
    const work = { kind, ...told() };
    // In the span, so that subscribers see it.
    const published = () => (channel.hasSubscribers ? channel.tracePromise(async () => run(), { ...work }) : run());
    return tracing ? tracing.around(work, published) : published();
  }

  /** Calls work of ours whose statements nobody wants to see as spans. */
  quietly<T>(work: () => T): T {
    return this.tracing ? this.tracing.quietly(work) : work();
  }

  /** Calls code of the app that has no span of its own, from work that is quiet. */
  openly<T>(work: () => T): T {
    return this.tracing ? this.tracing.openly(work) : work();
  }
}

const isThenable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
