import { InvalidArgumentError } from '../../errors/argument-errors.js';
import {
  CompensationFailedError,
  WorkflowCancelledError,
  WorkflowFailedError,
  WorkflowTerminatedError,
} from '../../errors/run-errors.js';
import { revivedError, revivedParts } from '../../protocol/revived-error.js';
import { parseWireError, type WireError } from '../../protocol/wire-error.js';
import type { Payloads } from '../model/payloads.js';
import { TERMINATED } from '../model/run-control.js';
import { readDetail, writeDetail } from '../model/mismatch.js';
import type { ListPosition } from '../model/run-insight.js';
import type { Attributes, RunRecord } from '../model/run.js';
import type { LogLine } from '../model/run-store.js';
import { readPublished } from '../model/outgoing.js';
import { PUBLISHED } from '../model/run-erasure.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowStepFacts } from './step-page.js';
import type { WorkflowAttempt, WorkflowLogLine, WorkflowRunStatus, WorkflowStepStatus } from './workflow-status.js';

/** Converts a run's record to its public view. */
export function viewRun(run: RunRecord, all: Payloads, attributes: Attributes = {}): WorkflowRunStatus {
  const { id, workflow, version, status, reason, closing, parentId, scheduleId, priority } = run;
  const payloads = all.ofRun(run, attributes);
  const { texts, context } = payloads;
  const { detail, mismatch, blockedBy } = readDetail(run.reasonDetail);
  const [input, output] = [payloads.readValue(run.input), payloads.readValue(run.output)];
  const values = { input, output, error: readError(run.error, payloads) };
  const times = {
    wakeAt: date(run.wakeAt),
    deadline: date(run.deadline),
    createdAt: new Date(run.createdAt),
    startedAt: date(run.startedAt),
    finishedAt: date(run.finishedAt),
    erased: run.erasedAt !== null,
  };
  const text = (stored: string | null) => (stored === null ? null : texts.readText(stored, context));
  const blocked = { mismatch, blockedBy: blockedBy && texts.readable(blockedBy, context) };
  const why = { reason, reasonDetail: text(detail), ...blocked, closing };
  const forkedFrom = run.forkedFrom === null ? null : { id: run.forkedFrom, seq: run.forkedSeq ?? 0 };
  const seen = { customStatus: text(run.customStatus), attributes, parentId, scheduleId, forkedFrom, priority };
  return { id, workflow, version, status, ...why, ...seen, ...values, ...times };
}

/** The texts of a run and its steps as people read them. */
export function readableRun(
  run: RunRecord,
  steps: readonly StepRecord[],
  all: Payloads,
): { run: RunRecord; steps: StepRecord[] } {
  const payloads = all.ofRun(run);
  const { texts, context } = payloads;
  const read = (error: string | null) => error && JSON.stringify(payloads.readError(error));
  const { detail, mismatch, blockedBy } = readDetail(run.reasonDetail);
  const text = detail === null ? undefined : texts.readText(detail, context);
  const error = blockedBy ? texts.readable(blockedBy, context) : undefined;
  const reasonDetail = writeDetail(text, mismatch ?? undefined, error);
  const readable = { ...run, error: read(run.error), reasonDetail };
  return { run: readable, steps: steps.map((step) => ({ ...step, error: read(step.error) })) };
}

export function viewStep(step: StepRecord, payloads: Payloads, notes: Partial<StepNotes> = {}): WorkflowStepStatus {
  const { seq, kind, name, status, failures, worker } = step;
  const isWaiting = kind === 'signal' && step.settled === null;
  const isPublished = kind === 'marker' && step.ref === PUBLISHED;
  const text = isWaiting ? null : step.output;
  const output = isPublished ? readPublished(text) : payloads.readValue(text);
  const input = step.input === undefined ? {} : { input: payloads.readValue(step.input) };
  const values = { ...input, output, error: readError(step.error, payloads) };
  const times = {
    wakeAt: date(step.wakeAt),
    createdAt: new Date(step.createdAt),
    askedAt: new Date(step.askedAt ?? step.createdAt),
    startedAt: date(step.startedAt),
    finishedAt: date(step.finishedAt),
  };
  const { attempts = [], logs = [] } = notes;
  const told = { attempts: [...attempts], logs: [...logs] };
  return { seq, kind, name, status, failures, worker, ...values, ...times, ...told };
}

/** A step whose payloads were not read. */
export function viewFacts(
  step: StepRecord,
  payloads: Payloads,
  told: Pick<WorkflowStepFacts, 'attempts' | 'logLines'>,
): WorkflowStepFacts {
  const { output: _output, attempts: _attempts, logs: _logs, ...facts } = viewStep({ ...step, output: null }, payloads);
  return { ...facts, ...told, ...(step.kind === 'child' && step.ref !== null && { childId: step.ref }) };
}

/** The stored data of a step besides its record. */
export interface StepNotes {
  attempts: readonly WorkflowAttempt[];
  logs: readonly WorkflowLogLine[];
}

export function viewLine(line: LogLine, { texts, context }: Payloads): WorkflowLogLine {
  const { level, message, fields, attempt, loggedAt } = texts.readLine(line, context);
  const values = fields === null ? {} : { fields: JSON.parse(fields) as Record<string, unknown> };
  return { level, message, ...values, attempt, loggedAt: new Date(loggedAt) };
}

/** The error that is thrown to callers who wait for the output of a run that did not complete. */
export function errorOf({ id, status, error }: RunRecord, payloads: Payloads): Error {
  if (status === 'cancelled') {
    const isTerminated = error !== null && parseWireError(error).code === TERMINATED.code;
    return isTerminated ? new WorkflowTerminatedError(id) : new WorkflowCancelledError(id);
  }
  const wire = payloads.readError(error);
  if (status !== 'compensation_failed') return failed(id, wire);
  const cause = wire.cause && { cause: failed(id, wire.cause) };
  return new CompensationFailedError(id, fieldsOf(wire), cause);
}

const failed = (id: string, wire: WireError): Error =>
  new WorkflowFailedError(id, fieldsOf(wire), wire.cause && { cause: revivedError(wire.cause) });

function fieldsOf({ name = 'WorkflowFailedError', ...wire }: WireError) {
  const { message, code } = wire;
  const { stack, errors } = revivedParts({ ...wire, name });
  return { name, message, stack, ...(errors && { errors }), ...(code !== undefined && { code }) };
}

/** The end of a page as a cursor. */
export const cursorOf = ({ at, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

/** @throws InvalidArgumentError when the text is not from {@link cursorOf}. */
export function parseCursor(cursor: string): ListPosition {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if (typeof at === 'number' && typeof id === 'string') return { at, id };
  } catch {
    // The error is thrown below.
  }
  throw new InvalidArgumentError('cursor', cursor, 'the cursor of the previous page');
}

export const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

export const readError = (text: string | null, payloads: Payloads): WorkflowRunStatus['error'] =>
  text === null ? null : payloads.readError(text);
