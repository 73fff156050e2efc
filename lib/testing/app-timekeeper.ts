import type { EffectHandlers } from '../effects/effect-handlers.js';
import type { EffectRunner } from '../effects/runner/effect-runner.js';
import type { MemoryBackendState } from '../memory-backend/memory-backend.js';
import type { Destination } from '../outbox/model/destination.js';
import type { OutboxRelay } from '../outbox/relay/outbox-relay.js';
import type { Clock } from '../time/clock.js';
import type { Timekeeper } from './manual-workflow-clock.js';
import type { World } from './world.js';

export interface TimekeeperParts {
  world: World;
  state: MemoryBackendState;
  clock: Clock;
  /** Undefined if the app has no effects. */
  effects: { runner: Pick<EffectRunner, 'runOnce'>; handlers: Pick<EffectHandlers, 'has'> } | undefined;
  /** Undefined if the app has no outbox publishers. */
  outbox: { relay: Pick<OutboxRelay, 'runOnce'>; destinations: Iterable<Destination> } | undefined;
}

/** Stops endless loops of runs, events and calls that cause each other. */
const MOST_ROUNDS = 10_000;

/** Waits until a whole app is idle: workflows, the events they published, the calls they enqueued, and so on. */
export class AppTimekeeper implements Timekeeper {
  constructor(private readonly parts: TimekeeperParts) {}

  async drain(): Promise<void> {
    const { world, effects, outbox } = this.parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await world.drain();
      const published = (await outbox?.relay.runOnce()) ?? 0;
      const called = (await effects?.runner.runOnce()) ?? 0;
      if (published + called === 0 && world.moving() === undefined) return;
    }
    throw new Error('The app does not become idle: there are always events to publish, or calls to make');
  }

  nextDue(): number | undefined {
    const now = this.parts.clock.now();
    const times = [this.parts.world.nextDue(), ...this.callTimes(), ...this.eventTimes()];
    const due = times.filter((time): time is number => typeof time === 'number' && time > now);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  private callTimes(): (number | null)[] {
    const { effects, state } = this.parts;
    if (!effects) return [];
    const open = [...state.effects.entries.values()].filter(({ finishedAt }) => finishedAt === null);
    return open.filter(({ handler }) => effects.handlers.has(handler)).map(({ dueAt }) => dueAt);
  }

  private eventTimes(): (number | undefined)[] {
    const { outbox, state } = this.parts;
    return [...(outbox?.destinations ?? [])].flatMap(({ name }) =>
      [...state.events.pending.keys()].map((channel) => state.events.channel(name, channel).availableAt),
    );
  }
}
