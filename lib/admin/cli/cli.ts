import { Command, CommanderError, Option } from 'commander';
import { type CliEnvironment, EXIT } from './cli-environment.js';
import { type CheckOptions, checkCommand } from './check-command.js';
import { visible } from './table.js';
import {
  type CommandOptions,
  type Environment,
  jumpCommand,
  migrateCommand,
  sqlCommand,
  statusCommand,
  vacuumCommand,
} from './commands.js';
import { addDoctor, doctorCommand } from './doctor-command.js';
import { addEffects } from './effect-commands.js';
import { addFleet } from './fleet-commands.js';
import { addHolds } from './hold-commands.js';
import { OperatorCommands } from './operator-command.js';
import { addOutbox } from './outbox-commands.js';
import { addPurge } from './purge-command.js';
import { addRoles, rolesCommand } from './roles-command.js';
import { addRunChanges } from './run-changes.js';
import { addRunViews } from './run-commands.js';
import { addSchedules } from './schedule-commands.js';
import { describe, withOutbox } from './shared-options.js';
import { addSteps } from './step-commands.js';
import { addTop } from './top-command.js';
import { addVersions } from './versions-command.js';
import { DurableError } from '../../errors/durable-error.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { sleep } from '../../time/sleep.js';

/** Codes of errors of things that are not there. */
const MISSING = ['WORKFLOW_NOT_FOUND', 'STEP_NOT_FOUND', 'SCHEDULE_NOT_FOUND'];

/** How long what is interrupted may take to end. */
const END_MS = 3_000;

/** Runs one command and returns the exit code. Never rejects; prints errors as one line. */
export async function runCli(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const { interrupted } = environment;
  let exitCode: number = EXIT.done;
  const program = programOf(environment, (code) => (exitCode = code));
  const ended = program.parseAsync(args, { from: 'user' }).then(
    () => exitCode,
    (error: unknown) => failed(error, environment),
  );
  return interrupted ? Promise.race([ended, abandoned(interrupted)]) : ended;
}

function failed(error: unknown, { err, paint = (_, text) => text, interrupted }: CliEnvironment): number {
  // Commander has already printed what is wrong with the arguments.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.failed;
  if (interrupted?.aborted) return EXIT.interrupted;
  const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
  err(`${paint('red', 'error:')} ${visible(line ?? '')}`);
  return error instanceof DurableError && MISSING.includes(error.code) ? EXIT.missing : EXIT.failed;
}

/** Resolves some time after an interruption: a command that does not listen to it ends with the process. */
function abandoned(interrupted: AbortSignal): Promise<number> {
  return new Promise((resolve) => {
    const wait = () => void sleep(END_MS).then(() => resolve(EXIT.interrupted));
    if (interrupted.aborted) wait();
    else interrupted.addEventListener('abort', wait, { once: true });
  });
}

function programOf(environment: CliEnvironment, exit: (code: number) => void): Command {
  const { env, out, err } = environment;
  const program = new Command('nest-durable').description(
    'Creates, checks and examines the tables of nest-durable, and shows and repairs what is in them.',
  );
  program
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) });
  const { DATABASE_URL: url } = env;
  addTables(program, env, out, exit);
  addDoctor(
    withOutbox(
      describe(
        program.command('doctor'),
        'Examine the database: exit code 0 if all is well, 1 on findings that are errors, 2 if something could not be told',
      ),
    ),
    async ({ url: given, ...options }) => exit(await doctorCommand({ ...options, url: given ?? url, env }, out)),
  );
  const commands = new OperatorCommands(environment, exit);
  addFleet(program, commands);
  addVersions(program, commands);
  addTop(program, commands);
  const noun = (name: string, text: string) => program.command(name).description(text);
  const runs = noun('runs', 'Show and change runs');
  addRunViews(runs, commands);
  addRunChanges(runs, commands);
  addSteps(noun('steps', 'Change steps of runs'), commands);
  addSchedules(noun('schedules', 'Show and change schedules'), commands);
  addOutbox(noun('outbox', 'Show and repair events that are not delivered'), commands);
  addEffects(noun('effects', 'Show and repair calls to the outside'), commands);
  addHolds(noun('holds', 'Show and change holds'), commands);
  addCheck(program, out, exit);
  return program;
}

/** Adds the commands for the tables themselves. */
function addTables(program: Command, env: Environment, out: CliEnvironment['out'], exit: (code: number) => void): void {
  const { DATABASE_URL: url } = env;
  const inEnvironment = ({ url: given, ...options }: CommandOptions): CommandOptions => ({
    ...options,
    url: given ?? url,
    env,
  });

  withOutbox(describe(program.command('migrate'), 'Create the tables or migrate them to this version')).action(
    async (options: CommandOptions) => exit(await migrateCommand(inEnvironment(options), out)),
  );
  withOutbox(
    describe(
      program.command('status'),
      'Check whether the tables are up to date: exit code 0 if they are, 1 if not, 2 on errors',
    ),
  ).action(async (options: CommandOptions) => exit(await statusCommand(inEnvironment(options), out)));
  addSql(
    withOutbox(describe(program.command('sql'), 'Print the statements that create the tables')),
    async ({ dialect, from, ...options }) =>
      exit(await sqlCommand({ ...inEnvironment(options), dialect, ...(from !== undefined && { from }) }, out)),
  );
  addRoles(
    withOutbox(describe(program.command('roles'), 'Print the rights that each kind of process needs of the tables')),
    async (options) => exit(await rolesCommand({ ...options, ...inEnvironment(options) }, out)),
  );
  withOutbox(
    describe(
      program.command('outbox-jump'),
      'After a restore: move the event numbers above all numbers that were ever assigned',
    ),
  ).action(async (options: CommandOptions) => exit(await jumpCommand(inEnvironment(options), out)));
  addPurge(withOutbox(describe(program.command('purge'), 'Delete what ended long ago')), { url, env }, out, exit);
  withOutbox(describe(program.command('vacuum'), 'PostgreSQL: make the space of deleted rows reusable')).action(
    async (options: CommandOptions) => exit(await vacuumCommand(inEnvironment(options), out)),
  );
}

type SqlFlags = CommandOptions & { dialect?: Dialect['name']; from?: string };

const addSql = (command: Command, action: (options: SqlFlags) => Promise<void>): Command =>
  command
    .addOption(new Option('--dialect <name>', 'the kind of database').choices(['postgres', 'mysql', 'mariadb']))
    .option('--from <version>', 'only what was added after this version (default: everything)')
    .action(action);

function addCheck(program: Command, out: CliEnvironment['out'], exit: (code: number) => void): void {
  program
    .command('check')
    .description(
      "Replay every unfinished run of an app's database against this build of the app, without writing anything: exit code 0 if all fit, " +
        '1 if some would be blocked, 2 on errors',
    )
    .requiredOption('--app <file>', 'the compiled file of the module, such as dist/app.module.js')
    .option('--export <name>', 'the name of the exported module (default: AppModule)')
    .option('--namespace <namespace>', "the namespace of the runs (default: the app's)")
    .option('--limit <runs>', 'the maximum number of runs to replay (default: all)')
    .action(async (options: CheckOptions) => exit(await checkCommand(options, out)));
}
