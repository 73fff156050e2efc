import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/root.mjs';

const PAGE = readFileSync(join(ROOT, 'docs/internals/read-this-first.md'), 'utf8');
const MOST_FILES = 44;
const MOST_LINES = 16_492;

const files = [...PAGE.matchAll(/`(lib\/[a-z0-9./-]+\.ts)`/g)].map(([, file]) => String(file));
const linesOf = (file: string): number => readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length;

describe('the page to read first', () => {
  it('names files that are there, each once', () => {
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(files.filter((file, n) => files.indexOf(file) !== n)).toEqual([]);
  });

  it(`explains a run in at most ${MOST_FILES} files of ${MOST_LINES} lines together`, () => {
    expect(files.length).toBeGreaterThan(30);
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    expect(files.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(MOST_LINES);
  });
});
