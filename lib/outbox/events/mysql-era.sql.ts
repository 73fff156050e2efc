import type { Dialect } from '../../sql/dialects/dialect.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { eraName, type OutboxTables } from '../tables/sql-outbox-tables.js';
import { qualified } from './published-step.sql.js';

const eraTable = ({ names: { schema, table } }: OutboxTables): Statement => qualified(schema ?? '', eraName(table));

/** MariaDB has no server UUID: two servers with the same name, port and id count as one. PostgreSQL is not asked. */
const SERVER: Record<Dialect['name'], Statement> = {
  postgres: raw('NULL'),
  mysql: raw('@@server_uuid'),
  mariadb: raw("CONCAT_WS('/', @@server_id, @@hostname, @@port)"),
};

const here = ({ name }: Dialect): Statement => SERVER[name];

export const selectEra = (dialect: Dialect, tables: OutboxTables): Statement =>
  sql`SELECT CASE WHEN server = ${here(dialect)} THEN 1 ELSE 0 END AS same FROM ${eraTable(tables)} WHERE id = 0`;

export const insertEra = (dialect: Dialect, tables: OutboxTables): Statement =>
  sql`INSERT INTO ${eraTable(tables)} (id, server) SELECT 0, ${here(dialect)} ON DUPLICATE KEY UPDATE id = 0`;

export const lockEra = (dialect: Dialect, tables: OutboxTables): Statement =>
  sql`${selectEra(dialect, tables)} FOR UPDATE`;

/** Also stores the number of the jump, if there was one. */
export const updateEra = (dialect: Dialect, tables: OutboxTables, mark = ''): Statement => sql`
  UPDATE ${eraTable(tables)} SET server = ${here(dialect)}, reached = GREATEST(reached, COALESCE(
    (SELECT sequence_id FROM ${tables.outbox} WHERE channel = '' AND mutation_id = ${mark}), 0)) WHERE id = 0`;

/** The type of the numbers. */
export const selectNumberType = (dialect: Dialect, { names: { schema, table } }: OutboxTables): Statement => sql`
  SELECT data_type AS type FROM information_schema.columns
  WHERE table_schema = ${schema === undefined ? raw('DATABASE()') : dialect.literal(schema)}
    AND table_name = ${dialect.literal(table)} AND column_name = 'sequence_id'`;

/** Makes the next check act as if another server had assigned the last numbers. */
export const forgetEra = (tables: OutboxTables): Statement =>
  sql`INSERT INTO ${eraTable(tables)} (id, server) VALUES (0, '') ON DUPLICATE KEY UPDATE server = ''`;

/**
 * An explicit number advances the counter, which keeps its value when the row is deleted. The microseconds since 1970
 * exceed all numbers ever assigned, even by unknown servers. The last jump may have gone further, and its events may be
 * pruned.
 */
export const leap = (tables: OutboxTables, mark: string): Statement => sql`
  INSERT INTO ${tables.outbox} (sequence_id, mutation_id, channel, name)
  SELECT GREATEST(CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED), GREATEST(o.last, e.reached) + 4294967296), ${mark}, '', 'era'
  FROM (SELECT COALESCE(MAX(sequence_id), 0) AS last FROM ${tables.outbox}) AS o, ${eraTable(tables)} AS e WHERE e.id = 0`;

export const removeLeap = ({ outbox }: OutboxTables, mark: string): Statement =>
  sql`DELETE FROM ${outbox} WHERE channel = '' AND mutation_id = ${mark}`;
