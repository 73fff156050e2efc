import type { Command } from 'commander';
import { InvalidArgumentError } from '../core/errors.js';
import type { Obstacle } from '../engine/play/replay.js';
import { withApp } from './app.js';
import { withFormat } from './operator-command.js';
import { type CliEnvironment, counted, type Format, Printer } from './print.js';

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
  /** All of them, if they are kept. */
  readonly found: Obstacle[] = [];

  constructor(
    private readonly namespace: string,
    private readonly keeps: boolean,
  ) {}

  get json(): object {
    return { namespace: this.namespace, runs: this.runs, obstacles: this.found };
  }

  get fits(): boolean {
    return this.obstacles === 0;
  }

  add(obstacle: Obstacle | undefined): void {
    this.runs++;
    if (!obstacle) return;
    this.obstacles++;
    if (this.keeps) this.found.push(obstacle);
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

export interface CheckOptions {
  app: string;
  export?: string;
  namespace?: string;
  limit?: string;
  output: Format;
}

/** Returns 1 when a run would be blocked with the app as it is built. Writes nothing. */
export async function checkCommand(options: CheckOptions, print: Printer): Promise<number> {
  const limit = limitOf(options.limit);
  return withApp(options, async (app) => {
    const { namespace = app.namespace } = options;
    const report = new ObstacleReport(namespace, print.format !== 'table');
    const found = app.check({ namespace, ...(limit !== undefined && { limit }) });
    for await (const obstacle of found) report.add(obstacle);
    const blocked = report.found.map(({ runId }) => runId);
    print.gathered(report.json, blocked, report.lines());
    return report.fits ? 0 : 1;
  });
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const limit = Number(text);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('--limit', text, 'a whole number of runs, from 1');
}

/** Adds `check`. */
export function addCheck(program: Command, environment: CliEnvironment, exit: (code: number) => void): void {
  withFormat(program.command('check'))
    .description(
      "Replay every unfinished run of an app's database against this build of the app, without writing anything: exit code 0 if all fit, " +
        '1 if some would be blocked, 2 on errors',
    )
    .requiredOption('--app <file>', 'the compiled file of the module, such as dist/app.module.js')
    .option('--export <name>', 'the name of the exported module (default: AppModule)')
    .option('--namespace <namespace>', "the namespace of the runs (default: the app's)")
    .option('--limit <runs>', 'the maximum number of runs to replay (default: all)')
    .action(async (options: CheckOptions) =>
      exit(await checkCommand(options, new Printer(environment, options.output))),
    );
}
