import { byFamily } from '../../sql/dialects/dialect.js';
import { type Clocked } from '../../sql/sql-scope.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type OutboxTables, shardExpression } from '../tables/sql-outbox-tables.js';

/** What the statements of this folder need to know besides their values. */
export interface RelayScope extends Clocked {
  readonly tables: OutboxTables;
  /** Delivered events stay for a while, marked as processed. */
  readonly retains: boolean;
}

/** Not delivered yet, in the form that the partial index of PostgreSQL has. */
export const isPending = ({ dialect }: RelayScope, alias: string): Statement => dialect.isFalse(`${alias}.processed`);

/** The shard of a row of the outbox, in the form that is indexed. */
export const shardOfRow = ({ dialect }: RelayScope, alias: string): Statement =>
  byFamily(dialect, {
    postgres: () => shardExpression(dialect, raw(`${alias}.channel`)),
    mysql: () => raw(`${alias}.shard`),
  });

/** The columns of an event, all of them texts but for `rejected`. */
export const eventColumns = ({ dialect }: RelayScope, alias: string): Statement => {
  const text = (column: string) => dialect.cast(raw(`${alias}.${column}`), 'text');
  const plain = raw(['mutation_id', 'name', 'rejected'].map((column) => `${alias}.${column}`).join(', '));
  return sql`${text('sequence_id')} AS sequence_id, ${plain}, ${text('data')} AS data, ${text('headers')} AS headers`;
};

/** PostgreSQL: texts as one parameter; a list of which it makes a hash table. */
export const textArray = (texts: readonly string[]): Statement =>
  sql`CAST(${`{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`} AS text[])`;

/** MySQL and MariaDB: a row of a shard, under one of these leases. One text, however many there are. */
export const underLeases = (alias: '' | 's.', leases: readonly { shard: number; epoch: number }[]): Statement =>
  sql`LOCATE(CONCAT('|', ${raw(alias)}shard, ':', ${raw(alias)}epoch, '|'), ${`|${leases.map(({ shard, epoch }) => `${shard}:${epoch}`).join('|')}|`}) > 0`;

/** A number of a shard as a parameter that is one for every planner. */
export const shardValue = ({ dialect }: RelayScope, shard: number): Statement => dialect.cast(shard, 'int');
