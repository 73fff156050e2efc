import type { Telemetry } from './telemetry.js';
import type { TelemetryEvents } from './telemetry-events.js';

/** Names beyond these are counted as one: names come from users, and some make one for each customer. */
const MOST_NAMES = 200;
const OTHER = 'other';

const ENDED = new Set(['completed', 'failed', 'cancelled', 'compensation_failed']);

type Event<Name extends keyof TelemetryEvents> = TelemetryEvents[Name];

/** Counts what happens in this process, by kind and name: `run.completed order`, `step.failed charge`. */
export class MinuteCounts {
  private counts = new Map<string, number>();
  private readonly stops: (() => void)[];

  constructor(telemetry: Telemetry) {
    const on = <Name extends keyof TelemetryEvents>(name: Name, count: (event: Event<Name>) => void) =>
      telemetry.on(name, count);
    this.stops = [
      on('run.left', ({ status, reason, workflow }) => {
        if (ENDED.has(status)) this.add(`run.${status}`, workflow);
        else if (reason !== undefined) this.add('run.blocked', workflow);
      }),
      on('task.completed', ({ name, durationMs }) => {
        this.add('step.completed', name);
        this.add('step.ms', name, Math.round(durationMs));
      }),
      on('task.failed', ({ name }) => this.add('step.failed', name)),
      on('schedule.fired', ({ workflow, runIds }) => this.add('schedule.fired', workflow, runIds.length)),
      on('outbox.delivered', ({ destination, events }) => this.add('outbox.delivered', destination, events)),
      on('outbox.failed', ({ destination }) => this.add('outbox.failed', destination)),
      on('effects.succeeded', ({ handler }) => this.add('effect.succeeded', handler)),
      on('effects.failed', ({ handler }) => this.add('effect.failed', handler)),
      on('effects.abandoned', ({ handler }) => this.add('effect.abandoned', handler)),
      on('loop.error', ({ loop }) => this.add('error', loop)),
    ];
  }

  /** Returns what was counted since the last call. */
  take(): Record<string, number> {
    const taken = Object.fromEntries(this.counts);
    this.counts = new Map();
    return taken;
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  private add(kind: string, name: string, by = 1): void {
    const known = `${kind} ${name}`;
    const key = this.counts.has(known) || this.counts.size < MOST_NAMES ? known : `${kind} ${OTHER}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + by);
  }
}
