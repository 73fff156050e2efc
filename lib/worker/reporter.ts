import { DatabaseError } from '../errors.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { backoffMs } from '../time/backoff.js';
import { Batcher } from '../time/batcher.js';
import { sleep } from '../time/sleep.js';
import { failed } from './step-answer.js';
import type { Claim, TaskReport, TaskSource } from './task-source.js';

const RETRY = { delay: 50, factor: 2, maxDelay: 5_000, jitter: 'full' } as const;

/** From this try on it is looked whether the claim still holds, and where that can be seen the answer is written alone. */
const LOOKS_FROM = 5;

/**
 * Whether the database will never have this answer. Whatever else it says is about our statement, and the step has
 * succeeded all the same.
 */
const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && error.aboutData;

/**
 * Writes answers, as many at once as there are. What cannot be written now is tried again until the task is somebody
 * else's: the claim's fence, not a guess of ours, decides whether the answer still counts by then.
 */
export class Reporter {
  private readonly batcher: Batcher<TaskReport, boolean>;
  /** Answers that others of their batch may keep from being written, or they others: one after the other. */
  private readonly alone: Batcher<TaskReport, boolean>;
  private readonly looks: Batcher<Claim, boolean>;
  private readonly stopped = new AbortController();
  private waiting = 0;

  constructor(
    source: Pick<TaskSource, 'report' | 'lostClaims'>,
    private readonly telemetry: Telemetry,
  ) {
    this.batcher = new Batcher((reports) => source.report(reports), {
      maxItems: 500,
      sizeOf: ({ output, error }) => (output?.length ?? 0) + (error?.length ?? 0),
      isolates: isRefusal,
    });
    this.alone = new Batcher((reports) => source.report(reports), { maxItems: 1 });
    this.looks = new Batcher(async (claims) => {
      const lost = new Set((await source.lostClaims(claims)).map(keyOf));
      return claims.map((claim) => lost.has(keyOf(claim)));
    });
  }

  /** Answers that are not written yet. */
  get pending(): number {
    return this.waiting;
  }

  /**
   * Tells `written` whether the claim still held, so that the answer counts. False too when the process stops before
   * it could be written. A callback, because a promise or two for each task are what a worker would mostly be busy with.
   */
  report(report: TaskReport, written: (held: boolean) => void): void {
    const done = (held: boolean) => {
      this.waiting--;
      written(held);
    };
    this.waiting++;
    if (this.stopped.signal.aborted) return done(false);
    this.batcher.put(report, done, (error) => void this.writeAgain(report, error).then(done));
  }

  /** Ends the retries; what is being written is finished. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await Promise.all([this.batcher.idle(), this.alone.idle(), this.looks.idle()]);
  }

  private async writeAgain(report: TaskReport, failure: unknown): Promise<boolean> {
    let error = failure;
    let next = report;
    for (let attempt = 1; ; attempt++) {
      if (isRefusal(error)) this.telemetry.emit('task.report-refused', { stepId: report.claim.stepId, error });
      else this.telemetry.emit('loop.error', { loop: 'worker.report', error });
      // Where not even a plain failure is accepted the answer is not at fault, and is tried again.
      next = isRefusal(error) && next === report ? { ...report, ...refusal(error) } : report;
      if (next === report) await sleep(backoffMs(attempt, RETRY), this.stopped.signal);
      if (this.stopped.signal.aborted) return false;
      const isLost = attempt >= LOOKS_FROM ? await this.isLost(report.claim) : undefined;
      if (isLost) return false;
      try {
        return await (isLost === undefined ? this.batcher : this.alone).add(next);
      } catch (thrown) {
        error = thrown;
      }
    }
  }

  /** A write that never succeeds cannot say so itself. Undefined while the database does not answer. */
  private isLost(claim: Claim): Promise<boolean | undefined> {
    return this.looks.add(claim).catch(() => undefined);
  }
}

const keyOf = ({ stepId, claimedBy }: Claim): string => `${claimedBy}/${stepId}`;

/** One answer the database will not store must not keep its step from ending. */
function refusal(error: unknown): Pick<TaskReport, 'status' | 'output' | 'error'> {
  const reason = error instanceof Error ? error.message : String(error);
  const {
    status,
    output,
    error: text,
  } = failed(
    Object.assign(new Error(`The database refused the output of the step: ${reason}`), {
      code: 'REPORT_REFUSED',
      retryable: false,
    }),
  );
  return { status, output, error: text };
}
