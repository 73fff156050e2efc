import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ConfigurationError } from '../core/errors.js';
import type { OwnTables, SqlExecutor, TableProtection } from './executor.js';

/** What the configuration of the app's ORM lacks to leave our tables alone. */
export interface UnprotectedTables {
  /** For people, such as `durable_*`. */
  tables: string;
  /** What to write there. */
  lacking: readonly string[];
  /** Whether the schema commands of this process leave them alone nevertheless. */
  here: boolean;
}

/**
 * Keeps the schema commands of the app's ORM away from our tables. Returns what there is to tell: in development what the
 * configuration lacks, since commands outside of this process know only that; in production only if they could not be
 * kept away.
 *
 * @throws ConfigurationError in development, if they cannot be kept away.
 */
export function protectTables(
  executor: Pick<SqlExecutor, 'protectTables'>,
  prefix: string,
  own: OwnTables,
): UnprotectedTables | undefined {
  const { lacking = [], obstacle } = executor.protectTables?.(own) ?? {};
  const isProduction = process.env['NODE_ENV'] === 'production';
  if (lacking.length === 0 || (isProduction && !obstacle)) return undefined;
  const tables = `${prefix}_*`;
  if (obstacle && !isProduction)
    throw new ConfigurationError(
      `The schema commands of MikroORM would drop the tables ${tables} with all runs, and cannot be told so at runtime: ` +
        `${obstacle}. ${remedyOf(lacking)}`,
    );
  return { tables, lacking, here: !obstacle };
}

export const remedyOf = (lacking: readonly string[]): string =>
  `Put into the configuration of MikroORM (durableSkipTables is exported by nest-durable): ${lacking.join('; ')}`;

/** The used part of MikroORM's configuration, 6 and 7. Its schema commands read these objects at every call. */
export interface MikroOrmConfiguration {
  get(key: 'schemaGenerator'): SchemaGeneratorOptions;
  get(key: 'migrations'): MigrationsOptions;
  get(key: 'baseDir' | 'dbName' | 'schema'): string | undefined;
  /** MikroORM 7. */
  get(key: 'onCreateConnection'): unknown;
}

interface SchemaGeneratorOptions {
  skipTables?: readonly (string | RegExp)[];
  /** MikroORM 7, where routines without metadata are dropped, too. */
  ignoreRoutines?: boolean;
}

interface MigrationsOptions {
  snapshot?: boolean;
  /** MikroORM 7. Its snapshots respect `skipTables`; those of MikroORM 6 contain all tables once migrations have run. */
  snapshotOnMigrate?: boolean;
  /** Without `.json`. Default: `.snapshot-` and the name of the database. */
  snapshotName?: string;
  path?: string;
  pathTs?: string;
}

/** Where MikroORM 7 looks if no path is set. */
const MIGRATION_FOLDERS = ['migrations', 'src/migrations', 'dist/migrations', 'build/migrations'];

/**
 * Makes `schema.update()`, `migration:create` and the like leave our tables alone in this process. Without it they drop
 * all tables that have no entity.
 */
export function protectOnMikroOrm(config: MikroOrmConfiguration, own: OwnTables): TableProtection {
  const generator = config.get('schemaGenerator');
  const migrations = config.get('migrations');
  const skipped = [...(generator.skipTables ?? [])];
  const missed = own.names.filter((name) => !skipped.some((pattern) => matches(name, pattern)));
  const dropsFunctions = own.hasFunctions && generator.ignoreRoutines === false;
  const stale = migrations.snapshot === false ? [] : snapshotsWith(own.names, config, migrations);
  const noSnapshot = stale.length > 0 || writesAllTables(config, migrations);
  const [obstacle] = [
    missed.length > 0 && put(generator, 'schemaGenerator', 'skipTables', [...skipped, ...missed]),
    dropsFunctions && put(generator, 'schemaGenerator', 'ignoreRoutines', true),
    noSnapshot && put(migrations, 'migrations', 'snapshot', false),
  ].filter((refused) => typeof refused === 'string');
  const asked = { skipTables: missed.length > 0, ignoreRoutines: dropsFunctions, snapshot: noSnapshot, stale };
  return { obstacle, lacking: lackingLines(asked, skipped.length > 0, own.expression, migrations) };
}

/** As MikroORM compares them. */
const matches = (name: string, pattern: string | RegExp): boolean =>
  typeof pattern === 'string' ? pattern.toLocaleLowerCase() === name.toLocaleLowerCase() : pattern.test(name);

/** Returns why the option cannot be set, if it cannot. */
function put<T extends object, K extends keyof T & string>(
  options: T,
  group: string,
  key: K,
  value: T[K],
): string | undefined {
  if (!(key in options)) return `this version of MikroORM does not have ${group}.${key}`;
  return Reflect.set(options, key, value) ? undefined : `${group}.${key} of its configuration is frozen`;
}

interface Lacking {
  skipTables: boolean;
  ignoreRoutines: boolean;
  snapshot: boolean;
  stale: readonly string[];
}

/** What to write into the configuration, and which files to delete. */
function lackingLines(
  { skipTables, ignoreRoutines, snapshot, stale }: Lacking,
  skipsOthers: boolean,
  expression: string,
  { snapshotOnMigrate }: MigrationsOptions,
): string[] {
  const names = skipsOthers ? `[/* as before */, ...${expression}]` : expression;
  const generator = [
    ...(skipTables ? [`skipTables: ${names}`] : []),
    ...(ignoreRoutines ? ['ignoreRoutines: true'] : []),
  ];
  return [
    ...(generator.length > 0 ? [`schemaGenerator: { ${generator.join(', ')} }`] : []),
    // With MikroORM 7 a new snapshot is right as soon as the tables are skipped.
    ...(snapshot && snapshotOnMigrate === undefined ? ['migrations: { snapshot: false }'] : []),
    ...stale.map((file) => `delete ${file}, which lists them`),
  ];
}

/** MikroORM 6 writes a snapshot of all tables after `migration:up`, unless there is no folder for it. */
const writesAllTables = (config: MikroOrmConfiguration, migrations: MigrationsOptions): boolean =>
  migrations.snapshot !== false &&
  migrations.snapshotOnMigrate === undefined &&
  foldersOf(config, migrations).some((folder) => existsSync(folder));

function foldersOf(config: MikroOrmConfiguration, { path, pathTs }: MigrationsOptions): string[] {
  const named = [path, pathTs].filter((folder) => folder !== undefined);
  return [
    ...new Set(
      (named.length > 0 ? named : MIGRATION_FOLDERS).map((folder) => resolve(config.get('baseDir') ?? '.', folder)),
    ),
  ];
}

/** Snapshots that `migration:create` would compare with the entities: it would drop these tables. */
function snapshotsWith(
  names: readonly string[],
  config: MikroOrmConfiguration,
  migrations: MigrationsOptions,
): readonly string[] {
  const { snapshotName = `.snapshot-${basename(config.get('dbName') ?? '')}` } = migrations;
  return foldersOf(config, migrations)
    .map((folder) => join(folder, `${snapshotName}.json`))
    .filter((file) => tablesIn(file).some((table) => names.includes(table)));
}

/** The tables of a snapshot; none if there is no such file, or it is something else. */
function tablesIn(file: string): string[] {
  try {
    const { tables } = JSON.parse(readFileSync(file, 'utf8')) as { tables?: { name: string }[] };
    return (tables ?? []).map(({ name }) => name);
  } catch {
    return [];
  }
}
