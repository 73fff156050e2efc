import type { ChaosOutcome } from './chaos-run.js';
import type { Violation } from './check/violation.js';
import { grouped } from './grouped.js';

const NO_FAULT = '(at the end)';
/** More would hide the rest; the folder has all of it. */
const MOST_TOLD = 40;

/** The last fault that had begun when it happened. */
function faultOf({ at, run }: Violation, { strikes, lastBody }: ChaosOutcome): string {
  const when = at ?? lastBody.get(run ?? '');
  return strikes.filter(({ from }) => when !== undefined && from <= when).at(-1)?.fault ?? NO_FAULT;
}

const seconds = (ms: number | undefined): string => (ms === undefined ? 'never' : `${(ms / 1_000).toFixed(1)} s`);

function rowsOf(outcome: ChaosOutcome): string[][] {
  const { db, strikes, violations, lacking } = outcome;
  const wrong = grouped(violations, (violation) => faultOf(violation, outcome));
  const made = [...grouped(strikes, ({ fault }) => fault)].map(([fault, times]) => {
    const recoveries = times.map(({ recoveryMs }) => recoveryMs ?? Number.POSITIVE_INFINITY).sort((a, b) => a - b);
    const shown = [recoveries[Math.floor((recoveries.length - 1) / 2)], recoveries.at(-1)];
    const found = wrong.get(fault)?.length ?? 0;
    return [fault, db, `${times.length}`, `${found}`, ...shown.map((ms) => seconds(ms === Infinity ? undefined : ms))];
  });
  const rest = wrong.get(NO_FAULT)?.length ?? 0;
  return [
    ...made.sort((a, b) => a[0]!.localeCompare(b[0]!)),
    ...[...lacking].map(([fault, reason]) => [fault, db, '0', '', reason, '']),
    ...(rest > 0 ? [[NO_FAULT, db, '', `${rest}`, '', '']] : []),
  ];
}

export function tableOf(outcomes: readonly ChaosOutcome[]): string {
  const head = ['fault', 'database', 'times', 'violations', 'back after (p50)', 'max'];
  const rows = [head, ...outcomes.flatMap(rowsOf)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const countsOf = ({ db, version, counts, strikes }: ChaosOutcome): string => {
  const kinds = [...counts].map(([kind, count]) => `${kind.replace('chaos.', '')} ${count}`);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return `${db} (${version}): ${strikes.length} faults, ${total} runs: ${kinds.join(', ')}`;
};

export function violationsOf(outcome: ChaosOutcome): string {
  const { db, violations, folder } = outcome;
  const told = violations
    .slice(0, MOST_TOLD)
    .map((violation) => `- [${faultOf(violation, outcome)}] ${violation.text}`);
  const more = violations.length - told.length;
  return [
    `${db}: ${violations.length} violations; ledgers and logs are in ${folder}`,
    ...told,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}
