import type { LogText } from '../protocol/log-line.js';

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
