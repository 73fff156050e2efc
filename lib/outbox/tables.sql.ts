import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../core/errors.js';
import { byFamily, type Dialect } from '../sql/dialects.js';
import type { OwnTables } from '../sql/executor.js';
import { LONGEST_NAME as MAX_BYTES, migratedNames, validateName, validatePrefix } from '../sql/migrations/migrator.js';
import type { SchemaStep } from '../sql/migrations/schema-steps.js';
import {
  type Home,
  id,
  type Identifier,
  int,
  join,
  render,
  sql,
  type SqlPart,
  type Statement,
} from '../sql/statement.js';
import { SHARDS } from './events.js';

/** The resolved names, as DDL and function bodies need them. */
export interface PublishedNames {
  /** PostgreSQL: the schema; MySQL: the database. */
  readonly schema: string;
  readonly table: string;
  readonly nodesTable: string;
  /** PostgreSQL: the notification channel of new events for our own processes. */
  readonly topicChannel: string;
}

/** @throws InvalidArgumentError for a name that a database would reject or change. */
export function validateTableNames(names: { table: string; nodesTable: string; schema?: string | undefined }): void {
  const { table, nodesTable, schema } = names;
  validateName(table, 'outbox.table');
  validateName(nodesTable, 'outbox.nodesTable');
  if (schema !== undefined) validateName(schema, 'outbox.schema');
  if (table === nodesTable)
    throw new InvalidArgumentError('outbox.nodesTable', nodesTable, 'another name than that of the outbox table');
}

/** A derived name, shortened with a hash so that different names stay different. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const letters = [...name];
  while (Buffer.byteLength(letters.join('')) > MAX_BYTES - 17) letters.pop();
  return `${letters.join('')}_${createHash('md5').update(name).digest('hex').slice(0, 16)}`;
}

/** The table next to the outbox that records which server assigned the last numbers. */
export const eraName = (table: string): string => shortName(`${table}_era`);

/** The channel that `lib/sql` uses for the topic `outbox`, computed without a connection. */
export function topicChannel(schema: string, prefix: string): string {
  const channel = `${schema}.${prefix}_outbox`;
  return Buffer.byteLength(channel) <= MAX_BYTES ? channel : createHash('md5').update(channel).digest('hex');
}

/** The names that an app may choose, so that existing tables can be adopted. */
export interface OutboxTableNames {
  /** Default `<prefix>_outbox`. */
  readonly table: string;
  /** Default `<prefix>_outbox_nodes`. */
  readonly nodesTable: string;
  /** The schema of both tables; undefined: that of the other tables. */
  readonly schema: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The default schema of a database connector. */
const CONNECTOR_SCHEMA = 'public';

/**
 * The chosen names, else those of the connector's variables, else our defaults. Errors always name the option.
 *
 * @throws InvalidArgumentError for a name that a database would reject, and for tables in different schemas.
 */
export function outboxTableNames(
  chosen: { [name in keyof OutboxTableNames]?: string | undefined },
  prefix: string,
  env: Environment,
): OutboxTableNames {
  const variable = (name: string) => env[name] || undefined;
  const names = {
    table: chosen.table ?? variable('ADBC_OUTBOX_TABLE_TABLE_NAME') ?? `${prefix}_outbox`,
    nodesTable: chosen.nodesTable ?? variable('ADBC_NODES_TABLE_TABLE_NAME') ?? `${prefix}_outbox_nodes`,
    schema: chosen.schema ?? variable('ADBC_OUTBOX_TABLE_TABLE_SCHEMA'),
  };
  validateTableNames(names);
  const nodesSchema = variable('ADBC_NODES_TABLE_TABLE_SCHEMA');
  if (chosen.schema === undefined && nodesSchema && nodesSchema !== (names.schema ?? CONNECTOR_SCHEMA))
    throw new InvalidArgumentError('ADBC_NODES_TABLE_TABLE_SCHEMA', nodesSchema, 'the schema of the outbox table');
  return names;
}

/** By which the connector says that it does not create a table. */
export const AUTO_CREATE = {
  table: 'ADBC_OUTBOX_TABLE_AUTO_CREATE',
  nodesTable: 'ADBC_NODES_TABLE_AUTO_CREATE',
} as const;

/**
 * The shard of `channel`, a column or a value. On PostgreSQL exactly this expression is indexed; on MySQL and MariaDB
 * the generated column `shard` uses it, so queries use that column.
 */
export function shardExpression(dialect: Pick<Dialect, 'family'>, channel: SqlPart): Statement {
  const mask = int(SHARDS - 1);
  return byFamily(dialect, {
    postgres: () => sql`((('x' || substr(md5(${channel}), 1, 2))::bit(8)::int) & ${mask})`,
    mysql: () => sql`(crc32(${channel}) & ${mask})`,
  });
}

/** The two published tables, in any schema, and our side tables with the common prefix. */
export interface OutboxTables {
  /** Of the published tables; their schema is looked up if none was named. */
  readonly names: Omit<OutboxTableNames, 'schema'> & Home;
  readonly prefix: string;
  /** Of our side tables. */
  readonly home: Home;
  readonly outbox: Statement;
  readonly nodes: Statement;
  readonly destinations: Identifier;
  readonly shards: Identifier;
  readonly channels: Identifier;
  readonly dead: Identifier;
  readonly pruned: Identifier;
  readonly inbox: Identifier;
  /** MySQL and MariaDB: one row to lock per bucket of channels. */
  readonly locks: Identifier;
}

export function outboxTables(
  prefix: string,
  given: OutboxTableNames,
  home: Home = { schema: undefined },
): OutboxTables {
  const names = { ...given };
  const published = (name: string) => sql`${id(name, names)}`;
  const ours = (name: string) => id(`${prefix}_${name}`, home);
  return {
    names,
    prefix,
    home,
    outbox: published(names.table),
    nodes: published(names.nodesTable),
    destinations: ours('outbox_destinations'),
    shards: ours('outbox_shards'),
    channels: ours('outbox_channels'),
    dead: ours('outbox_dead'),
    pruned: ours('outbox_pruned'),
    inbox: ours('inbox_positions'),
    locks: ours('outbox_locks'),
  };
}

type Names = Pick<OutboxTableNames, 'table' | 'nodesTable'>;

/**
 * The names of all tables of this package, on every database, for `schemaGenerator.skipTables` of MikroORM: its schema
 * commands drop tables that have no entity. The MikroORM CLI does not start the app, so only its configuration file can
 * protect the tables there. Other tables with the same prefix are not among them.
 *
 * @param prefix the `prefix` of `DurableModule`. Default `'durable'`.
 * @param outbox `table` and `nodesTable` of its `outbox`, if the app has named them.
 * @throws InvalidArgumentError for a name that a database would reject.
 * @example
 * export default defineConfig({ entities: [Order], schemaGenerator: { skipTables: durableSkipTables() } });
 */
export function durableSkipTables(
  prefix = 'durable',
  outbox: { table?: string | undefined; nodesTable?: string | undefined } = {},
): string[] {
  validatePrefix(prefix);
  const names = outboxTableNames({ ...outbox, schema: undefined }, prefix, process.env);
  return [...migratedNames(prefix), ...published(names)];
}

const published = ({ table, nodesTable }: Names): string[] => [table, nodesTable, eraName(table)];

/** What schema commands are to leave alone. Without `outbox`, the app has no events. */
export const ownTables = (dialect: Dialect, prefix: string, outbox: Names | false): OwnTables => ({
  names: [...migratedNames(prefix), ...(outbox ? published(outbox) : [])],
  hasFunctions: outbox !== false && byFamily(dialect, { postgres: () => true, mysql: () => false }),
  expression: expressionOf(prefix, outbox),
});

/** The call that an app writes to get these names. */
function expressionOf(prefix: string, outbox: Names | false): string {
  const named = outbox && (outbox.table !== `${prefix}_outbox` || outbox.nodesTable !== `${prefix}_outbox_nodes`);
  const names = named ? [`'${prefix}'`, `{ table: '${outbox.table}', nodesTable: '${outbox.nodesTable}' }`] : [];
  const given = named || prefix === 'durable' ? names : [`'${prefix}'`];
  return `durableSkipTables(${given.join(', ')})`;
}

/** A step that names the object it creates, for people who create it by other means. */
export interface PublishedStep extends SchemaStep {
  /** For example `index "outbox_pending"`. */
  readonly what: string;
  /** Returns a row when the step is done. */
  readonly done: Statement;
  /** The version of this package that adds it. Default: the first. A step that changes is another step. */
  readonly since?: string;
  /** Set for steps that only an adopted table needs. */
  readonly onAdoption?: true;
}

/** Without a schema, the connection's own applies. */
export const qualified = (schema: string, name: string): Statement =>
  schema === '' ? sql`${id(name)}` : sql`${id(schema)}.${id(name)}`;

/** The indexes of completed steps, one row each. */
export const selectDone = (steps: readonly PublishedStep[]): Statement =>
  join(
    steps.map(({ done }, i) => sql`SELECT ${int(i)} AS step FROM (${done}) AS found`),
    ' UNION ALL ',
  );

/**
 * PostgreSQL: stands for the schema in which the connection that runs a script creates tables. Bodies of functions and
 * the names of triggers contain the schema, but a script has no connection. One byte, since names have a limit.
 */
export const CURRENT_SCHEMA = '\u0001';

/** What a reader of the script sees in its place. */
const SHOWN = '{schema}';

/** What is made of a name with the current schema in it must not be shortened: the script could not do it. */
interface Derived {
  readonly table: string;
  readonly prefix: string;
}

/**
 * Renders statements, of which those with {@link CURRENT_SCHEMA} find out its name when they run.
 *
 * @throws InvalidArgumentError if the names leave no place for that of a schema.
 */
export function scriptTexts(dialect: Dialect, statements: readonly Statement[], derived: Derived): string[] {
  const texts = statements.map((statement) => render(statement, dialect).text);
  if (!texts.some((text) => text.includes(CURRENT_SCHEMA))) return texts;
  return [checkSchema(derived), ...texts.map(inCurrentSchema)];
}

const inCurrentSchema = (text: string): string =>
  text.includes(CURRENT_SCHEMA)
    ? `DO $here$ BEGIN EXECUTE replace($statement$${text.replaceAll(CURRENT_SCHEMA, SHOWN)}$statement$, '${SHOWN}', current_schema()); END $here$`
    : text;

/** Names with quotes would have to be escaped in as many ways as there are places. */
function checkSchema({ table, prefix }: Derived): string {
  const longest =
    MAX_BYTES - Math.max(...[`_${table}_trigger`, `.${prefix}_outbox`].map((name) => Buffer.byteLength(name)));
  if (longest < 1) throw new InvalidArgumentError('outbox.schema', undefined, `the schema of the table "${table}"`);
  return `DO $here$ BEGIN
  IF current_schema() IS NULL OR current_schema() ~ '["''\\\\]' OR octet_length(current_schema()) > ${longest} THEN
    RAISE EXCEPTION 'The schema % of this connection cannot be used by itself: name it, in outbox.schema and outbox.appSchema',
      coalesce(quote_ident(current_schema()), '(none)');
  END IF;
END $here$`;
}
