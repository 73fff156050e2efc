import { createInterface } from 'node:readline';
import { InvalidArgumentError } from '../../errors/argument-errors.js';

/** The most ids that are read. */
const MOST = 100_000;
const LONGEST = 255;

/** The ids of the arguments; `-` stands for the lines of the input. Each once. @throws InvalidArgumentError */
export async function givenIds(
  given: readonly string[],
  input: NodeJS.ReadableStream | undefined,
): Promise<readonly string[]> {
  if (!given.includes('-')) return [...new Set(given)];
  if (given.length > 1) throw new InvalidArgumentError('The ids', given.join(' '), 'either ids or - alone');
  return linesOf(input);
}

async function linesOf(input: NodeJS.ReadableStream | undefined): Promise<string[]> {
  const ids = new Set<string>();
  for await (const line of input ? createInterface({ input, crlfDelay: Infinity }) : []) {
    // What some programs write at the beginning of a file.
    const id = line.replace(/^\uFEFF/, '');
    if (id.trim() === '') continue;
    if (id.length > LONGEST || /\p{Cc}/u.test(id))
      throw new InvalidArgumentError('A line of the input', id, `an id of at most ${LONGEST} characters`);
    if (ids.size === MOST) throw new InvalidArgumentError('The input', `of more ids`, `at most ${MOST} ids`);
    ids.add(id);
  }
  if (ids.size === 0) throw new InvalidArgumentError('The input', '', 'ids, one per line');
  return [...ids];
}
