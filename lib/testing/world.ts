import type { EngineRole } from '../module/engine.providers.js';
import type { HeldRun } from '../engine/tables/memory-tables.js';
import { isFinal } from '../engine/model/run.js';
import type { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import type { ServedStep } from '../explorers/workflow.explorer.js';
import type { MemoryBackendState } from '../memory-backend/memory-backend.js';
import { macrotask, sleep } from '../time/sleep.js';
import type { Clock } from '../time/clock.js';
import type { Worker } from '../worker/worker.js';
import type { Timekeeper } from './manual-workflow-clock.js';
import type { StepTask } from '../protocol/step.js';
import type { EffectHandlers } from '../effects/effect-handlers.js';
import type { EffectRunner } from '../effects/runner/effect-runner.js';
import type { Destination } from '../outbox/model/destination.js';
import type { OutboxRelay } from '../outbox/relay/outbox-relay.js';

export interface WorldParts {
  state: MemoryBackendState;
  clock: Clock;
  workflows: WorkflowRegistry;
  steps: readonly ServedStep[];
  engine: EngineRole | undefined;
  workers: readonly Worker[];
  /** The number of writes so far. */
  writes: () => number;
  /** Whether the process has died: then `drain` does not wait. */
  stopped?: () => boolean;
  /** The maximum real time until it is idle, in ms. Default 10,000. */
  patienceMs?: number;
}

/** Idle after this many turns of the event loop without a write or pending work. */
const QUIET_TURNS = 25;
/** Short waits of the engine use real time. */
const NAP_EVERY_TURNS = 50;

/** An engine and its workers in memory; detects when they are idle. */
export class World implements Timekeeper {
  constructor(private readonly parts: WorldParts) {}

  async drain(): Promise<void> {
    const { writes, stopped = () => false, patienceMs = 10_000 } = this.parts;
    let quiet = 0;
    let seen = writes();
    let nappedMs = 0;
    for (let turn = 1; quiet < QUIET_TURNS && !stopped(); turn++) {
      await macrotask();
      const moving = this.moving();
      quiet = moving === undefined && writes() === seen ? quiet + 1 : 0;
      seen = writes();
      if (moving === undefined || turn % NAP_EVERY_TURNS !== 0) continue;
      await sleep(1);
      if (++nappedMs > patienceMs) throw new Error(`The app does not become idle: ${moving}`);
    }
  }

  /** What can continue without time passing or an outside event; undefined when nothing can. */
  moving(): string | undefined {
    const { engine, workers, state, clock } = this.parts;
    const busy = engine?.engine.residents.all().find((activation) => !activation.idle && !activation.closed);
    if (busy) return `run "${busy.run.id}" executes a step or its code`;
    if (engine?.secondPlays?.busy) return 'a run is played a second time';
    if ((engine?.shared.timers.next ?? Number.POSITIVE_INFINITY) <= clock.now()) return 'a timer is about to fire';
    if (workers.some(({ running }) => running > 0)) return 'a remote step runs';
    const due = [...state.tables.runs.values()].find((run) => this.plays(run) && isDue(run, clock.now()));
    if (due) return `run "${due.id}" is due`;
    const task = [...state.rows.tasks.values()].find((queued) => this.serves(queued));
    if (task) return `a worker will run "${task.name}" (${task.stepId})`;
    const answer = [...state.rows.answers.values()].find(({ runId }) => this.collects(state.tables.runs.get(runId)));
    return answer && `run "${answer.runId}" will get an answer (${answer.stepId})`;
  }

  /** Whether a worker runs this remote step. */
  serves({ name, group }: Pick<StepTask, 'name' | 'group'>): boolean {
    const { workers, steps } = this.parts;
    return workers.length > 0 && steps.some(({ step }) => step.name === name && step.group === group);
  }

  /** A remote step of a run that no worker runs. */
  unserved(id: string): StepTask | undefined {
    return [...this.parts.state.rows.tasks.values()].find((task) => task.runId === id && !this.serves(task));
  }

  /** The id of a run that has not ended. */
  unfinished(): string | undefined {
    return [...this.parts.state.tables.runs.values()].find(({ status }) => !isFinal(status))?.id;
  }

  nextDue(): number | undefined {
    const { engine, state, clock } = this.parts;
    const { runs, steps, schedules } = state.tables;
    const times = [
      ...[...runs.values()].filter((run) => this.plays(run)).flatMap(({ wakeAt, deadline }) => [wakeAt, deadline]),
      ...[...steps].flatMap(([runId, history]) =>
        this.plays(runs.get(runId))
          ? [...history.values()].map(({ settled, wakeAt }) => (settled === null ? wakeAt : null))
          : [],
      ),
      ...[...schedules.values()].map(({ nextAt }) => nextAt),
      engine?.shared.timers.next ?? null,
    ].filter((time): time is number => time !== null && time > clock.now());
    return times.length === 0 ? undefined : Math.min(...times);
  }

  private collects(run: HeldRun | undefined): boolean {
    return this.parts.engine !== undefined && run !== undefined && !isFinal(run.status);
  }

  private plays(run: HeldRun | undefined): boolean {
    const { engine, workflows } = this.parts;
    return (
      engine !== undefined &&
      run !== undefined &&
      !isFinal(run.status) &&
      workflows.find(run.workflow, run.version) !== undefined
    );
  }
}

const isDue = ({ owner, wakeAt, turn, status, precondition }: HeldRun, now: number): boolean =>
  owner === null &&
  ((wakeAt !== null && wakeAt <= now) || (turn !== null && status === 'pending' && precondition === null));

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
