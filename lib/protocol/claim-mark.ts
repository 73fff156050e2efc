/*
 * The texts of `claimed_by`. In a task: the worker and the number of its claim. In an answer, without a time: which
 * worker answered, at which attempt. Workers in other languages may leave it NULL, or write what they like.
 */

/** The longest text of the column. */
const LONGEST = 191;

const CLAIM = /#[a-z0-9]+\.[a-z0-9]+$/;
const ANSWER = /^by:([1-9]\d{0,8}):(.+)$/s;

/** Who ran an attempt, and the number of the attempt, from 1. */
export interface AnsweredBy {
  worker: string;
  attempt: number;
}

/** The name of the worker that holds a claim. */
export const workerOf = (claimedBy: string): string => claimedBy.replace(CLAIM, '');

export const answerMark = ({ worker, attempt }: AnsweredBy): string => `by:${attempt}:${worker}`.slice(0, LONGEST);

/** Undefined for a text that is not from {@link answerMark}. */
export function readAnswerMark(claimedBy: string | null | undefined): AnsweredBy | undefined {
  const [, attempt, worker] = ANSWER.exec(claimedBy ?? '') ?? [];
  return worker === undefined ? undefined : { worker, attempt: Number(attempt) };
}
