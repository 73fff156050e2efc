import { DatabaseError } from '../errors.js';
import { sleep } from '../time/sleep.js';
import { ignoreError } from './driver-connection.js';

/**
 * The answer, unless it takes longer than `ms`: a connection that the network has swallowed never answers.
 *
 * @throws DatabaseError when it takes longer; the answer is ignored then.
 */
export async function answerWithin<T>(ms: number, answer: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = sleep(ms, answered.signal).then((): T => {
    if (answered.signal.aborted) return answer as never;
    throw new DatabaseError(`The database has not answered for ${ms} ms`, true);
  });
  late.catch(ignoreError);
  answer.catch(ignoreError);
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}
