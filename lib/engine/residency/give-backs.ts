import { backoffMs } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';
import type { Activation } from '../activation/activation.js';
import type { RunHooks } from '../model/run-hooks.js';
import type { RunClaim, RunStore, Standstill, Telling } from '../model/run-store.js';

/** What happens to runs whose commits the database has lost: replay them from the remaining records, or block them. */
export type OnHistoryLost = 'replay' | 'block';

export const HISTORY_LOST: Standstill = {
  reason: 'history_lost',
  detail:
    'the process that executed it had recorded more than the database still has, so some steps may be executed again',
};

export interface GivenBack {
  /** Increase the run's crash counter. Default: false. */
  crashed?: boolean;
  /** Block the run for this reason. Default: it is not blocked, and the next owner plays it. */
  standstill?: Standstill | undefined;
  /** Tells hooks of that. */
  telling?: Telling | undefined;
}

/** A run that was blocked, and is blocked again without progress, is no news. */
export function tellingOf(
  hooks: Pick<RunHooks, 'tell'> | undefined,
  { run, writer }: Pick<Activation, 'run' | 'writer'>,
  standstill: Standstill | undefined,
): Pick<GivenBack, 'telling'> {
  const { id: runId, workflow, wasBlocked } = run;
  if (!hooks || !standstill || (wasBlocked && !writer.hasProgressed)) return {};
  const news = { runId, workflow, status: 'suspended', reason: standstill.reason } as const;
  return { telling: (tx) => hooks.tell(news, tx) };
}

const RETRY = { delay: 50, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** How long a stopping process waits for the last attempts: less than the shortest usual shutdown time. */
const LAST_TRIES_MS = 3_000;

/**
 * Releases runs that this process cannot continue. It raises their epoch, so that no write of them is accepted any
 * more. After any error it retries until it succeeds or this process stops, since the database may be available again
 * soon.
 */
export class GiveBacks {
  private readonly stopping = new AbortController();
  /** By claim: resolves once the claim is released, or the attempt is given up. */
  private readonly underWay = new Map<string, Promise<void>>();
  private isOver = false;

  constructor(
    private readonly store: Pick<RunStore, 'release'>,
    /** Called with the error of every failed attempt. */
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Whether this claim is being released here. Other code must not release it, since it does not know the reason. */
  isUnderWay(claim: RunClaim): boolean {
    return this.underWay.has(keyOf(claim));
  }

  async giveBack(claim: RunClaim, { crashed = false, standstill, telling }: GivenBack): Promise<void> {
    const given = this.insist(() => this.store.release([claim], crashed, standstill, telling));
    this.underWay.set(keyOf(claim), given);
    await given;
    this.underWay.delete(keyOf(claim));
  }

  /**
   * Ends the pauses between attempts: each remaining run has one more attempt, and `stop` waits for it. Runs that are
   * not released after `graceMs` are left to other processes, which release them once this node's lease has expired.
   */
  async stop(graceMs = LAST_TRIES_MS): Promise<void> {
    this.stopping.abort();
    const done = new AbortController();
    const grace = sleep(graceMs, done.signal).then(() => (this.isOver = true));
    while (!this.isOver && this.underWay.size > 0) await Promise.race([grace, Promise.all(this.underWay.values())]);
    done.abort();
    await grace;
  }

  /** Not `untilBack`: after this process has begun to stop there is one more try, even if another was under way. */
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
