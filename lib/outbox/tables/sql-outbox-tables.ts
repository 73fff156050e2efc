import { SHARDS } from '../model/shards.js';
import type { OutboxTableNames } from './outbox-table-names.js';
import { type Dialect, byFamily } from '../../sql/dialects/dialect.js';
import { type Identifier, type SqlPart, type Statement, id, int, sql } from '../../sql/dialects/statement.js';

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
