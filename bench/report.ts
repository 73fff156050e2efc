import { cpus, loadavg, release } from 'node:os';
import { rounded } from './numbers.js';

/** One line of the table. */
export interface Finding {
  what: string;
  value: number;
  unit: string;
  /** What the bare program did in the same rounds, and our value over it. */
  floor?: number;
  ratio?: number;
  /** `value` or `ratio` must be at least, or at most, so much. */
  target?: { of: 'value' | 'ratio'; least?: number; most?: number };
  /** Each round's value. */
  rounds?: number[];
  floorRounds?: number[];
  detail?: unknown;
}

export interface PartReport {
  part: string;
  load: { before: number; after: number };
  seconds: number;
  findings: Finding[];
}

export const met = ({ value, ratio, target }: Finding): boolean | undefined => {
  if (!target) return undefined;
  const measured = target.of === 'ratio' ? (ratio ?? Number.NaN) : value;
  return (
    measured >= (target.least ?? Number.NEGATIVE_INFINITY) && measured <= (target.most ?? Number.POSITIVE_INFINITY)
  );
};

/** Runs one part, with the machine's load around it. */
export async function report(part: string, measure: () => Promise<Finding[]>): Promise<PartReport> {
  const before = loadavg()[0]!;
  const began = performance.now();
  const findings = await measure();
  return { part, findings, seconds: (performance.now() - began) / 1_000, load: { before, after: loadavg()[0]! } };
}

function targetOf({ target }: Finding): string {
  if (!target) return '';
  const bound = target.least === undefined ? `≤ ${rounded(target.most!)}` : `≥ ${rounded(target.least)}`;
  return target.of === 'ratio' ? `${bound} × floor` : bound;
}

const HEAD = ['measured', 'value', 'floor', 'ratio', 'target', ''];

export function table(reports: readonly PartReport[]): string {
  const rows = reports.flatMap(({ part, findings, load }) => [
    [`${part} (load ${rounded(load.before)} → ${rounded(load.after)})`],
    ...findings.map((finding) => {
      const { what, value, unit, floor, ratio } = finding;
      const verdict = met(finding);
      return [
        `  ${what}`,
        `${rounded(value)} ${unit}`.trim(),
        floor === undefined ? '' : rounded(floor),
        ratio === undefined ? '' : ratio.toFixed(2),
        targetOf(finding),
        verdict === undefined ? '' : verdict ? 'ok' : 'MISS',
      ];
    }),
  ]);
  const all = [HEAD, ...rows];
  const widths = HEAD.map((_, i) =>
    Math.max(...all.filter((row) => row.length > 1).map((row) => (row[i] ?? '').length)),
  );
  return all
    .map((row) => (row.length === 1 ? row[0]! : row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')).trimEnd())
    .join('\n');
}

/** A table of Markdown, the first line its head. */
export function markdown(lines: readonly (readonly string[])[]): string {
  const [head, ...rows] = lines;
  const widths = head!.map((_, i) => Math.max(3, ...lines.map((line) => line[i]!.length)));
  const text = (line: readonly string[]) => `| ${line.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [text(head!), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(text)].join('\n');
}

/** What everything was measured on. */
export const machineWith = (node: string) => ({ cpu: cpus()[0]?.model, cores: cpus().length, kernel: release(), node });
