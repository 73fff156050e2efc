import type { StoredTexts } from '../core/codec.js';
import { DatabaseError, MissingTableError } from '../core/errors.js';
import type { StepAnswer, StepTask } from '../core/protocol.js';
import type { Telemetry } from '../core/telemetry.js';
import type { PortMethods } from '../core/transaction.js';
import type { AcceptTask, HandedBack } from '../engine/tasks.js';
import type {
  GroupInSight,
  GroupsQuery,
  StoredTasksPage,
  TaskAttempt,
  TasksQuery,
  WaitingPage,
  WaitingQuery,
} from './waiting-tasks.js';

/** One claim of one task. Only its holder may extend, report and release it. */
export interface Claim {
  stepId: string;
  /** The worker and the claim; unique per claim. */
  claimedBy: string;
  /** The lease stamp, epoch ms by the storage's clock; changes with each extension. */
  claimedAt: number;
}

export interface ClaimedTask extends Omit<StepTask, 'input'> {
  /** As its codec has written it; null: nothing. */
  input: string | null;
  claim: Claim;
  /** Whether an earlier claim expired: its worker died or lost its connection. */
  reclaimed: boolean;
  /** The worker of that claim. */
  lostBy?: string | undefined;
  /** How long it could be claimed before, for measurements; a priority shifts it. Undefined for a reclaimed task. */
  waitedMs?: number | undefined;
}

/** The maximum number of tasks to claim from one group. */
export interface GroupQuota {
  group: string;
  limit: number;
}

export interface ClaimRequest {
  /** Unique per process; the prefix of `claimedBy` of its claims. */
  workerId: string;
  /** The queue tokens to read, in this order. Each is one indexed lookup, regardless of its backlog. */
  groups: readonly GroupQuota[];
  /** The step names to claim; tasks of other names are left alone. */
  names: readonly string[];
  /** The maximum number of tasks in total. */
  limit: number;
  /** A lease older than this, in ms, has expired. */
  leaseMs: number;
}

/** The result of a handler; texts, ready to be written. */
export interface TaskReport {
  claim: Claim;
  runId: string;
  seq: number;
  /** The number of the attempt. */
  attempt: number;
  status: 'completed' | 'failed';
  output: string | null;
  error: string | null;
  /** When the handler started, epoch ms by the storage's clock. */
  startedAt: number;
}

/**
 * A worker's leave to send it the next task of each run that one batch of its answers belongs to, within a few ms: the
 * engine dispatches it as claimed, and the task comes with the notification of its commit.
 */
export interface Credit {
  /** The mark of the claims, to which the engine adds the time; unique per credit. */
  readonly mark: string;
  /** The tasks that the worker takes. */
  readonly takes: readonly (readonly [group: string, name: string])[];
}

/** Notifies a worker, long before it renews its leases, of tasks whose results are no longer wanted. */
export interface TaskRevocations {
  /** True while this process is notified of new and withdrawn tasks, so that polling may be slow. */
  readonly live: boolean;
  /** Which of these claims no longer hold: one statement that reads by key, without locking or renewing. */
  lostClaims(claims: readonly Claim[]): Promise<Claim[]>;
  /**
   * Calls `listener` with tasks that were withdrawn, or without an argument when any may have been: a worker that runs
   * one must check its lease at once. Notifications may be lost, and a transport may omit this method.
   */
  onWithdrawn?(listener: (stepIds?: readonly string[]) => void): () => void;
}

/** What a worker needs from a transport. */
export interface TaskSource extends TaskRevocations {
  /**
   * Claims up to `limit` tasks that are free or whose lease has expired, oldest first within a group. No task is held
   * by two claims at once. A task whose lease had expired has its `attempt` raised by one.
   */
  claim(request: ClaimRequest): Promise<ClaimedTask[]>;
  /** Renews all leases in one statement. Returns the renewed claims; the others are lost. */
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /**
   * Writes the answer and ends the task in one commit, for each report whose claim still holds; the others write
   * nothing. Returns whether each claim held. An answer that already exists is kept: the first one counts. With `credit`,
   * engines of other processes may send tasks to the worker; a transport may ignore it.
   */
  report(reports: readonly TaskReport[], credit?: Credit): Promise<boolean[]>;
  /** Releases claims whose handlers did not start: the tasks may be claimed at once, as if they never had been. */
  release(claims: readonly Claim[]): Promise<void>;
  /**
   * Tasks that have waited for long, in any group, whether somebody serves them or not: for monitoring. A look reads a
   * limited number of tasks with a fixed number of statements, the oldest of each group first; looks that pass the cursor
   * back come to all of them.
   */
  waiting(query: WaitingQuery): Promise<WaitingPage>;
  /** Which of these are still there, at the same attempt and unclaimed. Reads by key. */
  stillWaiting(tasks: readonly TaskAttempt[]): Promise<TaskAttempt[]>;
  /** A page of the groups with tasks, in the storage's order of their names. A transport may omit this method. */
  groups?(query: GroupsQuery): Promise<GroupInSight[]>;
  /**
   * A page of tasks, by group and within it the oldest first. It looks at 10,000 tasks: a page with a `next` may be
   * short, or empty. A transport may omit this method.
   */
  list?(query: TasksQuery): Promise<StoredTasksPage>;
  /**
   * Offers tasks of an engine of this process to the worker before they are dispatched. Returns a function to stop. A
   * transport may omit this method.
   */
  onOffers?(accept: AcceptTask): () => void;
  /**
   * Hands an outcome to the engine of its run, if that is in this process. True: it is recorded with the end of the task,
   * or the worker is told that it was not. A transport may omit this method.
   */
  handBack?(outcome: HandedBack): boolean;
  /**
   * Calls `listener` with groups that have new tasks, or without an argument for any; and with tasks that were claimed for
   * workers of other processes than their engine's, see {@link Credit}. Returns a function to stop.
   */
  onTasks(listener: (groups?: readonly string[], sent?: readonly ClaimedTask[]) => void): () => void;
  /**
   * The claims that engines have made for this worker, of tasks in these groups that were dispatched in the last `withinMs`:
   * the notification of one may be lost. A transport whose `report` ignores credits may omit this method.
   */
  sentTo?(workerId: string, groups: readonly string[], withinMs: number): Promise<Claim[]>;
}

/** The kind of access of each method to the storage. */
export const TASK_SOURCE_METHODS: PortMethods<TaskSource> = {
  claim: 'finds',
  extend: 'lives',
  report: 'writes',
  release: 'writes',
  waiting: 'reads',
  stillWaiting: 'reads',
  groups: 'reads',
  list: 'reads',
  onTasks: 'tells',
  sentTo: 'reads',
  lostClaims: 'reads',
  onWithdrawn: 'tells',
  onOffers: 'tells',
  handBack: 'tells',
};

/** An attempt whose worker did not renew its lease. */
export interface LostAttempt {
  runId: string;
  seq: number;
  attempt: number;
  /** Null if it did not tell its name. */
  worker: string | null;
  /** When another worker took over, epoch ms. */
  finishedAt: number;
  /** JSON text. */
  error: string;
}

/** Stores lost attempts in the histories of their runs. */
export interface LostAttempts {
  /**
   * Stores these attempts. Returns for each how many processes have ended in the attempts in a row that were lost, up to
   * and including this one, each process once. One that is signed in, or was after it had lost the attempt, has not ended.
   * Of a worker that never signed in, each lost attempt counts. Undefined for runs that do not exist, as those of foreign
   * engines: theirs are not stored.
   */
  record(lost: readonly LostAttempt[]): Promise<(number | undefined)[]>;
}

/** Records the attempt before each reclaimed task, and returns how many workers in a row have ended; unknown ones are missing. */
export async function lossesOf(
  tasks: readonly ClaimedTask[],
  attempts: LostAttempts | undefined,
  { telemetry, texts }: { telemetry: Telemetry; texts: StoredTexts },
): Promise<ReadonlyMap<ClaimedTask, number>> {
  const reclaimed = tasks.filter((task) => task.reclaimed);
  if (reclaimed.length === 0 || !attempts) return NONE;
  try {
    const losses = await attempts.record(reclaimed.map((task) => lostBefore(task, texts)));
    return new Map(reclaimed.flatMap((task, i) => (losses[i] === undefined ? [] : [[task, losses[i]]])));
  } catch (error) {
    // The database of a foreign engine.
    if (error instanceof MissingTableError) return NONE;
    telemetry.emit('loop.error', { loop: 'worker.lost-attempts', error });
    // Nobody knows how many have ended in these tasks: they are run, unless that will never be known.
    const isKnownLater = error instanceof DatabaseError && error.transient;
    return isKnownLater ? new Map(reclaimed.map((task) => [task, 0])) : NONE;
  }
}

const NONE: ReadonlyMap<ClaimedTask, number> = new Map();

function lostBefore({ runId, seq, attempt, lostBy, claim, input }: ClaimedTask, texts: StoredTexts): LostAttempt {
  const who = lostBy === undefined ? 'The worker' : `Worker "${lostBy}"`;
  const message = `${who} did not renew its lease: it died, or lost its connection`;
  const context = { runId, ...(input !== null && { input }) };
  const error = JSON.stringify(texts.seal({ name: 'WorkerLostError', message, code: 'WORKER_LOST' }, context));
  return { runId, seq, attempt: attempt - 1, worker: lostBy ?? null, finishedAt: claim.claimedAt, error };
}

export interface LeasedAnswer extends StepAnswer {
  claim: Claim;
}

/**
 * For collectors that process an answer outside a transaction: only the holder of its lease processes it until the
 * lease expires. Engines do not need this; they take answers in the transaction that records them.
 */
export interface AnswerLeases {
  /** Leases those of these answers that exist and are free, or whose lease is older than `leaseMs`. */
  lease(stepIds: readonly string[], collectorId: string, leaseMs: number): Promise<LeasedAnswer[]>;
  /** Renews all leases in one statement. Returns the renewed claims; the others are lost. */
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /** Deletes the answers whose claim still holds. */
  settle(claims: readonly Claim[]): Promise<void>;
  /** Releases the claims: the answers may be claimed at once. */
  release(claims: readonly Claim[]): Promise<void>;
}
