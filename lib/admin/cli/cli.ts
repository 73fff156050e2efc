import { Command, CommanderError, Option } from 'commander';
import { type CheckOptions, checkCommand } from './check-command.js';
import {
  type CommandOptions,
  type Environment,
  jumpCommand,
  migrateCommand,
  sqlCommand,
  statusCommand,
  vacuumCommand,
} from './commands.js';
import { withDatabase } from './open-database.js';
import { ClientRemoval } from '../../engine/client/client-control.js';
import { sqlEngineStorage } from '../../engine/compose/sql-engine-storage.js';
import type { RunStatus } from '../../engine/model/run.js';
import { createNotifier } from '../../sql/create-notifier.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import { tablesWithPrefix } from '../../sql/tables.js';
import type { Duration } from '../../time/duration.js';
import { SqlAnswerWriter } from '../../transport/sql-answer-writer.js';
import { SqlTaskDispatcher } from '../../transport/sql-task-dispatcher.js';

export interface PurgeCommandOptions extends CommandOptions {
  olderThan: string;
  namespace: string;
  status?: string[];
}

/** Deletes runs whose retention period has passed. */
export async function purgeCommand(options: PurgeCommandOptions, print: (line: string) => void): Promise<number> {
  const { prefix, url, olderThan, namespace, status } = options;
  validatePrefix(prefix);
  const purged = await withDatabase(url, (executor) => {
    const tables = tablesWithPrefix(prefix);
    const notifier = createNotifier(executor, prefix, () => undefined);
    const engine = sqlEngineStorage(executor, tables, notifier);
    const dispatcher = new SqlTaskDispatcher(executor, tables, notifier);
    const answers = new SqlAnswerWriter(executor, tables, notifier);
    return new ClientRemoval({ ...engine, dispatcher, answers }, namespace).purge({
      olderThan: (/^\d+$/.test(olderThan) ? Number(olderThan) : olderThan) as Duration,
      ...(status && { status: status as RunStatus[] }),
    });
  });
  print(`Deleted ${purged} runs`);
  return 0;
}

export interface CliEnvironment {
  /** Contains `DATABASE_URL` and the variables of the outbox table names. */
  env: Environment;
  out: (line: string) => void;
  err: (line: string) => void;
}

/** An error occurred. 1 means that the tables are outdated or that runs do not fit. */
const FAILED = 2;

/** Runs one command and returns the exit code. Never rejects; prints errors as one line. */
export async function runCli(args: readonly string[], environment: CliEnvironment): Promise<number> {
  let exitCode = 0;
  const program = programOf(environment, (code) => (exitCode = code));
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed what is wrong with the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : FAILED;
    environment.err(`error: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
    return FAILED;
  }
}

function programOf({ env, out, err }: CliEnvironment, exit: (code: number) => void): Command {
  const program = new Command('nest-durable').description(
    'Creates, checks or prints the tables of nest-durable, and checks whether a new build fits its unfinished runs.',
  );
  program
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) });
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
  withOutbox(describe(program.command('sql'), 'Print the statements that create the tables'))
    .addOption(new Option('--dialect <name>', 'the kind of database').choices(['postgres', 'mysql', 'mariadb']))
    .action(async ({ dialect, ...options }: CommandOptions & { dialect?: Dialect['name'] }) =>
      exit(await sqlCommand({ ...inEnvironment(options), dialect }, out)),
    );
  withOutbox(
    describe(
      program.command('outbox-jump'),
      'After a restore: move the event numbers above all numbers that were ever assigned',
    ),
  ).action(async (options: CommandOptions) => exit(await jumpCommand(inEnvironment(options), out)));
  describe(program.command('purge'), 'Delete runs that ended long ago, with all their data')
    .requiredOption('--older-than <duration>', 'the minimum time since they ended: 30d, 12h, 90m')
    .option('--status <status...>', 'only runs that ended with one of these (default: all)')
    .option('--namespace <namespace>', 'whose runs', 'default')
    .action(async ({ url: given, ...options }: PurgeCommandOptions) =>
      exit(await purgeCommand({ ...options, url: given ?? url }, out)),
    );
  describe(program.command('vacuum'), 'PostgreSQL: make the space of deleted rows reusable').action(
    async (options: CommandOptions) => exit(await vacuumCommand(inEnvironment(options), out)),
  );
  addCheck(program, out, exit);
  return program;
}

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

/** The module's options of the same names. */
const withOutbox = (command: Command): Command =>
  command
    .option('--no-outbox', 'the app has no outbox')
    .option(
      '--outbox-table <name>',
      'the table that events are written to (default: ADBC_OUTBOX_TABLE_TABLE_NAME, <prefix>_outbox)',
    )
    .option(
      '--outbox-nodes-table <name>',
      'the table of relay processes (default: ADBC_NODES_TABLE_TABLE_NAME, <prefix>_outbox_nodes)',
    )
    .option(
      '--outbox-schema <name>',
      "the schema of both tables (default: ADBC_OUTBOX_TABLE_TABLE_SCHEMA, the connection's own)",
    )
    .addOption(
      new Option('--outbox-ordering <ordering>', 'when events get their numbers (default: commit)').choices([
        ...['commit', 'insert', 'none'],
      ]),
    );

const describe = (command: Command, text: string): Command =>
  command
    .description(text)
    .option('--url <url>', 'the database: postgres://…, mysql://… or mariadb://… (default: DATABASE_URL)')
    .option('--prefix <prefix>', 'the prefix of all table names', 'durable');
