// @ts-check
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * What Jest writes with `--json`.
 * @typedef {{ ancestorTitles: string[], title: string, status: string, failureMessages: string[] }} Assertion
 * @typedef {{ name: string, message: string, status: string, assertionResults: Assertion[] }} Suite
 * @typedef {{ success: boolean, numTotalTestSuites: number, numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: Suite[] }} Report
 */

/** Undefined where Jest has ended without one. @type {(file: string) => Report | undefined} */
export const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

/** The same, of what is not run by Jest. Nothing is written where nobody has asked for it. @type {(file: string | undefined, counts: { suites: number, passed: number, failed: number }) => void} */
export function writeReport(file, { suites, passed, failed }) {
  if (file === undefined) return;
  /** @type {Report} */
  const report = {
    success: failed === 0,
    numTotalTestSuites: suites,
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: 0,
    testResults: [],
  };
  writeFileSync(file, JSON.stringify(report));
}

/** @type {(test: Assertion) => string} */
export const titleOf = ({ ancestorTitles, title }) => [...ancestorTitles, title].join(' ');

/** The tests that failed, and the suites that could not begin, by the paths of their sources. @type {(report: Report) => string[]} */
export const failuresOf = ({ testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const suite = name.slice(name.lastIndexOf('/test/') + 1).replace(/\.js$/, '.ts');
    if (assertionResults.length === 0) return message ? [`${suite}: ${message.trim().split('\n')[0]}`] : [];
    return assertionResults.filter(({ status }) => status === 'failed').map((test) => `${suite}: ${titleOf(test)}`);
  });
