import {
  CompensationFailedError,
  InvalidArgumentError,
  WorkflowCancelledError,
  WorkflowFailedError,
  WorkflowTerminatedError,
} from '../../errors.js';
import type { Codec } from '../../protocol/codec.js';
import { parseWireError, type WireError } from '../../protocol/wire-error.js';
import { TERMINATED } from '../model/run-control.js';
import { readDetail } from '../model/mismatch.js';
import type { AttemptRecord, ListPosition } from '../model/run-insight.js';
import type { Attributes, RunRecord } from '../model/run.js';
import type { LogLine } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowAttempt, WorkflowLogLine, WorkflowRunStatus, WorkflowStepStatus } from './workflow-status.js';

/** Converts a run's record to its public view. */
export function viewRun(run: RunRecord, codec: Codec, attributes: Attributes = {}): WorkflowRunStatus {
  const { id, workflow, version, status, reason, closing, customStatus, parentId, scheduleId, priority } = run;
  const { detail: reasonDetail, mismatch } = readDetail(run.reasonDetail);
  const payloads = { input: read(run.input, codec), output: read(run.output, codec), error: readError(run.error) };
  const times = {
    wakeAt: date(run.wakeAt),
    deadline: date(run.deadline),
    createdAt: new Date(run.createdAt),
    startedAt: date(run.startedAt),
    finishedAt: date(run.finishedAt),
  };
  const why = { reason, reasonDetail, mismatch, closing };
  const seen = { customStatus, attributes, parentId, scheduleId, priority };
  return { id, workflow, version, status, ...why, ...seen, ...payloads, ...times };
}

export function viewStep(step: StepRecord, codec: Codec, notes: Partial<StepNotes> = {}): WorkflowStepStatus {
  const { seq, kind, name, status, attempt: failures } = step;
  const isWaiting = kind === 'signal' && step.settled === null;
  const payloads = { output: isWaiting ? null : read(step.output, codec), error: readError(step.error) };
  const times = {
    wakeAt: date(step.wakeAt),
    createdAt: new Date(step.createdAt),
    startedAt: date(step.startedAt),
    finishedAt: date(step.finishedAt),
  };
  const { attempts = [], logs = [] } = notes;
  return { seq, kind, name, status, failures, ...payloads, ...times, attempts: [...attempts], logs: [...logs] };
}

/** The stored data of a step besides its record. */
export interface StepNotes {
  attempts: readonly WorkflowAttempt[];
  logs: readonly WorkflowLogLine[];
}

export const viewAttempt = ({ attempt, startedAt, finishedAt, error }: AttemptRecord): WorkflowAttempt => ({
  attempt,
  startedAt: date(startedAt),
  finishedAt: date(finishedAt),
  error: readError(error),
});

export function viewLine({ level, message, fields, attempt, loggedAt }: LogLine): WorkflowLogLine {
  const values = fields === null ? {} : { fields: JSON.parse(fields) as Record<string, unknown> };
  return { level, message, ...values, attempt, loggedAt: new Date(loggedAt) };
}

/** The error that is thrown to callers who wait for the output of a run that did not complete. */
export function errorOf({ id, status, error }: RunRecord): Error {
  if (status === 'cancelled') {
    const isTerminated = error !== null && parseWireError(error).code === TERMINATED.code;
    return isTerminated ? new WorkflowTerminatedError(id) : new WorkflowCancelledError(id);
  }
  const { cause, ...wire } = parseWireError(error);
  if (status !== 'compensation_failed') return new WorkflowFailedError(id, fieldsOf(wire));
  const options = cause && { cause: new WorkflowFailedError(id, fieldsOf(cause)) };
  return new CompensationFailedError(id, fieldsOf(wire), options);
}

const fieldsOf = ({ name = 'WorkflowFailedError', message, code }: WireError) => ({
  name,
  message,
  ...(code !== undefined && { code }),
});

/** The end of a page as a cursor. */
export const cursorOf = ({ createdAt, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');

/** @throws InvalidArgumentError when the text is not from {@link cursorOf}. */
export function parseCursor(cursor: string): ListPosition {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if (typeof createdAt === 'number' && typeof id === 'string') return { createdAt, id };
  } catch {
    // The error is thrown below.
  }
  throw new InvalidArgumentError('cursor', cursor, 'the cursor of the previous page');
}

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const readError = (text: string | null): WorkflowRunStatus['error'] => (text === null ? null : parseWireError(text));

/** A foreign worker's output may be invalid JSON; reading a run must not fail because of it. */
function read(text: string | null, codec: Codec): unknown {
  if (text === null) return null;
  try {
    return codec.decode(text);
  } catch {
    return text;
  }
}
