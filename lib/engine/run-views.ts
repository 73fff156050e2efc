import { InvalidArgumentError } from '../errors.js';
import type { Codec } from '../protocol/codec.js';
import { parseWireError } from '../protocol/wire-error.js';
import type { RunRecord } from './run.js';
import type { StepRecord } from './step-record.js';
import type { WorkflowRunStatus, WorkflowStepStatus } from './workflow-handle.js';

/** A run's record as people and programs read it. */
export function viewRun(run: RunRecord, codec: Codec): WorkflowRunStatus {
  const { id, workflow, version, status, reason, reasonDetail } = run;
  const payloads = { input: read(run.input, codec), output: read(run.output, codec), error: readError(run.error) };
  const times = {
    wakeAt: date(run.wakeAt),
    createdAt: new Date(run.createdAt),
    startedAt: date(run.startedAt),
    finishedAt: date(run.finishedAt),
  };
  return { id, workflow, version, status, reason, reasonDetail, ...payloads, ...times };
}

export function viewStep(step: StepRecord, codec: Codec): WorkflowStepStatus {
  const { seq, kind, name, status, attempt: failures } = step;
  const payloads = { output: read(step.output, codec), error: readError(step.error) };
  const times = {
    wakeAt: date(step.wakeAt),
    createdAt: new Date(step.createdAt),
    startedAt: date(step.startedAt),
    finishedAt: date(step.finishedAt),
  };
  return { seq, kind, name, status, failures, ...payloads, ...times };
}

/** Where a page of runs ended, as text. */
export const cursorOf = ({ createdAt, id }: RunRecord): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');

/** @throws InvalidArgumentError when the text is not from {@link cursorOf}. */
export function parseCursor(cursor: string): { createdAt: number; id: string } {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if (typeof createdAt === 'number' && typeof id === 'string') return { createdAt, id };
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('cursor', cursor, 'the cursor of the page before');
}

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

const readError = (text: string | null): WorkflowRunStatus['error'] => (text === null ? null : parseWireError(text));

/** A foreign worker's output may be no JSON at all; looking at a run must not fail for it. */
function read(text: string | null, codec: Codec): unknown {
  if (text === null) return null;
  try {
    return codec.decode(text);
  } catch {
    return text;
  }
}
