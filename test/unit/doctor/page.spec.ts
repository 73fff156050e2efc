import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { ALL_CHECKS } from '../../../lib/doctor/doctor.js';
import { ROOT } from '../../support/root.mjs';

const PAGE = join(ROOT, 'docs/doctor.md');
const LISTED = /(?<=<!-- checks -->\n).*?(?=<!-- \/checks -->)/s;

/** `DURABLE_TEST_GOLDEN=write` writes it anew. */
const table = (): string => {
  const rows = ALL_CHECKS.map(({ id, group, meaning, looks }) => {
    const on = [looks.postgres && 'P', looks.mysql && 'M', looks.mariadb && 'A'].filter(Boolean).join(' ');
    return [`\`${id}\``, meaning, on, `[${group}](#${group})`];
  });
  const all = [['check', 'what is well', 'on', 'more'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]!.length)));
  const lineOf = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...body] = all.map(lineOf);
  return ['', head, lineOf(widths.map((width) => '-'.repeat(width))), ...body, '', ''].join('\n');
};

describe('docs/doctor.md', () => {
  it('lists every check, on which servers it is made, and where it is explained', () => {
    const page = readFileSync(PAGE, 'utf8');
    const wanted = page.replace(LISTED, () => table());
    if (process.env['DURABLE_TEST_GOLDEN'] === 'write') writeFileSync(PAGE, wanted);
    expect(readFileSync(PAGE, 'utf8')).toBe(wanted);
    for (const group of new Set(ALL_CHECKS.map((check) => check.group)))
      expect(page.toLowerCase()).toContain(`\n## ${group}\n`);
  });

  it('names each check once', () => {
    const ids = ALL_CHECKS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
