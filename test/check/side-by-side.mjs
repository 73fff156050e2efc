// @ts-check
import { spawn } from 'node:child_process';

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} command as for a shell
 */

/**
 * @typedef {object} Outcome
 * @property {string} name
 * @property {string | undefined} failure why it failed; undefined if it did not
 * @property {string} output all that it printed, of both streams in their order
 * @property {number} seconds
 */

/**
 * Runs commands, `atOnce` of them at a time, and tells of each when it has ended. One that fails stops no other.
 *
 * @param {readonly Part[]} parts in the order of their beginning
 * @param {{ atOnce: number, tell: (outcome: Outcome) => void }} options
 * @returns {Promise<string[]>} the names of those that failed
 */
export async function sideBySide(parts, { atOnce, tell }) {
  const waiting = [...parts];
  /** @type {string[]} */
  const failed = [];
  const oneAfterTheOther = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const outcome = await outcomeOf(part);
      if (outcome.failure !== undefined) failed.push(part.name);
      tell(outcome);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, oneAfterTheOther));
  return failed;
}

/**
 * @param {Part} part
 * @returns {Promise<Outcome>}
 */
function outcomeOf({ name, command }) {
  const begin = performance.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => (output += text));
  return new Promise((resolve) => {
    const end = (/** @type {string | undefined} */ failure) =>
      resolve({ name, failure, output, seconds: (performance.now() - begin) / 1000 });
    child.on('error', ({ message }) => end(message));
    // Not `exit`: what it printed last may still be on its way then.
    child.on('close', (code, signal) =>
      end(code === 0 ? undefined : signal ? `ended by ${signal}` : `exit code ${code}`),
    );
  });
}
