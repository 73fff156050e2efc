import { type Held, NOTHING_HELD } from '../holds/held-names.js';
import { LeaseKeeper } from '../leasing/lease-keeper.js';
import { UnservedWatch } from '../leasing/unserved-watch.js';
import type { Codec } from '../protocol/codec.js';
import type { ErrorRules } from '../protocol/error-rules.js';
import { StoredTexts } from '../protocol/stored-texts.js';
import type { LogText } from '../protocol/log-line.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { Clock } from '../time/clock.js';
import { type Loops, PollLoop } from '../time/poll-loop.js';
import { sleep } from '../time/sleep.js';
import { ClaimPlanner, Slots } from './claim-planner.js';
import type { HandlerRegistry } from './handler-registry.js';
import { type LostAttempts, lossesOf } from './lost-attempts.js';
import { Reporter } from './reporter.js';
import { StepLogKeeper, type StepLogSink } from './step-log-keeper.js';
import { TaskLives } from './task-lives.js';
import { TaskRunner, type TaskRunnerOptions } from './task-runner.js';
import type { Claim, ClaimedTask, TaskSource } from './task-source.js';
import type { UnservedTasks } from './waiting-tasks.js';
import { keyOfTasks, UnclaimedTasks } from './unclaimed-tasks.js';

export interface WorkerOptions {
  /** Unique per process. */
  workerId: string;
  /** The maximum number of concurrent handlers. */
  concurrency: number;
  /** The maximum number of tasks per claim. */
  batchSize: number;
  leaseMs: number;
  /** The maximum time between two polls for tasks. */
  pollMs: number;
  /** How long `stop` waits for running handlers. */
  shutdownTimeoutMs: number;
  /** The maximum size of an output in bytes of JSON. */
  payloadLimit: number;
  /** A task fails as a crash loop when this many attempts in a row were lost. */
  maxClaims: number;
  codec: Codec;
  /** What of errors is recorded. Default: everything but stacks. */
  errors?: ErrorRules;
  /** The clock of timestamps. */
  clock: Clock;
  /** Measures elapsed time, which decides whether leases have expired. Default: `clock`. */
  elapsed?: Clock;
  telemetry: Telemetry;
  /** Reads what the runs of these tasks carry. */
  contextOf?: TaskRunnerOptions['contextOf'];
  /** The groups whose tasks must not be claimed now. Default: none. */
  held?: Held;
  /** Whether it tells of tasks in its groups that it has no handler for. Default: something else does. */
  watchesUnserved?: boolean;
  /** Stores handlers' log lines with their steps. Default: lines are only emitted as telemetry. */
  logs?: StepLogSink;
  /** Stores attempts whose workers died, and counts them. Default: the numbers of attempts are taken as the count. */
  lostAttempts?: LostAttempts;
}

/** How often claims are compared with their rows if no notification reports withdrawn tasks. */
const COMPARE_EVERY_MS = 1_000;

/** Claims as many tasks as it has free slots, for all its groups at once, and handles each until it is answered. */
export class Worker {
  private readonly slots: Slots;
  private readonly planner: ClaimPlanner;
  private readonly keeper: LeaseKeeper<Claim>;
  private readonly comparing: PollLoop;
  private readonly reporter: Reporter;
  private readonly lives: TaskLives;
  private readonly loop: PollLoop;
  private readonly unserved: UnservedWatch<UnservedTasks> | undefined;
  private readonly lines: StepLogKeeper | undefined;
  private readonly texts: StoredTexts;
  private stopping = false;
  private unsubscribe = (): void => {};

  constructor(
    private readonly source: TaskSource,
    handlers: HandlerRegistry,
    private readonly options: WorkerOptions,
  ) {
    const { leaseMs, clock, elapsed = clock, telemetry, codec, payloadLimit, concurrency, maxClaims } = options;
    const { held = NOTHING_HELD } = options;
    this.texts = new StoredTexts(codec, options.errors);
    const failed = (loop: string) => (error: unknown) => telemetry.emit('loop.error', { loop, error });
    this.slots = new Slots(concurrency);
    this.planner = new ClaimPlanner(handlers, this.slots, clock, (group) => held.isHeld('group', group));
    this.keeper = new LeaseKeeper({
      keyOf: ({ stepId }) => stepId,
      extend: async (leases) => (await source.extend(leases.map(({ claim }) => claim))).map((claim) => ({ claim })),
      onError: failed('worker.extend'),
      clock: elapsed,
    });
    const onError = failed('worker.revocations');
    this.comparing = new PollLoop(() => this.compare(), { maxMs: COMPARE_EVERY_MS, onError });
    this.reporter = new Reporter(source, telemetry);
    const beatIfDue = ({ claim }: ClaimedTask) => this.keeper.beatIfDue(claim);
    this.lines = options.logs && new StepLogKeeper(options.logs, telemetry);
    const keepLine = ({ runId, seq, attempt }: ClaimedTask, line: LogText) =>
      this.lines?.keep({ runId, seq, attempt, ...line, loggedAt: clock.now() });
    const { texts } = this;
    const runner = new TaskRunner({
      clock,
      elapsed,
      codec,
      texts,
      telemetry,
      payloadLimit,
      beatIfDue,
      ...(this.lines && { keepLine }),
      ...(options.contextOf && { contextOf: options.contextOf }),
    });
    this.lives = new TaskLives(
      { source, handlers, runner, keeper: this.keeper, reporter: this.reporter, slots: this.slots },
      { leaseMs, maxClaims, telemetry, onFreed: () => this.planner.expectsMore && this.loop.wake() },
    );
    this.unserved = options.watchesUnserved ? unservedWatch(source, handlers, options) : undefined;
    this.loop = new PollLoop(() => this.tick(), {
      maxMs: options.pollMs,
      live: () => source.live,
      onError: failed('worker.claim'),
    });
  }

  start(): void {
    this.unsubscribe();
    const stops = [
      this.source.onTasks((groups) => this.wake(groups)),
      this.options.held?.onChanged(() => this.wake()),
      this.source.onWithdrawn?.((stepIds) => void this.keeper.beatIfHeld(stepIds)),
    ];
    this.unsubscribe = () => stops.forEach((stop) => stop?.());
    this.loop.start();
    this.comparing.start();
  }

  /** Without groups: any may have tasks. */
  wake(groups?: readonly string[]): void {
    if (this.planner.wake(groups)) this.loop.wake();
  }

  get loops(): Loops {
    return { 'worker.claims': this.loop, 'worker.revocations': this.comparing };
  }

  /** The number of running handlers. */
  get running(): number {
    return this.lives.running;
  }

  /**
   * Stops claiming, releases tasks that have not started, waits up to `shutdownTimeoutMs` for running handlers, and
   * releases the rest. After it resolves, this worker sends nothing to the storage.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unsubscribe();
    const deadline = new AbortController();
    const timeout = sleep(this.options.shutdownTimeoutMs, deadline.signal);
    await Promise.all([this.loop.stop(), this.lives.releaseUnstarted()]);
    await Promise.race([this.lives.idle(), timeout]);
    await this.lives.abandon();
    deadline.abort();
    await this.reporter.stop();
    await this.lines?.idle();
    await this.comparing.stop();
    await this.keeper.stop();
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    await this.unserved?.look();
    const plan = this.planner.plan(this.free);
    if (!plan || this.stopping) return 'idle';
    const { workerId, leaseMs, telemetry } = this.options;
    const askedAt = this.keeper.now();
    const tasks = await this.source.claim({ ...plan, workerId, leaseMs });
    if (telemetry.hears('claim.made'))
      telemetry.emit('claim.made', { what: 'tasks', count: tasks.length, durationMs: this.keeper.now() - askedAt });
    // Before they begin: a task that kills this process at once counts, too.
    const losses = await lossesOf(tasks, this.options.lostAttempts, { telemetry, texts: this.texts });
    if (this.stopping) await this.lives.release(tasks, 'shutdown');
    else if (this.keeper.isOver(askedAt, leaseMs)) await this.lives.release(tasks, 'late');
    else this.lives.begin(tasks, askedAt, losses);
    this.planner.learn(plan, tasks);
    if (tasks.length >= plan.limit || this.planner.hasPromising) return 'busy';
    return tasks.length > 0 ? 'active' : 'idle';
  }

  /**
   * Without notifications, a handler would notice a withdrawn task only when its lease is renewed. So claims are
   * compared with their rows in between: one read by key, only while some are held.
   */
  private async compare(): Promise<'idle'> {
    if (!this.source.live) await this.keeper.compare((claims) => this.source.lostClaims(claims));
    return 'idle';
  }

  /** Unwritten answers that pile up also hold back claims. */
  private get free(): number {
    const backlog = Math.max(0, this.reporter.pending - this.options.concurrency);
    return Math.min(this.slots.free - backlog, this.options.batchSize);
  }
}

/** Of tasks in the worker's groups that it has no handler for, and that no other worker begins. */
function unservedWatch(source: TaskSource, handlers: HandlerRegistry, { telemetry, clock }: WorkerOptions) {
  const unclaimed = new UnclaimedTasks({ source, groups: () => handlers.groups, clock });
  const isServed = (tasks: UnservedTasks) => handlers.names.includes(tasks.name) || unclaimed.wasClaimed(tasks);
  return new UnservedWatch<UnservedTasks>({
    find: async (olderThanMs) => {
      const found = await unclaimed.look(olderThanMs);
      return { items: found.filter((tasks) => !isServed(tasks)), isServed };
    },
    keyOf: keyOfTasks,
    tell: (found) => telemetry.emit('task.unserved', { ...found, why: 'this worker has no handler for them' }),
    clock,
  });
}
