// @ts-check
// Everything, on every pair of ORM and database and in full size, in parts. A release needs all of them:
//   npm run test:full                       goes on where an earlier run on this commit has ended
//   npm run test:full -- --part outbox,chaos      these parts, whether they have passed or not
//   npm run test:full -- --passed           runs nothing: whether all have passed on this commit
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../support/root.mjs';
import { failuresOf, readReport } from './reports.mjs';

/**
 * The suites of a part, as Jest looks for them, or the script of package.json that it is; with `reports`, one that writes
 * what Jest writes.
 * @type {Record<string, { suites: string } | { script: string, args?: string[], reports?: boolean }>}
 */
const PARTS = {
  memory: { suites: 'test/unit/' },
  sql: { suites: 'test/(contract|full)/sql/' },
  worker: { suites: 'test/(contract|full)/worker/' },
  engine: { suites: 'test/(contract|behaviour|full)/engine/' },
  outbox: { suites: 'test/(contract|behaviour|full)/outbox/' },
  effects: { suites: 'test/(contract|behaviour|full)/effects/' },
  doctor: { suites: 'test/(contract|full)/doctor/' },
  apps: { suites: 'test/(apps|full/apps)/' },
  dashboard: { suites: 'test/full/dashboard/' },
  package: { suites: 'test/full/(package|nest-build)' },
  newcomer: { suites: 'test/full/newcomer' },
  current: { script: 'test:current', args: ['--json'], reports: true },
  stacks: { script: 'test:stacks', args: ['--json'], reports: true },
  demo: { script: 'demo' },
  model: { script: 'test:model', reports: true },
  chaos: { script: 'test:chaos', args: ['--minutes', '10', '--database', 'postgres,mysql,mariadb', '--rate', '5'] },
  mutants: { script: 'test:mutants', args: ['--by', 'default'], reports: true },
};

/** @typedef {{ part: string, ok: boolean, suites?: number, passed?: number, failed?: number, skipped?: number, minutes: number }} Outcome */

const { values } = parseArgs({
  options: { part: { type: 'string', multiple: true }, passed: { type: 'boolean', default: false } },
});
const asked = values.part?.flatMap((names) => names.split(',')) ?? [];
const unknown = asked.filter((part) => !(part in PARTS));
if (unknown.length > 0)
  throw new Error(`No such part: ${unknown.join(', ')}. There are ${Object.keys(PARTS).join(', ')}`);

const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const isChanged = git('status', '--porcelain') !== '';
/** What was tested: a commit, or what somebody is working on. */
const tested = git('rev-parse', 'HEAD') + (isChanged ? '-changed' : '');
const FOLDER = join(ROOT, '.cache/full', tested);
const STATE = `${FOLDER}.json`;

/** @type {Outcome[]} */
const before = !isChanged && existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : [];
/** @type {Map<string, Outcome>} */
const outcomes = new Map(before.map((outcome) => [outcome.part, outcome]));

if (!values.passed) {
  mkdirSync(FOLDER, { recursive: true });
  const parts = asked.length > 0 ? asked : Object.keys(PARTS).filter((part) => !outcomes.get(part)?.ok);
  for (const part of parts) {
    console.log(`\n=== ${part}`);
    outcomes.set(part, await play(part));
    writeFileSync(STATE, JSON.stringify([...outcomes.values()], undefined, 2));
  }
}
console.log(table());
const lacking = Object.keys(PARTS).filter((part) => !outcomes.get(part)?.ok);
if (lacking.length > 0) console.log(`not passed on ${tested}: ${lacking.join(', ')}`);
process.exit((asked.length > 0 ? asked : Object.keys(PARTS)).every((part) => outcomes.get(part)?.ok) ? 0 : 1);

/** @type {(part: string) => Promise<Outcome>} */
async function play(part) {
  const how = PARTS[part];
  if (!how) throw new Error(`No such part: ${part}`);
  const beganAt = performance.now();
  const report = join(FOLDER, `${part}-report.json`);
  rmSync(report, { force: true });
  const toReport = `--outputFile=${report}`;
  const code =
    'suites' in how
      ? await run(part, process.execPath, ['test/run.mjs', how.suites, '--json', toReport])
      : await run(part, 'npm', [
          ...['run', '--silent', how.script, '--'],
          ...(how.args ?? []),
          ...(how.reports ? [toReport] : []),
        ]);
  const minutes = (performance.now() - beganAt) / 60_000;
  const found = readReport(report);
  for (const failure of found ? failuresOf(found) : []) console.log(`failed: ${failure}`);
  return {
    part,
    ok: code === 0,
    minutes,
    ...(found && {
      suites: found.numTotalTestSuites,
      passed: found.numPassedTests,
      failed: found.numFailedTests,
      skipped: found.numPendingTests,
    }),
  };
}

/** What it prints is kept beside its outcome. @type {(part: string, command: string, args: string[]) => Promise<number>} */
function run(part, command, args) {
  const log = createWriteStream(join(FOLDER, `${part}.log`));
  const env = { ...process.env, DURABLE_TEST_FULL: 'true', DURABLE_TEST_REQUIRE_ALL: 'true' };
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      log.write(text);
      process.stdout.write(text);
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => log.end(() => resolve(code ?? 1)));
  });
}

function table() {
  const columns = /** @type {const} */ (['suites', 'passed', 'failed', 'skipped']);
  const rows = [...outcomes.values()].map((outcome) => [
    outcome.part,
    ...columns.map((column) => String(outcome[column] ?? '-')),
    outcome.minutes.toFixed(1),
    outcome.ok ? 'ok' : 'FAILED',
    tested.slice(0, 12),
  ]);
  const all = [['part', ...columns, 'minutes', '', 'commit'], ...rows];
  const widths = all[0]?.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0))) ?? [];
  return `\n${all.map((row) => row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')).join('\n')}\n`;
}
