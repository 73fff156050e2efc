import type { StoredTexts } from '../protocol/stored-texts.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { ClaimedTask } from './task-source.js';

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
   * Stores these attempts; those of runs that do not exist are dropped. Returns for each how many attempts in a row were
   * lost, up to and including this one.
   */
  record(lost: readonly LostAttempt[]): Promise<number[]>;
}

/** Records the attempt before each reclaimed task, and returns how many in a row were lost; unknown ones are missing. */
export async function lossesOf(
  tasks: readonly ClaimedTask[],
  attempts: LostAttempts | undefined,
  { telemetry, texts }: { telemetry: Telemetry; texts: StoredTexts },
): Promise<ReadonlyMap<ClaimedTask, number>> {
  const reclaimed = tasks.filter((task) => task.reclaimed);
  if (reclaimed.length === 0 || !attempts) return NONE;
  try {
    const losses = await attempts.record(reclaimed.map((task) => lostBefore(task, texts)));
    return new Map(reclaimed.map((task, i) => [task, losses[i]!]));
  } catch (error) {
    // The tasks are run nevertheless: the numbers of their attempts show that others were lost.
    telemetry.emit('loop.error', { loop: 'worker.lost-attempts', error });
    return NONE;
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
