import { InvalidArgumentError } from '../../errors.js';
import { validateTableNames } from './published-names.js';

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
