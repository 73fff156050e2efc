import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants } from '../../full/mutants/all.mjs';
import { mutated } from '../../full/mutants/mutant.mjs';
import { ROOT } from '../../support/root.mjs';

const CONFORMANCE = ['lib/conformance', 'test/contract/conformance'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const conformance = CONFORMANCE.flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((file) => read(join(folder, file))),
).join('\n');

describe('the mutants', () => {
  it('break every promise, and have names of their own', () => {
    const ids = mutants.map(({ id }) => id);
    expect(ids.length).toBeGreaterThanOrEqual(40);
    expect(new Set(ids).size).toBe(ids.length);
    const promises = new Set(mutants.map(({ promise }) => promise));
    for (let n = 1; n <= 7; n++) expect(promises).toContain(`P${n}`);
    for (const promise of promises) expect(promise).toMatch(/^(P[1-7]|\d+(\.\d+)?)$/);
  });

  it.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s applies, and its test is there', (_, mutant) => {
    const text = read(mutant.file);
    expect(mutated(text, mutant)).not.toBe(text);
    expect(existsSync(join(ROOT, mutant.spec))).toBe(true);
    expect(read(mutant.spec) + conformance).toContain(mutant.test);
  });
});
