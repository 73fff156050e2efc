import { backoffMs } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';
import type { RunClaim, RunStore, Standstill } from '../model/run-store.js';

/** What becomes of runs of which the database has lost commits: played again from what it has, or left to people. */
export type OnHistoryLost = 'replay' | 'block';

export const HISTORY_LOST: Standstill = {
  reason: 'history_lost',
  detail:
    'the process that played it had recorded more than the database holds now, so some of its steps may be done again',
};

/** What becomes of a run that is given back. */
export interface GivenBack {
  /** Its owner is counted as having died of it. Default: no. */
  crashed?: boolean;
  /** It stands still, for this reason. Default: whoever claims it next plays it. */
  standstill?: Standstill | undefined;
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** How long a process that stops waits for the last tries: less than the shortest shutdown that people grant it. */
const LAST_TRIES_MS = 3_000;

/**
 * Gives back runs that this process cannot go on with: their epoch is raised, so that no write of theirs passes any more.
 * Whatever is wrong, the database may just be coming back: tried again until it is done, or this process stops.
 */
export class GiveBacks {
  private readonly stopping = new AbortController();
  /** By the claim, what resolves once it is given back or given up. */
  private readonly underWay = new Map<string, Promise<void>>();
  private isOver = false;

  constructor(
    private readonly store: Pick<RunStore, 'release'>,
    /** Told of every failure that is waited out. */
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Whether this claim is being given back here, so that nobody else may, who does not know what becomes of the run. */
  isUnderWay(claim: RunClaim): boolean {
    return this.underWay.has(keyOf(claim));
  }

  async giveBack(claim: RunClaim, { crashed = false, standstill }: GivenBack): Promise<void> {
    const given = this.insist(() => this.store.release([claim], crashed, standstill));
    this.underWay.set(keyOf(claim), given);
    await given;
    this.underWay.delete(keyOf(claim));
  }

  /**
   * Ends the pauses between tries: each run that is still to be given back is tried once more, and whoever called waits
   * for that. What is not through after `graceMs` is left to the process that finds this one gone.
   */
  async stop(graceMs = LAST_TRIES_MS): Promise<void> {
    this.stopping.abort();
    const done = new AbortController();
    const grace = sleep(graceMs, done.signal).then(() => (this.isOver = true));
    while (!this.isOver && this.underWay.size > 0) await Promise.race([grace, Promise.all(this.underWay.values())]);
    done.abort();
    await grace;
  }

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

const keyOf = ({ runId, epoch }: RunClaim): string => `${epoch}:${runId}`;
