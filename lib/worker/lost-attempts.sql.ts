import { type Dialect, overwriting } from '../sql/dialects.js';
import type { SqlExecutor } from '../sql/executor.js';
import { raw, sql, type Statement } from '../sql/statement.js';
import { type Clocked, inParts, insertLogLines, nowOf, type SqlNow, type Tables } from '../sql/tables.js';
import type { StepLogLine, StepLogSink } from './task-lives.js';
import type { LostAttempt, LostAttempts } from './task-source.js';

/** Stores lost attempts in the engine's table, next to those that have failed. */
export class SqlLostAttempts implements LostAttempts {
  constructor(
    private readonly db: SqlExecutor,
    private readonly tables: Tables,
    private readonly now: SqlNow = () => db.dialect.now,
  ) {}

  async record(lost: readonly LostAttempt[]): Promise<(number | undefined)[]> {
    if (lost.length === 0) return [];
    const { tables, now, db } = this;
    const scope = { tables, now, dialect: db.dialect };
    // A proxy may send a single SELECT to a replica, which does not have the rows yet.
    const { rows } = await db.transaction(async (tx) => {
      await inParts(tx, lost, (some) => insertLost(scope, some));
      return inParts<LossesRow, LostAttempt>(tx, lost, (some) => selectLosses(scope, some));
    });
    return lost.map(({ attempt }, i) => {
      const { known, kept, spared } = rows[i]!;
      return Number(known) > 0 ? attempt - Number(kept) - Number(spared) : undefined;
    });
  }
}

interface Scope extends Clocked {
  tables: Pick<Tables, 'runs' | 'attempts' | 'nodes'>;
}

interface LossesRow {
  /** How many rows there are of this attempt. */
  known: number | string;
  kept: number | string;
  spared: number | string;
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
  const changing = ['outcome', 'asked_at', 'started_at', 'finished_at', 'worker', 'error'];
  const overwrite = overwriting(dialect, ['run_id', 'seq', 'attempt'], changing);
  return sql`
  INSERT INTO ${tables.attempts} (${columns}, outcome)
  SELECT ${columns}, 'lost' FROM ${dialect.rows(rows, ATTEMPTS)} AS l
  WHERE EXISTS (SELECT 1 FROM ${tables.runs} AS r WHERE r.id = l.run_id) ${overwrite}`;
};

/**
 * For each of these, the number of the last attempt before it that was not lost, or 0, and how many of the attempts since
 * then are no death of a process: it is alive, has been since it lost the attempt, or was counted for another one. Workers
 * that sign in nowhere cannot be told apart, and have ended with each attempt that they lose.
 */
export const selectLosses = (scope: Scope, lost: readonly LostAttempt[]): Statement => {
  const { tables, dialect } = scope;
  const rows = lost.map(({ runId, seq, attempt }, n) => ({ n, run_id: runId, seq, attempt }));
  const kept = sql`(SELECT COALESCE(MAX(k.attempt), 0) FROM ${tables.attempts} AS k
    WHERE k.run_id = l.run_id AND k.seq = l.seq AND k.attempt < l.attempt AND k.outcome <> 'lost')`;
  const hasEnded = sql`CASE WHEN n.expires_at > ${nowOf(scope)} OR n.seen_at > a.finished_at THEN NULL ELSE a.worker END`;
  const known = sql`(SELECT COUNT(*) FROM ${tables.attempts} AS o
    WHERE o.run_id = l.run_id AND o.seq = l.seq AND o.attempt = l.attempt)`;
  return sql`
  SELECT ${known} AS known, ${kept} AS kept, (SELECT COUNT(*) - COUNT(DISTINCT ${hasEnded})
    FROM ${tables.attempts} AS a JOIN ${tables.nodes} AS n ON n.id = a.worker
    WHERE a.run_id = l.run_id AND a.seq = l.seq AND a.attempt <= l.attempt AND a.outcome = 'lost' AND a.attempt > ${kept}) AS spared
  FROM ${dialect.rows(rows, POSITIONS)} AS l ORDER BY l.n`;
};

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
