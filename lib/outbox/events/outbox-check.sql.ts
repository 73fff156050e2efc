import type { Dialect } from '../../sql/dialect.js';
import { postgres } from '../../sql/postgres.dialect.js';
import { render } from '../../sql/render.js';
import { sql, type Statement } from '../../sql/statement.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { relationNamed } from './postgres-tables.sql.js';
import type { PublishedNames } from '../tables/published-names.js';
import { literal, qualified } from './published-step.sql.js';

/** The columns of the outbox. */
export const selectColumns = (dialect: Dialect, names: PublishedNames): Statement =>
  dialect.family === 'postgres'
    ? sql`SELECT a.attname AS name FROM ${relationNamed(names, names.table)}
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped`
    : sql`SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = ${literal(dialect, names.schema)} AND table_name = ${literal(dialect, names.table)}`;

/** The greatest number that anything of ours remembers, as text. */
export const selectKnown = ({ outbox, channels, dead, pruned }: OutboxTables, dialect: Dialect): Statement => {
  const text = (max: Statement) =>
    dialect.family === 'postgres' ? sql`CAST(${max} AS text)` : sql`CAST(${max} AS char)`;
  return sql`SELECT ${text(sql`max(listed.number)`)} AS known FROM (
    SELECT max(sequence_id) AS number FROM ${outbox} UNION ALL SELECT max(position) FROM ${channels}
    UNION ALL SELECT max(sequence_id) FROM ${dead} UNION ALL SELECT max(position) FROM ${pruned}) AS listed`;
};

/**
 * PostgreSQL: what the numbers come from; no row when that is no sequence of the column. Who may not look at the last
 * number gets null.
 */
export const selectSequence = ({ schema, table }: PublishedNames): Statement => {
  const name = literal(postgres, render(qualified(schema, table), postgres).text);
  return sql`SELECT s.seqcache AS cache, s.seqincrement AS increment, s.seqcycle AS cycle, s.seqmax AS most,
      CASE WHEN has_sequence_privilege(s.seqrelid, 'USAGE, SELECT')
        THEN CAST(coalesce(pg_sequence_last_value(s.seqrelid), 0) AS text) END AS last
    FROM pg_catalog.pg_sequence AS s
    WHERE s.seqrelid = CAST(pg_get_serial_sequence(${name}, 'sequence_id') AS regclass)`;
};

/** MySQL: with the next number; what \`information_schema\` says of it may be a day old. */
export const showTable = ({ schema, table }: PublishedNames): Statement =>
  sql`SHOW CREATE TABLE ${qualified(schema, table)}`;
