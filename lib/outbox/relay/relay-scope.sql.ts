import { byFamily } from '../../sql/dialects/dialect.js';
import { type Clocked } from '../../sql/tables.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type OutboxTables, shardExpression } from '../tables/sql-outbox-tables.js';

/** The context of the statements in this folder, besides their values. */
export interface RelayScope extends Clocked {
  readonly tables: OutboxTables;
  /** Whether delivered events are retained, marked as processed. */
  readonly retains: boolean;
}

/** Not delivered yet, in the form of PostgreSQL's partial index. */
export const isPending = ({ dialect }: RelayScope, alias: string): Statement => dialect.isFalse(`${alias}.processed`);

/** The shard of an outbox row, in the indexed form. */
export const shardOfRow = ({ dialect }: RelayScope, alias: string): Statement =>
  byFamily(dialect, {
    postgres: () => shardExpression(dialect, raw(`${alias}.channel`)),
    mysql: () => raw(`${alias}.shard`),
  });

/** The columns of an event, all as text except `rejected`. */
export const eventColumns = ({ dialect }: RelayScope, alias: string): Statement => {
  const text = (column: string) => dialect.cast(raw(`${alias}.${column}`), 'text');
  const plain = raw(['mutation_id', 'name', 'rejected'].map((column) => `${alias}.${column}`).join(', '));
  return sql`${text('sequence_id')} AS sequence_id, ${plain}, ${text('data')} AS data, ${text('headers')} AS headers`;
};

/** PostgreSQL: texts as one array parameter, for which the planner builds a hash table. */
export const textArray = (texts: readonly string[]): Statement =>
  sql`CAST(${`{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`} AS text[])`;

/** MySQL and MariaDB: a row of a shard under one of these leases. One text parameter for any number of them. */
export const underLeases = (alias: '' | 's.', leases: readonly { shard: number; epoch: number }[]): Statement =>
  sql`LOCATE(CONCAT('|', ${raw(alias)}shard, ':', ${raw(alias)}epoch, '|'), ${`|${leases.map(({ shard, epoch }) => `${shard}:${epoch}`).join('|')}|`}) > 0`;

/** A shard number as a parameter of fixed type, for every planner. */
export const shardValue = ({ dialect }: RelayScope, shard: number): Statement => dialect.cast(shard, 'int');
