import { AsyncLocalStorage } from 'node:async_hooks';
import { type Held, NOTHING_HELD } from '../acts/holds.js';
import { type Codec, StoredTexts } from '../core/codec.js';
import { LeaseKeeper, UnservedWatch } from '../core/leasing.js';
import { type Loops, PollLoop } from '../core/loops.js';
import { claimedFrom, type LogText, type StepTask } from '../core/protocol.js';
import type { Telemetry } from '../core/telemetry.js';
import { type Clock, sleep } from '../core/time.js';
import type { ErrorRules } from '../core/wire-error.js';
import type { Acceptance } from '../engine/tasks.js';
import { ClaimMarks } from './claims.js';
import { GivenCredits } from './credits.js';
import { ClaimPlanner, type HandlerRegistry, type RegisteredHandler, Slots } from './handlers.js';
import {
  Reporter,
  StepLogKeeper,
  type StepLogSink,
  TaskLives,
  TaskRunner,
  type TaskRunnerOptions,
} from './task-lives.js';
import {
  type Claim,
  type ClaimedTask,
  type Credit,
  lossesOf,
  type LostAttempts,
  type TaskReport,
  type TaskSource,
} from './task-source.js';
import { type TaskAttempt, type UnservedTasks, type WaitingCursor, type WaitingTasks } from './waiting-tasks.js';

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
  /** A task fails as a crash loop when this many workers in a row have ended in it. */
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
  /** Whether engines of other processes may send it tasks, if the database has notifications. Default true. */
  credits?: boolean;
  /** Whether it tells of tasks in its groups that it has no handler for. Default: something else does. */
  watchesUnserved?: boolean;
  /** Stores handlers' log lines with their steps. Default: lines are only emitted as telemetry. */
  logs?: StepLogSink;
  /** Stores attempts whose workers died, and counts them. Default: the numbers of attempts are taken as the count. */
  lostAttempts?: LostAttempts;
}

type Losses = Parameters<TaskLives['begin']>[2];

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
  private readonly marks = new ClaimMarks();
  private readonly credits: GivenCredits;
  /** Of tasks that were sent, and did not arrive. */
  private readonly unheard: Claim[] = [];
  private hasMissed = false;
  private readonly accepted = new Set<Promise<void>>();
  /** Handlers do not begin in the context of whoever has asked for them. */
  private readonly outside = AsyncLocalStorage.snapshot();
  private stopping = false;
  private unsubscribe = (): void => {};
  /** Ends what notifies it of tasks. */
  private deafen = (): void => {};

  constructor(
    private readonly source: TaskSource,
    private readonly handlers: HandlerRegistry,
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
    this.credits = new GivenCredits(options.workerId, leaseMs);
    const lostClaims = (claims: readonly Claim[]) => source.lostClaims(claims);
    const report = (reports: readonly TaskReport[]) => this.report(reports);
    this.reporter = new Reporter({ report, lostClaims }, telemetry, options.errors);
    const beatIfDue = ({ claim }: ClaimedTask) => this.keeper.beatIfDue(claim);
    this.lines = options.logs && new StepLogKeeper(options.logs, telemetry);
    const keepLine = ({ runId, seq, attempt }: ClaimedTask, line: LogText, loggedAt: number) =>
      this.lines?.keep({ runId, seq, attempt, ...line, loggedAt });
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
    this.deafen();
    this.deafen = this.source.onTasks((groups, sent) => this.hear(groups, sent));
    const stops = [
      this.options.held?.onChanged(() => (this.isEnding ? this.lives.interrupt() : this.wake())),
      this.source.onWithdrawn?.((stepIds) => void this.keeper.beatIfHeld(stepIds)),
      this.source.onOffers?.((task, at) => this.accept(task, at)),
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
   * Stops claiming, releases tasks that have not started, aborts the signals of running handlers, waits for them up to
   * `shutdownTimeoutMs`, and releases the rest and what has failed. After it resolves, this worker sends nothing to the
   * storage.
   */
  async stop(): Promise<void> {
    this.stopping = true;
    this.unsubscribe();
    const deadline = new AbortController();
    const timeout = sleep(this.options.shutdownTimeoutMs, deadline.signal);
    this.lives.interrupt();
    await this.loop.stop();
    // What was accepted before begins or ends with its commit.
    await Promise.race([Promise.all(this.accepted).then(() => this.lives.idle()), timeout]);
    this.deafen();
    await this.lives.abandon();
    deadline.abort();
    await this.reporter.stop();
    await this.lines?.idle();
    await this.comparing.stop();
    if (this.credits.isOpen(this.keeper.now()) || this.hasMissed) {
      await sleep(this.credits.restMs(this.keeper.now()));
      await this.giveBackUnheard();
    }
    await this.keeper.stop();
  }

  private hear(groups: readonly string[] | undefined, sent: readonly ClaimedTask[] = []): void {
    this.wake(groups);
    if (sent.length > 0) this.beginSent(sent);
    if (groups || !this.credits.isOpen(this.keeper.now())) return;
    this.hasMissed = true;
    this.comparing.wake();
  }

  private async report(reports: readonly TaskReport[]): Promise<boolean[]> {
    const credit = this.creditFor(reports.length);
    try {
      return await this.source.report(reports, credit);
    } finally {
      if (credit) this.credits.beginRest(this.keeper.now());
    }
  }

  /** If this worker would claim their next tasks at once, engines of other processes may send them. */
  private creditFor(runs: number): Credit | undefined {
    const { source, handlers, slots, keeper, credits } = this;
    const isOff = this.options.credits === false || !source.sentTo || !source.live;
    if (isOff || this.isEnding || runs > this.free) return undefined;
    return credits.give(runs, keeper.now(), (group, name) => {
      const handler = handlers.find(name);
      return handler !== undefined && this.isIdle(handler, group) && slots.freeIn(handler.concurrencyClass) >= runs;
    });
  }

  /** What cannot begin at once is free for other workers again. */
  private beginSent(sent: readonly ClaimedTask[]): void {
    const { held = NOTHING_HELD } = this.options;
    const busy: ClaimedTask[] = [];
    for (const task of sent) {
      const askedAt = this.credits.hear(task.claim);
      if (askedAt === undefined) continue;
      this.credits.serve(task);
      const free = Math.min(this.free, this.slots.freeIn(this.handlers.find(task.name)?.concurrencyClass));
      if (!this.isEnding && (free <= 0 || held.isHeld('group', task.group))) busy.push(task);
      else this.outside(() => this.beginHeld(task, askedAt));
    }
    if (busy.length > 0) this.lives.refuse(busy, 'busy');
  }

  /** Called once at a time. */
  private async giveBackUnheard(): Promise<void> {
    const { source, handlers, options, credits, unheard } = this;
    this.hasMissed = false;
    try {
      const sent = await source.sentTo?.(options.workerId, handlers.groups, credits.keptMs);
      unheard.push(...(sent ?? []).filter((claim) => credits.hear(claim) !== undefined));
      await source.release(unheard);
      unheard.length = 0;
    } catch (error) {
      this.hasMissed = true;
      options.telemetry.emit('loop.error', { loop: 'worker.sent', error });
    }
  }

  /**
   * Keeps a slot for a task that is not committed yet, if it would be claimed here at once: no task of its group is known
   * to wait, and other workers get the tasks that would fill this one.
   */
  private accept(task: StepTask, at: number): Acceptance | undefined {
    const handler = this.handlers.find(task.name);
    if (!handler?.groups.includes(task.group) || task.priority || !this.isIdle(handler, task.group)) return undefined;
    const { concurrencyClass } = handler;
    const askedAt = this.keeper.now();
    const claimedBy = claimedFrom(this.marks.next(this.options.workerId), at);
    let isOpen = true;
    let over!: () => void;
    this.track(new Promise<void>((resolve) => (over = resolve)));
    this.slots.take(concurrencyClass);
    const close = () => {
      if (!isOpen) return false;
      isOpen = false;
      this.slots.giveBack(concurrencyClass);
      over();
      return true;
    };
    return {
      claimedBy,
      begin: (claimedAt) => {
        const isFreed = close();
        const claim = { stepId: task.stepId, claimedBy, claimedAt: claimedAt ?? 0 };
        if (claimedAt === undefined) this.track(this.beginIfHeld(task, claim));
        else this.outside(() => this.beginHeld(heldTask(task, claim), askedAt));
        // It may not have begun.
        if (isFreed) this.lives.freed();
      },
      end: () => {
        if (close()) this.lives.freed();
      },
    };
  }

  /** Others, which needed no claim, may have begun meanwhile. */
  private async beginClaimed(tasks: readonly ClaimedTask[], askedAt: number, losses: Losses): Promise<void> {
    const room = Math.max(0, this.slots.free);
    this.lives.begin(tasks.slice(0, room), askedAt, losses);
    await this.lives.release(tasks.slice(room), 'busy');
  }

  private track(accepted: Promise<void>): void {
    this.accepted.add(accepted);
    void accepted.finally(() => this.accepted.delete(accepted));
  }

  private isIdle({ concurrencyClass }: RegisteredHandler, group: string): boolean {
    const { held = NOTHING_HELD } = this.options;
    if (this.isEnding || held.isHeld('group', group) || this.planner.mayWait(group)) return false;
    return this.free > 0 && this.slots.isMostlyFree && this.slots.freeIn(concurrencyClass) > 0;
  }

  private beginHeld(task: ClaimedTask, askedAt: number): void {
    if (this.isEnding) this.lives.refuse([task], 'shutdown');
    else if (this.keeper.isOver(askedAt, this.options.leaseMs)) this.lives.refuse([task], 'late');
    else this.lives.begin([task], askedAt);
  }

  /** The reply of its commit was lost: if its row is there, with this claim, nobody else begins it. */
  private async beginIfHeld(task: StepTask, claim: Claim): Promise<void> {
    const askedAt = this.keeper.now();
    if (this.isEnding) return this.beginHeld(heldTask(task, claim), askedAt);
    try {
      const [renewed] = await this.source.extend([claim]);
      if (renewed) this.outside(() => this.beginHeld(heldTask(task, renewed), askedAt));
    } catch (error) {
      // Its lease will expire.
      this.options.telemetry.emit('loop.error', { loop: 'worker.accepted', error });
    }
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    await this.unserved?.look();
    const plan = this.planner.plan(this.free);
    if (!plan || this.isEnding) return 'idle';
    const { workerId, leaseMs, telemetry } = this.options;
    const askedAt = this.keeper.now();
    const tasks = await this.source.claim({ ...plan, workerId, leaseMs });
    if (telemetry.hears('claim.made'))
      telemetry.emit('claim.made', { what: 'tasks', count: tasks.length, durationMs: this.keeper.now() - askedAt });
    // Before they begin: a task that kills this process at once counts, too.
    const losses = await lossesOf(tasks, this.options.lostAttempts, { telemetry, texts: this.texts });
    if (this.isEnding) await this.lives.release(tasks, 'shutdown');
    else if (this.keeper.isOver(askedAt, leaseMs)) await this.lives.release(tasks, 'late');
    else await this.beginClaimed(tasks, askedAt, losses);
    for (const task of tasks) this.credits.serve(task);
    this.planner.learn(plan, tasks);
    if (tasks.length >= plan.limit || this.planner.hasPromising) return 'busy';
    return tasks.length > 0 ? 'active' : 'idle';
  }

  /**
   * Without notifications, a handler would notice a withdrawn task only when its lease is renewed. So claims are
   * compared with their rows in between: one read by key, only while some are held.
   */
  private async compare(): Promise<'idle'> {
    const mayMiss = !this.source.live && this.credits.isOpen(this.keeper.now());
    if (this.hasMissed || mayMiss) await this.giveBackUnheard();
    if (!this.source.live) await this.keeper.compare((claims) => this.source.lostClaims(claims));
    return 'idle';
  }

  private get isEnding(): boolean {
    return this.stopping || this.options.held?.isEnding === true;
  }

  /** Unwritten answers that pile up also hold back claims. */
  private get free(): number {
    const backlog = Math.max(0, this.lives.unanswered - this.options.concurrency);
    return Math.min(this.slots.free - backlog, this.options.batchSize);
  }
}

const heldTask = (task: StepTask, claim: Claim): ClaimedTask => ({ ...task, claim, reclaimed: false, waitedMs: 0 });

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

/** How long tasks have waited when they are first noticed. */
const NOTICED_AFTER_MS = 15_000;
/** For this long after a claim was seen, somebody serves these tasks. */
const SERVED_FOR_MS = 300_000;

/** The most kinds of tasks that are watched from one look to the next. */
const MOST_NOTICED = 1_000;

/** The oldest task of one name in one group, which nobody had claimed at that time. */
interface Noticed {
  tasks: WaitingTasks;
  at: number;
}

export interface UnclaimedTasksOptions {
  source: Pick<TaskSource, 'waiting' | 'stillWaiting'>;
  /** Only these groups. Default: all. */
  groups?: () => readonly string[];
  clock: Clock;
}

/** The tasks of one name in one group. */
const keyOfTasks = ({ group, name }: Pick<UnservedTasks, 'group' | 'name'>): string => JSON.stringify([group, name]);

/**
 * Finds tasks that nobody begins, by the tasks themselves: workers in other languages sign in nowhere. Workers claim the
 * oldest task first, so tasks are reported when one look has noticed the oldest one, and the next look finds it still
 * unclaimed. If it is gone, somebody serves these tasks, or it was withdrawn, and the next one is watched. While older
 * tasks of the same group are being claimed, it is not the turn of these.
 */
export class UnclaimedTasks {
  private cursor: WaitingCursor | undefined;
  private readonly noticed = new Map<string, Noticed>();
  private readonly claimedAt = new Map<string, number>();
  private readonly groupClaimedAt = new Map<string, number>();

  constructor(private readonly options: UnclaimedTasksOptions) {}

  /** Tasks that have waited for `olderThanMs`, at this look and at an earlier one. */
  async look(olderThanMs: number): Promise<UnservedTasks[]> {
    const { source, groups, clock } = this.options;
    const now = clock.now();
    const earlier = new Map(this.noticed);
    const still = await source.stillWaiting([...earlier.values()].map(({ tasks }) => tasks.oldest));
    this.forget(still, now);
    const query = { olderThanMs: NOTICED_AFTER_MS, cursor: this.cursor, ...(groups && { groups: groups() }) };
    const { tasks, cursor } = await source.waiting(query);
    this.cursor = cursor;
    for (const one of tasks) this.notice(one, now);
    const first = oldestByGroup(tasks);
    const isTheirTurn = ({ tasks: { group, since } }: Noticed) =>
      !this.groupClaimedAt.has(group) || since <= (first.get(group) ?? since);
    const due = [...this.noticed].filter(([, noticed]) => isTheirTurn(noticed));
    return due.flatMap(([key]) => this.report(key, earlier.get(key), olderThanMs));
  }

  /** Whether a claim of such tasks was seen a short while ago. */
  wasClaimed(tasks: Pick<UnservedTasks, 'group' | 'name'>): boolean {
    return this.claimedAt.has(keyOfTasks(tasks));
  }

  /** What is reported makes room for others. */
  private report(key: string, earlier: Noticed | undefined, olderThanMs: number): UnservedTasks[] {
    const { tasks, at } = this.noticed.get(key)!;
    const isSame = earlier?.tasks.oldest.stepId === tasks.oldest.stepId;
    if (!isSame || tasks.waitedMs + (this.options.clock.now() - at) < olderThanMs) return [];
    this.noticed.delete(key);
    return [reportOf(tasks)];
  }

  private forget(still: readonly TaskAttempt[], now: number): void {
    const waiting = new Set(still.map(({ stepId }) => stepId));
    for (const [key, { tasks }] of this.noticed) {
      if (waiting.has(tasks.oldest.stepId)) continue;
      this.noticed.delete(key);
      this.groupClaimedAt.set(tasks.group, now);
    }
    for (const claims of [this.claimedAt, this.groupClaimedAt])
      for (const [key, at] of claims) if (now - at >= SERVED_FOR_MS) claims.delete(key);
  }

  private notice(tasks: WaitingTasks, now: number): void {
    const key = keyOfTasks(tasks);
    if (tasks.isClaimed) {
      this.claimedAt.set(key, now);
      this.groupClaimedAt.set(tasks.group, now);
    }
    if (this.claimedAt.has(key)) return void this.noticed.delete(key);
    const known = this.noticed.get(key)?.tasks.oldest.stepId;
    const isNew = known === undefined && this.noticed.size < MOST_NOTICED;
    if (isNew || known === tasks.oldest.stepId) this.noticed.set(key, { tasks, at: now });
  }
}

/** Since when the oldest task of each group waits, of those that were read. */
function oldestByGroup(tasks: readonly WaitingTasks[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { group, since } of tasks) first.set(group, Math.min(since, first.get(group) ?? since));
  return first;
}

const reportOf = ({ name, group, count, since, oldest }: WaitingTasks): UnservedTasks => ({
  name,
  group,
  count,
  since,
  runId: oldest.runId,
});
