import { amongKeys } from '../../sql/key-list.js';
import { raw, sql, type Statement } from '../../sql/statement.js';
import type { RunStatus } from '../model/run.js';
import type { Scope } from '../tables/run.sql.js';

export interface OldRow {
  id: string;
  namespace: string;
  workflow: string;
  status: RunStatus;
  epoch: number | string;
  first_seq: number | string;
}

export interface LastRow {
  run_id: string;
  seq: number | string;
}

/** Runs whose ids are asked for again. */
export const lockOld = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, namespace, workflow, status, epoch, first_seq FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

/** The last position of each: those of compensations are counted from it, downwards. */
export const selectLast = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT run_id, MAX(seq) AS seq FROM ${tables.steps} WHERE run_id ${amongKeys(dialect, ids)} GROUP BY run_id`;

export const goOnFrom = (
  { tables, dialect }: Scope,
  reborn: readonly { id: string; epoch: number; firstSeq: number }[],
): Statement => {
  const json = JSON.stringify(reborn.map(({ id, epoch, firstSeq }) => ({ id, epoch, first_seq: firstSeq })));
  const rows = sql`${dialect.rows(json, { id: 'key', epoch: 'int', first_seq: 'int' })} AS n`;
  const to = (column: string) => raw(dialect.family === 'postgres' ? column : `r.${column}`);
  const set = sql`${to('epoch')} = n.epoch, ${to('first_seq')} = n.first_seq`;
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.runs} AS r SET ${set} FROM ${rows} WHERE r.id = n.id`
    : sql`UPDATE ${tables.runs} AS r JOIN ${rows} ON r.id = n.id SET ${set}`;
};
