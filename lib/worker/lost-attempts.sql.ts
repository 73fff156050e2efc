import type { Dialect } from '../sql/dialects/dialect.js';
import { id, join, raw, type Statement, sql } from '../sql/dialects/statement.js';
import type { Tables } from '../sql/tables.js';
import type { LostAttempt } from './lost-attempts.js';

interface Scope {
  tables: Pick<Tables, 'runs' | 'attempts'>;
  dialect: Dialect;
}

const ATTEMPTS = {
  run_id: 'key',
  seq: 'int',
  attempt: 'int',
  finished_at: 'int',
  worker: 'key',
  error: 'text',
} as const;

const POSITIONS = { n: 'int', run_id: 'key', seq: 'int', attempt: 'int' } as const;

/** Only for existing runs: attempts of others would never be deleted. */
export const insertLost = ({ tables, dialect }: Scope, lost: readonly LostAttempt[]): Statement => {
  const rows = lost.map(({ runId, finishedAt, ...attempt }) => ({
    ...attempt,
    run_id: runId,
    finished_at: finishedAt,
  }));
  const columns = raw(Object.keys(ATTEMPTS).join(', '));
  const overwrite = dialect.onConflictUpdate([id('run_id'), id('seq'), id('attempt')], (incoming) =>
    join(
      ['outcome', 'asked_at', 'started_at', 'finished_at', 'worker', 'error'].map(
        (column) => sql`${id(column)} = ${incoming(column)}`,
      ),
    ),
  );
  return sql`
  INSERT INTO ${tables.attempts} (${columns}, outcome)
  SELECT ${columns}, 'lost' FROM ${dialect.rows(JSON.stringify(rows), ATTEMPTS)} AS l
  WHERE EXISTS (SELECT 1 FROM ${tables.runs} AS r WHERE r.id = l.run_id) ${overwrite}`;
};

/** For each of these, the number of the last attempt before it that was not lost; 0 if there is none. */
export const selectLastKept = ({ tables, dialect }: Scope, lost: readonly LostAttempt[]): Statement => {
  const rows = lost.map(({ runId, seq, attempt }, n) => ({ n, run_id: runId, seq, attempt }));
  return sql`
  SELECT (SELECT COALESCE(MAX(a.attempt), 0) FROM ${tables.attempts} AS a
    WHERE a.run_id = l.run_id AND a.seq = l.seq AND a.attempt < l.attempt AND a.outcome <> 'lost') AS kept
  FROM ${dialect.rows(JSON.stringify(rows), POSITIONS)} AS l ORDER BY l.n`;
};
