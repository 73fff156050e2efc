import { byFamily } from '../../sql/dialects/dialect.js';
import { DatabaseError } from '../../errors/database-errors.js';
import { inHalves, inParts } from '../../sql/in-parts.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import { type Scope } from '../../sql/tables.js';
import { sql, type Statement } from '../../sql/dialects/statement.js';
import * as dependencies from '../endings/dependency.sql.js';
import * as notes from '../tables/note.sql.js';
import { goOnFrom, makeRoom } from './sql-id-reuse.js';
import type { AttributeValue, NewRun, RunRecord } from '../model/run.js';
import * as runs from '../tables/run.sql.js';
import { withTurns } from './sql-run-turns.js';
import { heldByOthers } from './sql-start-keys.js';

export interface Creation {
  created: boolean;
  run: RunRecord;
}

/** Creates runs in tables, with one statement if only the run is written. */
export class SqlRunStarter {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: Scope,
    /** The notification of new runs, sent in our own transactions. */
    private readonly notification: () => Statement | undefined,
  ) {}

  async create(asked: readonly NewRun[], tx?: SqlConnection): Promise<Creation[]> {
    const unique = [...new Map(asked.map((run) => [run.id, run])).values()];
    const notification = tx ? undefined : this.notification();
    const work = (connection: SqlConnection) => this.createIn(connection, unique, notification);
    const { created, others } = await (tx || unique.every(isPlain) ? work(tx ?? this.db) : this.inOurs(work));
    const idOf = (id: string) => others.get(id) ?? id;
    const taken = [...new Set(unique.map(({ id }) => idOf(id)))].filter((id) => !created.has(id));
    const found = new Map((await this.findOn(tx ?? this.db, taken)).map((run) => [run.id, run]));
    // Of two requests for one id in one batch, the first created it.
    return asked.map(({ id }) => {
      const run = others.has(id) ? undefined : created.get(id);
      if (!run) return { created: false, run: (found.get(idOf(id)) ?? created.get(idOf(id)))! };
      created.delete(id);
      found.set(id, run);
      return { created: true, run };
    });
  }

  /** A failed statement ends our transaction; the next attempt sees the existing id before its insert. */
  private async inOurs<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.db.transaction(work);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
    }
  }

  /** Locks start keys first, then runs by id. */
  private async createIn(
    connection: SqlConnection,
    asked: readonly NewRun[],
    notification: Statement | undefined,
  ): Promise<{ created: Map<string, RunRecord>; others: Map<string, string> }> {
    const { scope } = this;
    const others = await heldByOthers(connection, scope, asked);
    const free = others.size === 0 ? asked : leading(asked, others);
    const reborn = await makeRoom(connection, scope, free);
    const created = await this.insert(connection, await withTurns(connection, scope, free), notification);
    const again = reborn.filter(({ id }) => created.has(id));
    if (again.length > 0) await connection.run(goOnFrom(scope, again));
    const attributes = attributesOf(free.filter(({ id }) => created.has(id)));
    if (attributes.length > 0) await connection.run(notes.upsertAttributes(scope, attributes));
    return { created, others };
  }

  private insert(
    connection: SqlConnection,
    asked: readonly runs.RunWithTurn[],
    notification: Statement | undefined,
  ): Promise<Map<string, RunRecord>> {
    if (asked.length === 0) return Promise.resolve(new Map<string, RunRecord>());
    return byFamily(this.db.dialect, {
      postgres: () => this.insertOnPostgres(connection, asked, notification),
      mysql: () => this.insertPartsOnMysql(connection, asked),
    });
  }

  /** Without a notification in the app's transaction: its commit would have to wait for other commits. */
  private async insertOnPostgres(
    connection: SqlConnection,
    asked: readonly runs.RunWithTurn[],
    notification: Statement | undefined,
  ): Promise<Map<string, RunRecord>> {
    const given = dependencies.dependenciesOf(asked);
    const ofNew = sql`JOIN created ON created.id = e.run_id`;
    const waits = given.length > 0 ? dependencies.insertDependencies(this.scope, given, ofNew) : undefined;
    const { rows } = await connection.run<runs.RunRow>(runs.createRuns(this.scope, asked, notification, waits));
    return new Map(rows.map((row) => [row.id, runs.runOf(row)]));
  }

  /** A transaction may create more runs than fit into one statement; without a transaction, the caller splits them. */
  private async insertPartsOnMysql(
    connection: SqlConnection,
    asked: readonly runs.RunWithTurn[],
  ): Promise<Map<string, RunRecord>> {
    if (connection === this.db) return this.insertOnMysql(connection, asked);
    const parts = await inHalves(asked, (some) => this.insertOnMysql(connection, some));
    return new Map(parts.flatMap((created) => [...created]));
  }

  /** The server does not report which rows of an INSERT existed, so it is repeated without the existing ones. */
  private async insertOnMysql(
    connection: SqlConnection,
    asked: readonly runs.RunWithTurn[],
  ): Promise<Map<string, RunRecord>> {
    let open = asked.some((run) => !isPlain(run)) ? await this.unknown(connection, asked) : asked;
    while (open.length > 0) {
      const ids = open.map(({ id }) => id);
      try {
        await this.insertWithDependencies(connection, open);
        return new Map((await this.findOn(connection, ids)).map((run) => [run.id, run]));
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        open = await this.unknown(connection, open);
      }
    }
    return new Map();
  }

  private async unknown<Run extends NewRun>(connection: SqlConnection, asked: readonly Run[]): Promise<Run[]> {
    const ids = asked.map(({ id }) => id);
    const { rows } = await connection.run<runs.RunRow>(runs.selectRunsLatest(this.scope, ids));
    const there = new Set(rows.map(({ id }) => id));
    return asked.filter(({ id }) => !there.has(id));
  }

  private insertWithDependencies(connection: SqlConnection, asked: readonly runs.RunWithTurn[]): Promise<unknown> {
    const waits = dependencies.dependenciesOf(asked);
    if (waits.length === 0) return connection.run(runs.insertRuns(this.scope, asked));
    const work = async (tx: SqlConnection) => {
      await tx.run(runs.insertRuns(this.scope, asked));
      await inParts(tx, waits, (some) => dependencies.insertDependencies(this.scope, some));
    };
    return connection === this.db ? this.db.transaction(work) : work(connection);
  }

  private async findOn(connection: SqlConnection, ids: readonly string[]): Promise<RunRecord[]> {
    if (ids.length === 0) return [];
    // In the app's transaction, the snapshot may be older than the conflicting row.
    const statement =
      connection === this.db ? runs.selectRuns(this.scope, ids) : runs.selectRunsLatest(this.scope, ids);
    return (await connection.run<runs.RunRow>(statement)).rows.map(runs.runOf);
  }
}

/** Whether one statement writes the start, so that it needs no transaction. */
const isPlain = ({ reuse, startKey, attributes }: NewRun): boolean =>
  reuse === undefined && startKey === undefined && attributes === undefined;

/** The starts that create runs. The last debounced start of a key in the batch provides the input of the first one. */
function leading(asked: readonly NewRun[], others: ReadonlyMap<string, string>): NewRun[] {
  const latest = new Map<string, NewRun>();
  for (const run of asked) if (run.startKey?.kind === 'debounce') latest.set(others.get(run.id) ?? run.id, run);
  return asked
    .filter(({ id }) => !others.has(id))
    .map((run) => {
      const { input, delayMs } = latest.get(run.id) ?? run;
      return { ...run, input, delayMs };
    });
}

const attributesOf = (asked: readonly NewRun[]): { runId: string; name: string; value: AttributeValue }[] =>
  asked.flatMap(({ id: runId, attributes = {} }) =>
    Object.entries(attributes).map(([name, value]) => ({ runId, name, value })),
  );

/** Whether the error is the drivers' error for a duplicate key. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.cause as { errno?: unknown } | undefined)?.errno === 1062;
