import { median, rounded } from '../numbers.js';
import { markdown } from '../report.js';
import type { Kind } from './catalog.js';
import type { PerStep, Row } from './measure.js';

const KINDS: Record<Kind, string> = {
  local: 'Ten recorded steps in one process',
  remote: 'Ten steps through a queue',
};

const COSTS: Record<keyof PerStep, string> = {
  appMs: 'app CPU, ms',
  serverMs: 'server CPU, ms',
  statements: 'statements',
  commits: 'commits',
  walBytes: 'WAL, bytes',
};

/** What it costs once there are so many at once. */
const COST_AT = 100;

/** Markdown: a table for each kind, a line for each subject. */
export function tables(rows: readonly Row[], versions: Readonly<Record<string, string>>): string {
  return (Object.keys(KINDS) as Kind[])
    .map((kind) => ({ kind, of: rows.filter((row) => row.kind === kind) }))
    .filter(({ of }) => of.length > 0)
    .map(({ kind, of }) => `${KINDS[kind]}\n\n${table(of, versions)}`)
    .join('\n\n');
}

function table(rows: readonly Row[], versions: Readonly<Record<string, string>>): string {
  const loads = [...new Set(rows.flatMap(({ runs }) => (runs ? [runs.atOnce] : [])))].sort((a, b) => a - b);
  const at = loads.findLast((load) => load <= COST_AT) ?? loads[0]!;
  const costs = Object.values(COSTS).map((cost, i) => (i === 0 ? `per step at ${at}: ${cost}` : cost));
  const head = ['', 'one step, p50 ms', 'p99', ...loads.map((load) => `runs/s at ${load}`), ...costs];
  const lines = [...new Set(rows.map(({ subject }) => subject))].map((name) => {
    const own = rows.filter(({ subject }) => subject === name);
    const cell = (of: (row: Row) => number | undefined): string => {
      const values = own.flatMap((row) => of(row) ?? []);
      return values.length === 0 ? '–' : spread(values);
    };
    return [
      versions[name] ? `${name} ${versions[name]}` : name,
      cell(({ step }) => step?.p50),
      cell(({ step }) => step?.p99),
      ...loads.map((load) => cell(({ runs }) => (runs?.atOnce === load ? runs.perSecond : undefined))),
      ...(Object.keys(COSTS) as (keyof PerStep)[]).map((cost) =>
        cell(({ runs, perStep }) => (runs?.atOnce === at ? perStep[cost] : undefined)),
      ),
    ];
  });
  return markdown([head, ...lines]);
}

/** In the middle, and at the ends, of all rounds. */
function spread(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least === most ? rounded(least) : `${rounded(median(values))} (${rounded(least)} to ${rounded(most)})`;
}
