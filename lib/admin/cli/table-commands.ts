import { type Command, Option } from 'commander';
import type { CliEnvironment } from './cli-environment.js';
import {
  type CommandOptions,
  jumpCommand,
  migrateCommand,
  sqlCommand,
  statusCommand,
  vacuumCommand,
} from './commands.js';
import { type Format, Printer } from './printer.js';
import { addPurge, purgeCommand, type PurgeCommandOptions } from './purge-command.js';
import { addRoles, rolesCommand, type RolesCommandOptions } from './roles-command.js';
import { describe, withFormat, withOutbox } from './shared-options.js';
import type { Dialect } from '../../sql/dialects/dialect.js';

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
