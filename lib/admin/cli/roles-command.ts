import { type Command, Option } from 'commander';
import { type CommandOptions, DIALECT_NEEDED, givenNamesOf } from './commands.js';
import { missingArgument } from './missing-argument.js';
import { withDatabase } from './open-database.js';
import type { Printer } from './printer.js';
import { durableRolesSql } from '../durable-roles.js';
import type { DurableRoles } from '../role-rights.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { scriptOf } from '../../sql/migrations/schema-statements.js';

export interface RolesCommandOptions extends CommandOptions, DurableRoles {
  dialect?: Dialect['name'];
  schema?: string;
  host?: string;
}

/** Prints the rights that the roles of an app need. */
export async function rolesCommand(options: RolesCommandOptions, print: Printer): Promise<number> {
  const { prefix, url, schema, host, client, engine, worker, foreignWorker, operator, reader } = options;
  if (options.dialect === undefined && url === undefined) throw missingArgument('--dialect', DIALECT_NEEDED);
  const dialect = options.dialect ?? (await withDatabase(url, ({ dialect: { name } }) => Promise.resolve(name)));
  const named = Object.entries({ client, engine, worker, foreignWorker, operator, reader });
  const roles: DurableRoles = Object.fromEntries(named.filter(([, role]) => role !== undefined));
  const outbox = options.outbox !== false && givenNamesOf(prefix, options);
  const at = { ...(schema !== undefined && { schema }), ...(host !== undefined && { host }) };
  const statements = durableRolesSql({ dialect, roles, prefix, outbox, ...at });
  print.gathered({ statements }, statements, scriptOf(statements).split('\n'));
  return 0;
}

export const addRoles = (command: Command): Command =>
  command
    .addOption(new Option('--dialect <name>', 'the kind of database').choices(['postgres', 'mysql', 'mariadb']))
    .option('--schema <name>', 'the schema of the tables, or their database (default: that of the connection)')
    .option('--host <host>', "MySQL, MariaDB: the host part of the accounts (default: '%')")
    .option('--client <role>', 'starts, signals and awaits runs')
    .option('--engine <role>', 'plays workflows')
    .option('--worker <role>', 'runs remote steps')
    .option('--foreign-worker <role>', 'runs remote steps in another language')
    .option('--operator <role>', 'sees and does what an operator does')
    .option('--reader <role>', 'reads everything but payloads');
