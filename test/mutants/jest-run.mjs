// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
/** Of a test. What a mutant has broken does not come right later; disks that stand still for long are rare at night. */
const TEST_MS = 30_000;

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
 * @param {number} limitMs
 * @returns {Promise<TestRun>}
 */
export async function runTests(folder, spec, patterns, limitMs) {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = [
    '--runInBand',
    '--forceExit',
    '--silent',
    '--json',
    `--outputFile=${report}`,
    `--testTimeout=${TEST_MS}`,
  ];
  const child = spawn(process.execPath, [...JEST, ...args, '--runTestsByPath', spec, '-t', patterns.join('|')], {
    cwd: folder,
    stdio: 'ignore',
    // A group of its own, which can be ended with all the processes that tests start.
    detached: true,
  });
  running.add(child);
  let stoodStill = false;
  const limit = setTimeout(() => {
    stoodStill = true;
    if (child.pid !== undefined) end(child.pid);
  }, limitMs);
  await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
  clearTimeout(limit);
  running.delete(child);
  if (stoodStill) return { stoodStill, unloadable: undefined, passed: [], failed: [] };
  return { stoodStill, ...read(report) };
}

/** @param {string} report */
function read(report) {
  if (!existsSync(report)) return { unloadable: 'Jest ended without a report', passed: [], failed: [] };
  /** @type {{ testResults: { message: string, assertionResults: Assertion[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const unloadable = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (/** @type {string} */ status) => tests.filter((test) => test.status === status);
  return {
    unloadable: unloadable && (unloadable.message || 'The suite has no tests'),
    passed: of('passed').map(({ fullName }) => fullName),
    failed: of('failed').map(({ fullName: title, failureMessages }) => ({ title, message: failureMessages[0] ?? '' })),
  };
}

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} Assertion */
