import { join, raw, sql, type Statement } from '../../sql/statement.js';
import { FINAL_STATUSES } from '../model/run.js';
import type { Scope } from '../tables/run.sql.js';

const COLUMNS = raw(
  'r.id, r.workflow, r.version, r.input, r.epoch, r.crashes, r.deadline, r.closing, r.error, r.notifies, r.unwinds, r.precondition, ' +
    'r.first_seq, COALESCE(r.continued_at, r.created_at) AS since',
);

/** The last of the next `scan` runs, by the primary key; no row when there are fewer. */
export const selectEndOfScan = ({ tables }: Scope, afterId: string, scan: number): Statement =>
  sql`SELECT s.id FROM ${tables.runs} AS s WHERE s.id > ${afterId} ORDER BY s.id LIMIT 1 OFFSET ${raw(String(scan - 1))}`;

/** Those up to `end`, or to the last, that have not ended. */
export const selectUnfinished = (
  { tables }: Scope,
  namespace: string,
  afterId: string,
  end: string | undefined,
): Statement => sql`
  SELECT ${COLUMNS} FROM ${tables.runs} AS r
  WHERE r.id > ${afterId} ${end === undefined ? raw('') : sql`AND r.id <= ${end}`}
    AND r.namespace = ${namespace} AND r.status NOT IN (${join(FINAL_STATUSES)})
  ORDER BY r.id`;
