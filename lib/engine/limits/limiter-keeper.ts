import { type Loops, PollLoop } from '../../time/poll-loop.js';
import type { Timers } from '../../time/timers.js';
import type { Admissions, Granted } from '../model/limiter.js';
import type { BackgroundService } from '../model/background-service.js';
import type { ClaimedRun } from '../model/run.js';
import type { TaskDispatcher } from '../model/task-dispatcher.js';

export interface LimiterKeeperOptions {
  timers: Timers;
  /** Whether workflows of this process have limits. */
  limited: () => boolean;
  /** Called when runs became due. */
  onDue: () => void;
  onError: (error: unknown) => void;
}

const SWEEP_MS = 5_000;
/** How many limiters one transaction locks. */
const BATCH = 50;
const PAGE = 200;

/**
 * Grants free permits of limiters to the next in their queues: at once when this process frees one, when a limiter that
 * was closed by its rate opens, and every few seconds for grants that a dead process has missed. A process that does
 * not use limits sends no queries.
 */
export class LimiterKeeper implements BackgroundService {
  private readonly sweep: PollLoop;
  private readonly dirty = new Set<string>();
  private working: Promise<void> | undefined;
  private stopped = false;
  private used = false;
  private position = '';
  private nextOpening: { at: number; cancel: () => void } | undefined;
  private unsubscribe = (): void => {};
  private readonly lost = new Map<string, () => void>();
  private lookingUp: Promise<void> | undefined;

  constructor(
    private readonly admissions: Admissions,
    private readonly dispatcher: TaskDispatcher,
    private readonly options: LimiterKeeperOptions,
  ) {
    const { onError } = options;
    this.sweep = new PollLoop(() => this.tick(), { maxMs: SWEEP_MS, onError });
  }

  get loops(): Loops {
    return { limits: this.sweep };
  }

  start(): void {
    this.unsubscribe = this.admissions.onFreed((limiters) => this.changed(limiters));
    this.sweep.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe();
    this.nextOpening?.cancel();
    await this.sweep.stop();
    await this.working;
  }

  /** Call it after the commit that may have freed permits of these limiters, or added waiters. */
  changed(limiters: readonly string[]): void {
    if (limiters.length === 0) return;
    this.used = true;
    for (const limiter of limiters) this.dirty.add(limiter);
    this.working ??= this.work();
  }

  /** See {@link Admissions.admit}. */
  async admit(runs: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    this.used = true;
    const { admitted, ...granted } = await this.admissions.admit(runs);
    this.granted(granted);
    return admitted;
  }

  /** For a step with neither a task nor an answer: calls `ask`, unless the step waits in its queue. */
  askAgain(stepId: string, ask: () => void): Promise<void> {
    this.lost.set(stepId, ask);
    this.lookingUp ??= Promise.resolve().then(() => this.lookUpLost());
    return this.lookingUp;
  }

  private async lookUpLost(): Promise<void> {
    const lost = new Map(this.lost);
    this.lost.clear();
    this.lookingUp = undefined;
    try {
      for (const stepId of await this.admissions.queued([...lost.keys()])) lost.delete(stepId);
      // Checked again: the step may have left the queue, with a new task, after the caller's check.
      for (const stepId of await this.dispatcher.lost([...lost.keys()])) lost.get(stepId)?.();
    } catch (error) {
      this.options.onError(error);
    }
  }

  private async work(): Promise<void> {
    while (this.dirty.size > 0) {
      const limiters = [...this.dirty].slice(0, BATCH);
      for (const limiter of limiters) this.dirty.delete(limiter);
      // If it fails, the sweep finds the limiters.
      await this.grant(limiters).catch(this.options.onError);
    }
    // Synchronously with the last check, so that no limiter is added unnoticed.
    this.working = undefined;
  }

  private async grant(limiters: readonly string[]): Promise<void> {
    this.granted(await this.admissions.grant(limiters, (tasks, tx) => this.dispatcher.dispatch(tasks, tx)));
  }

  private granted({ runs, opensAt }: Granted): void {
    if (runs) this.options.onDue();
    if (opensAt !== null) this.openAt(opensAt);
  }

  /** One timer, for the limiter that opens first. */
  private openAt(at: number): void {
    if (this.stopped || (this.nextOpening && this.nextOpening.at <= at)) return;
    this.nextOpening?.cancel();
    const cancel = this.options.timers.at(at, () => {
      this.nextOpening = undefined;
      this.position = '';
      this.sweep.wake();
    });
    this.nextOpening = { at, cancel };
  }

  /** Checks one page of the limiters with entries. */
  private async tick(): Promise<'busy' | 'idle'> {
    if (!this.used && !this.options.limited()) return 'idle';
    const { limiters, opensAt, next } = await this.admissions.waiting(this.position, PAGE);
    this.position = next ?? '';
    if (opensAt !== null) this.openAt(opensAt);
    this.changed(limiters);
    return next === undefined ? 'idle' : 'busy';
  }
}
