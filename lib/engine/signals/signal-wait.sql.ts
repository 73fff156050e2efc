import { byFamily } from '../../sql/dialects/dialect.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { indexOf } from './mailbox.sql.js';

export interface WaitFields {
  channel: string;
  step_id: string;
  run_id: string;
  seq: number;
  after_position: number;
  since: number;
  deadline: number | null;
}

const WAIT_COLUMNS = {
  channel: 'key',
  step_id: 'key',
  run_id: 'key',
  seq: 'int',
  after_position: 'int',
  since: 'int',
  deadline: 'int',
} as const;

export const upsertWaits = (scope: Scope, waits: readonly WaitFields[]): Statement => {
  const names = raw(Object.keys(WAIT_COLUMNS).join(', '));
  return sql`
  INSERT INTO ${scope.tables.waits} (${names})
  SELECT ${names} FROM ${scope.dialect.rows(JSON.stringify(waits), WAIT_COLUMNS)} AS n WHERE true
  ${scope.dialect.onConflictUpdate([id('channel'), id('step_id')], (incoming) =>
    join(['after_position', 'deadline'].map((column) => sql`${id(column)} = ${incoming(column)}`)),
  )}`;
};

export interface ReceivedFields {
  channel: string;
  position: number;
  run_id: string;
  kept: number;
}

/** Marks kept signals as taken by their runs; releases refused ones, unless another run has taken them meanwhile. */
export const markReceived = (scope: Scope, received: readonly ReceivedFields[]): Statement => {
  const { tables, dialect } = scope;
  const columns = { channel: 'key', position: 'int', run_id: 'key', kept: 'int' } as const;
  const listed = dialect.rows(JSON.stringify(received), columns);
  const matches = raw(`s.channel = n.channel AND s.position = n.position
    AND (n.kept = 1 OR (s.taken_by = n.run_id AND s.kept_at IS NULL))`);
  const keptAt = sql`CASE WHEN n.kept = 1 THEN ${nowOf(scope)} END`;
  const takenBy = raw('CASE WHEN n.kept = 1 THEN n.run_id END');
  // kept_at first: MySQL assigns from left to right.
  // The statements force reads by index, one by one, independent of the estimated number of rows.
  return byFamily(dialect, {
    postgres: () => sql`UPDATE ${tables.signals} AS s SET kept_at = ${keptAt}, taken_by = ${takenBy} FROM ${listed} AS n
    WHERE s.id = ANY (ARRAY(SELECT f.id FROM ${listed} AS n CROSS JOIN LATERAL (
      SELECT i.id FROM ${tables.signals} AS i WHERE i.channel = n.channel AND i.position = n.position LIMIT 1
    ) AS f)) AND ${matches}`,
    mysql: () =>
      sql`UPDATE ${listed} AS n STRAIGHT_JOIN ${tables.signals} AS s FORCE INDEX (${indexOf(tables.signals, 'order')}) ON ${matches} SET s.kept_at = ${keptAt}, s.taken_by = ${takenBy}`,
  });
};

export const deleteWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.waits} WHERE step_id ${amongKeys(dialect, stepIds)}`;
