// @ts-check
// Runs the default tests again and again, and lists what has failed even once:
//   npm run test:again -- --times 20 --busy 2 --disk [-- jest arguments]
// `--busy`: so many loops take a core each beside them. `--disk`: the servers keep their files on the disk, and each
// commit is written to it.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { failuresOf, readReport } from './full/reports.mjs';
import { ROOT } from './support/root.mjs';

const FOLDER = join(ROOT, '.cache/again');

const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    busy: { type: 'string', default: '0' },
    disk: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

mkdirSync(FOLDER, { recursive: true });
// They end with this process.
for (let n = 0; n < Number(values.busy); n++) new Worker('for (;;);', { eval: true });

/** @type {Map<string, number[]>} the titles of tests, and the rounds in which they failed */
const failed = new Map();
let isFine = true;
for (let round = 1; round <= Number(values.times); round++) {
  const beganAt = performance.now();
  const report = join(FOLDER, `${round}.json`);
  rmSync(report, { force: true });
  const code = await runTests(['--json', `--outputFile=${report}`, ...positionals]);
  isFine &&= code === 0;
  const found = readReport(report);
  const titles = found ? failuresOf(found) : ['Jest ended without a report'];
  for (const title of titles) failed.set(title, [...(failed.get(title) ?? []), round]);
  const minutes = ((performance.now() - beganAt) / 60_000).toFixed(1);
  console.log(`round ${round}: ${found?.numPassedTests ?? 0} passed, ${titles.length} failed, ${minutes} min`);
}
for (const [title, rounds] of failed) console.log(`failed in ${rounds.join(', ')}: ${title}`);
console.log(isFine ? 'again ok: nothing failed' : `again FAILED: ${failed.size} tests failed at least once`);
process.exit(isFine ? 0 : 1);

/** @type {(args: string[]) => Promise<number | null>} */
function runTests(args) {
  const env = { ...process.env, ...(values.disk && { DURABLE_TEST_DISK: 'true' }) };
  const child = spawn(process.execPath, ['test/run.mjs', ...args], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
}
