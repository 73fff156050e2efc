import { Semaphore } from '../core/loops.js';
import type { StepContext, StepTask } from '../core/protocol.js';
import { type Clock, type Duration, keepingAlive, macrotask, sleep, toMs } from '../core/time.js';
import type { EffectHandlers } from '../effects/handlers.js';
import type { EffectRunner } from '../effects/runner.js';
import type { LocalStepContext, WorkflowContext } from '../engine/context.js';
import type { WaitingFor, WorkflowExplanation } from '../engine/explain.js';
import type { RecordedHistory } from '../engine/play/replay.js';
import { isFinal } from '../engine/run.js';
import { heldRun } from '../engine/starts.memory.js';
import type { StepRecord } from '../engine/step.js';
import type { HeldRun, MemoryTables } from '../engine/tables.memory.js';
import type { TaskDispatcher } from '../engine/tasks.js';
import type { WorkflowDefinition, WorkflowRegistry } from '../engine/workflow.js';
import type { MemoryBackend, MemoryBackendState } from '../memory-backend.js';
import type { EngineRole } from '../nest/engine.providers.js';
import type { ServedStep } from '../nest/explorers.js';
import type { RuntimeParts } from '../nest/runtime.js';
import type { Destination } from '../outbox/destinations.js';
import type { OutboxRelay } from '../outbox/relay.js';
import type { Worker } from '../worker/worker.js';

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

  async drain(over?: AbortSignal): Promise<void> {
    const { writes, stopped = () => false, patienceMs = 10_000 } = this.parts;
    let quiet = 0;
    let seen = writes();
    let nappedMs = 0;
    for (let turn = 1; quiet < QUIET_TURNS && !stopped() && !over?.aborted; turn++) {
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
  private readonly turns = new Semaphore(1);

  constructor(private readonly parts: TimekeeperParts) {}

  /** One after the other: a test may await a result while it advances the clock. */
  drain(over?: AbortSignal): Promise<void> {
    return this.turns.run(() => this.drainOnce(over));
  }

  private async drainOnce(over?: AbortSignal): Promise<void> {
    const { world, effects, outbox } = this.parts;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await world.drain(over);
      if (over?.aborted) return;
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

/** An app that depends on a clock: whether it is idle, and when it continues by itself. */
export interface Timekeeper {
  /** Resolves when nothing can continue without time passing or an outside event, or when nobody waits for that. */
  drain(over?: AbortSignal): Promise<void>;
  /** The next time at which something is due, epoch ms. */
  nextDue(): number | undefined;
}

/** The clock of a testing app: it moves only when a test advances it, and waits for what becomes due. */
export class ManualWorkflowClock implements Clock {
  private readonly turned = new Set<() => void>();
  private keeper: Timekeeper | undefined;

  /** Starts at `time`, epoch ms. Default: the first second of 2026. */
  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  onTurn(listener: () => void): void {
    this.turned.add(listener);
  }

  /**
   * Advances the clock by this duration. Stops at each due time until the app is idle, so that steps see the time at
   * which they would have run.
   *
   * @example
   * await clock.advance('3d');
   *
   * @throws Error that names what is still running, when the app does not become idle
   */
  async advance(duration: Duration): Promise<void> {
    const end = this.time + toMs(duration, 'duration');
    await this.keeper?.drain();
    for (let due = this.dueBy(end); due !== undefined; due = this.dueBy(end)) {
      this.turnTo(due);
      await this.keeper?.drain();
    }
    this.turnTo(end);
    await this.keeper?.drain();
  }

  /** Sets the time without waiting. */
  turnTo(time: number): void {
    this.time = time;
    for (const listener of this.turned) listener();
  }

  /** Makes {@link advance} wait for this timekeeper. */
  keep(keeper: Timekeeper): void {
    this.keeper = keeper;
  }

  private dueBy(end: number): number | undefined {
    const due = this.keeper?.nextDue();
    return due !== undefined && due > this.time && due <= end ? due : undefined;
  }
}

/** An awaited run does not end by itself: the message says what it waits for, and what the test has to do. */
export class RunWaitsError extends Error {
  override readonly name = 'RunWaitsError';
}

interface WaitedParts {
  timekeeper: Timekeeper;
  world: World;
  clock: Clock;
  writes: () => number;
  explain: (id: string) => Promise<WorkflowExplanation>;
}

/** A test may do something else before it sends what a run waits for; runners give it 2 s and more. */
const STILL_MS = 1_000;
const STILL_LOOK_MS = 50;

/** Lets happen what can while a test awaits a result, and tells it when that is not enough. */
export class WaitedResults {
  constructor(private readonly parts: WaitedParts) {}

  /**
   * While somebody waits for run `id`. A caller that `gives` a time learns of it in the end.
   *
   * @throws RunWaitsError once nothing has happened for a second
   */
  async watch(id: string, over: AbortSignal, gives: boolean): Promise<undefined> {
    const { world, timekeeper, writes, clock } = this.parts;
    let seen = '';
    for (let stillMs = 0; !over.aborted; stillMs += STILL_LOOK_MS) {
      // Runs first: a result that is there in a moment makes no call and publishes nothing.
      await world.drain(over).catch(() => undefined);
      await timekeeper.drain(over).catch(() => undefined);
      const now = `${writes()} ${clock.now()}`;
      if (now !== seen || world.moving() !== undefined) stillMs = 0;
      seen = now;
      if (!gives && stillMs >= STILL_MS) throw new RunWaitsError(await this.whyOf(id));
      await sleep(STILL_LOOK_MS, over);
    }
    return undefined;
  }

  private async whyOf(id: string, path: readonly string[] = [id]): Promise<string> {
    const found = await this.parts.explain(id).catch(() => undefined);
    if (!found) return `Run "${id}" does not exist: the transaction that starts it has not committed`;
    if (found.blocked !== null) return found.text;
    const [head] = found.text.split('\n');
    const waits = await Promise.all(found.waitingFor.map((wait) => this.waitOf(wait, path)));
    if (waits.length === 0) return `${head} It waits for something that is no step: a timer, fetch or a query`;
    return `Run "${id}" has not ended, and nothing more happens by itself. It waits for ${waits.join('; and for ')}`;
  }

  private async waitOf(wait: WaitingFor, path: readonly string[]): Promise<string> {
    if ((wait.kind === 'child' || wait.kind === 'run') && wait.id !== null && !path.includes(wait.id))
      return `${wait.text}. ${await this.whyOf(wait.id, [...path, wait.id])}`;
    const unserved = wait.kind === 'task' && wait.group !== null && { name: wait.name, group: wait.group };
    if (unserved && !this.parts.world.serves(unserved)) return unservedText(unserved);
    const todo = [...(isTimed(wait) ? ['turn the clock'] : []), ...(REMEDIES[wait.kind] ?? [])];
    return todo.length === 0 ? wait.text : `${wait.text}: ${todo.join(' or ')}`;
  }
}

const REMEDIES: Partial<Record<WaitingFor['kind'], readonly string[]>> = {
  signal: ['send it'],
  hold: ['lift it'],
};

/** Whether it goes on by itself at some time. */
function isTimed(wait: WaitingFor): boolean {
  if (wait.kind === 'retry') return true;
  if (wait.kind === 'limiter') return wait.openAt !== null;
  if (wait.kind === 'effects') return wait.calls.some(({ nextAttemptAt }) => nextAttemptAt !== null);
  return 'until' in wait && wait.until !== null;
}

/** One execution of a step: an attempt, not a replay. */
export interface StepCall {
  workflowId: string;
  /** `<workflowId>:<seq>`; undefined for a transaction. */
  stepId: string | undefined;
  attempt: number | undefined;
  /** The input of a remote step's handler, or a transaction's handle. */
  input: unknown;
  /** Set once the call has ended. */
  output?: unknown;
  error?: unknown;
}

/** Records the calls of a step, and may replace it. */
export interface StepSpy {
  /** In the order in which they started. */
  readonly calls: readonly StepCall[];
  /** Resolves with the n-th call once it has ended. Default: the first. */
  called(n?: number): Promise<StepCall>;
  /** Runs `work` instead of the step from now on; undefined: the step itself. */
  replace(work: ((input: never, step: never) => unknown) | undefined): void;
}

class Spy implements StepSpy {
  readonly calls: StepCall[] = [];
  private ended = 0;
  private readonly waiting = new Set<() => void>();
  private work: ((input: never, step: never) => unknown) | undefined;

  async called(n = 1): Promise<StepCall> {
    await keepingAlive(async () => {
      while (this.ended < n) await new Promise<void>((resolve) => this.waiting.add(resolve));
    });
    return this.calls[n - 1]!;
  }

  replace(work: ((input: never, step: never) => unknown) | undefined): void {
    this.work = work;
  }

  async run(call: StepCall, step: unknown, original: () => unknown): Promise<unknown> {
    this.calls.push(call);
    try {
      call.output = await (this.work ? this.work(call.input as never, step as never) : original());
      return call.output;
    } catch (error) {
      call.error = error;
      throw error;
    } finally {
      this.ended++;
      for (const resolve of [...this.waiting]) resolve();
      this.waiting.clear();
    }
  }
}

/** Called before every execution of a step, with or without a spy. */
export type OnExecution = (call: StepCall, name: string) => void;

/** The spies of one app, by step name. They wrap the code of steps. */
export class StepSpies {
  onExecution: OnExecution = () => {};
  private readonly byName = new Map<string, Spy>();

  of(name: string): StepSpy {
    const spy = this.byName.get(name) ?? new Spy();
    this.byName.set(name, spy);
    return spy;
  }

  /** Wraps remote steps so that their calls are recorded. */
  watchServed(steps: readonly ServedStep[]): ServedStep[] {
    return steps.map((served) => ({
      ...served,
      run: (input: unknown, step: StepContext) => {
        const { workflowId, stepId, attempt } = step;
        return this.run(served.step.name, { workflowId, stepId, attempt, input }, step, () => served.run(input, step));
      },
    }));
  }

  /** Wraps this workflow so that calls of its local steps and transactions are recorded. */
  watchWorkflow(definition: WorkflowDefinition): void {
    const { runner } = definition;
    definition.runner = { run: (ctx, input) => runner.run(this.watched(ctx), input) };
  }

  private watched(ctx: WorkflowContext): WorkflowContext {
    const step: WorkflowContext['step'] = (name, work, options) =>
      ctx.step(
        name,
        (local: LocalStepContext) => {
          const { workflowId, stepId, attempt } = local;
          const call = { workflowId, stepId, attempt, input: undefined };
          return this.run(name, call, local, () => work(local)) as ReturnType<typeof work>;
        },
        options,
      );
    const transaction: WorkflowContext['transaction'] = (name, work, options) =>
      ctx.transaction(
        name,
        (handle: never) => {
          const call = { workflowId: ctx.workflowId, stepId: undefined, attempt: undefined, input: handle };
          return this.run(name, call, handle, () => work(handle)) as ReturnType<typeof work>;
        },
        options,
      );
    return { ...ctx, step, transaction };
  }

  private run(name: string, call: StepCall, step: unknown, original: () => unknown): unknown {
    this.onExecution(call, name);
    const spy = this.byName.get(name);
    return spy ? spy.run(call, step, original) : original();
  }
}

/** A time by which everything recorded had happened, epoch ms. */
export function endOf({ run, steps }: RecordedHistory): number {
  const times = steps.flatMap(({ createdAt, startedAt, finishedAt }) => [createdAt, startedAt ?? 0, finishedAt ?? 0]);
  return Math.max(run.since, ...times) + 1;
}

/**
 * Puts a run among the due runs, with the outcomes of its history as its own. Steps without an outcome are asked for
 * again; with `from`, so are the steps that ended later than the step at that position.
 */
export function continueHistory(
  tables: MemoryTables,
  history: RecordedHistory,
  { namespace, now, from }: { namespace: string; now: number; from: number | undefined },
): void {
  const { id, workflow, version, input, firstSeq, context } = history.run;
  const steps = outcomesBefore(history.steps, from);
  const identity = { id, namespace, workflow, version, input: input ?? 'null', priority: 0, delayMs: 0 };
  const asked = { ...identity, ...(context !== undefined && { context }) };
  const settled = Math.max(0, ...steps.map((step) => step.settled ?? 0));
  // The history of a run that was never claimed is not read. A run that has nothing to undo ends the same with `unwinds`.
  const played = { status: 'suspended', epoch: 1, startedAt: now, unwinds: true } as const;
  tables.runs.set(id, { ...heldRun(asked, now), ...played, firstSeq, settled });
  tables.steps.set(id, new Map(steps.map((step) => [step.seq, { ...step }])));
  tables.tellDue();
}

/** Markers have no outcome: they are kept with the positions before them. */
function outcomesBefore(steps: readonly StepRecord[], from = Number.POSITIVE_INFINITY): StepRecord[] {
  const end = steps.find(({ seq }) => seq === from)?.settled ?? Number.POSITIVE_INFINITY;
  const ours = steps.filter(({ seq }) => seq >= 0 && seq < from);
  return ours.filter(({ kind, settled }) => (settled === null ? kind === 'marker' : settled < end));
}

/** What decides which remote steps an app serves, in which groups. */
type Served = Pick<RuntimeParts, 'settings' | 'steps'>;

export const unservedText = ({ name, group }: Pick<StepTask, 'name' | 'group'>): string =>
  `the remote step "${name}" of group "${group}", which nothing in this test serves: pass a @Worker({ group: '${group}' }) ` +
  `with a @RemoteStep('${name}') that stands for the program that serves it`;

/**
 * Warns once of each remote step that nothing serves, when its task is written. Not an error: a test may be about the
 * timeout of such a step.
 */
export class UnservedSteps {
  private readonly told = new Set<string>();

  /** `served` is called once an app runs on the backend. */
  constructor(private readonly served: () => Served) {}

  /** The same backend, whose tasks are looked at. */
  watched(backend: MemoryBackend): MemoryBackend {
    const { dispatcher, ...ports } = backend.engine;
    const dispatch: TaskDispatcher['dispatch'] = (tasks, tx) => {
      for (const task of tasks) if (!this.isServed(task)) this.tell(task);
      return dispatcher.dispatch(tasks, tx);
    };
    const watching = new Proxy(dispatcher, {
      get: (target, name): unknown => (name === 'dispatch' ? dispatch : Reflect.get(target, name, target)),
    });
    return { ...backend, engine: { ...ports, dispatcher: watching } };
  }

  private isServed({ name, group }: StepTask): boolean {
    const { settings, steps } = this.served();
    const { worker } = settings;
    if (worker === false) return false;
    return steps.some(({ step }) => step.name === name && (worker.groups ?? [step.group]).includes(group));
  }

  private tell(task: StepTask): void {
    const text = unservedText(task);
    if (this.told.has(text)) return;
    this.told.add(text);
    process.emitWarning(`Run "${task.runId}" waits for ${text}`, { type: 'DurableTestingWarning' });
  }
}
