import { inParts } from '../sql/in-parts.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Tables } from '../sql/tables.js';
import type { StepLogLine, StepLogSink } from './step-log-sink.js';
import { insertStepLines } from './step-log.sql.js';

/** Lines of handlers in the engine's table, beside those that its own steps log. */
export class SqlStepLogSink implements StepLogSink {
  constructor(
    private readonly db: SqlExecutor,
    private readonly tables: Tables,
  ) {}

  async write(lines: readonly StepLogLine[]): Promise<void> {
    if (lines.length > 0) await inParts(this.db, lines, (some) => insertStepLines(this.tables, this.db.dialect, some));
  }
}
