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
  /** Undefined where the app has no effects. */
  effects: { runner: Pick<EffectRunner, 'runOnce'>; handlers: Pick<EffectHandlers, 'has'> } | undefined;
  /** Undefined where the app publishes nothing. */
  outbox: { relay: Pick<OutboxRelay, 'runOnce'>; destinations: Iterable<Destination> } | undefined;
}

/** What begets itself without end is no test's intention. */
const MOST_ROUNDS = 10_000;

/** Brings a whole app to rest: its workflows, then what they published and the calls they left to make, and so on. */
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
    throw new Error('It does not come to rest: there are always events to publish, or calls to make');
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
