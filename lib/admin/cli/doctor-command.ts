import { type Command, Option } from 'commander';
import { type CommandOptions, outboxTablesOf } from './commands.js';
import { counted } from './counted.js';
import { withDatabase } from './open-database.js';
import { FORMATS, type Format } from './printer.js';
import { visible } from './table.js';
import { type CheckReport, type DoctorReport, exitCodeOf } from '../../doctor/doctor-report.js';
import { DurableDoctor } from '../../doctor/durable-doctor.js';

export interface DoctorCommandOptions extends CommandOptions {
  output: Format;
  strict?: boolean;
  only?: string[];
  skip?: string[];
}

type Print = (line: string) => void;

/** Examines a database. Returns 1 for errors, 2 if something could not be told, 3 for warnings that count. */
export async function doctorCommand(options: DoctorCommandOptions, print: Print): Promise<number> {
  const { prefix, url, output, strict = false, only, skip } = options;
  const { outbox, outboxOrdering: ordering } = options;
  const published = outbox === false ? false : { ...outboxTablesOf(prefix, options).names, ordering };
  const report = await withDatabase(url, (executor) =>
    new DurableDoctor(executor, { prefix, outbox: published }).examine({
      ...(only && { only: idsIn(only) }),
      ...(skip && { skip: idsIn(skip) }),
    }),
  );
  if (output === 'json') print(JSON.stringify(report, null, 2));
  else if (output === 'ids') for (const id of foundIds(report)) print(id);
  else for (const line of linesOf(report)) for (const one of line.split('\n')) print(visible(one));
  return exitCodeOf(report, { strict });
}

export function addDoctor(command: Command, action: (options: DoctorCommandOptions) => Promise<void>): void {
  command
    .option('--only <checks...>', 'only these checks, by id')
    .option('--skip <checks...>', 'all checks but these')
    .option('--strict', 'exit code 3 when there are warnings')
    .addOption(new Option('-o, --output <format>', 'what is printed').choices(FORMATS).default('table'))
    .action(action);
}

/** Of the checks that found something. */
const foundIds = ({ checks }: DoctorReport): string[] =>
  checks.filter(({ findings }) => findings.length > 0).map(({ id }) => id);

/** Separated by commas, blanks, or both. */
const idsIn = (given: readonly string[]): string[] =>
  given.flatMap((text) => text.split(',')).filter((id) => id !== '');

/** What is wrong, then what could not be told, then a count of all. */
function linesOf({ server, checks, counts }: DoctorReport): string[] {
  const { error, warning, info, untold } = counts;
  const summary = `${counted(checks.length, 'check')}: ${counted(error, 'error')}, ${counted(warning, 'warning')}, ${counted(info, 'remark')}, ${untold} not told`;
  return [server, ...checks.flatMap(linesOfCheck), summary];
}

function linesOfCheck({ id, page, findings, reason, mend = [] }: CheckReport): string[] {
  const found = findings.flatMap(({ level, text, mend: mends }) => [`${level} ${id}: ${text}`, ...mends.map(indented)]);
  const untold = reason === undefined ? [] : [`untold ${id}: ${reason}`, ...mend.map(indented)];
  const lines = [...found, ...untold];
  return lines.length === 0 ? [] : [...lines, `    see ${page}`];
}

const indented = (text: string): string => text.replaceAll(/^/gm, '    ');
