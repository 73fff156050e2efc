import { InvalidArgumentError } from '../../errors.js';
import type { Dialect } from '../../sql/dialect.js';
import { migrate, pendingMigrations, schemaSql, validatePrefix } from '../../sql/migrator.js';
import { tablesWithPrefix } from '../../sql/tables.js';
import { vacuum } from '../../sql/vacuum.js';
import { withDatabase } from './open-database.js';

export interface CommandOptions {
  prefix: string;
  url: string | undefined;
}

type Print = (line: string) => void;

/** Brings the tables up to date. */
export async function migrateCommand({ prefix, url }: CommandOptions, print: Print): Promise<number> {
  validatePrefix(prefix);
  const applied = await withDatabase(url, (executor) => migrate(executor, tablesWithPrefix(prefix)));
  if (applied.length === 0) print(`The tables ${prefix}_* are up to date`);
  for (const id of applied) print(`Applied ${id}`);
  return 0;
}

/** Answers 1 when the tables are behind. */
export async function statusCommand({ prefix, url }: CommandOptions, print: Print): Promise<number> {
  validatePrefix(prefix);
  const pending = await withDatabase(url, (executor) => pendingMigrations(executor, tablesWithPrefix(prefix)));
  for (const id of pending) print(`Pending ${id}`);
  if (pending.length === 0) print(`The tables ${prefix}_* are up to date`);
  return pending.length === 0 ? 0 : 1;
}

/** Prints what `migrate` would do to an empty database. Needs a database only to learn which kind it is. */
export async function sqlCommand(
  { prefix, url, dialect }: CommandOptions & { dialect: Dialect['name'] | undefined },
  print: Print,
): Promise<number> {
  validatePrefix(prefix);
  if (dialect === undefined && url === undefined) {
    throw new InvalidArgumentError(
      '--dialect',
      undefined,
      'postgres, mysql or mariadb, or a database by --url or DATABASE_URL',
    );
  }
  const name = dialect ?? (await withDatabase(url, (executor) => Promise.resolve(executor.dialect.name)));
  print(schemaSql(name, prefix));
  return 0;
}

/** Makes the room of deleted rows usable again. */
export async function vacuumCommand({ prefix, url }: CommandOptions, print: Print): Promise<number> {
  validatePrefix(prefix);
  const count = await withDatabase(url, (executor) => vacuum(executor, tablesWithPrefix(prefix)));
  print(count > 0 ? `Vacuumed ${count} tables ${prefix}_*` : 'Nothing to do: this server cleans up by itself');
  return 0;
}
