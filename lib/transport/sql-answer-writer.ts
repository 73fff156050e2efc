import type { AnswerWriter } from '../engine/model/task-dispatcher.js';
import type { StepAnswer } from '../protocol/step.js';
import { OncePerCommit, type Transaction } from '../protocol/transaction.js';
import { columnRows, type Columns } from '../sql/dialects/column-rows.js';
import { byFamily } from '../sql/dialects/dialect.js';
import { keyList, planned } from '../sql/dialects/key-list.js';
import { raw, sql, type Statement } from '../sql/dialects/statement.js';
import { inParts } from '../sql/in-parts.js';
import type { Notifier } from '../sql/notifier.js';
import { type SqlConnection, type SqlExecutor, sqlTransaction } from '../sql/sql-executor.js';
import { nowOf, onceNow, type Scope, type SqlNow, type Tables } from '../sql/tables.js';
import { ClaimMarks } from './task-claims.js';
import { answerHint, senderOf } from './hints.js';
import { insertAnswers } from './lease.mysql.sql.js';
import { ANSWER_FIELDS, fitsNotification } from './lease.postgres.sql.js';
import { deleteTasks, tell } from './task.sql.js';

export interface WrittenRow {
  step_id: string;
  created_at: number | string;
}

const ARRAYS: Columns<StepAnswer> = {
  step_id: ['text', ({ stepId }) => stepId],
  run_id: ['text', ({ runId }) => runId],
  seq: ['bigint', ({ seq }) => seq],
  status: ['text', ({ status }) => status],
  output: ['text', ({ output }) => output, 'nullable'],
  error: ['text', ({ error }) => error, 'nullable'],
  started_at: ['bigint', ({ startedAt }) => startedAt, 'nullable'],
};

/**
 * PostgreSQL: removes the tasks, writes the answers of steps that have none and notifies, all in one statement. Tasks
 * come first, as in a worker's report, so that the two never deadlock.
 */
export const answerSteps = (scope: Scope, answers: readonly StepAnswer[], sender: string): Statement => {
  const { tables } = scope;
  const told = fitsNotification(answers)
    ? sql`(SELECT json_agg(${raw(`json_build_array(${ANSWER_FIELDS.join(', ')})`)}) FROM written)`
    : sql`NULL`;
  const payload = sql`json_build_object('from', CAST(${sender} AS text), 'answers', ${told})`;
  return sql`
  WITH clock AS MATERIALIZED (SELECT ${nowOf(scope)} AS at), given AS MATERIALIZED (
    SELECT listed.* FROM ${columnRows(answers, ARRAYS)} AS listed CROSS JOIN ${planned}
  ), gone AS (
    DELETE FROM ${tables.tasks} WHERE step_id = ANY (ARRAY(SELECT step_id FROM given)) RETURNING step_id
  ), written AS (
    INSERT INTO ${tables.results} (step_id, run_id, seq, status, output, error, started_at, created_at)
    SELECT step_id, run_id, seq, status, output, error, started_at, (SELECT at FROM clock) FROM given
    WHERE (SELECT count(*) FROM gone) >= 0
    ON CONFLICT (step_id) DO NOTHING
    RETURNING ${raw(ANSWER_FIELDS.join(', '))}
  )
  SELECT step_id, created_at, (SELECT CASE WHEN EXISTS (SELECT FROM written) THEN (${tell(scope, 'results', payload)}) END) AS told
  FROM written`;
};

/** MySQL and MariaDB: the rows that {@link insertAnswers} has written with this mark. */
export const selectMarked = ({ tables }: Scope, stepIds: readonly string[], mark: string): Statement => sql`
  SELECT step_id, created_at FROM ${tables.results} WHERE step_id IN ${keyList(stepIds)} AND claimed_by = ${mark}`;

/** Writes answers that do not come from workers, as rows next to theirs. */
export class SqlAnswerWriter implements AnswerWriter {
  private readonly scope: Scope;
  private readonly marks = new ClaimMarks();
  private readonly written = new OncePerCommit<StepAnswer>((answers) => this.tell(answers));

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  /** If the database has notifications, the writing statement notifies other processes. */
  async answer(answers: readonly StepAnswer[], tx?: Transaction): Promise<string[]> {
    const first = firstOfEach(answers);
    if (first.length === 0) return [];
    const rows = await this.write(first, tx && sqlTransaction(tx));
    const times = new Map(rows.map(({ step_id, created_at }) => [step_id, Number(created_at)]));
    // With the rows' timestamps: both copies of an answer must be equal.
    const written = first.flatMap((answer) => {
      const createdAt = times.get(answer.stepId);
      return createdAt === undefined ? [] : [{ ...answer, createdAt }];
    });
    this.written.add(tx, written);
    return written.map(({ stepId }) => stepId);
  }

  private tell(answers: readonly StepAnswer[]): void {
    if (this.notifier.hears('results')) this.notifier.local('results', answerHint(answers));
  }

  private write(answers: readonly StepAnswer[], tx?: SqlConnection): Promise<WrittenRow[]> {
    return byFamily(this.db.dialect, {
      postgres: async () => {
        const statement = answerSteps(this.scope, answers, senderOf(this.notifier));
        return (await (tx ?? this.db).run<WrittenRow>(statement)).rows;
      },
      mysql: () =>
        tx ? this.writeOnMysql(tx, answers) : this.db.transaction((own) => this.writeOnMysql(own, answers)),
    });
  }

  private async writeOnMysql(tx: SqlConnection, answers: readonly StepAnswer[]): Promise<WrittenRow[]> {
    const stepIds = answers.map(({ stepId }) => stepId);
    const mark = this.marks.next(senderOf(this.notifier));
    await inParts(tx, stepIds, (some) => deleteTasks(this.scope, some));
    const { affected } = await inParts(tx, answers, (some) =>
      insertAnswers(this.scope, some, onceNow(this.scope), mark),
    );
    if (affected === 0) return [];
    const select = (some: readonly string[]) => selectMarked(this.scope, some, mark);
    return (await inParts<WrittenRow, string>(tx, stepIds, select)).rows;
  }
}

/** Sorted in the order in which all writers lock. */
function firstOfEach(answers: readonly StepAnswer[]): StepAnswer[] {
  const byStep = new Map<string, StepAnswer>();
  for (const answer of answers) if (!byStep.has(answer.stepId)) byStep.set(answer.stepId, answer);
  return [...byStep.values()].sort((a, b) => (a.stepId < b.stepId ? -1 : 1));
}
