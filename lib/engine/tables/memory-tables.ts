import type { NewSignal } from '../model/mailbox.js';
import type { AttemptRecord } from '../model/run-insight.js';
import type { Endings, LogLine, RunWrite, SignalWait } from '../model/run-store.js';
import type { AttributeValue, ClaimedRun, LimitRequest, NewRun, ParentClose, RunRecord } from '../model/run.js';
import type { ScheduleRecord } from '../model/schedule-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { StepTask } from '../../protocol/step.js';

/** Those that a run begins with. */
export const writeAttributes = (tables: MemoryTables, { id, attributes = {} }: NewRun): void =>
  changeAttributes(tables, id, attributes);

/** Null removes. */
export function changeAttributes(
  { attributes }: MemoryTables,
  runId: string,
  changes: Readonly<Record<string, AttributeValue | null>>,
): void {
  const entries = Object.entries(changes);
  if (entries.length === 0) return;
  const held = attributes.get(runId) ?? new Map<string, AttributeValue>();
  attributes.set(runId, held);
  for (const [name, value] of entries) {
    if (value === null) held.delete(name);
    else held.set(name, value instanceof Date ? new Date(value) : value);
  }
}

/** What comes of a part for others, and how to write it once that has been said. */
export interface PlannedExtras {
  outcome?: Partial<Endings> & { woken?: boolean };
  apply(): void;
}

/** Writes its part of what these writes carry besides steps. Changes nothing before `apply`. */
export type MemoryExtrasWriter = (tables: MemoryTables, writes: readonly RunWrite[], now: number) => PlannedExtras;

/** Processes end with this one, so none of them lives when the state is read again, and none holds anything. */
const NOT_KEPT = new Set(['nodes', 'shards']);

type Table = Map<unknown, unknown> | unknown[];

/** What of the tables has to outlive the process. Listeners are sets, and are not kept. */
export function memoryStateOf(tables: object): Record<string, Table> {
  return Object.fromEntries(kept(tables));
}

/** Puts back what {@link memoryStateOf} had kept. @throws TypeError when it is nothing of that kind. */
export function restoreMemory(tables: object, state: unknown): void {
  if (typeof state !== 'object' || state === null) throw new TypeError('It holds no tables');
  const held = state as Record<string, unknown>;
  const found = kept(tables).map(([name, table]) => ({ name, table, rows: held[name] }));
  const wrong = found.find(({ table, rows }) => rows !== undefined && !sameKind(table, rows));
  if (wrong) throw new TypeError(`Its table "${wrong.name}" is none`);
  for (const { table, rows } of found) refill(table, rows);
}

const kept = (tables: object): [string, Table][] =>
  Object.entries(tables).filter(
    (entry): entry is [string, Table] =>
      !NOT_KEPT.has(entry[0]) && (entry[1] instanceof Map || Array.isArray(entry[1])),
  );

const sameKind = (table: Table, rows: unknown): boolean =>
  table instanceof Map ? rows instanceof Map : Array.isArray(rows);

/** A table that an older file did not have stays empty. */
function refill(table: Table, rows: unknown): void {
  if (table instanceof Map) for (const [key, row] of (rows as typeof table | undefined) ?? []) table.set(key, row);
  else table.push(...((rows as unknown[] | undefined) ?? []));
}

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

  /** Signals on these channels were released. */
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
