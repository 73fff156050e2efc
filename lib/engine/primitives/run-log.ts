import { type LogLevel, type LogText, logText } from '../../protocol/log-line.js';
import { stepIdOf } from '../../protocol/step.js';
import type { Activation } from '../activation/activation.js';
import { LINE_COUNT_SEQ } from '../activation/merged-writes.js';
import type { LogLine } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { RunLog } from '../model/step-options.js';

/** The most stored lines of a run (since `continueAsNew`), and of one attempt; later ones only go to the logger. */
const MOST_RUN_LINES = 10_000;
const MOST_STEP_LINES = 1_000;

/**
 * The log of the run itself, or of one attempt of a step. The run's lines are counted, and the count is recorded with
 * them: a replay logs the same lines in the same order, so lines up to the count are stored already. Lines take no
 * positions of the history. A step's lines are written with the next record of the run, and are lost only if the
 * process dies before.
 */
export const runLog = (activation: Activation, step?: Pick<StepRecord, 'seq' | 'name'> & { attempt: number }): RunLog =>
  logOf(step ? stepLines(activation, step) : runLines(activation));

type Write = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;

const logOf = (write: Write): RunLog => ({
  debug: (message, fields) => write('debug', message, fields),
  info: (message, fields) => write('info', message, fields),
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
});

function runLines(activation: Activation): Write {
  const { run, shared, journal } = activation;
  const recorded = Number(journal.get(LINE_COUNT_SEQ)?.output ?? 0);
  let said = 0;
  return (level, message, fields) => {
    said++;
    if (said <= recorded || activation.closed || activation.closing) return;
    const now = shared.clock.now();
    if (said <= MOST_RUN_LINES) {
      const line = lineAt(activation, last(level, message, fields, said === MOST_RUN_LINES), null);
      activation.record({ steps: [countOf(run.id, said, now)], extras: { logs: [line] } });
    }
    shared.onLine({ level, message, ...(fields && { fields }), stepId: run.id, name: run.workflow });
  };
}

function stepLines(
  activation: Activation,
  { seq, name, attempt }: Pick<StepRecord, 'seq' | 'name'> & { attempt: number },
): Write {
  const { run, shared } = activation;
  let said = 0;
  return (level, message, fields) => {
    said++;
    if (said <= MOST_STEP_LINES) {
      const text = last(level, message, fields, said === MOST_STEP_LINES);
      activation.writer.log(lineAt(activation, text, { seq, attempt }));
    }
    shared.onLine({ level, message, ...(fields && { fields }), stepId: stepIdOf(run.id, seq), name });
  };
}

function last(level: LogLevel, message: string, fields: Record<string, unknown> | undefined, isLast: boolean) {
  return isLast ? logText('warn', 'Too many lines: later lines are not stored') : logText(level, message, fields);
}

function lineAt(
  { payloads: { texts, context }, shared }: Activation,
  text: LogText,
  step: { seq: number; attempt: number } | null,
): LogLine {
  const { seq = null, attempt = null } = step ?? {};
  return { seq, attempt, ...texts.line(text, context), loggedAt: shared.clock.now() };
}

function countOf(runId: string, said: number, now: number): StepRecord {
  const untried = { attempt: 0, failures: 0, deferrals: 0, askedAt: null, worker: null } as const;
  const open = { settled: null, error: null, ref: null, wakeAt: null, startedAt: now } as const;
  const what = { runId, seq: LINE_COUNT_SEQ, kind: 'marker', name: 'log', status: 'completed' } as const;
  return { ...what, ...untried, ...open, output: String(said), createdAt: now, finishedAt: now };
}
