import { MemoryHolds } from '../acts/holds.memory.js';
import { InvalidTransactionError } from '../core/errors.js';
import type { StepTask } from '../core/protocol.js';
import type { Clock } from '../core/time.js';
import { inMemoryTransaction, type Transaction } from '../core/transaction.js';
import type { Mark } from './erasure.js';
import type { AttemptRecord } from './insight.js';
import type { NodeRecord, StoredSample } from './nodes.js';
import {
  type AttributeValue,
  type ClaimedRun,
  type LimitRequest,
  type NewRun,
  type ParentClose,
  type RunRecord,
  TRIED_REASONS,
} from './run.js';
import type { EndedAttempt, Endings, LogLine, RunWrite, SignalWait, Standstill } from './runs.js';
import type { ScheduleRecord } from './schedules.js';
import type { NewSignal } from './signals.js';
import type { Transactions } from './starts.js';
import type { StepRecord } from './step.js';

/** Writes the attributes of a new run. */
export const writeAttributes = (tables: MemoryTables, { id, attributes = {} }: NewRun): void =>
  changeAttributes(tables, id, attributes);

/** Null removes an attribute. */
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

/** An attempt replaces an earlier one with the same number, as after `retry`. */
export function keepAttempts({ attempts }: MemoryTables, runId: string, failed: readonly EndedAttempt[]): void {
  const others = (attempts.get(runId) ?? []).filter(
    (old) => !failed.some(({ seq, attempt }) => seq === old.seq && attempt === old.attempt),
  );
  attempts.set(runId, [...others, ...failed.map((attempt) => ({ ...attempt, runId }))]);
}

/** The effects of one kind of extras on others, and the function that writes them. */
export interface PlannedExtras {
  outcome?: Partial<Endings> & { woken?: boolean };
  apply(): void;
}

/** Writes one kind of extras of these writes. Changes nothing before `apply`. */
export type MemoryExtrasWriter = (tables: MemoryTables, writes: readonly RunWrite[], now: number) => PlannedExtras;

/** Tables that are not stored: all nodes end with this process, so none lives when the state is restored. */
const NOT_KEPT = new Set(['nodes', 'shards', 'samples']);

type Table = Map<unknown, unknown> | unknown[];

/** The tables that are stored beyond the process. Listeners are in sets, which are not stored. */
export function memoryStateOf(tables: object): Record<string, Table> {
  return Object.fromEntries(kept(tables));
}

/** Restores the state from {@link memoryStateOf}. @throws TypeError when the state has another form. */
export function restoreMemory(tables: object, state: unknown): void {
  if (typeof state !== 'object' || state === null) throw new TypeError('It contains no tables');
  const held = state as Record<string, unknown>;
  const found = kept(tables).map(([name, table]) => ({ name, table, rows: held[name] }));
  const wrong = found.find(({ table, rows }) => rows !== undefined && !sameKind(table, rows));
  if (wrong) throw new TypeError(`Its table "${wrong.name}" has a wrong type`);
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
  extends
    RunRecord,
    Pick<ClaimedRun, 'epoch' | 'crashes' | 'notifies' | 'unwinds' | 'precondition' | 'firstSeq' | 'resume'> {
  settled: number;
  crashed: readonly string[];
  context?: string;
  targets?: readonly string[];
  continuedAt: number | null;
  parentClose: ParentClose | null;
  blockers: number;
  limiter: LimitRequest | null;
  turn: number | null;
  timeoutMs: number | null;
}

/** The run as a claim returns it. */
export function claimedOf(run: HeldRun): ClaimedRun {
  const { id, workflow, version, input, epoch, deadline } = run;
  const { closing, error, notifies, unwinds, precondition, firstSeq, resume, forkedSeq } = run;
  const { crashes, crashed, context } = run;
  const since = run.continuedAt ?? run.createdAt;
  const what = { id, workflow, version, input, epoch, crashes, deadline, since, claimedAt: 0 };
  const optional = { ...(crashed.length > 0 && { crashed }), ...(context !== undefined && { context }) };
  return { ...what, ...optional, closing, error, notifies, unwinds, precondition, firstSeq, resume, forkedSeq };
}

export interface HeldSignal extends NewSignal {
  id: number;
  createdAt: number;
  position: number | null;
  /** The run it was reserved for, or that took it last. */
  takenBy: string | null;
  /** The runs that have kept it. */
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

/** A run, or one of its steps, that is to be erased. */
export interface HeldMark extends Mark {
  namespace: string;
  erasureId: string;
  discards: boolean;
  askedAt: number;
}

/** The engine's tables as maps; each in-memory port uses its part. */
export class MemoryTables {
  readonly runs = new Map<string, HeldRun>();
  readonly steps = new Map<string, Map<number, StepRecord>>();
  readonly nodes = new Map<string, NodeRecord>();
  /** By minute and node. */
  readonly samples = new Map<string, StoredSample & { namespace: string }>();
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
  readonly holds: MemoryHolds['holds'] = new MemoryHolds().holds;
  /** By run and position. */
  readonly erasures = new Map<string, HeldMark>();
  readonly runListeners = new Set<(lost?: readonly string[]) => void>();
  readonly finishedListeners = new Set<(ids?: readonly string[]) => void>();
  readonly offeredListeners = new Set<(channels: readonly string[]) => void>();
  readonly limiterListeners = new Set<(limiters: readonly string[]) => void>();

  private busy: Promise<unknown> = Promise.resolve();

  /** Runs `work` one at a time, like the lock of a run's row, so that its decisions remain valid until it ends. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.busy.then(work);
    this.busy = done.catch(() => undefined);
    return done;
  }

  history(runId: string): StepRecord[] {
    return [...(this.steps.get(runId)?.values() ?? [])];
  }

  /** Notifies that signals on these channels were released. */
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

/* The conditions of the SQL statements, for rows in maps. */

export const isAnswerable = ({ kind, settled }: StepRecord): boolean =>
  settled === null && (kind === 'remote' || kind === 'child' || kind === 'signal');

export const isAsked = ({ kind, status, wakeAt }: StepRecord): boolean =>
  kind === 'remote' && status === 'pending' && wakeAt === null;

/** A closing run that waits has the status `compensating`. */
export const isParked = ({ status, owner }: RunRecord): boolean =>
  owner === null && (status === 'suspended' || status === 'compensating');

export const isBlocked = ({ reason }: RunRecord): boolean => TRIED_REASONS.some((known) => known === reason);

export const awaitsTurn = ({ owner, turn, status }: HeldRun): boolean =>
  owner === null && turn !== null && status === 'pending';

export const isDue = (run: HeldRun, now: number): boolean =>
  run.owner === null && run.wakeAt !== null && run.wakeAt <= now;

export const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Takes a run from its owner, if it has one: due at once. */
export function freeRun(
  tables: MemoryTables,
  run: HeldRun,
  now: number,
  { crashed = false, standstill }: { crashed?: boolean; standstill?: Standstill | undefined } = {},
): void {
  const settled = Math.max(0, ...tables.history(run.id).map((step) => step.settled ?? 0));
  const status = run.closing ? 'compensating' : run.precondition ? 'pending' : 'suspended';
  Object.assign(run, { owner: null, epoch: run.epoch + 1, status, wakeAt: now, settled });
  if (crashed) run.crashes++;
  if (standstill) Object.assign(run, standing(run, standstill));
}

/** The changes of a run that is released and blocked. */
const standing = ({ closing, deadline }: HeldRun, { reason, detail }: Standstill): Partial<HeldRun> => ({
  status: 'suspended',
  wakeAt: closing ? null : deadline,
  reason,
  reasonDetail: detail,
});

/** If the work throws, written rows are not rolled back; only the commit listeners are not called. */
export class InMemoryTransactions implements Transactions {
  private readonly open = new Map<unknown, Transaction>();

  constructor(
    /** Returns the handle of each transaction. Default: an object without anything. */
    private readonly standIn?: () => unknown,
  ) {}

  join(handle: unknown): Transaction {
    const tx = this.open.get(handle);
    if (tx) return tx;
    throw new InvalidTransactionError(
      'In memory the only transaction to join is the handle of a ctx.transaction(…) that is running: ' +
        'omit `transaction`, or use the database of your ORM instead of memoryBackend()',
    );
  }

  ambient(): undefined {
    return undefined;
  }

  begin<T>(work: (handle: unknown, tx: Transaction) => Promise<T>): Promise<T> {
    return inMemoryTransaction(undefined, async (tx) => {
      const handle = this.standIn ? await this.standIn() : tx;
      this.open.set(handle, tx);
      try {
        return await work(handle, tx);
      } finally {
        // One object may stand for several transactions that are open at once.
        if (this.open.get(handle) === tx) this.open.delete(handle);
      }
    });
  }
}

/** What ports in memory have in common. */
export abstract class InMemoryAdapter {
  constructor(
    protected readonly clock: Clock,
    protected readonly tables = new MemoryTables(),
  ) {}
}
