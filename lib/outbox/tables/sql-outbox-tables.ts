import { createHash } from 'node:crypto';
import { SHARDS } from '../model/shards.js';
import { byFamily, type Dialect } from '../../sql/dialects/dialect.js';
import { id, type Identifier, int, sql, type SqlPart, type Statement } from '../../sql/dialects/statement.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';

/** PostgreSQL truncates longer names, MySQL rejects them. */
export const MAX_BYTES = 63;

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
  validate('outbox.table', table);
  validate('outbox.nodesTable', nodesTable);
  if (schema !== undefined) validate('outbox.schema', schema);
  if (table === nodesTable)
    throw new InvalidArgumentError('outbox.nodesTable', nodesTable, 'another name than that of the outbox table');
}

function validate(argument: string, name: unknown): void {
  const fits = typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= MAX_BYTES;
  // Function bodies are quoted with `$durable$`; a lone surrogate would be stored as another character.
  if (!fits || /\0|\$durable\$|\p{Cs}/u.test(name))
    throw new InvalidArgumentError(argument, name, `a name of 1 to ${MAX_BYTES} bytes, without NUL`);
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
  /** The schema of both tables; undefined: the connection's own. */
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
  readonly names: OutboxTableNames;
  readonly prefix: string;
  /** Qualified if a schema was named. */
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

export function outboxTables(prefix: string, names: OutboxTableNames): OutboxTables {
  const { schema } = names;
  const qualified = (name: string) => (schema === undefined ? sql`${id(name)}` : sql`${id(schema)}.${id(name)}`);
  const ours = (name: string) => id(`${prefix}_${name}`);
  return {
    names,
    prefix,
    outbox: qualified(names.table),
    nodes: qualified(names.nodesTable),
    destinations: ours('outbox_destinations'),
    shards: ours('outbox_shards'),
    channels: ours('outbox_channels'),
    dead: ours('outbox_dead'),
    pruned: ours('outbox_pruned'),
    inbox: ours('inbox_positions'),
    locks: ours('outbox_locks'),
  };
}
