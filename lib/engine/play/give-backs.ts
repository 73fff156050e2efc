import { backoffMs } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';
import type { RunClaim, RunStore, Standstill } from '../runs/run-store.js';

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

/**
 * Gives back runs that this process cannot go on with: their epoch is raised, so that no write of theirs passes any more.
 * Whatever is wrong, the database may just be coming back: tried again until it is done, or this process ends.
 */
export class GiveBacks {
  private readonly stopped = new AbortController();
  private readonly underWay = new Set<string>();

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
    this.underWay.add(keyOf(claim));
    for (let failures = 1; !this.stopped.signal.aborted; failures++) {
      try {
        await this.store.release([claim], crashed, standstill);
        break;
      } catch (error) {
        this.onError(error);
        await sleep(backoffMs(failures, RETRY), this.stopped.signal);
      }
    }
    this.underWay.delete(keyOf(claim));
  }

  stop(): void {
    this.stopped.abort();
  }
}

const keyOf = ({ runId, epoch }: RunClaim): string => `${epoch}:${runId}`;
