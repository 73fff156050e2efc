import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { PACKAGE_VERSION } from '../../protocol/package-version.js';
import { type Dialect, render } from '../dialects/dialect.js';
import { DIALECTS } from '../dialects/dialects.js';
import { raw, sql } from '../dialects/statement.js';
import { isAtLeast } from '../server-version.js';
import { tablesWithPrefix } from '../tables.js';
import { migratedTables, migrationsOf, migrationsTable, type MigrateOptions, validatePrefix } from './migrator.js';

/** The first version of this package. */
export const FIRST_VERSION = '0.1.0';

/** Versions of this package, for example `'0.1.0'`. */
export interface VersionRange {
  /** Its tables exist: only what later versions add. Default: none exist. */
  from?: string | undefined;
  /** Only what this version and earlier ones need. Default: the version installed. */
  to?: string | undefined;
  /** Default: this version. Others are for upgrade tests. */
  installed?: string | undefined;
}

/** Whether what the version `since` has added is to be applied. */
export type IsWanted = (since: string) => boolean;

/** @throws InvalidArgumentError unless both are versions up to the installed one, in order. */
export function wantedBetween({ from, to, installed = PACKAGE_VERSION }: VersionRange): IsWanted {
  const upTo = to === undefined ? numbersOf(installed) : released('to', to, installed);
  const after = from === undefined ? undefined : released('from', from, to ?? installed);
  return (since) => {
    const version = numbersOf(since);
    return isAtLeast(upTo, version) && !(after && isAtLeast(after, version));
  };
}

const numbersOf = (version: string): number[] => version.split('.').map(Number);

function released(argument: string, version: string, last: string): number[] {
  const numbers = /^\d+\.\d+\.\d+$/.test(version) ? numbersOf(version) : [];
  if (isAtLeast(numbersOf(last), numbers) && isAtLeast(numbers, numbersOf(FIRST_VERSION))) return numbers;
  const among = last === FIRST_VERSION ? last : `from ${FIRST_VERSION} to ${last}`;
  throw new InvalidArgumentError(argument, version, `a version of nest-durable: ${among}`);
}

/** The statements of `migrate` for an empty schema, or for one of an earlier version. */
export function schemaStatements(
  name: Dialect['name'],
  prefix: string,
  options: MigrateOptions & VersionRange = {},
): string[] {
  validatePrefix(prefix);
  const dialect = DIALECTS[name];
  const tables = tablesWithPrefix(prefix);
  const isWanted = wantedBetween(options);
  const statements = migrationsOf(options)
    .filter(({ since }) => isWanted(since))
    .flatMap((migration) => [
      ...migration.steps(dialect, tables).map(({ statement }) => statement),
      sql`INSERT INTO ${tables.migrations} (id, applied_at) VALUES (${raw(`'${migration.id}'`)}, ${dialect.now})`,
    ]);
  const first = options.from === undefined ? [migrationsTable(dialect, tables).statement] : [];
  return [...first, ...statements].map((statement) => render(statement, dialect).text);
}

/** The statements that drop every table of `schemaStatements`, the last one first. */
export function dropSchemaStatements(name: Dialect['name'], prefix: string): string[] {
  validatePrefix(prefix);
  const dialect = DIALECTS[name];
  const drops = migratedTables(dialect, tablesWithPrefix(prefix)).map((table) => sql`DROP TABLE IF EXISTS ${table}`);
  return drops.reverse().map((statement) => render(statement, dialect).text);
}

/** As a script that clients of the database take. */
export const scriptOf = (statements: readonly string[]): string =>
  statements.map((statement) => `${statement};\n`).join('\n');
