import { afterCommit, type Transaction } from '../../protocol/transaction.js';
import type { Notifier } from '../../sql/notifier.js';
import { connectionOf, type SqlExecutor, sqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import type { RunCatalog } from '../model/run-catalog.js';
import type { ListedRuns, ListRuns } from '../model/run-insight.js';
import type { NewRun, RunRecord } from '../model/run.js';
import * as runs from '../tables/run.sql.js';
import type { StepRecord } from '../model/step-record.js';
import { SqlRunListing } from '../insight/sql-run-listing.js';
import { type Creation, SqlRunStarter } from '../starts/sql-run-starter.js';
import * as steps from '../tables/step.sql.js';

/** The client's access to runs, in tables. */
export class SqlRunCatalog implements RunCatalog {
  private readonly scope: Scope;
  private readonly starter: SqlRunStarter;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
    this.starter = new SqlRunStarter(db, this.scope, () => notifier.statement('runs', '{}'));
  }

  async create(asked: readonly NewRun[], tx?: Transaction): Promise<Creation[]> {
    const creations = await this.starter.create(asked, tx && sqlTransaction(tx));
    if (creations.some(({ created }) => created)) afterCommit(tx, () => this.tellDue(tx !== undefined));
    return creations;
  }

  async find(ids: readonly string[], tx?: Transaction): Promise<RunRecord[]> {
    if (ids.length === 0) return [];
    return (await connectionOf(this.db, tx).run<runs.RunRow>(runs.selectRuns(this.scope, ids))).rows.map(runs.runOf);
  }

  async contexts(ids: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, string>> {
    const select = runs.selectContexts(this.scope, ids);
    const { rows } = await connectionOf(this.db, tx).run<{ id: string; context: string }>(select);
    return new Map(rows.map(({ id, context }) => [id, context]));
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return (await this.db.run<steps.StepRow>(steps.selectWholeHistory(this.scope, runId))).rows.map(steps.stepOf);
  }

  async step(runId: string, seq: number, tx?: Transaction): Promise<StepRecord | undefined> {
    const { rows } = await connectionOf(this.db, tx).run<steps.StepRow>(steps.selectStep(this.scope, runId, seq));
    return rows.map(steps.stepOf)[0];
  }

  list(query: ListRuns): Promise<ListedRuns> {
    return new SqlRunListing(this.db, this.scope).list(query);
  }

  /** The caller's transaction contains no notification statement, since its locks and duration are the caller's. */
  private tellDue(publishing: boolean): void {
    this.notifier.local('runs', '{}');
    if (publishing) this.notifier.publish('runs', '{}');
  }

  onFinished(listener: (ids?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('done', (payload) => listener(idsIn(payload)));
  }
}

function idsIn(payload: string | undefined): readonly string[] | undefined {
  try {
    const ids: unknown = payload === undefined ? undefined : JSON.parse(payload);
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined;
  } catch {
    return undefined;
  }
}
