import type { Dialect } from '../sql/dialects/dialect.js';
import { type Statement, sql } from '../sql/dialects/statement.js';
import { inParts } from '../sql/in-parts.js';
import { insertLogLines } from '../sql/log-lines.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Tables } from '../sql/tables.js';
import type { StepLogLine, StepLogSink } from './step-log-keeper.js';

/** Only for existing runs: lines of others would never be deleted. */
export const insertStepLines = (
  { runs, logs }: Pick<Tables, 'runs' | 'logs'>,
  dialect: Dialect,
  lines: readonly StepLogLine[],
): Statement =>
  insertLogLines(logs, dialect, lines, sql`WHERE EXISTS (SELECT 1 FROM ${runs} AS r WHERE r.id = l.run_id)`);

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
