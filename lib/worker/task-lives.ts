import { Cancellation } from '../leasing/cancellation.js';
import type { Lease, LeaseKeeper } from '../leasing/lease-keeper.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { TaskEvent, TelemetryEvents } from '../telemetry/telemetry-events.js';
import type { HandlerRegistry, RegisteredHandler } from './handler-registry.js';
import type { Reporter } from './reporter.js';
import type { Slots } from './claim-planner.js';
import { failed, type StepOutcome } from './step-answer.js';
import type { TaskRunner } from './task-runner.js';
import type { Claim, ClaimedTask, TaskSource } from './task-source.js';

export interface TaskLivesParts {
  source: Pick<TaskSource, 'release'>;
  handlers: HandlerRegistry;
  runner: TaskRunner;
  keeper: LeaseKeeper<Claim>;
  reporter: Reporter;
  slots: Slots;
}

export interface TaskLivesOptions {
  leaseMs: number;
  maxClaims: number;
  telemetry: Telemetry;
  /** Called when another task may start. */
  onFreed: () => void;
}

interface Life {
  task: ClaimedTask;
  handler: RegisteredHandler;
  control: Cancellation;
  lease: Lease<Claim>;
  /** Another worker holds the lease, or this process released it. */
  over: boolean;
  /** How many attempts in a row were lost before it; undefined if that is not known. */
  losses: number | undefined;
}

/** Handles each claimed task until it is answered, released or lost. */
export class TaskLives {
  private readonly begun = new Map<ClaimedTask, Life>();
  /** Claimed tasks whose class has no free slot: possible when classes share a group. */
  private waiting: Life[] = [];
  private readonly releases = new Set<Promise<void>>();
  /** The number of lives that started and are not over. */
  private open = 0;
  private onIdle: (() => void)[] = [];
  private closed = false;

  constructor(
    private readonly parts: TaskLivesParts,
    private readonly options: TaskLivesOptions,
  ) {}

  get running(): number {
    return this.begun.size;
  }

  /**
   * @param askedAt - time by the keeper's clock before they were claimed
   * @param losses - how many attempts of these tasks in a row were lost, if that is known
   */
  begin(tasks: readonly ClaimedTask[], askedAt: number, losses: ReadonlyMap<ClaimedTask, number> = new Map()): void {
    const unknown: ClaimedTask[] = [];
    for (const task of tasks) {
      const handler = this.parts.handlers.find(task.name);
      if (!handler) unknown.push(task);
      else this.admit(task, handler, askedAt, losses.get(task));
    }
    if (unknown.length > 0) this.track(this.release(unknown, 'no-handler'));
  }

  async release(
    tasks: readonly ClaimedTask[],
    reason: TelemetryEvents['task.released']['reason'],
    claims?: readonly Claim[],
  ): Promise<void> {
    if (tasks.length === 0) return;
    try {
      await this.parts.source.release(claims ?? tasks.map(({ claim }) => claim));
      for (const task of tasks) this.options.telemetry.emit('task.released', { ...eventOf(task), reason });
    } catch (error) {
      // Their leases will expire.
      this.options.telemetry.emit('loop.error', { loop: 'worker.release', error });
    }
  }

  async releaseUnstarted(): Promise<void> {
    await this.giveUp(this.waiting.splice(0));
  }

  /** Resolves once nothing runs and every answer is written. */
  async idle(): Promise<void> {
    while (this.open + this.releases.size > 0) {
      if (this.open > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
      await Promise.all(this.releases);
    }
  }

  /** Aborts running handlers and releases their claims, so that other workers may run them at once. */
  async abandon(): Promise<void> {
    this.closed = true;
    const lives = [...this.begun.values()].filter(({ over }) => !over);
    await this.giveUp(lives);
  }

  private async giveUp(lives: readonly Life[]): Promise<void> {
    const claims = await Promise.all(lives.map(async ({ lease }) => this.parts.keeper.settle(lease)));
    for (const life of lives) this.finish(life, new Error('The worker stops'));
    const held = lives.filter((_, i) => claims[i]);
    await this.release(
      held.map(({ task }) => task),
      'shutdown',
      claims.filter((claim) => claim !== undefined),
    );
  }

  private admit(task: ClaimedTask, handler: RegisteredHandler, askedAt: number, losses: number | undefined): void {
    const { keeper, slots } = this.parts;
    const { telemetry, leaseMs } = this.options;
    if (telemetry.hears('task.claimed')) telemetry.emit('task.claimed', claimedEventOf(task));
    const lease = keeper.keep(task.claim, leaseMs, askedAt, () => this.lose(life));
    const life: Life = { task, handler, lease, control: new Cancellation(), over: false, losses };
    if (slots.freeIn(life.handler.concurrencyClass) > 0) this.start(life);
    else this.waiting.push(life);
  }

  private start(life: Life): void {
    this.parts.slots.take(life.handler.concurrencyClass);
    this.begun.set(life.task, life);
    this.open++;
    void this.live(life);
  }

  private async live(life: Life): Promise<void> {
    const { task, handler, lease, control } = life;
    const outcome = this.isCrashLoop(life) ? crashLoop(task) : await this.parts.runner.run(task, handler, control);
    this.begun.delete(task);
    this.parts.slots.giveBack(handler.concurrencyClass);
    this.startNext();
    this.options.onFreed();
    if (life.over || this.closed) return this.ended();
    const claim = this.parts.keeper.settle(lease);
    this.answer(life, outcome, claim instanceof Promise ? await claim : claim);
  }

  private answer(life: Life, outcome: StepOutcome, claim: Claim | undefined): void {
    if (!claim || this.closed) return this.ended();
    const { runId, seq, attempt, claim: first } = life.task;
    const { status, output, error } = outcome;
    const report = { claim, runId, seq, attempt, status, output, error, startedAt: first.claimedAt };
    this.parts.reporter.report(report, (held) => this.answered(life, outcome, held));
  }

  private answered({ task }: Life, { status, wireError, tookMs = 0 }: StepOutcome, held: boolean): void {
    const { telemetry } = this.options;
    // Unwritten answers may have held back claims.
    this.options.onFreed();
    const name = !held ? 'task.lease-lost' : status === 'completed' ? 'task.completed' : 'task.failed';
    if (telemetry.hears(name)) {
      if (name === 'task.lease-lost') telemetry.emit(name, eventOf(task));
      else if (name === 'task.completed') telemetry.emit(name, endedEventOf(task, tookMs));
      else telemetry.emit(name, { ...endedEventOf(task, tookMs), error: wireError ?? { message: '' } });
    }
    this.ended();
  }

  private ended(): void {
    if (--this.open === 0) for (const resolve of this.onIdle.splice(0)) resolve();
  }

  private lose(life: Life): void {
    const { telemetry } = this.options;
    if (telemetry.hears('task.lease-lost')) telemetry.emit('task.lease-lost', eventOf(life.task));
    this.waiting = this.waiting.filter((other) => other !== life);
    this.finish(life, new Error('The lease was lost: another worker may run this step'));
  }

  private finish(life: Life, reason: Error): void {
    life.over = true;
    life.control.end(reason);
  }

  private startNext(): void {
    if (this.waiting.length === 0) return;
    const next = this.waiting.find(({ handler }) => this.parts.slots.freeIn(handler.concurrencyClass) > 0);
    if (!next || this.closed) return;
    this.waiting = this.waiting.filter((other) => other !== next);
    this.start(next);
  }

  /** A task that keeps crashing its worker would otherwise run forever. */
  private isCrashLoop({ task, handler, losses }: Life): boolean {
    const { maxClaims } = this.options;
    if (losses !== undefined) return losses >= maxClaims;
    // The number also counts failures.
    return task.reclaimed && task.attempt > Math.max(maxClaims, handler.retryAttempts ?? 0);
  }

  private track(release: Promise<void>): void {
    this.releases.add(release);
    void release.finally(() => this.releases.delete(release));
  }
}

const eventOf = ({ stepId, runId, name, group, attempt }: ClaimedTask): TaskEvent => ({
  stepId,
  runId,
  name,
  group,
  attempt,
});

// Each field by its name: a spread is ten times slower, and these are made for every step.
const claimedEventOf = ({ stepId, runId, name, group, attempt, reclaimed, waitedMs }: ClaimedTask) => ({
  stepId,
  runId,
  name,
  group,
  attempt,
  reclaimed,
  waitedMs,
});

const endedEventOf = ({ stepId, runId, name, group, attempt }: ClaimedTask, durationMs: number) => ({
  stepId,
  runId,
  name,
  group,
  attempt,
  durationMs,
});

const crashLoop = ({ name, attempt }: ClaimedTask): StepOutcome =>
  failed(
    Object.assign(new Error(`Step "${name}" crashed its workers repeatedly: failed at attempt ${attempt}`), {
      code: 'crash_loop',
      retryable: false,
    }),
  );
