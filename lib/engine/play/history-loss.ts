import { backoffMs } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';
import type { ClaimedRun } from '../runs/run.js';
import type { RunClaim, RunStore, Standstill } from '../runs/run-store.js';

/** What becomes of runs of which the database has lost commits: played again from what it has, or left to people. */
export type OnHistoryLost = 'replay' | 'block';

export interface HistoryLossOptions {
  /** The process that plays the runs. */
  owner: string;
  then: OnHistoryLost;
  /** Told of every failure that is waited out. */
  onError: (error: unknown) => void;
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;

const LOST: Standstill = {
  reason: 'history_lost',
  detail:
    'the process that played it had recorded more than the database holds now, so some of its steps may be done again',
};

/** Gives runs back that were ahead of the database: their epoch is raised, so that no write of theirs passes any more. */
export class HistoryLoss {
  private readonly stopped = new AbortController();
  private readonly underWay = new Set<string>();

  constructor(
    private readonly store: Pick<RunStore, 'release'>,
    private readonly options: HistoryLossOptions,
  ) {}

  /** Whether this claim is being given back here, so that nobody else may, who does not know what becomes of the run. */
  isGivingBack(claim: RunClaim): boolean {
    return this.underWay.has(keyOf(claim));
  }

  /** Whatever was lost, the database may just be coming back: tried again until it is done, or this process ends. */
  async giveBack({ id: runId, epoch }: ClaimedRun): Promise<void> {
    const claim = { runId, epoch, owner: this.options.owner };
    this.underWay.add(keyOf(claim));
    await this.insist(claim);
    this.underWay.delete(keyOf(claim));
  }

  private async insist(claim: RunClaim): Promise<void> {
    const standstill = this.options.then === 'block' ? LOST : undefined;
    for (let failures = 1; !this.stopped.signal.aborted; failures++) {
      try {
        return await this.store.release([claim], false, standstill);
      } catch (error) {
        this.options.onError(error);
        await sleep(backoffMs(failures, RETRY), this.stopped.signal);
      }
    }
  }

  stop(): void {
    this.stopped.abort();
  }
}

const keyOf = ({ runId, epoch }: RunClaim): string => `${epoch}:${runId}`;
