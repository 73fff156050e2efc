import { nowOf, type Scope } from '../../sql/tables.js';
import { id as identifier, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { NOTIFIES } from '../model/run.js';
import type { ForkRun, RestartRun } from '../model/run-lives.js';
import { ATTEMPT_FIELDS } from '../tables/note.sql.js';
import { STEP_FIELDS } from '../tables/step.sql.js';

/** All positions of a run, as far as a fork needs them; the newest rows, also in the app's transaction. */
export const selectForkable = ({ tables, dialect }: Scope, runId: string): Statement => sql`
  SELECT seq, kind, name, settled, CASE WHEN kind = 'signal' AND settled IS NULL THEN output END AS output
  FROM ${tables.steps} WHERE run_id = ${runId} ${dialect.newest}`;

/** Whether the run, or what one of its steps holds, waits for its erasure. */
export const selectMark = ({ tables, dialect }: Scope, runId: string): Statement =>
  sql`SELECT 1 AS found FROM ${tables.erasures} WHERE run_id = ${runId} LIMIT 1 ${dialect.newest}`;

/** A new life in the row of an ended run. */
export const rebegin = (scope: Scope, { id, input, version, context }: RestartRun, firstSeq: number): Statement => {
  const now = nowOf(scope);
  return sql`
  UPDATE ${scope.tables.runs}
  SET status = 'pending', input = COALESCE(${input ?? null}, input), version = COALESCE(${version ?? null}, version),
    context = COALESCE(${context ?? null}, context),
    epoch = epoch + 1, first_seq = ${firstSeq}, created_at = ${now}, continued_at = ${now} + 1, wake_at = ${now},
    deadline = ${now} + timeout_ms, started_at = NULL, finished_at = NULL, output = NULL, error = NULL, closing = NULL,
    reason = NULL, reason_detail = NULL, resume = NULL, custom_status = NULL, owner = NULL, turn = NULL,
    forked_from = NULL, forked_seq = NULL, settled = 0, crashes = 0, unwinds = 0, blockers = 0,
    precondition = CASE WHEN limiter IS NULL THEN NULL ELSE 'limiter' END
  WHERE id = ${id}`;
};

/** The row of a fork; an existing run with its id is kept. Not at its first epoch, since it has a history to read. */
export const insertFork = (scope: Scope, { source, from, id, input, context }: ForkRun): Statement => {
  const now = nowOf(scope);
  const copied = raw('namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq');
  return scope.dialect.insertOrKeep(
    sql`
  INSERT INTO ${scope.tables.runs} (id, ${copied}, context, input, status, epoch, settled, crashes, wake_at, deadline, created_at,
    notifies, precondition, forked_from, forked_seq)
  SELECT ${id}, ${copied}, COALESCE(${context ?? null}, o.context), COALESCE(${input ?? null}, o.input), 'pending', 1, 0, 0, ${now}, ${now} + o.timeout_ms, ${now},
    CASE WHEN o.limiter IS NULL THEN 0 ELSE ${raw(String(NOTIFIES.limiter))} END,
    CASE WHEN o.limiter IS NULL THEN NULL ELSE 'limiter' END, ${source}, ${raw(String(from))}
  FROM ${scope.tables.runs} AS o WHERE o.id = ${source}`,
    identifier('id'),
  );
};

/** Which fork an existing run is; the newest row, since it may have been created a moment ago. */
export const selectFork = ({ tables, dialect }: Scope, id: string): Statement =>
  sql`SELECT forked_from, forked_seq FROM ${tables.runs} WHERE id = ${id} ${dialect.newest}`;

/** The shared positions. Open waits are left out: the code of the fork asks for them. */
export const copySteps = ({ tables }: Scope, { source, from, id }: ForkRun): Statement => sql`
  INSERT INTO ${tables.steps} (run_id, ${STEP_FIELDS})
  SELECT ${id}, ${STEP_FIELDS} FROM ${tables.steps} AS s
  WHERE s.run_id = ${source} AND s.seq >= 0 AND s.seq < ${from} AND NOT (s.kind = 'signal' AND s.settled IS NULL)`;

export const copyNotes = ({ tables }: Scope, { source, from, id }: ForkRun): Statement[] => [
  sql`INSERT INTO ${tables.attempts} (run_id, ${ATTEMPT_FIELDS})
  SELECT ${id}, ${ATTEMPT_FIELDS} FROM ${tables.attempts} AS a
  WHERE a.run_id = ${source} AND a.seq >= 0 AND a.seq < ${from}`,
  sql`INSERT INTO ${tables.attributes} (run_id, name, namespace, type, text_value, number_value)
  SELECT ${id}, name, namespace, type, text_value, number_value FROM ${tables.attributes} AS a WHERE a.run_id = ${source}`,
];
