import type { Telemetry } from './telemetry.js';
import type { TelemetryEvents } from './telemetry-events.js';

/** Names beyond these are counted as one: names come from users, and some make one for each customer. */
const MOST_NAMES = 200;
const OTHER = 'other';

const ENDED = new Set(['completed', 'failed', 'cancelled', 'compensation_failed']);

type Event<Name extends keyof TelemetryEvents> = TelemetryEvents[Name];

/** Counts what happens in this process, by kind and name: `run.completed order`, `step.failed charge`. */
export class MinuteCounts {
  /** By kind, then by name: keys in one piece would be built for every step. */
  private counts = new Map<string, Map<string, number>>();
  private names = 0;
  private readonly stops: (() => void)[];

  constructor(telemetry: Telemetry) {
    const on = <Name extends keyof TelemetryEvents>(name: Name, count: (event: Event<Name>) => void) =>
      telemetry.on(name, count);
    this.stops = [
      on('run.left', ({ status, reason, workflow }) => {
        if (ENDED.has(status)) this.add(`run.${status}`, workflow);
        else if (reason !== undefined) this.add('run.blocked', workflow);
      }),
      on('tasks.dispatched', ({ group, count }) => this.add('group.in', group, count)),
      on('task.completed', ({ name, group, durationMs }) => {
        this.add('step.completed', name);
        this.add('step.ms', name, Math.round(durationMs));
        this.add('group.out', group);
      }),
      on('task.failed', ({ name, group }) => {
        this.add('step.failed', name);
        this.add('group.out', group);
      }),
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
    const taken = [...this.counts].flatMap(([kind, names]) =>
      [...names].map(([name, count]) => [`${kind} ${name}`, count] as const),
    );
    this.counts = new Map();
    this.names = 0;
    return Object.fromEntries(taken);
  }

  /** Counts again what was taken and could not be written. */
  giveBack(taken: Readonly<Record<string, number>>): void {
    for (const [key, count] of Object.entries(taken)) {
      const end = key.indexOf(' ');
      this.add(key.slice(0, end), key.slice(end + 1), count);
    }
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  private add(kind: string, name: string, by = 1): void {
    const names = this.counts.get(kind) ?? new Map<string, number>();
    if (names.size === 0) this.counts.set(kind, names);
    const count = names.get(name);
    if (count !== undefined) return void names.set(name, count + by);
    const key = this.names < MOST_NAMES ? name : OTHER;
    if (!names.has(key)) this.names++;
    names.set(key, (names.get(key) ?? 0) + by);
  }
}
