import type { Dialect } from '../../sql/dialect.js';
import { raw, sql, type SqlPart, type Statement } from '../../sql/statement.js';
import { SHARDS } from '../model/shards.js';

/**
 * The shard of `channel`, a column or a value. On PostgreSQL this very expression is indexed; on MySQL and MariaDB
 * the table has a column `shard` made by it, so queries name that column.
 */
export function shardExpression(dialect: Pick<Dialect, 'family'>, channel: SqlPart): Statement {
  const mask = raw(String(SHARDS - 1));
  if (dialect.family === 'mysql') return sql`(crc32(${channel}) & ${mask})`;
  return sql`((('x' || substr(md5(${channel}), 1, 2))::bit(8)::int) & ${mask})`;
}
