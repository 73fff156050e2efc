import { amongKeys } from '../../sql/dialects/key-list.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { Scope } from '../../sql/tables.js';
import { RUN_COLUMNS } from '../tables/run.sql.js';
import { STEP_COLUMNS } from '../tables/step.sql.js';

/** Locks runs, so that their owners cannot write them. */
export const lockRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT ${RUN_COLUMNS} FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

/** A run, also in the form of a claim. */
export const selectEditable = ({ tables }: Scope, id: string, locked: boolean): Statement => sql`
  SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM ${tables.runs} AS r WHERE r.id = ${id}${raw(locked ? ' FOR UPDATE' : '')}`;

/** `newest`: also in a transaction whose snapshot is older. */
export const selectSteps = ({ tables, dialect }: Scope, runId: string, newest: boolean): Statement =>
  sql`SELECT ${STEP_COLUMNS} FROM ${tables.steps} WHERE run_id = ${runId} ORDER BY seq ${newest ? dialect.newest : raw('')}`;
