// @ts-check
// npm run test:model: checks test/full/model/durable.pml in all variants; see README.md beside it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeReport } from '../reports.mjs';

const { values } = parseArgs({ options: { outputFile: { type: 'string' } } });
const MODEL = fileURLToPath(new URL('durable.pml', import.meta.url));

/**
 * What may happen, and what is left out of the code. `finds` is what spin has to find; without it all properties hold.
 * `rounds`: schedules that go round for ever are looked for too.
 * @typedef {{ title: string, flags: string[], rounds?: boolean, finds?: RegExp }} Variant
 */
const ONE = /assertion violated .*db\.step\[wAt\]/;
const WHOLE = /assertion violated .*wSeen/;
const HELD = /assertion violated .*db\.claim\[s\]==holds/;
const STANDSTILL = /invalid end state/;
const SAFE = ['FAILOVERS=1', 'WRITES_TAKEN_BACK'];

/** @type {Variant[]} */
const VARIANTS = [
  { title: 'nothing goes wrong', flags: [] },
  {
    title: 'leases run out, replies are lost, handlers fail',
    flags: ['LAPSES=1', 'LOST_REPLIES=1', 'FAILURES=1'],
    rounds: true,
  },
  { title: 'engines stand still, leases run out', flags: ['STALLS=1', 'LAPSES=1', 'LOST_REPLIES=1'] },
  { title: 'engines and workers die', flags: ['CRASHES=2', 'STALLS=1'], rounds: true },
  {
    title: 'runs are parked, tasks deleted, processes die',
    flags: ['DELETIONS=1', 'PARKS=1', 'CRASHES=1', 'LAPSES=1'],
    rounds: true,
  },
  { title: 'commits are lost, and replies', flags: [...SAFE, 'LOST_REPLIES=1'], rounds: true },
  { title: 'commits are lost, leases run out, handlers fail', flags: [...SAFE, 'LAPSES=1', 'FAILURES=1'] },
  { title: 'commits are lost, runs are parked, processes die', flags: [...SAFE, 'PARKS=1', 'CRASHES=1'] },
  { title: 'commits are lost, engines stand still', flags: [...SAFE, 'STALLS=1'] },
  { title: 'commits are lost, without the position', flags: [...SAFE, 'WITHOUT_POSITION'], finds: WHOLE },
  { title: 'commits are lost, writes of claims that are over', flags: ['FAILOVERS=1', 'PARKS=1'], finds: WHOLE },
  { title: 'without the epoch', flags: ['STALLS=2', 'WITHOUT_EPOCH'], finds: ONE },
  { title: 'without any fence', flags: ['STALLS=1', 'WITHOUT_FENCE'], finds: ONE },
  { title: 'without the claim in reports', flags: ['LAPSES=1', 'WITHOUT_CLAIM'], finds: HELD },
  { title: 'without the sweep', flags: ['DELETIONS=1', 'PARKS=1', 'WITHOUT_SWEEP'], finds: STANDSTILL },
];

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const { stdout, stderr, error, status } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  return { text: `${stdout}${stderr}`, status };
}

/** @param {string[]} flags @param {string[]} how @param {string[]} asked */
function verify(flags, how, asked) {
  const folder = mkdtempSync(join(tmpdir(), 'nest-durable-model-'));
  try {
    const made = run('spin', ['-a', ...flags.map((flag) => `-D${flag}`), MODEL], folder);
    if (made.status !== 0 || /error/i.test(made.text)) throw new Error(made.text);
    run('gcc', ['-O1', '-w', '-DVECTORSZ=1024', '-DMEMLIM=4000', ...how, '-o', 'pan', 'pan.c'], folder);
    const { text } = run('./pan', ['-m200000', '-w22', ...asked], folder);
    const states = Number(/([\d.e+]+) states, stored/.exec(text)?.[1] ?? Number.NaN);
    const whole = !/search not completed|max search depth too small|memory limit/i.test(text);
    return { text, states, whole, errors: Number(/errors: (\d+)/.exec(text)?.[1] ?? Number.NaN) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const [program, flag] of [
  ['spin', '-V'],
  ['gcc', '--version'],
]) {
  if (!spawnSync(String(program), [String(flag)]).error) continue;
  process.stdout.write(
    `NOT TESTED: the model needs ${program}; install it (Debian: apt-get install spin gcc libc6-dev)\n`,
  );
  process.exit(process.env['DURABLE_TEST_REQUIRE_ALL'] ? 1 : 0);
}

let wrong = 0;
let total = 0;
const began = performance.now();
const row = (/** @type {string[]} */ ...cells) =>
  process.stdout.write(
    `${cells[0]?.padEnd(58)} ${cells[1]?.padEnd(10)} ${cells[2]?.padStart(9)} ${cells[3]?.padStart(6)}\n`,
  );
row('variant', 'result', 'states', 's');
for (const { title, flags, finds, rounds: ofRounds } of VARIANTS) {
  const from = performance.now();
  const safety = verify(flags, ['-DSAFETY'], []);
  // A schedule that goes round for ever would be a run that does not end.
  const rounds = ofRounds ? verify(flags, ['-DNP'], ['-l']) : undefined;
  const endless = rounds !== undefined && !(rounds.errors === 0 && rounds.whole);
  const holds = safety.errors === 0 && safety.whole && !endless;
  const right = finds ? safety.errors > 0 && finds.test(safety.text) : holds;
  const said = right ? (finds ? 'violated' : 'holds') : 'UNEXPECTED';
  if (!right) wrong++;
  if (!right) process.stdout.write(`${safety.text}\n${rounds?.text ?? ''}\n`);
  total += safety.states;
  row(title, said, String(safety.states), ((performance.now() - from) / 1_000).toFixed(1));
}
row('', wrong > 0 ? `${wrong} wrong` : 'as expected', String(total), ((performance.now() - began) / 1_000).toFixed(1));
writeReport(values.outputFile, { suites: 1, passed: VARIANTS.length - wrong, failed: wrong });
process.exit(wrong > 0 ? 1 : 0);
