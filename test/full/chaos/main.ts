import 'reflect-metadata';
import { chaosArguments, commandOf } from './chaos-arguments.js';
import { ChaosRun } from './chaos-run.js';
import { countsOf, tableOf, violationsOf } from './report.js';

/** When one cannot be played the others are of no use. */
async function outcomesOf(runs: readonly ChaosRun[], close: () => Promise<unknown>) {
  try {
    return await Promise.all(runs.map((run) => run.play()));
  } finally {
    await close();
  }
}

async function main(): Promise<number> {
  const options = chaosArguments(process.argv.slice(2));
  console.log(`chaos: ${commandOf(options)}`);
  const runs = options.databases.map((db) => new ChaosRun(db, options));
  const close = () => Promise.all(runs.map((run) => run.close()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void close().finally(() => process.exit(1)));
  const outcomes = await outcomesOf(runs, close);
  console.log(`\n${tableOf(outcomes)}\n`);
  for (const outcome of outcomes) console.log(countsOf(outcome));
  const wrong = outcomes.filter(({ violations }) => violations.length > 0);
  for (const outcome of wrong) console.log(`\n${violationsOf(outcome)}`);
  const violations = wrong.reduce((sum, outcome) => sum + outcome.violations.length, 0);
  console.log(`\nchaos ${violations === 0 ? 'ok' : 'FAILED'}: ${violations} violations; again: ${commandOf(options)}`);
  return violations === 0 ? 0 : 1;
}

try {
  process.exit(await main());
} catch (error) {
  console.error(`chaos failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
}
