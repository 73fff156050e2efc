import { DatabaseError } from '../errors/database-errors.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { backoffMs } from '../time/backoff.js';
import { Batcher } from '../time/batcher.js';
import { sleep } from '../time/sleep.js';
import { failed } from './step-answer.js';
import type { Claim, TaskReport, TaskSource } from './task-source.js';

const RETRY = { delay: 50, factor: 2, maxDelay: 5_000, jitter: 'full' } as const;

/** From this try on, checks whether the claim still holds; if that is known, the answer is written alone. */
const LOOKS_FROM = 5;

/** Whether the database will never accept this answer. Other errors concern the statement, not the step's result. */
const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && error.aboutData;

/**
 * Writes answers in batches. An answer that cannot be written is retried until another worker holds the task: the fence
 * of the claim decides whether the answer still counts.
 */
export class Reporter {
  private readonly batcher: Batcher<TaskReport, boolean>;
  /** Answers whose batch keeps failing are written one at a time: one may block the others. */
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

  /** The number of answers that are not written yet. */
  get pending(): number {
    return this.waiting;
  }

  /**
   * Calls `written` with whether the claim still held, so that the answer counts. Also false when the process stops
   * before it could be written. A callback, because promises per task would dominate the worker's CPU time.
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

  /** Ends the retries; writes in progress are finished. */
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
      // If even a plain failure is rejected, the answer is not at fault and is retried.
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

  /** A write that never succeeds cannot report this. Undefined while the database is unavailable. */
  private isLost(claim: Claim): Promise<boolean | undefined> {
    return this.looks.add(claim).catch(() => undefined);
  }
}

const keyOf = ({ stepId, claimedBy }: Claim): string => `${claimedBy}/${stepId}`;

/** A step must end even if the database cannot store its answer. */
function refusal(error: unknown): Pick<TaskReport, 'status' | 'output' | 'error'> {
  const reason = error instanceof Error ? error.message : String(error);
  const {
    status,
    output,
    error: text,
  } = failed(
    Object.assign(new Error(`The database rejected the output of the step: ${reason}`), {
      code: 'REPORT_REFUSED',
      retryable: false,
    }),
  );
  return { status, output, error: text };
}
