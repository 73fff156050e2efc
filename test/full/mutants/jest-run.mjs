// @ts-check
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readReport, titleOf } from '../reports.mjs';

const TESTS = 'test/run.mjs';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ends what is running, with all that it has started. */
export function endAll() {
  for (const { pid } of running) if (pid !== undefined) end(pid);
}

/** @param {number} pid of the first process of a group */
function end(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * @typedef {object} TestRun
 * @property {boolean} stoodStill it took longer than it may
 * @property {string | undefined} unloadable why a suite could not even begin
 * @property {string[]} passed the full titles of tests
 * @property {{ title: string, message: string }[]} failed
 */

/**
 * Runs the tests of one suite whose titles match one of the patterns.
 *
 * @param {string} folder
 * @param {string} spec
 * @param {readonly string[]} patterns
 * @param {{ ofRunMs: number, ofTestMs: number }} limits
 * @returns {Promise<TestRun>}
 */
export async function runTests(folder, spec, patterns, { ofRunMs, ofTestMs }) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = ['--runInBand', '--forceExit', '--json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [TESTS, spec, ...args, '-t', patterns.join('|')], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, DURABLE_TEST_LIMIT_MS: String(ofTestMs) },
    // A group of its own, which can be ended with all the processes that tests start.
    detached: true,
  });
  running.add(child);
  let stoodStill = false;
  const limit = setTimeout(() => {
    stoodStill = true;
    if (child.pid !== undefined) end(child.pid);
  }, ofRunMs);
  await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
  clearTimeout(limit);
  running.delete(child);
  if (stoodStill) return { stoodStill, unloadable: undefined, passed: [], failed: [] };
  return { stoodStill, ...read(report) };
}

/** @param {string} report */
function read(report) {
  const found = readReport(report);
  if (!found) return { unloadable: 'Jest ended without a report', passed: [], failed: [] };
  const unloadable = found.testResults.find(({ assertionResults }) => assertionResults.length === 0);
  const tests = found.testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (/** @type {string} */ status) => tests.filter((test) => test.status === status);
  return {
    unloadable: unloadable && (unloadable.message || 'The suite has no tests'),
    passed: of('passed').map(titleOf),
    failed: of('failed').map((test) => ({ title: titleOf(test), message: test.failureMessages[0] ?? '' })),
  };
}
