import type { LogText } from '../protocol/log-line.js';
import { DatabaseError } from '../errors/database-errors.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { Batcher } from '../time/batcher.js';
import { macrotask } from '../time/sleep.js';

/** The maximum number of lines that wait to be written; more are dropped. */
const MOST_WAITING = 10_000;

/**
 * Writes handlers' log lines in batches. Handlers and answers never wait for them: while the database is unavailable or
 * too slow, lines are dropped, which is reported.
 */
export class StepLogKeeper {
  private readonly batcher: Batcher<StepLogLine, undefined>;
  private waiting = 0;
  private dropped = 0;

  constructor(
    sink: StepLogSink,
    private readonly telemetry: Telemetry,
  ) {
    this.batcher = new Batcher((lines) => sink.write(lines).then(() => lines.map(() => undefined)), {
      maxItems: 500,
      sizeOf: ({ message, fields }) => message.length + (fields?.length ?? 0),
      isolates: (error) => error instanceof DatabaseError && !error.transient,
    });
  }

  keep(line: StepLogLine): void {
    if (this.waiting >= MOST_WAITING) return this.drop(new Error(`${MOST_WAITING} lines already wait to be written`));
    this.waiting++;
    this.batcher.put(
      line,
      () => this.waiting--,
      (error) => {
        this.waiting--;
        this.drop(error);
      },
    );
  }

  /** Resolves once all waiting lines are written or dropped. */
  idle(): Promise<void> {
    return this.batcher.idle();
  }

  /** Reported once for all lines of one turn of the event loop. */
  private drop(error: unknown): void {
    if (this.dropped++ > 0) return;
    void macrotask().then(() => {
      this.telemetry.emit('step.log-dropped', { lines: this.dropped, error });
      this.dropped = 0;
    });
  }
}

/** A log line of a handler and its step. */
export interface StepLogLine extends LogText {
  runId: string;
  seq: number;
  attempt: number;
  /** Epoch ms, by the process's clock. */
  loggedAt: number;
}

/** Stores handlers' log lines with their steps. */
export interface StepLogSink {
  /** Stores these lines in order; those of runs that do not exist are dropped. */
  write(lines: readonly StepLogLine[]): Promise<void>;
}
