import { id, type Identifier, sql, type Statement } from '../../sql/statement.js';
import type { OutboxTableNames } from './outbox-table-names.js';

/** The two published tables, wherever they are, and ours beside them, which have the prefix of all our tables. */
export interface OutboxTables {
  readonly names: OutboxTableNames;
  readonly prefix: string;
  /** Qualified where a schema was named. */
  readonly outbox: Statement;
  readonly nodes: Statement;
  readonly destinations: Identifier;
  readonly shards: Identifier;
  readonly channels: Identifier;
  readonly dead: Identifier;
  readonly pruned: Identifier;
  readonly inbox: Identifier;
  /** MySQL and MariaDB: a row to lock for each bucket of channels. */
  readonly locks: Identifier;
}

export function outboxTables(prefix: string, names: OutboxTableNames): OutboxTables {
  const { schema } = names;
  const qualified = (name: string) => (schema === undefined ? sql`${id(name)}` : sql`${id(schema)}.${id(name)}`);
  const ours = (name: string) => id(`${prefix}_${name}`);
  return {
    ...{ names, prefix, outbox: qualified(names.table), nodes: qualified(names.nodesTable) },
    destinations: ours('outbox_destinations'),
    shards: ours('outbox_shards'),
    channels: ours('outbox_channels'),
    dead: ours('outbox_dead'),
    pruned: ours('outbox_pruned'),
    inbox: ours('inbox_positions'),
    locks: ours('outbox_locks'),
  };
}
