import { DatabaseError } from '../core/errors.js';
import { afterCommit, type Transaction } from '../core/transaction.js';
import { amongKeys, byFamily, type JsonColumn, planned } from '../sql/dialects.js';
import {
  connectionOf,
  inTransaction,
  type SqlConnection,
  type SqlExecutor,
  type SqlTransaction,
  sqlTransaction,
} from '../sql/executor.js';
import { NotifyingAdapter, tellWithCommit, textsIn } from '../sql/notifier.js';
import { id, id as identifier, join, raw, sql, type Statement } from '../sql/statement.js';
import { inHalves, inParts, nowOf, type Scope } from '../sql/tables.js';
import { answerOfConflict, type Belonging, type GivingUp, isSameChild } from './control.js';
import * as removal from './control.sql.js';
import * as dependencies from './endings.sql.js';
import { countSettled } from './endings.sql.js';
import type { ListedRuns, ListRuns } from './insight.js';
import { endOfTurns, firstTurn, needsTurn } from './limits.js';
import { SqlRunListing } from './listing.sql.js';
import { type AttributeValue, isFinal, type NewRun, NOTIFIES, type RunRecord } from './run.js';
import { NO_ENDINGS } from './runs.js';
import { goOnFrom, heldByOthers, type LastRow, lockOld, makeRoom, type OldRow, selectLast } from './start-keys.sql.js';
import {
  type ForkOutcome,
  forkRefusal,
  type ForkRun,
  nextLife,
  type RestartRun,
  type RunCatalog,
  type RunLives,
} from './starts.js';
import type { StepKind, StepRecord } from './step.js';
import * as notes from './tables.sql.js';
import { ATTEMPT_FIELDS, type ExtrasWriter, insertRuns, type RunWithTurn, STEP_FIELDS } from './tables.sql.js';

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
    asked: readonly notes.RunWithTurn[],
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
    asked: readonly notes.RunWithTurn[],
    notification: Statement | undefined,
  ): Promise<Map<string, RunRecord>> {
    const given = dependencies.dependenciesOf(asked);
    const ofNew = sql`JOIN created ON created.id = e.run_id`;
    const waits = given.length > 0 ? dependencies.insertDependencies(this.scope, given, ofNew) : undefined;
    const { rows } = await connection.run<notes.RunRow>(notes.createRuns(this.scope, asked, notification, waits));
    return new Map(rows.map((row) => [row.id, notes.runOf(row)]));
  }

  /** A transaction may create more runs than fit into one statement; without a transaction, the caller splits them. */
  private async insertPartsOnMysql(
    connection: SqlConnection,
    asked: readonly notes.RunWithTurn[],
  ): Promise<Map<string, RunRecord>> {
    if (connection === this.db) return this.insertOnMysql(connection, asked);
    const parts = await inHalves(asked, (some) => this.insertOnMysql(connection, some));
    return new Map(parts.flatMap((created) => [...created]));
  }

  /** The server does not report which rows of an INSERT existed, so it is repeated without the existing ones. */
  private async insertOnMysql(
    connection: SqlConnection,
    asked: readonly notes.RunWithTurn[],
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
    const { rows } = await connection.run<notes.RunRow>(notes.selectRunsLatest(this.scope, ids));
    const there = new Set(rows.map(({ id }) => id));
    return asked.filter(({ id }) => !there.has(id));
  }

  private insertWithDependencies(connection: SqlConnection, asked: readonly notes.RunWithTurn[]): Promise<unknown> {
    const waits = dependencies.dependenciesOf(asked);
    if (waits.length === 0) return connection.run(notes.insertRuns(this.scope, asked));
    const work = async (tx: SqlConnection) => {
      await tx.run(notes.insertRuns(this.scope, asked));
      await inParts(tx, waits, (some) => dependencies.insertDependencies(this.scope, some));
    };
    return connection === this.db ? this.db.transaction(work) : work(connection);
  }

  private async findOn(connection: SqlConnection, ids: readonly string[]): Promise<RunRecord[]> {
    if (ids.length === 0) return [];
    // In the app's transaction, the snapshot may be older than the conflicting row.
    const statement =
      connection === this.db ? notes.selectRuns(this.scope, ids) : notes.selectRunsLatest(this.scope, ids);
    return (await connection.run<notes.RunRow>(statement)).rows.map(notes.runOf);
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

export type BelongingRow = Pick<notes.RunRow, 'id' | 'parent_id' | 'parent_seq'>;

/** Inserts the children whose id is free. */
export const insertChildren = (scope: Scope, children: readonly RunWithTurn[]): Statement =>
  scope.dialect.insertOrKeep(insertRuns(scope, children), id('id'));

export const selectBelonging = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, parent_id, parent_seq FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/**
 * Creates child runs with the steps of their parents. A step whose child has the id of another run gets a conflict
 * error as its answer. A repeated commit finds its own children.
 */
export const writeChildren: ExtrasWriter = async (tx, scope, writes) => {
  const children = writes.flatMap(({ extras }) => extras?.children ?? []).sort(byId);
  if (children.length === 0) return;
  const runs = await withTurns(tx, scope, children);
  const { strangers, woken } = await begin(tx, scope, runs);
  if (woken)
    await writeAttributes(
      tx,
      scope,
      runs.filter((run) => !strangers.includes(run)),
    );
  return { answers: strangers.flatMap(answerOfConflict), woken };
};

/** Creates children; returns those whose id belongs to another run, and whether any was created. */
async function begin(
  tx: SqlConnection,
  scope: Scope,
  children: readonly RunWithTurn[],
): Promise<{ strangers: readonly RunWithTurn[]; woken: boolean }> {
  const strangers: RunWithTurn[] = [];
  let woken = false;
  for (let left = children; left.length > 0;) {
    const { affected } = await inParts(tx, left, (some) => insertChildren(scope, some));
    woken ||= affected > 0;
    if (affected === left.length) break;
    const taken = await belongings(tx, scope, left);
    for (const child of left) {
      const run = taken.get(child.id);
      if (run && !isSameChild(child, run)) strangers.push(child);
    }
    // The others: their ids were in use a moment ago, but those runs were deleted meanwhile.
    left = left.filter(({ id }) => !taken.has(id));
  }
  return { strangers, woken };
}

async function belongings(
  tx: SqlConnection,
  scope: Scope,
  children: readonly RunWithTurn[],
): Promise<Map<string, Belonging>> {
  const ids = children.map(({ id }) => id);
  const { rows } = await inParts<BelongingRow, string>(tx, ids, (some) => selectBelonging(scope, some));
  return new Map(rows.map((row) => [row.id, belongingOf(row)]));
}

const belongingOf = ({ id, parent_id: parentId, parent_seq: seq }: BelongingRow): Belonging => ({
  id,
  parentId,
  parentSeq: seq === null ? null : Number(seq),
});

async function writeAttributes(tx: SqlConnection, scope: Scope, runs: readonly NewRun[]): Promise<void> {
  const set = attributesOf(runs);
  if (set.length > 0) await inParts(tx, set, (some) => notes.upsertAttributes(scope, some));
}

const byId = (a: NewRun, b: NewRun): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Runs of one queue and one priority, whose turns lie in `[first, end)`. */
export interface KeyTurns {
  nth: number;
  namespace: string;
  workflow: string;
  version: number;
  limiter: string;
  first: number;
  end: number;
}

const COLUMNS = {
  nth: 'int',
  namespace: 'key',
  workflow: 'key',
  version: 'int',
  limiter: 'key',
  first: 'int',
  end: 'int',
} as const satisfies Record<keyof KeyTurns, JsonColumn>;

/**
 * The state of each queue: its last waiting turn, and the next turn of the whole workflow. Two index reads per queue.
 * Nothing is locked, so two concurrent callers may get the same turn.
 */
export const selectLastTurns = (scope: Scope, keys: readonly KeyTurns[]): Statement => {
  const { tables, dialect } = scope;
  const probes = (of: (name: keyof KeyTurns) => Statement) => sql`
    (SELECT o.turn FROM ${tables.runs} AS o WHERE o.limiter = ${of('limiter')} AND o.turn >= ${of('first')} AND o.turn < ${of('end')}
      ORDER BY o.turn DESC LIMIT 1) AS last_turn,
    (SELECT h.turn FROM ${tables.runs} AS h
      WHERE h.namespace = ${of('namespace')} AND h.workflow = ${of('workflow')} AND h.version = ${of('version')}
        AND h.turn >= ${of('first')} AND h.turn < ${of('end')}
      ORDER BY h.turn LIMIT 1) AS head_turn`;
  return byFamily(dialect, {
    postgres: () => sql`SELECT t.nth, ${probes((name) => sql`t.${id(name)}`)}
  FROM ${dialect.rows(keys, COLUMNS)} AS t CROSS JOIN ${planned}`,
    mysql: () =>
      join(
        keys.map((key) => sql`SELECT ${key.nth} AS nth, ${probes((name) => sql`${key[name]}`)}`),
        ' UNION ALL ',
      ),
  });
};

interface LastTurnsRow {
  nth: number | string;
  last_turn: number | string | null;
  head_turn: number | string | null;
}

/** How many queues one statement reads. */
const CHUNK = 100;

/**
 * Assigns turns to the runs that need one: after all runs of their key, and after the next turn of the workflow, so
 * that keys alternate no matter how many runs of one key wait.
 */
export async function withTurns(
  db: SqlConnection,
  scope: Scope,
  runs: readonly NewRun[],
): Promise<readonly RunWithTurn[]> {
  if (!runs.some(needsTurn)) return runs;
  const keys = new Map<string, KeyTurns>();
  for (const run of runs.filter(needsTurn)) if (!keys.has(keyOf(run))) keys.set(keyOf(run), keyTurnsOf(run, keys.size));
  const asked = [...keys.values()];
  const next = new Map<number, number>();
  for (let from = 0; from < asked.length; from += CHUNK) {
    const { rows } = await db.run<LastTurnsRow>(selectLastTurns(scope, asked.slice(from, from + CHUNK)));
    for (const { nth, last_turn, head_turn } of rows) {
      const { first } = asked[Number(nth)]!;
      next.set(Number(nth), Math.max(Number(last_turn ?? first), Number(head_turn ?? first)) + 1);
    }
  }
  return runs.map((run) => {
    if (!needsTurn(run)) return run;
    const { nth, first } = keys.get(keyOf(run))!;
    const turn = next.get(nth) ?? first + 1;
    next.set(nth, turn + 1);
    return { ...run, turn };
  });
}

const keyOf = ({ limiter, priority, version }: NewRun): string => `${priority}/${version}/${limiter?.limiter}`;

const keyTurnsOf = ({ namespace, workflow, version, limiter, priority }: NewRun, nth: number): KeyTurns => ({
  nth,
  namespace,
  workflow,
  version,
  limiter: limiter!.limiter,
  first: firstTurn(priority),
  end: endOfTurns(priority),
});

interface ForkableRow {
  seq: number | string;
  kind: StepKind;
  name: string;
  settled: number | string | null;
  output: string | null;
}

/** New lives and forks of runs, in tables. */
export class SqlRunLives extends NotifyingAdapter implements RunLives {
  restart(request: RestartRun, givingUp: GivingUp, tx?: Transaction): ReturnType<RunLives['restart']> {
    return inTransaction(this.db, tx, (own) => this.restartIn(own, request, givingUp));
  }

  fork(request: ForkRun, tx?: Transaction): Promise<ForkOutcome> {
    return inTransaction(this.db, tx, (own) => this.forkIn(own, request));
  }

  private async restartIn(
    tx: SqlTransaction,
    request: RestartRun,
    givingUp: GivingUp,
  ): ReturnType<RunLives['restart']> {
    const { scope } = this;
    const ids = [request.id];
    const [old] = (await tx.run<OldRow>(lockOld(scope, ids))).rows;
    if (!old) return 'missing';
    if (old.erased_at !== null) return 'erased';
    if (!isFinal(old.status)) return old.status;
    const [last] = (await tx.run<LastRow>(selectLast(scope, ids))).rows;
    const stepIds = await removal.leaveOthers(tx, scope, ids);
    for (const statement of removal.deleteLives(scope, ids)) await tx.run(statement);
    const first = nextLife({ status: old.status, firstSeq: Number(old.first_seq) }, Number(last?.seq ?? -1));
    await tx.run(rebegin(scope, request, first));
    if (stepIds.length > 0) await givingUp({ ...NO_ENDINGS, withdrawn: stepIds }, tx);
    await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return 'restarted';
  }

  private async isThere(tx: SqlTransaction, { source, from, id }: ForkRun): Promise<'repeated' | 'taken'> {
    type Row = { forked_from: string | null; forked_seq: number | string | null };
    const { rows } = await tx.run<Row>(selectFork(this.scope, id));
    const isSame = rows.some((row) => row.forked_from === source && Number(row.forked_seq) === from);
    return isSame ? 'repeated' : 'taken';
  }

  /** Locks the source, so that its history does not change meanwhile. */
  private async forkIn(tx: SqlTransaction, request: ForkRun): Promise<ForkOutcome> {
    const { scope } = this;
    const [source] = (await tx.run<OldRow>(lockOld(scope, [request.source]))).rows;
    if (!source) return 'missing';
    if (source.erased_at !== null) return 'erased';
    const marks = await tx.run(selectMark(scope, request.source));
    if (marks.rows.length > 0) return { why: 'erasing' };
    const { rows } = await tx.run<ForkableRow>(selectForkable(scope, request.source));
    const steps = rows.map((row) => ({
      ...row,
      seq: Number(row.seq),
      settled: row.settled === null ? null : Number(row.settled),
    }));
    const refusal = forkRefusal(steps, { from: request.from, firstSeq: Number(source.first_seq) });
    if (refusal) return refusal;
    const { affected } = await tx.run(insertFork(scope, request));
    if (affected === 0) return this.isThere(tx, request);
    await tx.run(copySteps(scope, request));
    for (const statement of copyNotes(scope, request)) await tx.run(statement);
    await tx.run(countSettled(scope, [request.id]));
    await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return 'forked';
  }
}

/** All positions of a run, as far as a fork needs them; the newest rows, also in the app's transaction. */
export const selectForkable = ({ tables, dialect }: Scope, runId: string): Statement => sql`
  SELECT seq, kind, name, settled, CASE WHEN kind = 'signal' AND settled IS NULL THEN output END AS output
  FROM ${tables.steps} ${dialect.forceIndex()} WHERE run_id = ${runId} ${dialect.newest}`;

/** Whether the run, or what one of its steps holds, waits for its erasure. */
export const selectMark = ({ tables, dialect }: Scope, runId: string): Statement =>
  sql`SELECT 1 AS found FROM ${tables.erasures} WHERE run_id = ${runId} LIMIT 1 ${dialect.newest}`;

/** A new life in the row of an ended run. */
export const rebegin = (scope: Scope, { id, input, version, context }: RestartRun, firstSeq: number): Statement => {
  const now = nowOf(scope);
  return sql`
  UPDATE ${scope.tables.runs}
  SET status = 'pending', input = COALESCE(${input ?? null}, input), version = COALESCE(${version ?? null}, version),
    context = COALESCE(${context ?? null}, context),
    epoch = epoch + 1, first_seq = ${firstSeq}, created_at = ${now}, continued_at = ${now} + 1, wake_at = ${now},
    deadline = ${now} + timeout_ms, started_at = NULL, finished_at = NULL, output = NULL, error = NULL, closing = NULL,
    reason = NULL, reason_detail = NULL, resume = NULL, custom_status = NULL, owner = NULL, turn = NULL,
    forked_from = NULL, forked_seq = NULL, settled = 0, crashes = 0, crashed = NULL, unwinds = 0, blockers = 0,
    precondition = CASE WHEN limiter IS NULL THEN NULL ELSE 'limiter' END
  WHERE id = ${id}`;
};

/** The row of a fork; an existing run with its id is kept. Not at its first epoch, since it has a history to read. */
export const insertFork = (scope: Scope, { source, from, id, input, context }: ForkRun): Statement => {
  const now = nowOf(scope);
  const copied = raw('namespace, workflow, version, priority, limiter, limits, timeout_ms, first_seq, targets');
  return scope.dialect.insertOrKeep(
    sql`
  INSERT INTO ${scope.tables.runs} (id, ${copied}, context, input, status, epoch, settled, crashes, wake_at, deadline, created_at,
    notifies, precondition, forked_from, forked_seq)
  SELECT ${id}, ${copied}, COALESCE(${context ?? null}, o.context), COALESCE(${input ?? null}, o.input), 'pending', 1, 0, 0, ${now}, ${now} + o.timeout_ms, ${now},
    CASE WHEN o.limiter IS NULL THEN 0 ELSE ${raw(String(NOTIFIES.limiter))} END,
    CASE WHEN o.limiter IS NULL THEN NULL ELSE 'limiter' END, ${source}, ${raw(String(from))}
  FROM ${scope.tables.runs} AS o WHERE o.id = ${source}`,
    identifier('id'),
  );
};

/** Which fork an existing run is; the newest row, since it may have been created a moment ago. */
export const selectFork = ({ tables, dialect }: Scope, id: string): Statement =>
  sql`SELECT forked_from, forked_seq FROM ${tables.runs} WHERE id = ${id} ${dialect.newest}`;

/** The shared positions. Open waits are left out: the code of the fork asks for them. */
export const copySteps = ({ tables }: Scope, { source, from, id }: ForkRun): Statement => sql`
  INSERT INTO ${tables.steps} (run_id, ${STEP_FIELDS})
  SELECT ${id}, ${STEP_FIELDS} FROM ${tables.steps} AS s
  WHERE s.run_id = ${source} AND s.seq >= 0 AND s.seq < ${from} AND NOT (s.kind = 'signal' AND s.settled IS NULL)`;

export const copyNotes = ({ tables }: Scope, { source, from, id }: ForkRun): Statement[] => [
  sql`INSERT INTO ${tables.attempts} (run_id, ${ATTEMPT_FIELDS})
  SELECT ${id}, ${ATTEMPT_FIELDS} FROM ${tables.attempts} AS a
  WHERE a.run_id = ${source} AND a.seq >= 0 AND a.seq < ${from}`,
  sql`INSERT INTO ${tables.attributes} (run_id, name, namespace, type, text_value, number_value)
  SELECT ${id}, name, namespace, type, text_value, number_value FROM ${tables.attributes} AS a WHERE a.run_id = ${source}`,
];

/** The client's access to runs, in tables. */
export class SqlRunCatalog extends NotifyingAdapter implements RunCatalog {
  private readonly starter = new SqlRunStarter(this.db, this.scope, () => this.notifier.statement('runs', '{}'));

  async create(asked: readonly NewRun[], tx?: Transaction): Promise<Creation[]> {
    const creations = await this.starter.create(asked, tx && sqlTransaction(tx));
    if (creations.some(({ created }) => created)) afterCommit(tx, () => this.hint('runs', tx !== undefined));
    return creations;
  }

  async find(ids: readonly string[], tx?: Transaction): Promise<RunRecord[]> {
    if (ids.length === 0) return [];
    return (await connectionOf(this.db, tx).run<notes.RunRow>(notes.selectRuns(this.scope, ids))).rows.map(notes.runOf);
  }

  async contexts(ids: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, string>> {
    const select = notes.selectContexts(this.scope, ids);
    const { rows } = await connectionOf(this.db, tx).run<{ id: string; context: string }>(select);
    return new Map(rows.map(({ id, context }) => [id, context]));
  }

  async targets(runId: string): Promise<readonly string[]> {
    const { rows } = await this.db.run<{ targets: string | null }>(
      notes.selectRuns(this.scope, [runId], raw('targets')),
    );
    return JSON.parse(rows[0]?.targets ?? '[]') as string[];
  }

  async steps(runId: string): Promise<StepRecord[]> {
    return (await this.db.run<notes.StepRow>(notes.selectWholeHistory(this.scope, runId))).rows.map(notes.stepOf);
  }

  async step(runId: string, seq: number, tx?: Transaction): Promise<StepRecord | undefined> {
    const { rows } = await connectionOf(this.db, tx).run<notes.StepRow>(notes.selectStep(this.scope, runId, seq));
    return rows.map(notes.stepOf)[0];
  }

  list(query: ListRuns): Promise<ListedRuns> {
    return new SqlRunListing(this.db, this.scope).list(query);
  }

  onFinished(listener: (ids?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('done', (payload) => listener(textsIn(payload)));
  }
}
