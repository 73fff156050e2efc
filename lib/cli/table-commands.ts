import { type Command, Option } from 'commander';
import type { ActedBy } from '../acts/acts.js';
import { defined } from '../core/options.js';
import type { Duration } from '../core/time.js';
import { type CheckReport, type DoctorReport, exitCodeOf } from '../doctor/check.js';
import { DurableDoctor } from '../doctor/doctor.js';
import type { RunStatus } from '../engine/run.js';
import type { Operator } from '../operate/operator.js';
import { type DurableRoles, durableRolesSql } from '../operate/roles.js';
import type { Dialect } from '../sql/dialects.js';
import { scriptOf } from '../sql/migrations/migrator.js';
import {
  type CommandOptions,
  DIALECT_NEEDED,
  givenNamesOf,
  jumpCommand,
  migrateCommand,
  missingArgument,
  outboxTablesOf,
  tablesOf,
  sqlCommand,
  statusCommand,
  vacuumCommand,
  withDatabase,
} from './database.js';
import { actorHere, consent, databaseOperator, describe, withFormat, withOutbox } from './operator-command.js';
import { type CliEnvironment, counted, type Format, FORMATS, Printer, visible } from './print.js';

type Shaped<Options> = Options & { output: Format };
type Exit = (code: number) => void;

/** Adds the commands for the tables themselves. */
export function addTables(program: Command, environment: CliEnvironment, exit: Exit): void {
  const { env, out } = environment;
  const inEnvironment = <Options extends CommandOptions>(options: Options): Options => ({
    ...options,
    url: options.url ?? env['DATABASE_URL'],
    env,
  });
  const printer = ({ output }: { output: Format }) => new Printer(environment, output);
  const named = (name: string, text: string) => withOutbox(describe(program.command(name), text));

  withFormat(named('migrate', 'Create the tables or migrate them to this version')).action(
    async (options: Shaped<CommandOptions>) => exit(await migrateCommand(inEnvironment(options), printer(options))),
  );
  withFormat(
    named('status', 'Check whether the tables are up to date: exit code 0 if they are, 1 if not, 2 on errors'),
  ).action(async (options: Shaped<CommandOptions>) =>
    exit(await statusCommand(inEnvironment(options), printer(options))),
  );
  named('sql', 'Print the statements that create the tables')
    .addOption(new Option('--dialect <name>', 'the kind of database').choices(['postgres', 'mysql', 'mariadb']))
    .option('--from <version>', 'only what was added after this version (default: everything)')
    .action(async ({ dialect, from, ...options }: SqlFlags) =>
      exit(await sqlCommand({ ...inEnvironment(options), dialect, ...(from !== undefined && { from }) }, out)),
    );
  withFormat(addRoles(named('roles', 'Print the rights that each kind of process needs of the tables'))).action(
    async (options: Shaped<RolesCommandOptions>) => exit(await rolesCommand(inEnvironment(options), printer(options))),
  );
  named('outbox-jump', 'After a restore: move the event numbers above all numbers that were ever assigned').action(
    async (options: CommandOptions) => exit(await jumpCommand(inEnvironment(options), out)),
  );
  withFormat(addPurge(named('purge', 'Delete what ended long ago'))).action(
    async (options: Shaped<PurgeCommandOptions>) =>
      exit(await purgeCommand(inEnvironment(options), printer(options), environment)),
  );
  withFormat(named('vacuum', 'PostgreSQL: make the space of deleted rows reusable')).action(
    async (options: Shaped<CommandOptions>) => exit(await vacuumCommand(inEnvironment(options), printer(options))),
  );
}

type SqlFlags = CommandOptions & { dialect?: Dialect['name']; from?: string };

interface Asked extends ActedBy {
  olderThan: Duration;
}

type Purge = (operator: Operator, asked: Asked, status: readonly RunStatus[] | undefined) => Promise<number>;

/** What can be deleted. */
const ENDED = {
  runs: ({ runs }, asked, status) => runs.purge({ ...asked, ...(status && { status }) }),
  signals: (operator, asked) => operator.purgeSignals(asked),
  effects: ({ effects }, asked) => effects.purge(asked),
  'abandoned-effects': ({ effects }, asked) => effects.purge({ ...asked, status: 'abandoned' }),
  'effect-audit': ({ effects }, asked) => effects.purgeAuditLog(asked),
  'dead-letters': ({ outbox }, asked) => outbox.purgeDeadLetters(asked),
} satisfies Record<string, Purge>;

interface PurgeCommandOptions extends CommandOptions {
  olderThan: string;
  namespace: string;
  what: keyof typeof ENDED;
  status?: string[];
  actor?: string;
  reason?: string;
  yes?: boolean;
}

/** Deletes what ended long ago. */
async function purgeCommand(
  options: PurgeCommandOptions,
  print: Printer,
  environment: CliEnvironment,
): Promise<number> {
  const { url, what, yes = false } = options;
  await consent({ yes, what: `delete all ${what} that ended at least ${options.olderThan} ago` }, environment);
  const purge: Purge = ENDED[what];
  const purged = await withDatabase(url, async (executor) => {
    const { operator } = await databaseOperator(executor, options);
    return purge(operator, askedOf(options), options.status as RunStatus[] | undefined);
  });
  print.changed({ what, deleted: purged }, [], `Deleted ${purged} ${what}`);
  return 0;
}

const addPurge = (command: Command): Command =>
  command
    .requiredOption('--older-than <duration>', 'the minimum time since they ended: 30d, 12h, 90m')
    .addOption(new Option('--what <what>', 'what to delete').choices(Object.keys(ENDED)).default('runs'))
    .option('--status <status...>', 'only runs that ended with one of these (default: all)')
    .option('--namespace <namespace>', 'whose runs and signals', 'default')
    .option('--reason <text>', 'why, for the record of acts (default: this command)')
    .option('--actor <name>', 'who (default: cli:<user>@<host>)')
    .option('--yes', 'do not ask');

const askedOf = ({ olderThan, what, actor, reason }: PurgeCommandOptions): Asked => ({
  olderThan: (/^\d+$/.test(olderThan) ? Number(olderThan) : olderThan) as Duration,
  actor: actor ?? actorHere(),
  // Such as that of a job that runs every night.
  reason: reason ?? `purge --older-than ${olderThan} --what ${what}`,
});

interface RolesCommandOptions extends CommandOptions, DurableRoles {
  dialect?: Dialect['name'];
  host?: string;
}

/** Prints the rights that the roles of an app need. */
async function rolesCommand(options: RolesCommandOptions, print: Printer): Promise<number> {
  const { prefix, url, schema, host, client, engine, worker, foreignWorker, operator, reader } = options;
  if (options.dialect === undefined && url === undefined) throw missingArgument('--dialect', DIALECT_NEEDED);
  const dialect = options.dialect ?? (await withDatabase(url, ({ dialect: { name } }) => Promise.resolve(name)));
  const roles: DurableRoles = defined({ client, engine, worker, foreignWorker, operator, reader });
  const outbox = options.outbox !== false && givenNamesOf(prefix, options);
  const at = { ...(schema !== undefined && { schema }), ...(host !== undefined && { host }) };
  const statements = durableRolesSql({ dialect, roles, prefix, outbox, ...at });
  print.gathered({ statements }, statements, scriptOf(statements).split('\n'));
  return 0;
}

const addRoles = (command: Command): Command =>
  command
    .addOption(new Option('--dialect <name>', 'the kind of database').choices(['postgres', 'mysql', 'mariadb']))
    .option('--host <host>', "MySQL, MariaDB: the host part of the accounts (default: '%')")
    .option('--client <role>', 'starts, signals and awaits runs')
    .option('--engine <role>', 'plays workflows')
    .option('--worker <role>', 'runs remote steps')
    .option('--foreign-worker <role>', 'runs remote steps in another language')
    .option('--operator <role>', 'sees and does what an operator does')
    .option('--reader <role>', 'reads everything but payloads');

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
  const { schema } = options;
  const published = outbox === false ? false : { ...outboxTablesOf(tablesOf(options), options).names, ordering };
  const report = await withDatabase(url, (executor) =>
    new DurableDoctor(executor, { prefix, schema, outbox: published }).examine({
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
