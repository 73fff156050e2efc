import { DatabaseError } from '../../errors/database-errors.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { backoffMs } from '../../time/backoff.js';
import type { Clock } from '../../time/clock.js';
import { type Loops, PollLoop } from '../../time/poll-loop.js';
import type { Timers } from '../../time/timers.js';
import type { BackgroundService } from '../model/background-service.js';
import { DeclaredSchedules } from './declared-schedules.js';
import type { EngineStorage } from '../model/engine-storage.js';
import type { Payloads } from '../model/payloads.js';
import type { RunRecord } from '../model/run.js';
import { type FailedSchedule, type Outcome, ScheduleStarts } from './schedule-starts.js';
import type { LockedSchedule, ScheduleChoice, ScheduleView } from '../model/schedule-store.js';
import type { WorkflowLookup, WorkflowRegistry } from '../model/workflow-registry.js';

export interface ScheduleRunnerPorts {
  storage: Pick<EngineStorage, 'schedules' | 'holds' | 'catalog' | 'control' | 'dispatcher' | 'answers'>;
  workflows: WorkflowRegistry;
  lookup: WorkflowLookup;
  payloads: Payloads;
  telemetry: Telemetry;
  clock: Clock;
  timers: Timers;
  namespace: string;
  /** Whether notifications currently arrive. */
  notified: () => boolean;
}

/** How often schedules are read without notifications of changes. */
const LOOK_MS = 30_000;
/** The same if there are no schedules to fire, and notifications arrive. */
const QUIET_LOOK_MS = 600_000;
/** The nap while another process has locked a due schedule; after a failed read it is four times as long. */
const SOON_MS = 250;
const BATCH = 100;
const RETRY = { delay: '1s', factor: 2, maxDelay: '5m' } as const;

/**
 * Fires schedules of the workflows of this process. It sleeps until the next one is due, and is notified of changes. It
 * reads the schedules at least every 30 s, or every 10 minutes if there are none to fire and notifications arrive.
 */
export class ScheduleRunner implements BackgroundService {
  private readonly starts: ScheduleStarts;
  private readonly declared: DeclaredSchedules;
  private readonly loop: PollLoop;
  private readonly failures = new Map<string, { count: number; until: number }>();
  private napMs = LOOK_MS;
  private alarm: (() => void) | undefined;
  /** Runs that buffered firings wait for. */
  private awaited = new Set<string | null>();
  private unsubscribe: (() => void)[] = [];
  private hearsEnds = false;

  constructor(private readonly ports: ScheduleRunnerPorts) {
    const { storage, lookup, telemetry } = ports;
    this.starts = new ScheduleStarts(storage, ports, lookup);
    this.declared = new DeclaredSchedules(ports);
    const onError = (error: unknown) => {
      this.napMs = SOON_MS * 4;
      telemetry.emit('loop.error', { loop: 'schedules', error });
    };
    this.loop = new PollLoop(() => this.tick(), { maxMs: () => this.napMs, onError });
  }

  get loops(): Loops {
    return { schedules: this.loop };
  }

  start(): void {
    this.unsubscribe = [this.ports.storage.schedules.onChanged(() => this.loop.wake())];
    this.loop.start();
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    await this.loop.stop();
    this.alarm?.();
  }

  private async tick(): Promise<'busy' | 'idle'> {
    const { storage, workflows, namespace, clock, notified } = this.ports;
    const names = [...new Set(workflows.all().map(({ name }) => name))];
    if (names.length === 0) return 'idle';
    await this.declared.saveOnce();
    const lookedAt = clock.now();
    const except = this.failing(lookedAt);
    const view = await storage.schedules.look({ namespace, workflows: names, except });
    if (this.listensAnew(view)) return 'busy';
    const over = view.buffered.filter((each) => each.over).map(({ id }) => id);
    let dealtWith = over.length > 0 ? await this.fire({ namespace, ids: over.slice(0, BATCH) }) : 0;
    if (view.at !== null && view.at <= clock.now())
      dealtWith += await this.fire({ namespace, due: { workflows: names, except, limit: BATCH } });
    if (dealtWith > 0) return 'busy';
    const isQuiet = view.at === null && view.buffered.length === 0 && notified();
    // A due schedule that was not locked is held by another process, or the storage's clock is slightly behind.
    const isHeld = over.length > 0 || (view.at !== null && view.at <= clock.now());
    this.napMs = isHeld ? SOON_MS : isQuiet ? QUIET_LOOK_MS : LOOK_MS;
    if (!isHeld) this.setAlarm(view.at, lookedAt);
    return 'idle';
  }

  /** Returns how many schedules were locked. */
  private async fire(which: ScheduleChoice, taken: readonly RunRecord[] = []): Promise<number> {
    const asked: string[] = [];
    let held: readonly LockedSchedule[] = [];
    let outcome: Outcome | undefined;
    try {
      await this.ports.storage.schedules.change(which, async (schedules, now, tx) => {
        held = schedules;
        outcome = await this.starts.fire(schedules, now, tx, { taken, asked });
        return outcome.fired.map(({ schedule }) => schedule);
      });
    } catch (error) {
      const [first] = held;
      if (!first || (error instanceof DatabaseError && error.transient)) throw error;
      // On some databases an existing run id fails the transaction.
      const there = held.length === 1 && taken.length === 0 ? await this.ports.storage.catalog.find(asked) : [];
      if (there.length > 0) return this.fire({ namespace: first.namespace, ids: [first.id] }, there);
      if (held.length === 1) this.failed({ schedule: first, error });
      else for (const { id, namespace } of held) await this.fire({ namespace, ids: [id] });
      return held.length;
    }
    if (outcome) this.report(outcome);
    return held.length;
  }

  private report({ fired, failed, conflicts }: Outcome): void {
    const { telemetry } = this.ports;
    for (const failure of failed) this.failed(failure);
    for (const { schedule, error } of conflicts)
      telemetry.emit('schedule.failed', { scheduleId: schedule.id, workflow: schedule.workflow, error });
    for (const { schedule, runIds, dropped } of fired) {
      const { id: scheduleId, workflow } = schedule;
      this.failures.delete(scheduleId);
      if (runIds.length > 0) telemetry.emit('schedule.fired', { scheduleId, workflow, runIds });
      if (dropped > 0) telemetry.emit('schedule.skipped', { scheduleId, workflow, times: dropped });
    }
  }

  private failed({ schedule, error }: FailedSchedule): void {
    const { id: scheduleId, workflow } = schedule;
    const count = (this.failures.get(scheduleId)?.count ?? 0) + 1;
    const retryInMs = backoffMs(count, RETRY);
    this.failures.set(scheduleId, { count, until: this.ports.clock.now() + retryInMs });
    this.ports.telemetry.emit('schedule.failed', { scheduleId, workflow, error, retryInMs });
  }

  private failing(now: number): string[] {
    return [...this.failures].filter(([, { until }]) => until > now).map(([id]) => id);
  }

  /** Subscribes to ends of runs if needed. Returns true if the last read may have missed an end before that. */
  private listensAnew({ buffered }: ScheduleView): boolean {
    this.awaited = new Set(buffered.map(({ runId }) => runId));
    if (this.hearsEnds || buffered.length === 0) return false;
    this.hearsEnds = true;
    const heard = (ids?: readonly string[]) => {
      if (this.awaited.size > 0 && (!ids || ids.some((id) => this.awaited.has(id)))) this.loop.wake();
    };
    this.unsubscribe.push(this.ports.storage.catalog.onFinished(heard));
    return true;
  }

  private setAlarm(at: number | null, lookedAt: number): void {
    // Only later retries: schedules whose retry was due were read already.
    const retries = [...this.failures.values()].flatMap(({ until }) => (until > lookedAt ? [until] : []));
    const next = Math.min(at ?? Number.POSITIVE_INFINITY, ...retries);
    this.alarm?.();
    this.alarm = Number.isFinite(next) ? this.ports.timers.at(next, () => this.loop.wake()) : undefined;
  }
}
