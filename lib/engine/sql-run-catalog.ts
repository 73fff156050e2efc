import { DatabaseError } from '../errors.js';
import { stepIdOf } from '../protocol/step.js';
import type { Transaction } from '../protocol/transaction.js';
import type { Notifier } from '../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../sql/sql-executor.js';
import type { SqlNow } from '../sql/sql-now.js';
import type { Tables } from '../sql/tables.js';
import type { ListRuns, RunCatalog } from './run-catalog.js';
import type { NewRun, RunRecord } from './run.js';
import * as runs from './run.sql.js';
import type { StepRecord } from './step-record.js';
import * as steps from './step.sql.js';

type Creation = { created: boolean; run: RunRecord };

/** The application's side of the tables. */
export class SqlRunCatalog implements RunCatalog {
  private readonly scope: runs.Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async create(asked: readonly NewRun[], tx?: Transaction): Promise<Creation[]> {
    const unique = [...new Map(asked.map((run) => [run.id, run])).values()];
    const connection = (tx as SqlConnection | undefined) ?? this.db;
    const created = await (this.db.dialect.family === 'postgres'
      ? this.createOnPostgres(connection, unique, tx === undefined)
      : this.createOnMysql(connection, unique));
    if (!tx && created.size > 0) this.notifier.local('runs', '{}');
    const taken = unique.filter(({ id }) => !created.has(id)).map(({ id }) => id);
    const found = new Map((await this.findOn(connection, taken)).map((run) => [run.id, run]));
    // Of two requests for one id in one batch, the first created it.
    return asked.map(({ id }) => {
      const run = created.get(id);
      if (!run) return { created: false, run: found.get(id)! };
      created.delete(id);
      found.set(id, run);
      return { created: true, run };
    });
  }

  async find(ids: readonly string[]): Promise<RunRecord[]> {
    return this.findOn(this.db, ids);
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return (await this.db.run<steps.StepRow>(steps.selectHistories(this.scope, [runId]))).rows.map(steps.stepOf);
  }

  async list(query: ListRuns): Promise<RunRecord[]> {
    return (await this.db.run<runs.RunRow>(runs.listRuns(this.scope, query))).rows.map(runs.runOf);
  }

  async cancel(
    runId: string,
    alongside: (stepIds: readonly string[], tx: Transaction) => Promise<void>,
    tx?: Transaction,
  ): Promise<boolean> {
    const work = async (connection: SqlConnection): Promise<boolean> => {
      const { affected } = await connection.run(runs.cancelRun(this.scope, runId));
      if (affected === 0) return false;
      const { rows } = await connection.run<steps.StepRow>(steps.selectOpenRemoteSteps(this.scope, [runId]));
      await alongside(
        rows.map(({ seq }) => stepIdOf(runId, Number(seq))),
        connection,
      );
      await this.tell(connection, runId);
      return true;
    };
    const cancelled = await (tx ? work(tx as SqlConnection) : this.db.transaction(work));
    if (cancelled && !tx) {
      this.notifier.local('runs', JSON.stringify({ lost: [runId] }));
      this.notifier.local('done', JSON.stringify([runId]));
    }
    return cancelled;
  }

  announceDue(): void {
    this.notifier.local('runs', '{}');
    this.notifier.publish('runs', '{}');
  }

  onFinished(listener: (ids?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('done', (payload) => listener(idsIn(payload)));
  }

  /** Inside the transaction, so that others hear of it exactly when it has happened. */
  private async tell(connection: SqlConnection, runId: string): Promise<void> {
    const lost = this.notifier.statement('runs', JSON.stringify({ lost: [runId] }));
    const done = this.notifier.statement('done', JSON.stringify([runId]));
    if (lost) await connection.run(lost);
    if (done) await connection.run(done);
  }

  /** In the app's own transaction no notification goes along: it would make its commit wait for others'. */
  private async createOnPostgres(
    connection: SqlConnection,
    asked: readonly NewRun[],
    notify: boolean,
  ): Promise<Map<string, RunRecord>> {
    const notification = notify ? this.notifier.statement('runs', '{}') : undefined;
    const { rows } = await connection.run<runs.RunRow>(runs.createRuns(this.scope, asked, notification));
    return new Map(rows.map((row) => [row.id, runs.runOf(row)]));
  }

  /** The server does not say which rows of an INSERT were there already, so those that were are left out and it is run again. */
  private async createOnMysql(connection: SqlConnection, asked: readonly NewRun[]): Promise<Map<string, RunRecord>> {
    let open = asked;
    while (open.length > 0) {
      try {
        await connection.run(runs.insertRuns(this.scope, open));
        return new Map(
          (
            await this.findOn(
              connection,
              open.map(({ id }) => id),
            )
          ).map((run) => [run.id, run]),
        );
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        const ids = open.map(({ id }) => id);
        const { rows } = await connection.run<runs.RunRow>(runs.selectRunsLatest(this.scope, ids));
        const there = new Set(rows.map(({ id }) => id));
        open = open.filter(({ id }) => !there.has(id));
      }
    }
    return new Map();
  }

  private async findOn(connection: SqlConnection, ids: readonly string[]): Promise<RunRecord[]> {
    if (ids.length === 0) return [];
    // Inside a transaction of the app's, its snapshot may be older than the row that was in the way.
    const statement =
      connection === this.db ? runs.selectRuns(this.scope, ids) : runs.selectRunsLatest(this.scope, ids);
    return (await connection.run<runs.RunRow>(statement)).rows.map(runs.runOf);
  }
}

/** The drivers' word for a key that is taken. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.cause as { errno?: unknown } | undefined)?.errno === 1062;

function idsIn(payload: string | undefined): readonly string[] | undefined {
  try {
    const ids: unknown = payload === undefined ? undefined : JSON.parse(payload);
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? ids : undefined;
  } catch {
    return undefined;
  }
}
