// @ts-check

/**
 * A change of the library that breaks a promise, and the test that has to fail for it.
 *
 * @typedef {object} Mutant
 * @property {string} id for `--only`; says what is broken
 * @property {string} promise P1 to P7 of ARCHITECTURE, or a section or a point of it, as 6.11
 * @property {string} file what is changed, from the root
 * @property {string} from stands in that file exactly once
 * @property {string} to stands there in the mutant
 * @property {string} spec the suite that has to fail, from the root
 * @property {string} test the title of a test of it, or a part of the title that names it
 * @property {string | undefined} [on] the pair of ORM and database on which it is enough to run, as `typeorm on postgres`
 */

/**
 * The text of a file with a mutant in it.
 *
 * @param {string} text
 * @param {Mutant} mutant
 * @throws Error where the text to be replaced does not stand there exactly once
 */
export function mutated(text, { id, file, from, to }) {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error(
      `Mutant "${id}" does not apply: its text stands in ${file} ${parts.length - 1} times, not once. Adapt it to the code`,
    );
  return parts.join(to);
}

/**
 * What `jest -t` has to be given to run the test of a mutant and no other.
 *
 * @param {Pick<Mutant, 'test' | 'on'>} mutant
 */
export const patternOf = ({ test, on }) => `${on ? `\\[${escaped(on)}\\].*` : ''}${escaped(test)}`;

/** @param {string} text */
const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
