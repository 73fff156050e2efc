import type { Dialect } from '../sql/dialects/dialect.js';
import { type Statement, raw, sql } from '../sql/dialects/statement.js';
import { inParts } from '../sql/in-parts.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Tables } from '../sql/tables.js';
import type { StepLogLine, StepLogSink } from './step-log-keeper.js';

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

/** Only for existing runs: lines of others would never be deleted. */
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

/** Stores handlers' log lines in the engine's table, next to those of local steps. */
export class SqlStepLogSink implements StepLogSink {
  constructor(
    private readonly db: SqlExecutor,
    private readonly tables: Tables,
  ) {}

  async write(lines: readonly StepLogLine[]): Promise<void> {
    if (lines.length > 0) await inParts(this.db, lines, (some) => insertStepLines(this.tables, this.db.dialect, some));
  }
}
