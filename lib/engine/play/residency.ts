import { type Held, NOTHING_HELD } from '../../acts/holds.js';
import { backoffMs, type Clock, sleep } from '../../core/time.js';
import type { RunHooks } from '../endings.js';
import type { NodeRoster } from '../nodes.js';
import type { ClaimedRun } from '../run.js';
import { type RunClaim, type RunStore, type Standstill, SUSPECT_AFTER, type Telling } from '../runs.js';
import type { TaskDispatcher } from '../tasks.js';
import type { Activation } from './activation.js';
import { keyOf } from './recorder.js';

export interface ResidentRunsOptions {
  /** How long a run may wait in memory without progress, in ms. */
  residencyMs: number;
  /** The most runs in memory; those that have waited longest are parked first. */
  maxResident: number;
  /** The workflows whose runs must not be played now. Default: none. */
  held?: Held | undefined;
}

/** A task without an answer after this time is looked up: its row may be lost. */
const LOOK_UP_AFTER_MS = 5_000;

/** The runs in this process's memory; decides how long each stays there. */
export class ResidentRuns {
  private readonly byId = new Map<string, Activation>();
  /** Ended claims with a write in progress. */
  private readonly unanswered = new Set<string>();
  /** Runs that this process had, and that may count it among the processes that have ended. */
  private readonly blaming = new Set<string>();
  private draining: (() => void) | undefined;
  private ending = false;
  private readonly held: Held;

  constructor(
    private readonly dispatcher: TaskDispatcher,
    private readonly clock: Clock,
    private readonly options: ResidentRunsOptions,
  ) {
    this.held = options.held ?? NOTHING_HELD;
  }

  get size(): number {
    return this.byId.size;
  }

  /** Nothing begins any more, and what fails is given back. */
  get isEnding(): boolean {
    return this.ending || this.held.isEnding;
  }

  get room(): number {
    return this.isEnding ? 0 : Math.max(0, this.options.maxResident - this.byId.size);
  }

  get hasSuspect(): boolean {
    for (const { run } of this.byId.values()) if (run.crashes >= SUSPECT_AFTER) return true;
    return false;
  }

  /** An activation of the same run under an older claim is dropped: its loss was not noticed. */
  add(activation: Activation): void {
    this.byId.get(activation.run.id)?.drop();
    this.byId.set(activation.run.id, activation);
  }

  remove(activation: Activation): void {
    if (this.byId.get(activation.run.id) === activation) this.byId.delete(activation.run.id);
    if (this.byId.size === 0) this.draining?.();
  }

  /** Remembers an activation that ended without its final write: its earlier writes may still be in progress. */
  leftOpen({ run, writer }: Activation): void {
    this.mayBlame([run.id]);
    const key = keyOf({ runId: run.id, epoch: run.epoch });
    this.unanswered.add(key);
    void writer.flushed().then(() => this.unanswered.delete(key));
  }

  /** If their claims were lost, these runs may count this process among those that have ended. */
  mayBlame(runIds: readonly string[]): void {
    for (const id of runIds) this.blaming.add(id);
  }

  /** Returns the runs that may do so since the last call. */
  takeBlaming(): string[] {
    const taken = [...this.blaming];
    this.blaming.clear();
    return taken;
  }

  /** Whether writes of an older claim could pass as those of this one: a database that lost claims reuses epochs. */
  isRepeated({ id, epoch }: ClaimedRun): boolean {
    return this.byId.get(id)?.run.epoch === epoch || this.unanswered.has(keyOf({ runId: id, epoch }));
  }

  get(runId: string): Activation | undefined {
    return this.byId.get(runId);
  }

  all(): Activation[] {
    return [...this.byId.values()];
  }

  /** Called when a run has come to rest: parks it at once if it only sleeps for a long time. */
  rested(activation: Activation): void {
    // It may have been claimed before this process knew of a hold.
    if (this.isHeld(activation.run.workflow)) return activation.yield();
    if (!activation.parkable || activation.journal.unasked) return;
    const { residencyMs } = this.options;
    // An answer may come soon; only sleeps have a known end.
    const sleepsAlone = activation.awaited.size === 0;
    const sleepsLong = sleepsAlone && (activation.wakeAt ?? 0) - this.clock.now() > residencyMs;
    if (activation.run.crashes >= SUSPECT_AFTER) void this.parkSuspect(activation);
    else if (sleepsLong) void activation.park();
  }

  /** Parks runs that have waited too long, or to make room, and dispatches lost tasks again. */
  async tick(): Promise<'busy' | 'idle'> {
    const here = this.all();
    await this.resendLost(here);
    // Not runs that were added meanwhile: their tasks have not been looked up yet.
    const waiting = here.filter((activation) => activation.idle);
    const over = this.byId.size - this.options.maxResident * 0.9;
    const oldest = waiting.sort((a, b) => a.lastProgress - b.lastProgress);
    const before = this.clock.now() - this.options.residencyMs;
    oldest.forEach((activation, i) => (i < over || activation.lastProgress <= before) && this.leaveBehind(activation));
    return 'idle';
  }

  /** The process ends: asks what runs to end, and releases each run once that is recorded, or given back. */
  interrupt(): void {
    this.ending = true;
    for (const activation of this.all()) activation.interrupt();
  }

  /** Interrupts every run; resolves when none is left, or with `timeout`. */
  async drain(timeout: Promise<void>): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.draining = resolve));
    this.interrupt();
    if (this.byId.size > 0) await Promise.race([empty, timeout]);
  }

  isHeld(workflow: string): boolean {
    return this.isEnding || this.held.isHeld('workflow', workflow);
  }

  /** Calls `listener` when holds have changed; runs of held workflows record their work in progress and leave. */
  onHolds(listener: () => void): () => void {
    return this.held.onChanged(() => {
      if (this.held.isEnding) return this.interrupt();
      for (const activation of this.all()) if (this.isHeld(activation.run.workflow)) activation.yield();
      listener();
    });
  }

  private leaveBehind(activation: Activation): void {
    const unasked = activation.unaskedError();
    if (unasked) return activation.block('non_determinism', unasked);
    if (activation.parkable) void activation.park();
  }

  /** Parks it after a lookup of its tasks, since it is not resident at the next regular lookup. */
  private async parkSuspect(activation: Activation): Promise<void> {
    // If the lookup fails, the sweep finds lost tasks.
    await this.resendLost([activation]).catch(() => undefined);
    if (activation.parkable && !activation.journal.unasked) void activation.park();
  }

  private async resendLost(activations: readonly Activation[]): Promise<void> {
    const before = this.clock.now() - LOOK_UP_AFTER_MS;
    const waiting = activations.flatMap((activation) =>
      activation.awaited.all().filter(({ since, resend, isWritten }) => resend && since <= before && isWritten?.()),
    );
    if (waiting.length === 0) return;
    const lost = new Set(await this.dispatcher.lost(waiting.map(({ stepId }) => stepId)));
    const still = new Set(activations.flatMap((activation) => activation.awaited.all()));
    const resent = waiting.filter((awaited) => lost.has(awaited.stepId) && still.has(awaited));
    await Promise.all(resent.map(async ({ resend }) => resend?.()));
  }
}

/** What happens to runs whose commits the database has lost: replay them from the remaining records, or block them. */
export type OnHistoryLost = 'replay' | 'block';

export const HISTORY_LOST: Standstill = {
  reason: 'history_lost',
  detail:
    'the process that executed it had recorded more than the database still has, so some steps may be executed again',
};

export interface GivenBack {
  /** Increase the run's crash counter. Default: false. */
  crashed?: boolean;
  /** Block the run for this reason. Default: it is not blocked, and the next owner plays it. */
  standstill?: Standstill | undefined;
  /** Tells hooks of that. */
  telling?: Telling | undefined;
}

/** A run that was blocked, and is blocked again without progress, is no news. */
export function tellingOf(
  hooks: Pick<RunHooks, 'tell'> | undefined,
  { run, writer }: Pick<Activation, 'run' | 'writer'>,
  standstill: Standstill | undefined,
): Pick<GivenBack, 'telling'> {
  const { id: runId, workflow, wasBlocked } = run;
  if (!hooks || !standstill || (wasBlocked && !writer.hasProgressed)) return {};
  const news = { runId, workflow, status: 'suspended', reason: standstill.reason } as const;
  return { telling: (tx) => hooks.tell(news, tx) };
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** How long a stopping process waits for the last attempts: less than the shortest usual shutdown time. */
const LAST_TRIES_MS = 3_000;

/**
 * Releases runs that this process cannot continue. It raises their epoch, so that no write of them is accepted any
 * more. After any error it retries until it succeeds or this process stops, since the database may be available again
 * soon.
 */
export class GiveBacks {
  private readonly stopping = new AbortController();
  /** By claim: resolves once the claim is released, or the attempt is given up. */
  private readonly underWay = new Map<string, Promise<void>>();
  private isOver = false;

  constructor(
    private readonly store: Pick<RunStore, 'release'>,
    /** Called with the error of every failed attempt. */
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Whether this claim is being released here. Other code must not release it, since it does not know the reason. */
  isUnderWay(claim: RunClaim): boolean {
    return this.underWay.has(keyOf(claim));
  }

  async giveBack(claim: RunClaim, { crashed = false, standstill, telling }: GivenBack): Promise<void> {
    const given = this.insist(() => this.store.release([claim], crashed, standstill, telling));
    this.underWay.set(keyOf(claim), given);
    await given;
    this.underWay.delete(keyOf(claim));
  }

  /**
   * Ends the pauses between attempts: each remaining run has one more attempt, and `stop` waits for it. Runs that are
   * not released after `graceMs` are left to other processes, which release them once this node's lease has expired.
   */
  async stop(graceMs = LAST_TRIES_MS): Promise<void> {
    this.stopping.abort();
    const done = new AbortController();
    const grace = sleep(graceMs, done.signal).then(() => (this.isOver = true));
    while (!this.isOver && this.underWay.size > 0) await Promise.race([grace, Promise.all(this.underWay.values())]);
    done.abort();
    await grace;
  }

  /** Not `untilBack`: after this process has begun to stop there is one more try, even if another was under way. */
  private async insist(release: () => Promise<void>): Promise<void> {
    for (let failures = 1; !this.isOver; failures++) {
      const isLast = this.stopping.signal.aborted;
      try {
        return await release();
      } catch (error) {
        this.onError(error);
        if (isLast) return;
        await sleep(backoffMs(failures, RETRY), this.stopping.signal);
      }
    }
  }
}

/**
 * Notices that runs with running steps were taken from this process, so that the signals of the steps abort soon.
 * Usually a notification arrives first, but it may be lost or unavailable. For runs that only wait, the next heartbeat
 * is enough. So it costs one read by key, and only while steps run here. Runs that were lost are told that this process
 * has not ended: whoever released them had to assume it.
 */
export class RevocationWatch {
  constructor(
    private readonly store: Pick<RunStore, 'lost'>,
    private readonly roster: Pick<NodeRoster, 'withdraw'>,
    private readonly residents: ResidentRuns,
    /** The process that plays them. */
    private readonly owner: string,
  ) {}

  async tick(): Promise<'idle'> {
    await this.look(this.residents.all().filter(({ isWorking }) => isWorking));
    await this.withdraw();
    return 'idle';
  }

  /** One statement, and only if claims were lost since the last one. */
  async withdraw(): Promise<void> {
    const runIds = this.residents.takeBlaming();
    if (runIds.length === 0) return;
    try {
      await this.roster.withdraw(this.owner, runIds);
    } catch (error) {
      this.residents.mayBlame(runIds);
      throw error;
    }
  }

  /** Drops the activations whose claims no longer hold. */
  async look(activations: readonly Activation[]): Promise<void> {
    if (activations.length === 0) return;
    const { owner } = this;
    const claims = activations.map(({ run: { id: runId, epoch } }) => ({ runId, epoch, owner }));
    const lost = new Set((await this.store.lost(claims)).map(keyOf));
    activations.forEach((activation, i) => {
      if (lost.has(keyOf(claims[i]!)) && !activation.closed) activation.drop();
    });
  }
}
