// Writes what was measured into the documentation, between its marks, and the plots beside it. What was not measured
// since stays as it is.
//   npm run bench:publish
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Curve, tableOf } from './growth/curve.js';
import { median, rounded } from './numbers.js';
import type { Row } from './peers/measure.js';
import { tables } from './peers/tables.js';
import { type Finding, type machineWith, markdown, type PartReport } from './report.js';

interface Measured {
  measuredAt: string;
  machine: ReturnType<typeof machineWith>;
}

interface Bench extends Measured {
  server: string;
  reports: PartReport[];
}

interface Peers extends Measured {
  versions: string[];
  packages: Record<string, string>;
  rows: Row[];
  notes: string[];
  missing: Record<string, string>;
}

interface Growth extends Measured {
  server: string;
  curves: Curve[];
}

const [PAGE, README, PLOTS] = ['docs/performance.md', 'README.md', 'docs/performance'];
const GROWTH = '.cache/growth';

const measured = <T extends Measured>(file: string): T | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;

/** Between the marks of this name. */
function put(page: string, name: string, text: string): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const old = readFileSync(page, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for ${name}: add ${begin} and ${end}`);
  writeFileSync(page, `${old.slice(0, from)}${begin}\n\n${text}\n\n${old.slice(to)}`);
  console.log(`${page}: ${name}`);
}

function plot(file: string): string {
  mkdirSync(PLOTS, { recursive: true });
  copyFileSync(file, join(PLOTS, basename(file)));
  return basename(file);
}

const where = ({ measuredAt, machine }: Measured, servers: readonly string[]): string =>
  `Measured on ${measuredAt.slice(0, 10)}: ${servers.join(', ')}; ${machine.cores} × ${machine.cpu}, Node ${machine.node}.`;

type Unread = Omit<Finding, 'value' | 'ratio'> & { value: null; ratio?: null };

/** A line for each subject, whose first finding is its `p50`; the others follow. */
function stepTable(findings: readonly Finding[]): string {
  const lines: string[][] = [];
  const head = ['', 'p50', ...findings.slice(1, 6).map(({ what }) => what.trim())];
  for (const { what, value, unit, ratio } of findings as (Finding | Unread)[]) {
    // JSON has no NaN, which is the processor time of a server that cannot be read.
    const cell = value === null ? '–' : `${rounded(value)} ${unit}`.trim();
    if (what.endsWith(', p50')) lines.push([what.slice(0, -', p50'.length)]);
    lines.at(-1)!.push(!ratio ? cell : `${cell} (${ratio.toFixed(2)} ×)`);
  }
  return markdown([head, ...lines]);
}

function publishStep(bench: Bench | undefined): void {
  const step = bench?.reports.find(({ part }) => part === 'step');
  if (bench && step) put(PAGE, 'steps', `${stepTable(step.findings)}\n\n${where(bench, [bench.server])}`);
}

/** Of all rounds. */
function medianOf(rows: readonly Row[], subject: string, value: (row: Row) => number | undefined): string {
  const values = rows.flatMap((row) => (row.subject === subject ? (value(row) ?? []) : []));
  if (values.length === 0) throw new Error(`The last bench:peers has not measured all of "${subject}": run it whole`);
  return rounded(median(values));
}

function publishPeers(peers: Peers | undefined): void {
  if (!peers) return;
  const { rows, packages, versions, notes, missing } = peers;
  const remote = rows.filter(({ kind }) => kind === 'remote');
  const step = (subject: string) => medianOf(remote, subject, (row) => row.step?.p50);
  const runs = (subject: string) =>
    medianOf(remote, subject, (row) => (row.runs?.atOnce === 100 ? row.runs.perSecond : undefined));
  const [two, one] = ['nest-durable, two processes', 'nest-durable, one process'];
  const image = plot('.cache/peers.svg');
  const absent = Object.entries(missing).map(([name, why]) => `not measured: ${name}, ${why.split('\n')[0]}`);
  const list = [...notes, ...absent].map((line) => `- ${line}`).join('\n');
  const text = [`![workflows per second](performance/${image})`, tables(rows, packages), where(peers, versions), list];
  put(PAGE, 'others', text.join('\n\n'));
  put(
    README,
    'numbers',
    `![workflows per second, beside others](docs/performance/${image})

One remote step takes ${step(two)} ms between two processes and ${step(one)} ms in one. The least statements that could
do it take ${step('floor, one step at a time')} ms. Of workflows with ten remote steps, 100 at a time, ${runs(two)} end per second.
Measured on ${peers.measuredAt.slice(0, 10)}, see [Performance](docs/performance.md).`,
  );
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Of what passes in time, as many points as fit on a page. */
function thinned(curve: Curve): Curve {
  const every = Math.ceil(curve.points.length / 12);
  const isShown = (at: number): boolean => at % every === 0 || at === curve.points.length - 1;
  return { ...curve, points: curve.points.filter((_, at) => isShown(at)) };
}

function publishGrowth(): void {
  const files = existsSync(GROWTH) ? readdirSync(GROWTH).filter((name) => name.endsWith('.json')) : [];
  const parts = files.map((file) => measured<Growth>(join(GROWTH, file))!);
  // As they were measured; on which machine, behind the last of those that were measured alike.
  parts.sort((a, b) => (a.measuredAt < b.measuredAt ? -1 : 1));
  const lines = parts.map((growth) => where(growth, [growth.server]));
  const text = parts.flatMap(({ curves }, at) => [
    ...curves.map((curve) => `### ${titled(curve.name)}\n\n${tableOf(thinned(curve))}`),
    ...(lines[at] === lines[at + 1] ? [] : [lines[at]!]),
  ]);
  if (text.length > 0) put(PAGE, 'growth', text.join('\n\n'));
}

publishStep(measured<Bench>('.cache/bench.json'));
publishPeers(measured<Peers>('.cache/peers.json'));
publishGrowth();
execFileSync('npx', ['prettier', '--write', PAGE, README], { stdio: 'inherit' });
