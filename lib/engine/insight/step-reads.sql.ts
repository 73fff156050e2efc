import type { Scope } from '../../sql/tables.js';
import { int, sql, type Statement } from '../../sql/dialects/statement.js';
import { STEP_COLUMNS, STEP_FACTS } from '../tables/step.sql.js';
import { CLAIM_COLUMNS } from './sql-unfinished-runs.js';

export const selectClaimed = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT ${CLAIM_COLUMNS} FROM ${tables.runs} AS r WHERE r.id = ${runId}`;

export const selectFirstSeq = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT first_seq FROM ${tables.runs} WHERE id = ${runId}`;

/** A range of a history without outputs, which may be long. */
export const selectFacts = ({ tables }: Scope, runId: string, after: number, most: number): Statement => sql`
  SELECT ${STEP_FACTS} FROM ${tables.steps} WHERE run_id = ${runId} AND seq > ${after} ORDER BY run_id, seq LIMIT ${int(most)}`;

/** A range of a history with outputs and the inputs that are kept. */
export const selectPart = ({ tables }: Scope, runId: string, after: number, most: number): Statement => sql`
  SELECT ${STEP_COLUMNS}, input FROM ${tables.steps} WHERE run_id = ${runId} AND seq > ${after} ORDER BY run_id, seq LIMIT ${int(most)}`;

export const selectSettledAfter = ({ tables }: Scope, runId: string, settled: number, most: number): Statement => sql`
  SELECT ${STEP_FACTS} FROM ${tables.steps}
  WHERE run_id = ${runId} AND settled > ${settled} ORDER BY settled LIMIT ${int(most)}`;

/** The output of an open wait says what it waits for. */
export const selectOpen = ({ tables }: Scope, runId: string, most: number): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id = ${runId} AND settled IS NULL AND kind <> 'marker'
  ORDER BY COALESCE(asked_at, created_at) DESC, seq DESC LIMIT ${int(most)}`;

export const selectLastSettled = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT COALESCE(MAX(settled), 0) AS settled FROM ${tables.steps} WHERE run_id = ${runId}`;

/** By position, among the first lines of the run. */
export const countLines = (
  { tables }: Scope,
  { runId, from, to }: { runId: string; from: number; to: number },
  most: number,
): Statement => sql`
  SELECT l.seq, count(*) AS line_count
  FROM (SELECT seq FROM ${tables.logs} WHERE run_id = ${runId} ORDER BY run_id, id LIMIT ${int(most)}) AS l
  WHERE l.seq >= ${from} AND l.seq <= ${to} GROUP BY l.seq`;
