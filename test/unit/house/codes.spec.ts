import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HTTP_STATUS } from '../../../lib/core/errors.js';
import { ROOT } from '../../support/root.mjs';

const ERRORS = ['lib/core/errors.ts', 'lib/core/run-errors.ts'];
const PAGE = 'docs/internals/codes-in-tests.md';

/** Not in `HTTP_STATUS`: the request is not the reason, so the answer is 500 without the message. */
const NO_ANSWER = [
  // Its text names processes, steps and their errors: nothing for whoever sent the request.
  'RESULT_TIMEOUT',
  'RESULT_TOO_EARLY',
  'PROCESS_ENDING',
  'UNKNOWN_OPTION',
  'INVALID_TRANSACTION',
  'CONFIGURATION',
  'ASYNC_SCHEMA',
  'UNSUPPORTED_SERVER',
  'SCHEMA_BEHIND',
  'DATABASE',
  'TRANSACTION_LOST',
  'MISSING_RIGHTS',
  'MISSING_TABLE',
  'SIGNAL_UNDELIVERABLE',
  'WRITE_REFUSED',
  'NOT_SERIALIZABLE',
  'UNREADABLE_PAYLOAD',
  'UNKNOWN_KEY',
  'BROKEN_SEAL',
  'UNKNOWN_WORKFLOW',
  'UNKNOWN_STEP',
  'UNKNOWN_EFFECT_HANDLER',
  'UNKNOWN_AUDIT_EVENT',
  'NON_DETERMINISM',
  'CONTEXT_MISUSE',
  'CALLS_NOT_AWAITED',
  'HISTORY_LIMIT',
  'STEP_EXHAUSTED',
  'STEP_TIMEOUT',
  'TOO_MANY_DEFERRALS',
  'RETRY_AFTER',
  'DEPENDENCY_FAILED',
  'WORKFLOW_TIMEOUT',
  'NON_RETRYABLE_PUBLISH',
  'PUBLISH_TIMEOUT',
  'OUTBOX_OCCUPIED',
  'NON_RETRYABLE_EFFECT',
  'EFFECT_TIMEOUT',
  'EFFECT_ATTEMPTS_EXHAUSTED',
  'AUDIT_TIMEOUT',
];

const CODE = String.raw`[TENI]\d{1,2}`;
/** As titles have them: at the beginning, or in parentheses, several with commas. */
const IN_TITLES = new RegExp(String.raw`['"\`(](${CODE}(?:, (?:${CODE}|P\d))*)(?=[):, ])`, 'g');

const titlesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('codes.spec.ts'))
    .flatMap((name) =>
      readFileSync(join(ROOT, folder, name), 'utf8')
        .split('\n')
        .filter((line) => /['"`]/.test(line)),
    );

const codesIn = (lines: readonly string[]): string[] =>
  lines
    .flatMap((line) => [...line.matchAll(IN_TITLES)])
    .flatMap(([, codes = '']) => codes.split(', '))
    .filter((code) => new RegExp(`^${CODE}$`).test(code));

const ordered = (codes: Iterable<string>): string[] =>
  [...new Set(codes)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

describe('codes in the titles of tests', () => {
  it('are read where titles have them', () => {
    expect(codesIn(["it('T1, P2, E3: one', ", "  name: 'two (I4)',", '[`N5 three`, NaN]', 'f(T6)'])).toEqual([
      'T1',
      'E3',
      'I4',
      'N5',
      'T6',
    ]);
  });

  it('are those that the page describes', () => {
    const described = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(/^\| ([TENI]\d+) /gm)].map(
      ([, code]) => code!,
    );
    expect(ordered(described)).toHaveLength(described.length);
    expect(ordered(codesIn([...titlesIn('test'), ...titlesIn('lib/conformance')]))).toEqual(ordered(described));
  });
});

describe('codes of errors', () => {
  const own = [
    ...ERRORS.map((file) => readFileSync(join(ROOT, file), 'utf8'))
      .join('')
      .matchAll(/ readonly code(?:: string)? = '(\w+)';$/gm),
  ];
  const documented = readFileSync(join(ROOT, 'docs/retries-and-errors.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, status, codes = ''] = /^\| (\d{3}) +\|[^|]*\|(.*)\|$/.exec(line) ?? [];
      return [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => [code, Number(status)]);
    });

  it('each have an answer over HTTP, or are listed as without one', () => {
    const decided = [...Object.keys(HTTP_STATUS), ...NO_ANSWER];
    expect(ordered(own.map(([, code]) => code!))).toEqual(ordered(decided));
    expect(ordered(decided)).toHaveLength(decided.length);
  });

  it('have the answers that the page lists', () => {
    expect(Object.fromEntries(documented)).toEqual(HTTP_STATUS);
  });
});
