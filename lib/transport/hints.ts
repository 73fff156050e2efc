import { answerMark, readAnswerMark } from '../protocol/claim-mark.js';
import type { StepAnswer } from '../protocol/step.js';

/*
 * The contents of notifications. They are optional: their data is also in rows, and a notification that is unreadable
 * or truncated means "read everything".
 */

const senders = new WeakMap<object, string>();

/** Identifies this process, to skip its own notifications, which it has already received by `local`. */
export function senderOf(notifier: object): string {
  const known = senders.get(notifier) ?? `${process.pid}.${Math.random().toString(36).slice(2, 10)}`;
  senders.set(notifier, known);
  return known;
}

interface TaskHint {
  from?: string;
  groups?: string[];
  /** All tasks of this notification were dispatched at or after this time, epoch ms. */
  since?: number;
}

type AnswerFields = [
  string,
  string,
  number,
  string,
  string | null,
  string | null,
  number | null,
  number,
  string | null,
];

/** For listeners of this process. */
export const taskHint = (groups: readonly string[], since?: number): string => JSON.stringify({ groups, since });

/** For listeners of this process. */
export const answerHint = (answers?: readonly StepAnswer[]): string =>
  JSON.stringify({
    answers: answers?.map((a): AnswerFields => [
      a.stepId,
      a.runId,
      a.seq,
      a.status,
      a.output,
      a.error,
      a.startedAt,
      a.createdAt,
      a.by ? answerMark(a.by) : null,
    ]),
  });

/** Tasks whose results are no longer wanted. */
export const withdrawnHint = (stepIds: readonly string[]): string => JSON.stringify({ withdrawn: stepIds });

/** Undefined: any task may be withdrawn. */
export function withdrawnIn(payload: string | undefined): readonly string[] | undefined {
  const { withdrawn } = (parse(payload) ?? {}) as { withdrawn?: unknown };
  return Array.isArray(withdrawn) ? (withdrawn as string[]) : undefined;
}

/** `ours`: this process has received it already. */
export function tasksIn(payload: string | undefined, sender: string): TaskHint | 'ours' {
  const hint = (parse(payload) ?? {}) as TaskHint;
  return hint.from === sender ? 'ours' : hint;
}

/** `ours`: this process has received it already. */
export function answersIn(payload: string | undefined, sender: string): StepAnswer[] | 'ours' | undefined {
  const { from, answers } = (parse(payload) ?? {}) as { from?: string; answers?: AnswerFields[] | null };
  if (from === sender) return 'ours';
  return answers?.map(([stepId, runId, seq, status, output, error, startedAt, createdAt, mark]) => ({
    stepId,
    runId,
    seq,
    status: status === 'completed' ? 'completed' : 'failed',
    output,
    error,
    startedAt,
    createdAt,
    ...answeredBy(mark),
  }));
}

const answeredBy = (mark: string | null): Pick<StepAnswer, 'by'> => {
  const by = readAnswerMark(mark);
  return by ? { by } : {};
};

function parse(payload: string | undefined): object | undefined {
  try {
    const value: unknown = payload === undefined ? undefined : JSON.parse(payload);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
