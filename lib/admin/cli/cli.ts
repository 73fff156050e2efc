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
import { ClientRemoval } from '../../engine/client/client-removal.js';
import { sqlEngineStorage } from '../../engine/compose/sql-engine-storage.js';
import type { RunStatus } from '../../engine/model/run.js';
import { createNotifier } from '../../sql/create-notifier.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import { tablesWithPrefix } from '../../sql/tables.js';
import type { Duration } from '../../time/duration.js';
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
    return new ClientRemoval({ ...engine, dispatcher }, namespace).purge({
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
    'The tables of nest-durable: apply, check or print them. And its runs: whether a new build fits them.',
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

  withOutbox(describe(program.command('migrate'), 'Bring the tables up to date')).action(
    async (options: CommandOptions) => exit(await migrateCommand(inEnvironment(options), out)),
  );
  withOutbox(
    describe(program.command('status'), 'Tell whether they are: exit code 0 if so, 1 if not, 2 if it cannot be told'),
  ).action(async (options: CommandOptions) => exit(await statusCommand(inEnvironment(options), out)));
  withOutbox(describe(program.command('sql'), 'Print the statements that make them'))
    .addOption(new Option('--dialect <name>', 'the kind of database').choices(['postgres', 'mysql', 'mariadb']))
    .action(async ({ dialect, ...options }: CommandOptions & { dialect?: Dialect['name'] }) =>
      exit(await sqlCommand({ ...inEnvironment(options), dialect }, out)),
    );
  withOutbox(
    describe(
      program.command('outbox-jump'),
      'After a restore: have the numbers of events go on behind all that were ever given',
    ),
  ).action(async (options: CommandOptions) => exit(await jumpCommand(inEnvironment(options), out)));
  describe(program.command('purge'), 'Delete runs that ended long ago, with all that is theirs')
    .requiredOption('--older-than <duration>', 'since their end: 30d, 12h, 90m')
    .option('--status <status...>', 'only those that ended so (default: however they ended)')
    .option('--namespace <namespace>', 'whose runs', 'default')
    .action(async ({ url: given, ...options }: PurgeCommandOptions) =>
      exit(await purgeCommand({ ...options, url: given ?? url }, out)),
    );
  describe(program.command('vacuum'), 'PostgreSQL: make the room of deleted rows usable again').action(
    async (options: CommandOptions) => exit(await vacuumCommand(inEnvironment(options), out)),
  );
  addCheck(program, out, exit);
  return program;
}

function addCheck(program: Command, out: CliEnvironment['out'], exit: (code: number) => void): void {
  program
    .command('check')
    .description(
      "Replay every unfinished run of an app's database against this build of it, reading only: exit code 0 if all fit, " +
        '1 if some would stand still, 2 if it cannot be told',
    )
    .requiredOption('--app <file>', 'the compiled file of the module, such as dist/app.module.js')
    .option('--export <name>', 'the name it exports the module by (default: AppModule)')
    .option('--namespace <namespace>', "whose runs (default: the app's)")
    .option('--limit <runs>', 'the most runs to replay (default: all)')
    .action(async (options: CheckOptions) => exit(await checkCommand(options, out)));
}

/** The module's options of the same names. */
const withOutbox = (command: Command): Command =>
  command
    .option('--no-outbox', 'the app has none')
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
      "the schema of both (default: ADBC_OUTBOX_TABLE_TABLE_SCHEMA, the connection's own)",
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
    .option('--prefix <prefix>', 'begins the names of all tables', 'durable');
