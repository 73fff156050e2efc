import { type Dispatched, type EndedTask, type StepAnswer, stepIdOf, type StepTask } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import type { Attributes, BlockReason, ClaimedRun, LimitRequest, NewRun, RunTransition } from './run.js';
import type { CheckedEvent, CheckedOperation, StepRecord } from './step.js';

/** A run that may have ended this many processes in a row is a suspect: it is played alone. */
export const SUSPECT_AFTER = 3;

export interface ClaimRuns {
  nodeId: string;
  namespace: string;
  /** The workflows that this process can play; other runs are not claimed. */
  workflows: readonly { name: string; version: number }[];
  limit: number;
  /**
   * `due`: new, woken, timed and released runs whose recent owners did not crash. `suspect`: due runs whose owners
   * keep crashing. `blocked`: blocked runs, in the order of their ids.
   */
  which: 'due' | 'suspect' | 'blocked';
  /** With `due`: only runs that became due within this many ms. Runs in a queue have no due time. */
  dueWithinMs?: number;
  /** With `blocked`: only ids after this one. */
  afterId?: string;
  /** With `blocked`: these are left as they are, unless others have claimed them since. */
  without?: readonly Pick<RunClaim, 'runId' | 'epoch'>[];
}

/** Why a run is blocked, with a description for people. */
export interface Standstill {
  reason: BlockReason;
  detail: string;
}

/**
 * Identifies one claim of one run. A database that has lost claims reuses their epochs, so another process may own the
 * run with the same epoch.
 */
export interface RunClaim {
  runId: string;
  epoch: number;
  /** The process that claimed the run. */
  owner: string;
}

/** One atomic write of an activation. */
export interface RunWrite {
  runId: string;
  epoch: number;
  /** When it was made, epoch ms: the run does not end before. Undefined for writes that end nothing. */
  at?: number;
  /** Whole rows: a new position is inserted, an existing one overwritten. */
  steps: readonly StepRecord[];
  /** Tasks for workers, visible with the commit. */
  tasks: readonly StepTask[];
  /** Step ids of the answers that it consumes. */
  takes: readonly string[];
  /** Tasks whose outcomes are in its steps. If one is no longer held by its claim, the write is refused. */
  ends?: readonly EndedTask[];
  /** Step ids of the tasks that it withdraws. */
  withdraws: readonly string[];
  transition?: RunTransition;
  /** The run has made progress since its last owner died. */
  clearCrashes?: boolean;
  /** Who must be notified of the run's end, as known from its claim. See `NOTIFIES`. */
  notifies?: number;
  /**
   * This write may be committed already. Events and effect calls of steps that are recorded are not written again, and
   * no attempt is asked for again whose request is recorded: it may have been answered.
   */
  again?: true;
  /** The required owner of the run, the same for all writes of a commit. Default: any. */
  owner?: string;
  /** Records of the run that were committed before: if one is missing, the database has lost commits. */
  known?: readonly KnownStep[];
  /** Refuse the write if a step of it has an outcome already. Only in a transaction that is rolled back then. */
  once?: true;
  /** Parts that most writes do not have. */
  extras?: RunExtras;
}

/** A record that must exist in the database. */
export interface KnownStep {
  seq: number;
  /** Its required place in the order of outcomes; null accepts any record. */
  settled: number | null;
}

/**
 * A refused write. `ahead`: the writer owns the run, but records that it knows to be committed are missing. `settled`:
 * it had `once`, and its step has an outcome. `unheld`: it ends a task that its worker no longer holds. Otherwise:
 * another process owns the run.
 */
export type RefusedWrite = RunWrite & { because?: 'ahead' | 'settled' | 'unheld' };

/** Parts that only some writes have; written in the same transaction, with the same fencing. */
export interface RunExtras {
  /** Child runs to create. */
  children?: readonly NewRun[];
  /** From now on, an early end of the run must play it: it has steps to compensate, or children to close. */
  unwinds?: true;
  /** Waits for signals that begin, or continue after another position. */
  waits?: readonly SignalWait[];
  /** Events of steps that are recorded with this write, in the order of the calls. */
  publishes?: readonly PublishingStep[];
  /** Events for hooks: the run ends, or is blocked. */
  tells?: readonly CheckedEvent[];
  /** Effect calls of steps that are recorded with this write. */
  enqueues?: readonly EnqueuingStep[];
  /** Ids of steps that no longer wait for signals. */
  unwaits?: readonly string[];
  /** Signals that the run received. */
  receives?: readonly SignalTaken[];
  /** Tasks that wait for their turn in a limiter, in place of being dispatched. */
  queues?: readonly QueuedTask[];
  /** Steps that leave their limiter: they were answered or withdrawn. */
  leaves?: readonly { holder: string; limiter: string }[];
  attempts?: readonly EndedAttempt[];
  /** By name; null removes an attribute. */
  attributes?: Readonly<Record<string, Attributes[string] | null>>;
  customStatus?: string;
  logs?: readonly LogLine[];
  /** Lines that may be stored already, with the same texts and times: each replaces the stored one. */
  replacedLogs?: readonly LogLine[];
}

/** A step, and the events that are written with its record. */
export interface PublishingStep {
  seq: number;
  events: readonly CheckedEvent[];
}

/** A step, and the calls that are enqueued with its record. */
export interface EnqueuingStep {
  seq: number;
  operation: CheckedOperation;
}

/** The wait of a step on one channel. A step that waits for several channels has several waits. */
export interface SignalWait {
  channel: string;
  stepId: string;
  runId: string;
  seq: number;
  /** Signals up to this position of the channel are not for this step. */
  after: number;
  /** When the run began, or its last `continueAsNew`, epoch ms: older signals count only if no run has taken them. */
  since: number;
  /** Signals sent later do not count; epoch ms. */
  deadline: number | null;
}

/** A signal that was delivered to a run, and whether the run kept it. */
export interface SignalTaken {
  channel: string;
  position: number;
  /** `kept`: the run took it. `refused`: it is released. `left`: it is released, and must be delivered again. */
  how: 'kept' | 'refused' | 'left';
}

export interface QueuedTask {
  task: StepTask;
  limitRequest: LimitRequest;
  priority: number;
}

/**
 * An attempt after which the step is tried again. `lost`: its worker did not renew its lease. `deferred`: it asked to be
 * repeated later.
 */
export interface EndedAttempt {
  seq: number;
  /** The number of the attempt, from 1. */
  attempt: number;
  outcome: 'failed' | 'lost' | 'deferred';
  /** When it was requested; null if it was the first one, or is not known. */
  askedAt: number | null;
  startedAt: number | null;
  finishedAt: number;
  worker: string | null;
  /** JSON text. */
  error: string;
}

export interface LogLine {
  seq: number | null;
  attempt: number | null;
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  /** JSON text. */
  fields: string | null;
  loggedAt: number;
}

/** The effects of ended runs on others. */
export interface Endings {
  /** Answers to the steps that waited for them. */
  answers: readonly StepAnswer[];
  /** Limiters in which they held a permit. */
  limiters: readonly string[];
}

export const NO_ENDINGS: Endings = { answers: [], limiters: [] };

/**
 * The writes of other ports in the same transaction. It receives the writes that passed the fencing, without events and
 * effect calls that were written before. Resolves to existing answers to withdrawn tasks, if it withdrew any.
 *
 * @throws UnheldTasks before anything is written, if a write ends a task that its worker no longer holds.
 */
export interface Outgoing {
  (writes: readonly RunWrite[], tx: Transaction, endings: Endings): Promise<readonly StepAnswer[] | undefined>;
  /**
   * Called in place of it after a commit in which the storage itself has dispatched the tasks of these writes and taken
   * their answers. Without this, a storage does neither.
   */
  carried?(writes: readonly RunWrite[], dispatched?: Dispatched): void;
}

/** A commit would end tasks that their workers no longer hold. Thrown internally only. */
export class UnheldTasks extends Error {
  constructor(readonly stepIds: readonly string[]) {
    super('A worker no longer holds a task whose outcome is recorded');
  }
}

/** Commits these writes without those that end tasks which their workers no longer hold: these are refused. */
export async function refusingUnheld(
  writes: readonly RunWrite[],
  commit: (writes: readonly RunWrite[]) => Promise<readonly RefusedWrite[]>,
): Promise<readonly RefusedWrite[]> {
  try {
    return await commit(writes);
  } catch (error) {
    if (!(error instanceof UnheldTasks)) throw error;
    const isUnheld = ({ ends = [] }: RunWrite) => ends.some(({ stepId }) => error.stepIds.includes(stepId));
    const others = writes.filter((write) => !isUnheld(write));
    if (others.length === writes.length) throw error;
    const refused = writes.filter(isUnheld).map((write) => ({ ...write, because: 'unheld' as const }));
    return [...refused, ...(others.length > 0 ? await refusingUnheld(others, commit) : [])];
  }
}

/** Tells hooks of a run that is blocked in this transaction. */
export type Telling = (tx: Transaction) => Promise<void>;

/** Deletes answers in the transaction that records them. */
export type Taking = (stepIds: readonly string[], tx: Transaction) => Promise<void>;

/** Claims, reads and writes the runs that engines play. Every method is atomic. */
export interface RunStore {
  /** Claims up to `limit` runs, each with a new epoch. Blocked runs of one workflow come in the order of their ids. */
  claim(request: ClaimRuns): Promise<ClaimedRun[]>;
  /**
   * Returns all recorded positions of these runs, in one read. `latest`: includes everything that any server of a
   * cluster has committed by now, even if the queried server is behind.
   */
  histories(runIds: readonly string[], options?: { latest?: boolean }): Promise<StepRecord[]>;
  /**
   * Commits the writes whose (run id, epoch, owner) still holds, whose known records exist, and whose ended tasks are
   * held as they say. Returns the refused writes, of which nothing is written. At most one write per run and epoch. `tx`
   * joins an open transaction. If a write begins the compensation of its run, existing answers become the outcomes of
   * their steps, after all others. Signals in withdrawn answers are released, and the delivery is notified of them.
   */
  commit(writes: readonly RunWrite[], outgoing: Outgoing, tx?: Transaction): Promise<readonly RefusedWrite[]>;
  /**
   * Records answers to runs without an owner, and wakes these runs. Returns the step ids that are done, including
   * answers that are no longer needed; `taking` deletes them in the same transaction. Other answers are kept. Signals
   * in unneeded answers are released, and the delivery is notified of them. Such an answer may be kept until the next
   * call, in case the process dies before it has delivered them. Released-signal notes are processed regardless of run
   * ownership.
   */
  settleUnowned(namespace: string, answers: readonly StepAnswer[], taking: Taking): Promise<string[]>;
  /** The current claims of this node according to the table. */
  owned(nodeId: string): Promise<RunClaim[]>;
  /** Returns the claims that no longer hold: the run is free or has another owner. Reads by key and locks nothing. */
  lost(claims: readonly RunClaim[]): Promise<RunClaim[]>;
  /**
   * Releases the runs; they are due at once, or blocked by `standstill`. `crashed` increases their crash counter. A
   * claim that no longer holds releases nothing. `telling` is called in the transaction if a run was released.
   */
  release(runs: readonly RunClaim[], crashed: boolean, standstill?: Standstill, telling?: Telling): Promise<void>;
  /** Calls `listener` when runs may have become due; with ids, when those runs were taken from their owner. */
  onRuns(listener: (lost?: readonly string[]) => void): () => void;
}

/** The positions of steps whose records are committed with what must be written only once. */
const outgoingSeqs = ({ tasks, ends = [], extras: { publishes = [], enqueues = [], queues = [] } = {} }: RunWrite) =>
  [...publishes, ...enqueues, ...tasks, ...ends, ...queues.map(({ task }) => task)].map(({ seq }) => seq);

/** Of writes that may have been committed before: the steps whose records say whether they were. */
export const inDoubt = (writes: readonly RunWrite[]): readonly Pick<StepRecord, 'runId' | 'seq'>[] =>
  writes.flatMap((write) => (write.again ? outgoingSeqs(write).map((seq) => ({ runId: write.runId, seq })) : []));

/** A step as it is recorded: an attempt that is asked for has a number and a moment of its own. */
export type RecordedStep = Pick<StepRecord, 'runId' | 'seq' | 'attempt' | 'askedAt' | 'settled'>;

/**
 * Returns the writes without what they have written already, as these records say. With the request for an attempt goes
 * what the end of the one before it has asked for in the same write. A task that was lost, and is sent again without its
 * record, is left out: if it is lost still, the next look sends it.
 */
export function withoutRecorded(writes: readonly RunWrite[], recorded: readonly RecordedStep[]): readonly RunWrite[] {
  const records = new Map(recorded.map((step) => [stepIdOf(step.runId, step.seq), step]));
  return writes.map((write) => {
    const { runId, again, steps, tasks, takes, ends, withdraws, extras } = write;
    if (!again) return write;
    const found = ({ seq }: { seq: number }) => records.get(stepIdOf(runId, seq));
    const isNew = (step: { seq: number }) => found(step) === undefined;
    const written = new Map(steps.map((step) => [step.seq, step]));
    const isAsked = (task: StepTask) => {
      const [step, record] = [written.get(task.seq), found(task)];
      return !step || (record?.attempt === step.attempt && record.askedAt === step.askedAt);
    };
    const { publishes = [], enqueues = [], queues = [], leaves = [] } = extras ?? {};
    const asked = new Set([...tasks, ...queues.map(({ task }) => task)].filter(isAsked).map(({ stepId }) => stepId));
    const isUnasked = ({ stepId }: StepTask) => !asked.has(stepId);
    return {
      ...write,
      tasks: tasks.filter(isUnasked),
      takes: takes.filter((stepId) => !asked.has(stepId)),
      ...(ends && { ends: ends.filter((task) => (found(task)?.settled ?? null) === null) }),
      withdraws: withdraws.filter((stepId) => !asked.has(stepId)),
      ...(extras && {
        extras: {
          ...extras,
          publishes: publishes.filter(isNew),
          enqueues: enqueues.filter(isNew),
          queues: queues.filter(({ task }) => isUnasked(task)),
          leaves: leaves.filter(({ holder }) => !asked.has(holder)),
        },
      }),
    };
  });
}

/** What nobody was told of when these writes were committed, if they were: the reply was lost. */
export function untold(
  writes: readonly RunWrite[],
  fresh: readonly RunWrite[],
): { limiters: string[]; asking: RunWrite[] } {
  const doubtful = writes.filter(({ again }) => again);
  const written = new Set(fresh.flatMap(({ tasks }) => tasks));
  return {
    limiters: doubtful.flatMap(({ extras: { queues = [], leaves = [] } = {} }) => [
      ...queues.map(({ limitRequest }) => limitRequest.limiter),
      ...leaves.map(({ limiter }) => limiter),
    ]),
    asking: doubtful
      .map((write) => ({ ...write, tasks: write.tasks.filter((task) => !written.has(task)) }))
      .filter(({ tasks }) => tasks.length > 0),
  };
}
