import type { StepAnswer, StepTask } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Attributes, BlockReason, ClaimedRun, LimitRequest, NewRun, RunTransition } from './run.js';
import type { CheckedEvent, CheckedOperation } from './outgoing.js';
import type { StepRecord } from './step-record.js';

export interface ClaimRuns {
  nodeId: string;
  namespace: string;
  /** What this process can play; runs of anything else are left alone. */
  workflows: readonly { name: string; version: number }[];
  limit: number;
  /**
   * `due`: new, woken, timed and released runs whose recent owners lived. `suspect`: due runs whose owners keep
   * dying. `blocked`: runs that stand still for a reason, in the order of their ids.
   */
  which: 'due' | 'suspect' | 'blocked';
  /** With `due`: only those that became due within the last so many ms. Those in a queue have no due time. */
  dueWithinMs?: number;
  /** With `blocked`: only ids after this one. */
  afterId?: string;
}

/** Why a run is not played on, and what people are told of it. */
export interface Standstill {
  reason: BlockReason;
  detail: string;
}

/**
 * What identifies one taking of one run. A database that has lost claims counts their epochs anew, so another process may
 * have the run under the same one.
 */
export interface RunClaim {
  runId: string;
  epoch: number;
  /** The process that took it. */
  owner: string;
}

/** What one activation writes at one time; all of it or nothing. */
export interface RunWrite {
  runId: string;
  epoch: number;
  /** Whole rows: a new position is inserted, a known one overwritten. */
  steps: readonly StepRecord[];
  /** Requests to workers that become visible with it. */
  tasks: readonly StepTask[];
  /** Answers it consumes, by step id. */
  takes: readonly string[];
  /** Tasks it gives up, by step id. */
  withdraws: readonly string[];
  transition?: RunTransition;
  /** The run has made progress since its last owner died. */
  clearCrashes?: boolean;
  /** Who is to be told of its end, as far as its claim knows. See `NOTIFIES`. */
  notifies?: number;
  /** A commit of it may have happened unheard: of steps that are recorded already nothing goes out again. */
  again?: true;
  /** Who must own the run, the same for all writes of a commit. Default: anybody. */
  owner?: string;
  /** Records of the run that were committed before: where one is not there, the database has lost commits. */
  known?: readonly KnownStep[];
  /** None of its steps has an outcome yet. Only in a transaction that is rolled back when this turns out to be wrong. */
  once?: true;
  /** What most writes have nothing of. */
  extras?: RunExtras;
}

/** A record, as far as it must have come. */
export interface KnownStep {
  seq: number;
  /** Its place in the order; null when any record will do. */
  settled: number | null;
}

/**
 * A write that was not done. `ahead`: the run is its writer's, but what is known to be committed is not there. `settled`:
 * it was to be `once`, and its step has an outcome. Else the run is another's.
 */
export type RefusedWrite = RunWrite & { because?: 'ahead' | 'settled' };

/** What only some writes carry; all of it in the same transaction, under the same fence. */
export interface RunExtras {
  /** Runs that begin with it. */
  children?: readonly NewRun[];
  /** From now on ending the run early takes playing it: there is something to compensate, or a child to close. */
  unwinds?: true;
  /** Waits for signals that begin, or go on behind another position. */
  waits?: readonly SignalWait[];
  /** Events of steps that are recorded with it, in the order in which they were asked for. */
  publishes?: readonly PublishingStep[];
  /** Calls that are to be made for steps that are recorded with it. */
  enqueues?: readonly EnqueuingStep[];
  /** Steps that wait for signals no longer. */
  unwaits?: readonly string[];
  /** Signals that code was given. */
  receives?: readonly SignalTaken[];
  /** Tasks that wait for their turn in a limiter, in place of being dispatched. */
  queues?: readonly QueuedTask[];
  /** Steps that leave their limiter: they were answered or given up. */
  leaves?: readonly { holder: string; limiter: string }[];
  /** Attempts that failed. */
  attempts?: readonly FailedAttempt[];
  /** By name; null removes. */
  attributes?: Readonly<Record<string, Attributes[string] | null>>;
  customStatus?: string;
  logs?: readonly LogLine[];
  /** Lines of which the same may be there, by their texts and times: each is written anew in place of that. */
  replacedLogs?: readonly LogLine[];
}

/** A step, and what is published with its record. */
export interface PublishingStep {
  seq: number;
  events: readonly CheckedEvent[];
}

/** A step, and the calls that are enqueued with its record. */
export interface EnqueuingStep {
  seq: number;
  operation: CheckedOperation;
}

/** One channel that a step listens to. A step that waits for several has several of these. */
export interface SignalWait {
  channel: string;
  stepId: string;
  runId: string;
  seq: number;
  /** Signals up to this position of the channel are not for this step. */
  after: number;
  /** When its run's life began, epoch ms: signals that are older count as long as nobody has taken them. */
  since: number;
  /** Signals sent later do not count, epoch ms. */
  deadline: number | null;
}

/** A signal that a run took, found that it does not want after all, or had no time left for. */
export interface SignalTaken {
  channel: string;
  position: number;
  /** `kept`: it was the run's; `refused`: it is released; `left`: so it is, and whoever waits is to be given it. */
  how: 'kept' | 'refused' | 'left';
}

export interface QueuedTask {
  task: StepTask;
  limitRequest: LimitRequest;
  priority: number;
}

export interface FailedAttempt {
  seq: number;
  /** The n-th try, from 1. */
  attempt: number;
  startedAt: number | null;
  finishedAt: number;
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

/** What the ends of runs mean for others. */
export interface Endings {
  /** Answers to the steps that waited for them. */
  answers: readonly StepAnswer[];
  /** Limiters in which they held a permit. */
  limiters: readonly string[];
}

export const NO_ENDINGS: Endings = { answers: [], limiters: [] };

/**
 * Writes of other ports that belong into the same transaction; given the writes that passed the fence, without what has
 * gone out before. Resolves to the answers that were there to what was withdrawn, if it withdrew anything.
 */
export type Outgoing = (
  writes: readonly RunWrite[],
  tx: Transaction,
  endings: Endings,
) => Promise<readonly StepAnswer[] | undefined>;

/** Deletes answers in the transaction that records them. */
export type Taking = (stepIds: readonly string[], tx: Transaction) => Promise<void>;

/** What playing runs needs from the database. Every method is atomic. */
export interface RunStore {
  /** Takes up to `limit` runs; no run is ever held under the same epoch twice. Blocked runs of one workflow come in the order of their ids. */
  claim(request: ClaimRuns): Promise<ClaimedRun[]>;
  /**
   * All recorded positions of these runs, in one read. `latest`: with all that any server of a cluster has committed by
   * now, where the one that is asked may be behind.
   */
  histories(runIds: readonly string[], options?: { latest?: boolean }): Promise<StepRecord[]>;
  /**
   * Writes everything whose (run id, epoch, owner) still holds and whose known records are there, and returns the writes
   * for which it did not: of those nothing is written. At most one write per run and epoch. `tx` joins a transaction that
   * is already open. Of a run that begins to be compensated with it, answers that were there are the outcomes of their
   * steps, behind all others. Signals in what it withdraws are released, which those who deliver hear.
   */
  commit(writes: readonly RunWrite[], outgoing: Outgoing, tx?: Transaction): Promise<readonly RefusedWrite[]>;
  /**
   * Records answers to runs that nobody owns, and wakes them. Returns the step ids that are dealt with, be it that
   * nobody wants them any more; they are taken by `taking` in the same transaction. Others stay. Signals in what
   * nobody wants are released, which those who deliver hear; such an answer may stay for another time, lest they
   * die before they have delivered. Notes about released signals are processed whoever owns the run.
   */
  settleUnowned(namespace: string, answers: readonly StepAnswer[], taking: Taking): Promise<string[]>;
  /** The runs that this node owns by the table's word, and since which claim. */
  owned(nodeId: string): Promise<RunClaim[]>;
  /** Which of these claims hold no longer: the run is free, or another's whatever its epoch. Reads by key and locks nothing. */
  lost(claims: readonly RunClaim[]): Promise<RunClaim[]>;
  /**
   * Gives up ownership; the runs are due at once, or stand still for a reason. `crashed` counts against them. A claim that
   * does not hold any more releases nothing.
   */
  release(runs: readonly RunClaim[], crashed: boolean, standstill?: Standstill): Promise<void>;
  /** Calls `listener` when runs may have become due, or, with ids, when those were taken from their owner. */
  onRuns(listener: (lost?: readonly string[]) => void): () => void;
}
