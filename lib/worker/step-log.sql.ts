import type { Dialect } from '../sql/dialect.js';
import { raw, sql, type Statement } from '../sql/statement.js';
import type { Tables } from '../sql/tables.js';
import type { StepLogLine } from './step-log-sink.js';

const LINES = {
  n: 'int',
  run_id: 'key',
  seq: 'int',
  attempt: 'int',
  level: 'key',
  message: 'text',
  fields: 'text',
  logged_at: 'int',
} as const;

/** Only of runs that are there: nobody would delete the others. */
export const insertStepLines = (
  { runs, logs }: Pick<Tables, 'runs' | 'logs'>,
  dialect: Dialect,
  lines: readonly StepLogLine[],
): Statement => {
  const rows = lines.map(({ runId, loggedAt, ...line }, n) => ({ ...line, n, run_id: runId, logged_at: loggedAt }));
  const columns = 'run_id, seq, attempt, level, message, fields, logged_at';
  return sql`
  INSERT INTO ${logs} (${raw(columns)})
  SELECT ${raw(columns.replaceAll(/(\w+)/g, 'l.$1'))} FROM ${dialect.rows(JSON.stringify(rows), LINES)} AS l
  WHERE EXISTS (SELECT 1 FROM ${runs} AS r WHERE r.id = l.run_id) ORDER BY l.n`;
};
