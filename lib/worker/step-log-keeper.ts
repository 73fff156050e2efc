import type { LogText } from '../protocol/log-line.js';
import { DatabaseError } from '../errors.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { Batcher } from '../time/batcher.js';
import { macrotask } from '../time/within.js';

/** As many lines of a process may wait to be written; beyond that they are dropped. */
const MOST_WAITING = 10_000;

/**
 * Writes the lines of handlers, as many at once as there are. No handler and no answer waits for them: when the database
 * is away, or slower than the handlers talk, lines are dropped, and that is said.
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
    if (this.waiting >= MOST_WAITING) return this.drop(new Error(`${MOST_WAITING} lines wait to be written already`));
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

  /** Resolves once what was kept is written or dropped. */
  idle(): Promise<void> {
    return this.batcher.idle();
  }

  /** Told once for all lines of one turn of the event loop. */
  private drop(error: unknown): void {
    if (this.dropped++ > 0) return;
    void macrotask().then(() => {
      this.telemetry.emit('step.log-dropped', { lines: this.dropped, error });
      this.dropped = 0;
    });
  }
}

/** A line that a handler logged, for the step it serves. */
export interface StepLogLine extends LogText {
  runId: string;
  seq: number;
  attempt: number;
  /** Epoch ms, by the process's clock. */
  loggedAt: number;
}

/** Where lines of handlers are kept with their steps. */
export interface StepLogSink {
  /** Adds these lines, in their order; those of runs that are not there are dropped. */
  write(lines: readonly StepLogLine[]): Promise<void>;
}
