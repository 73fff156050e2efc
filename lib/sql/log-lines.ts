import type { LogText } from '../protocol/log-line.js';
import type { Dialect } from './dialects/dialect.js';
import { type Identifier, raw, sql, type Statement } from './dialects/statement.js';

/** A log line of a run or of one of its steps. */
export interface KeptLine extends LogText {
  runId: string;
  seq: number | null;
  attempt: number | null;
  loggedAt: number;
}

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

/** Inserts lines in the given order. `where` filters the lines, called `l`. Default: all. */
export const insertLogLines = (
  logs: Identifier,
  dialect: Dialect,
  lines: readonly KeptLine[],
  where = raw(''),
): Statement => {
  const rows = lines.map(({ runId, loggedAt, ...line }, n) => ({ ...line, n, run_id: runId, logged_at: loggedAt }));
  const columns = raw('run_id, seq, attempt, level, message, fields, logged_at');
  return sql`
  INSERT INTO ${logs} (${columns})
  SELECT ${columns} FROM ${dialect.rows(JSON.stringify(rows), LINES)} AS l ${where} ORDER BY l.n`;
};
