import type { Dialect } from '../../sql/dialect.js';
import { integerNow } from '../../sql/key-list.js';
import { KEY_COLLATION } from '../../sql/mysql.dialect.js';
import type { SqlNow } from '../../sql/sql-now.js';
import { join, raw, sql, type SqlPart, type Statement } from '../../sql/statement.js';
import { shardExpression } from '../tables/shard.sql.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';

/** What the statements of this folder need to know besides their values. */
export interface RelayScope {
  readonly tables: OutboxTables;
  readonly dialect: Dialect;
  readonly now: SqlNow;
  /** Delivered events stay for a while, marked as processed. */
  readonly retains: boolean;
}

export const nowOf = ({ dialect, now }: RelayScope): Statement => integerNow(dialect, now);

/** Not delivered yet, in the form that the partial index of PostgreSQL has. */
export const isPending = ({ dialect }: RelayScope, alias: string): Statement =>
  raw(dialect.family === 'postgres' ? `NOT ${alias}.processed` : `${alias}.processed = 0`);

/** The shard of a row of the outbox, in the form that is indexed. */
export const shardOfRow = ({ dialect }: RelayScope, alias: string): Statement =>
  dialect.family === 'postgres' ? shardExpression(dialect, raw(`${alias}.channel`)) : raw(`${alias}.shard`);

/** A channel of the outbox, which may have been made by somebody else, as ours are compared. */
export const asOurs = ({ dialect }: RelayScope, channel: SqlPart): Statement =>
  dialect.name === 'postgres' ? sql`${channel}` : sql`${channel} COLLATE ${raw(KEY_COLLATION[dialect.name])}`;

/** Integers of our own, written as they are. */
export const int = (value: number): Statement => raw(String(Math.trunc(value)));

/** PostgreSQL: numbers of events as one parameter. */
export const idArray = (ids: readonly string[]): Statement => sql`CAST(${`{${ids.join(',')}}`} AS bigint[])`;

/** The columns of an event, all of them texts but for `rejected`. */
export const eventColumns = ({ dialect }: RelayScope, alias: string): Statement =>
  raw(
    dialect.family === 'postgres'
      ? `CAST(${alias}.sequence_id AS text) AS sequence_id, ${alias}.mutation_id, ${alias}.name, ${alias}.rejected, CAST(${alias}.data AS text) AS data, CAST(${alias}.headers AS text) AS headers`
      : `CAST(${alias}.sequence_id AS char) AS sequence_id, ${alias}.mutation_id, ${alias}.name, ${alias}.rejected, ${alias}.data, ${alias}.headers`,
  );

/** PostgreSQL: texts as one parameter; a list of which it makes a hash table. */
export const textArray = (texts: readonly string[]): Statement =>
  sql`CAST(${`{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`} AS text[])`;

/** `= ANY (…)` or `IN (…)` for small numbers, in few different texts. */
export function amongInts({ dialect }: RelayScope, numbers: readonly number[]): Statement {
  if (dialect.family === 'postgres') return sql`= ANY (CAST(${`{${numbers.join(',')}}`} AS integer[]))`;
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, numbers.length)));
  return sql`IN (${join([...numbers, ...Array<SqlPart>(size - numbers.length).fill(numbers.at(-1) ?? null)])})`;
}

/** MySQL and MariaDB: a row of a shard, under one of these leases. One text, however many there are. */
export const underLeases = (alias: '' | 's.', leases: readonly { shard: number; epoch: number }[]): Statement =>
  sql`LOCATE(CONCAT('|', ${raw(alias)}shard, ':', ${raw(alias)}epoch, '|'), ${`|${leases.map(({ shard, epoch }) => `${shard}:${epoch}`).join('|')}|`}) > 0`;

/** A number of a shard as a parameter that is one for every planner. */
export const shardValue = ({ dialect }: RelayScope, shard: number): Statement =>
  sql`CAST(${shard} AS ${raw(dialect.family === 'postgres' ? 'integer' : 'signed')})`;

/** Filled up to a power of two, so that few different texts have to be prepared. */
export function padded<Item>(items: readonly Item[], filler: Item): Item[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, items.length)));
  return [...items, ...Array<Item>(size - items.length).fill(filler)];
}
