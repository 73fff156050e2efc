import type { AttemptRecord } from '../model/run-insight.js';
import type { AttributeValue, ClaimedRun, LimitRequest, ParentClose, RunRecord } from '../model/run.js';
import type { LogLine, SignalWait } from '../model/run-store.js';
import type { NewSignal } from '../model/mailbox.js';
import type { ScheduleRecord } from '../model/schedule-store.js';
import type { StepTask } from '../../protocol/step.js';
import type { StepRecord } from '../model/step-record.js';

export interface HeldRun
  extends RunRecord, Pick<ClaimedRun, 'epoch' | 'crashes' | 'notifies' | 'unwinds' | 'precondition' | 'firstSeq'> {
  settled: number;
  continuedAt: number | null;
  parentClose: ParentClose | null;
  blockers: number;
  limiter: LimitRequest | null;
  turn: number | null;
}

export interface HeldSignal extends NewSignal {
  id: number;
  createdAt: number;
  position: number | null;
  /** The run it was reserved for, or that took it last. */
  takenBy: string | null;
  /** Whose code was given it. */
  keptBy: Set<string>;
}

export interface LimiterEntry {
  holder: string;
  runId: string;
  limitRequest: LimitRequest;
  granted: boolean;
  turn: number;
  queuedAt: number;
  task: StepTask | null;
}

/** What the engine keeps in tables, in maps; each in-memory twin of a port works on its part. */
export class MemoryTables {
  readonly runs = new Map<string, HeldRun>();
  readonly steps = new Map<string, Map<number, StepRecord>>();
  /** Until when each process lives. */
  readonly nodes = new Map<string, number>();
  /** Waiting runs, by the run they wait for. */
  readonly dependencies = new Map<string, Set<string>>();
  readonly attempts = new Map<string, AttemptRecord[]>();
  readonly logs = new Map<string, LogLine[]>();
  readonly attributes = new Map<string, Map<string, AttributeValue>>();
  readonly signals: HeldSignal[] = [];
  /** The last position of each channel. */
  readonly channels = new Map<string, number>();
  /** By channel and step id. */
  readonly waits = new Map<string, SignalWait>();
  readonly startKeys = new Map<string, { runId: string; expiresAt: number | null; latestAt: number | null }>();
  /** By namespace and id. */
  readonly schedules = new Map<string, ScheduleRecord>();
  readonly limiters = new Map<string, { grants: [at: number, count: number][]; openAt: number | null }>();
  readonly limiterEntries = new Map<string, LimiterEntry>();
  readonly runListeners = new Set<(lost?: readonly string[]) => void>();
  readonly finishedListeners = new Set<(ids?: readonly string[]) => void>();
  readonly offeredListeners = new Set<(channels: readonly string[]) => void>();
  readonly limiterListeners = new Set<(limiters: readonly string[]) => void>();

  private busy: Promise<unknown> = Promise.resolve();

  /** One at a time, as under the lock of a run's row: what is decided in `work` still holds when it is done. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.busy.then(work);
    this.busy = done.catch(() => undefined);
    return done;
  }

  history(runId: string): StepRecord[] {
    return [...(this.steps.get(runId)?.values() ?? [])];
  }

  /** Signals on these channels became anybody's again. */
  tellOffered(channels: readonly string[]): void {
    for (const listener of this.offeredListeners) listener(channels);
  }

  tellDue(lost?: readonly string[]): void {
    for (const listener of this.runListeners) listener(lost);
  }

  tellFinished(ids: readonly string[]): void {
    if (ids.length > 0) for (const listener of this.finishedListeners) listener(ids);
  }

  tellFreed(limiters: readonly string[]): void {
    if (limiters.length > 0) for (const listener of this.limiterListeners) listener(limiters);
  }
}
