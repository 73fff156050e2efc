import type { Statement } from '../../sql/dialects/statement.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import { MOST_LINES } from '../model/run-insight.js';
import type { ClaimedRun } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import type { StepReads } from '../model/step-reads.js';
import { type ClaimedRow, claimedOf } from '../tables/run.sql.js';
import { stepOf, type StepRow } from '../tables/step.sql.js';
import * as reads from './step-reads.sql.js';

type Int = number | string;

/** Reads the history of one run from tables, by the primary key: what has changed is looked for among its steps. */
export class SqlStepReads implements StepReads {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async claimed(runId: string): Promise<ClaimedRun | undefined> {
    return (await this.db.run<ClaimedRow>(reads.selectClaimed(this.scope, runId))).rows.map(claimedOf)[0];
  }

  async firstSeq(runId: string): Promise<number | undefined> {
    const { rows } = await this.db.run<{ first_seq: Int }>(reads.selectFirstSeq(this.scope, runId));
    return rows.map((row) => Number(row.first_seq))[0];
  }

  async lastSettled(runId: string): Promise<number> {
    const { rows } = await this.db.run<{ settled: Int }>(reads.selectLastSettled(this.scope, runId));
    return Number(rows[0]?.settled);
  }

  page({ runId, after, limit, payloads = false }: Parameters<StepReads['page']>[0]): Promise<StepRecord[]> {
    const select = payloads ? reads.selectPart : reads.selectFacts;
    return this.steps(select(this.scope, runId, after, limit));
  }

  settledAfter({ runId, settled, limit }: Parameters<StepReads['settledAfter']>[0]): Promise<StepRecord[]> {
    return this.steps(reads.selectSettledAfter(this.scope, runId, settled, limit));
  }

  open(runId: string, limit: number): Promise<StepRecord[]> {
    return this.steps(reads.selectOpen(this.scope, runId, limit));
  }

  async lineCounts(query: Parameters<StepReads['lineCounts']>[0]): Promise<ReadonlyMap<number, number>> {
    const statement = reads.countLines(this.scope, query, MOST_LINES);
    const { rows } = await this.db.run<{ seq: Int; line_count: Int }>(statement);
    return new Map(rows.map(({ seq, line_count: lines }) => [Number(seq), Number(lines)]));
  }

  private async steps(statement: Statement): Promise<StepRecord[]> {
    return (await this.db.run<StepRow>(statement)).rows.map(stepOf);
  }
}
