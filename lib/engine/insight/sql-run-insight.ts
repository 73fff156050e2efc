import { stepIdOf } from '../../protocol/step.js';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import * as runs from '../tables/run.sql.js';
import { numberOrNull } from '../tables/run.sql.js';
import { attributeOf } from '../model/attributes.js';
import * as insight from './insight.sql.js';
import { readLimitRequest } from '../model/limiter.js';
import type { AttemptRecord, LimiterInSight, RunInsight, RunSurroundings, TaskInSight } from '../model/run-insight.js';
import type { ParentClose, RunRecord } from '../model/run.js';
import type { LogLine } from '../model/run-store.js';

/** Reads data about runs for people, from tables: a few reads by key per question, without a common snapshot. */
export class SqlRunInsight implements RunInsight {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    _notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async attempts(runId: string, seqs?: readonly number[]): Promise<AttemptRecord[]> {
    if (seqs?.length === 0) return [];
    const { rows } = await this.db.run<insight.AttemptRow>(insight.selectAttempts(this.scope, runId, seqs));
    return rows.map(insight.attemptOf);
  }

  async logs(runId: string, seq?: number): Promise<LogLine[]> {
    const { rows } = await this.db.run<insight.LineRow>(insight.selectLines(this.scope, runId, seq));
    return rows.map(({ seq, attempt, level, message, fields, logged_at }) => ({
      seq: numberOrNull(seq),
      attempt: numberOrNull(attempt),
      level,
      message,
      fields,
      loggedAt: Number(logged_at),
    }));
  }

  async attributes(runIds: readonly string[]): ReturnType<RunInsight['attributes']> {
    if (runIds.length === 0) return [];
    const { rows } = await this.db.run<insight.AttributeRow>(insight.selectAttributes(this.scope, runIds));
    return rows.map(({ run_id: runId, name, type, text_value: text, number_value: number }) => ({
      runId,
      name,
      value: attributeOf({ type, text, number: numberOrNull(number) }),
    }));
  }

  async children(runId: string, limit: number): ReturnType<RunInsight['children']> {
    const { rows } = await this.db.run<runs.RunRow & { parent_close: ParentClose | null }>(
      insight.selectChildren(this.scope, runId, runs.RUN_COLUMNS, limit),
    );
    return rows.map((row) => ({ ...runs.runOf(row), parentClose: row.parent_close }));
  }

  async withoutPayloads(runIds: readonly string[]): Promise<RunRecord[]> {
    if (runIds.length === 0) return [];
    const { rows } = await this.db.run<runs.RunRow>(runs.selectRuns(this.scope, runIds, runs.COLUMNS_WITHOUT_PAYLOADS));
    return rows.map(runs.runOf);
  }

  async surroundings({ id }: RunRecord): Promise<RunSurroundings> {
    const { db, scope } = this;
    const { rows: waits } = await db.run<WaitRow>(insight.selectOpenWaits(scope, id));
    const { rows: after } = await db.run<{ id: string; status: string | null }>(insight.selectAwaitedRuns(scope, id));
    return {
      tasks: await this.tasks(id),
      signals: waits.map(({ seq, channel, deadline }) => ({
        seq: Number(seq),
        channel,
        deadline: numberOrNull(deadline),
      })),
      after: after.map((target) => ({ id: target.id, status: target.status })),
      limiters: await this.limiters(id),
    };
  }

  private async tasks(runId: string): Promise<TaskInSight[]> {
    const { db, scope } = this;
    const { rows: open } = await db.run<{ seq: Int }>(insight.selectOpenRemotes(scope, runId));
    if (open.length === 0) return [];
    const stepIds = open.map(({ seq }) => stepIdOf(runId, Number(seq)));
    const { rows } = await db.run<insight.TaskRow>(insight.selectTasks(scope, stepIds));
    return rows.map(taskOf).sort((a, b) => a.seq - b.seq);
  }

  private async limiters(runId: string): Promise<LimiterInSight[]> {
    const { rows } = await this.db.run<insight.LimiterRow>(insight.selectLimiters(this.scope, runId));
    const limiters: LimiterInSight[] = [];
    // Only the run and its limited steps: usually one entry.
    for (const row of rows) limiters.push(await this.limiterOf(row));
    return limiters;
  }

  private async limiterOf(row: insight.LimiterRow): Promise<LimiterInSight> {
    const { rows } = await this.db.run<{ ahead: Int; holding: Int }>(insight.countLimiter(this.scope, row));
    const { name, key, limits } = readLimitRequest(row.limits);
    const granted = Number(row.granted) === 1;
    const ahead = granted ? 0 : Number(rows[0]?.ahead);
    const holding = Number(rows[0]?.holding);
    return { holder: row.holder, name, key, granted, limits, ahead, holding, openAt: numberOrNull(row.open_at) };
  }
}

type Int = number | string;

interface WaitRow {
  seq: Int;
  channel: string;
  deadline: Int | null;
}

const taskOf = (row: insight.TaskRow): TaskInSight => ({
  stepId: row.step_id,
  seq: Number(row.seq),
  name: row.name,
  group: row.grp,
  attempt: Number(row.attempt),
  claimedBy: row.claimed_by,
  claimedAt: numberOrNull(row.claimed_at),
  createdAt: Number(row.created_at),
});
