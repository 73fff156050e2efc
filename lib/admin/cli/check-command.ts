import { type CheckedApp, setCheckHook } from '../check-hook.js';
import { loadApp } from './load-app.js';
import type { Obstacle } from '../../engine/check/deploy-check.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { sleep } from '../../time/sleep.js';

/** The maximum number of ids listed per kind. */
const NAMED = 10;
/** The maximum length of an error text. */
const LONGEST_DETAIL = 300;

interface Group {
  first: Obstacle;
  runs: number;
  ids: string[];
}

/** Groups obstacles by kind and formats them as lines. */
export class ObstacleReport {
  private runs = 0;
  private obstacles = 0;
  private readonly groups = new Map<string, Group>();

  constructor(private readonly namespace: string) {}

  get fits(): boolean {
    return this.obstacles === 0;
  }

  add(obstacle: Obstacle | undefined): void {
    this.runs++;
    if (!obstacle) return;
    this.obstacles++;
    const key = kindOf(obstacle);
    const group = this.groups.get(key) ?? { first: obstacle, runs: 0, ids: [] };
    this.groups.set(key, group);
    group.runs++;
    if (group.ids.length < NAMED) group.ids.push(obstacle.runId);
  }

  lines(): string[] {
    const where = `in namespace "${this.namespace}"`;
    if (this.fits) return [`${counted(this.runs, 'unfinished run')} ${where}: all fit this build`];
    const summary = `${this.obstacles.toLocaleString('en')} of ${counted(this.runs, 'unfinished run')} ${where} would be blocked with this build:`;
    return [summary, ...[...this.groups.values()].flatMap(linesOf)];
  }
}

function linesOf({ first, runs, ids }: Group): string[] {
  const { workflow, version } = first;
  const more = runs > ids.length ? `, and ${runs - ids.length} more` : '';
  return [
    '',
    `"${workflow}" version ${version}: ${counted(runs, 'run')}, ${first.reason}`,
    ...whyOf(first).map((line) => `  ${line}`),
    `  runs: ${ids.join(', ')}${more}`,
  ];
}

function whyOf(obstacle: Obstacle): string[] {
  if (obstacle.reason === 'unknown_workflow') {
    const { known } = obstacle;
    return [known.length === 0 ? 'this build has no such workflow' : `this build has only version ${known.join(', ')}`];
  }
  const { position, recorded, asked, detail } = obstacle;
  if (position === null) return [detail.slice(0, LONGEST_DETAIL).replaceAll('\n', ' ')];
  return [`at position ${position}`, `recorded: ${recorded}`, `asked:    ${asked}`];
}

/** Runs with the same obstacle differ only by their ids. */
function kindOf(obstacle: Obstacle): string {
  const { workflow, version, reason } = obstacle;
  const why = whyOf(obstacle).map((line) => line.replaceAll(`"${obstacle.runId}"`, ''));
  return JSON.stringify([workflow, version, reason, why]);
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

export interface CheckOptions {
  app: string;
  export?: string;
  namespace?: string;
  limit?: string;
}

/** If the app cannot be closed, for example because its database was never reached, it ends with the process. */
const CLOSE_MS = 10_000;

type Print = (line: string) => void;

/** Returns 1 when a run would be blocked with the app as it is built. Writes nothing. */
export async function checkCommand(options: CheckOptions, print: Print): Promise<number> {
  const limit = limitOf(options.limit);
  let checked: CheckedApp | undefined;
  setCheckHook({ found: (app) => void (checked ??= app) });
  // Lets the app skip its own work during a check.
  process.env['NEST_DURABLE_CHECK'] = '1';
  const app = await loadApp(options.app, options.export);
  try {
    if (!checked) throw new InvalidArgumentError('The app', options.app, 'a module that imports DurableModule');
    const { namespace = checked.namespace } = options;
    const report = new ObstacleReport(namespace);
    const found = checked.check({ namespace, ...(limit !== undefined && { limit }) });
    for await (const obstacle of found) report.add(obstacle);
    for (const line of report.lines()) print(line);
    return report.fits ? 0 : 1;
  } finally {
    await Promise.race([app.close(), sleep(CLOSE_MS)]);
  }
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('--limit', text, 'a whole number of runs, from 1');
}
