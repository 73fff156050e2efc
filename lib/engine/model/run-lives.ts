import type { GivingUp } from './run-control.js';
import type { RunStatus } from './run.js';
import type { Transaction } from '../../protocol/transaction.js';

export interface RestartRun {
  id: string;
  /** JSON text. Default: the input that the run has. */
  input?: string;
  /** Default: the version that the run has. */
  version?: number;
  /** JSON text of what it carries. Default: what the run carries. */
  context?: string;
}

export interface ForkRun {
  /** The run whose history is shared. */
  source: string;
  /** The first position that is not shared. */
  from: number;
  id: string;
  /** JSON text. Default: the input of the source. */
  input?: string;
  /** JSON text of what it carries. Default: what the source carries. */
  context?: string;
}

/**
 * Why a run cannot be forked there. `open`: a shared step has no outcome, and its work may still be done for the source.
 * `compensated`: a shared step was undone. `outside`: its history, from `first` to `last`, does not have the position.
 * `erasing`: it, or what one of its steps holds, waits for its erasure, which would not find the fork.
 */
export type ForkRefusal =
  /** Without a name, the step is not recorded yet. */
  | { why: 'open'; step?: string; seq: number }
  | { why: 'compensated'; step: string; seq: number }
  | { why: 'outside'; first: number; last: number }
  | { why: 'erasing' };

/** `erased`: it has no input to begin with, and no history to share. */
export type ForkOutcome = 'forked' | 'repeated' | 'missing' | 'taken' | 'erased' | ForkRefusal;

/** Begins lives of runs that exist. Every method is atomic. Engines are notified with the commit. */
export interface RunLives {
  /**
   * Begins a new life of a run that has ended, which is due at once: its positions and epochs continue, so that none of
   * its step ids is used again. Its history, its log lines and signals that were sent to it are deleted, and its children
   * lose their parent. It keeps its attributes, its own parent, its key in a limiter, and its start key. Returns the
   * status of a run that has not ended, or `erased`, and changes nothing.
   */
  restart(
    request: RestartRun,
    givingUp: GivingUp,
    tx?: Transaction,
  ): Promise<'restarted' | 'missing' | 'erased' | RunStatus>;
  /**
   * Creates a run with the positions of another one before `from`, with their outcomes; the other run is not changed.
   * Timers keep their time, and open waits for signals are asked for anew. If the id is used already, nothing is changed:
   * `repeated`: by the fork of the same run from the same position; `taken`: by another run.
   */
  fork(request: ForkRun, tx?: Transaction): Promise<ForkOutcome>;
}
