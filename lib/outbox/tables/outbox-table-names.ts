import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../../errors.js';

/** PostgreSQL cuts longer names, MySQL refuses them. */
const MAX_BYTES = 63;

/** Names that are known for sure, as DDL and the bodies of functions need them. */
export interface PublishedNames {
  /** PostgreSQL: the schema; MySQL: the database. */
  readonly schema: string;
  readonly table: string;
  readonly nodesTable: string;
  /** PostgreSQL: the channel on which processes of ours hear that something was written. */
  readonly topicChannel: string;
}

/** @throws InvalidArgumentError for a name that no database takes as it is. */
export function validateTableNames(names: { table: string; nodesTable: string; schema?: string | undefined }): void {
  const { table, nodesTable, schema } = names;
  validate('outbox.table', table);
  validate('outbox.nodesTable', nodesTable);
  if (schema !== undefined) validate('outbox.schema', schema);
  if (table === nodesTable)
    throw new InvalidArgumentError('outbox.nodesTable', nodesTable, 'another name than that of the outbox');
}

function validate(argument: string, name: unknown): void {
  const fits = typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= MAX_BYTES;
  // Bodies of functions stand between two of these; half a surrogate pair would be stored as something else.
  if (!fits || /\0|\$durable\$|\p{Cs}/u.test(name))
    throw new InvalidArgumentError(argument, name, `a name of 1 to ${MAX_BYTES} bytes, without NUL`);
}

/** A name made of others, cut so that two that differ still differ. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const letters = [...name];
  while (Buffer.byteLength(letters.join('')) > MAX_BYTES - 17) letters.pop();
  return `${letters.join('')}_${createHash('md5').update(name).digest('hex').slice(0, 16)}`;
}

/** Beside the outbox, what says which server gave the last numbers. */
export const eraName = (table: string): string => shortName(`${table}_era`);

/** How `lib/sql` names the channel of the topic `outbox`, where no connection can be asked. */
export function topicChannel(schema: string, prefix: string): string {
  const channel = `${schema}.${prefix}_outbox`;
  return Buffer.byteLength(channel) <= MAX_BYTES ? channel : createHash('md5').update(channel).digest('hex');
}

/** What an app may choose, so that tables that exist already can be adopted. */
export interface OutboxTableNames {
  /** Default `<prefix>_outbox`. */
  readonly table: string;
  /** Default `<prefix>_outbox_nodes`. */
  readonly nodesTable: string;
  /** Of both tables; undefined: the connection's own. */
  readonly schema: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a database connector that names no schema looks for its tables. */
const CONNECTOR_SCHEMA = 'public';

/**
 * The names that were chosen, then those of the connector's variables, then our own. An error names the option, wherever
 * the name has come from.
 *
 * @throws InvalidArgumentError for a name that no database takes, and where the tables would be in different schemas.
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
