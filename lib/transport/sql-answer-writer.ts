import type { AnswerWriter } from '../engine/model/task-dispatcher.js';
import type { StepAnswer } from '../protocol/step.js';
import type { Transaction } from '../protocol/transaction.js';
import { inParts } from '../sql/in-parts.js';
import type { Notifier } from '../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../sql/sql-executor.js';
import type { SqlNow } from '../sql/sql-now.js';
import type { Tables } from '../sql/tables.js';
import * as statements from './answer.sql.js';
import { ClaimMarks } from './claim-marks.js';
import { answerHint, senderOf } from './hints.js';
import { deleteTasks, type Scope } from './task.sql.js';

/** Answers that do not come from workers, as rows beside theirs. */
export class SqlAnswerWriter implements AnswerWriter {
  private readonly scope: Scope;
  private readonly marks = new ClaimMarks();
  /** What was written when, so that this process is told what the rows say: the same answer twice must look the same. */
  private readonly stamped = new WeakMap<StepAnswer, number>();

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  /** Without `tx` this process hears of it at once. */
  async answer(answers: readonly StepAnswer[], tx?: Transaction): Promise<string[]> {
    const first = firstOfEach(answers);
    if (first.length === 0) return [];
    // What an attempt wrote that was rolled back is not there.
    for (const answer of first) this.stamped.delete(answer);
    const rows = await this.write(first, tx as SqlConnection | undefined);
    const times = new Map(rows.map(({ step_id, created_at }) => [step_id, Number(created_at)]));
    const written = first.filter(({ stepId }) => times.has(stepId));
    for (const answer of written) this.stamped.set(answer, times.get(answer.stepId)!);
    if (!tx && written.length > 0) this.announceAnswers(written);
    return written.map(({ stepId }) => stepId);
  }

  announceAnswers(answers: readonly StepAnswer[]): void {
    const told = answers.flatMap((answer) => {
      const createdAt = this.stamped.get(answer);
      return createdAt === undefined ? [] : [{ ...answer, createdAt }];
    });
    if (told.length > 0 && this.notifier.hears('results')) this.notifier.local('results', answerHint(told));
  }

  private async write(answers: readonly StepAnswer[], tx?: SqlConnection): Promise<statements.WrittenRow[]> {
    if (this.db.dialect.family === 'mysql')
      return tx ? this.writeOnMysql(tx, answers) : this.db.transaction((own) => this.writeOnMysql(own, answers));
    const statement = statements.answerSteps(this.scope, answers, senderOf(this.notifier));
    return (await (tx ?? this.db).run<statements.WrittenRow>(statement)).rows;
  }

  private async writeOnMysql(tx: SqlConnection, answers: readonly StepAnswer[]): Promise<statements.WrittenRow[]> {
    const stepIds = answers.map(({ stepId }) => stepId);
    const mark = this.marks.next(senderOf(this.notifier));
    await inParts(tx, stepIds, (some) => deleteTasks(this.scope, some));
    const { affected } = await inParts(tx, answers, (some) => statements.insertMarked(this.scope, some, mark));
    if (affected === 0) return [];
    const select = (some: readonly string[]) => statements.selectMarked(this.scope, some, mark);
    return (await inParts<statements.WrittenRow, string>(tx, stepIds, select)).rows;
  }
}

/** In the order in which all writers lock. */
function firstOfEach(answers: readonly StepAnswer[]): StepAnswer[] {
  const byStep = new Map<string, StepAnswer>();
  for (const answer of answers) if (!byStep.has(answer.stepId)) byStep.set(answer.stepId, answer);
  return [...byStep.values()].sort((a, b) => (a.stepId < b.stepId ? -1 : 1));
}
