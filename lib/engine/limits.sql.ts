import type { StepTask } from '../core/protocol.js';
import { amongKeys, byFamily, deleteByKeys, orderKey, planned } from '../sql/dialects.js';
import type { SqlConnection, SqlTransaction } from '../sql/executor.js';
import { NotifyingAdapter, tellWithCommit, textsIn } from '../sql/notifier.js';
import { id, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { inParts, nowOf, type Scope } from '../sql/tables.js';
import { SqlRunDependencies } from './endings.sql.js';
import {
  type Admissions,
  type Dispatching,
  firstOpening,
  type Granted,
  isLimited,
  keepsPermit,
  type Passing,
  passing,
  type Queued,
  readGrants,
  readLimitRequest,
} from './limits.js';
import { type ClaimedRun, firstClaim, type LimitRequest, NOTIFIES } from './run.js';
import type { QueuedTask } from './runs.js';
import type { ExtrasWriter } from './tables.sql.js';

interface ConditionalRun {
  id: string;
  limiter: string;
  limitRequest: LimitRequest;
  turn: number;
  queuedAt: number;
}

/** Preconditions in tables: other runs to wait for, and limiters with limits. */
export class SqlAdmissions extends NotifyingAdapter implements Admissions {
  private readonly dependencies = new SqlRunDependencies(this.db, this.scope);

  async admit(runs: readonly ClaimedRun[]): ReturnType<Admissions['admit']> {
    const waiting = runs.filter(({ precondition }) => precondition === 'after');
    const past = waiting.length > 0 ? await this.dependencies.admit(waiting) : [];
    const limited = [...runs, ...past].filter(({ precondition }) => precondition === 'limiter');
    const letIn = past.filter(({ precondition }) => precondition === null);
    if (limited.length === 0) return { admitted: letIn, runs: false, opensAt: null };
    const { admitted, ...granted } = await this.admitLimited(limited);
    return { admitted: [...letIn, ...admitted], ...granted };
  }

  /** Returns which of the claimed runs that wait at a limiter are admitted, and the changes of their queues. */
  private async admitLimited(runs: readonly ClaimedRun[]): Promise<Granted & { admitted: ClaimedRun[] }> {
    const { admitted, given } = await this.db.transaction((tx) => this.admitIn(tx, runs));
    const woken = given.runs.some((id) => !admitted.has(id));
    return {
      admitted: runs.filter(({ id }) => admitted.has(id)),
      runs: woken,
      opensAt: firstOpening(given.closed.values()),
    };
  }

  async grant(limiters: readonly string[], dispatching: Dispatching): Promise<Granted> {
    if (limiters.length === 0) return { runs: false, opensAt: null };
    const given = await this.db.transaction((tx) => this.grantIn(tx, limiters, dispatching));
    return { runs: given.runs.length > 0, opensAt: firstOpening(given.closed.values()) };
  }

  async waiting(afterLimiter: string, limit: number): ReturnType<Admissions['waiting']> {
    const { db, scope } = this;
    const { rows: peopled } = await db.run<{ limiter: string }>(selectPeopled(scope, afterLimiter, limit));
    if (peopled.length === 0) return { limiters: [], opensAt: null, next: undefined };
    const keys = peopled.map(({ limiter }) => limiter);
    const { rows } = await db.run<LimiterRow>(selectLimiters(scope, keys));
    const known = new Map(rows.map((row) => [row.limiter, row]));
    const all = keys.map((limiter) => known.get(limiter) ?? { limiter, grants: null, open_at: null });
    const { queues, now } = await queuesOf(db, scope, all, 1);
    const looked = queues.map((queue) => ({ queue, ...passing(stateOf(queue), queue.waiting, now) }));
    return {
      limiters: looked.filter(({ pass }) => pass.length > 0).map(({ queue }) => queue.limiter),
      opensAt: firstOpening(looked),
      next: keys.length < limit ? undefined : keys.at(-1),
    };
  }

  async queued(stepIds: readonly string[]): Promise<string[]> {
    if (stepIds.length === 0) return [];
    const { rows } = await this.db.run<{ holder: string; granted: number | string }>(
      selectEntries(this.scope, stepIds),
    );
    return rows.filter(({ granted }) => Number(granted) === 0).map(({ holder }) => holder);
  }

  onFreed(listener: (limiters: readonly string[]) => void): () => void {
    return this.notifier.subscribe('limiters', (payload) => listener(textsIn(payload) ?? []));
  }

  private async admitIn(
    tx: SqlTransaction,
    runs: readonly ClaimedRun[],
  ): Promise<{ admitted: Set<string>; given: Given }> {
    const { scope } = this;
    const epochs = new Map(runs.map(({ id, epoch }) => [id, epoch]));
    const { rows } = await tx.run<ConditionalRow>(lockConditional(scope, [...epochs.keys()]));
    const held = rows.filter(({ id, epoch }) => epochs.get(id) === Number(epoch));
    const conditional = held.flatMap(conditionalRun);
    // Runs that have got a permit meanwhile, or have no limit, pass.
    const free = held.filter(({ id }) => !conditional.some((run) => run.id === id)).map(({ id }) => id);
    const given: Given = conditional.length > 0 ? await this.queue(tx, conditional) : { runs: [], closed: new Map() };
    const passed = new Set(given.runs);
    const admitted = [...free, ...conditional.flatMap(({ id }) => (passed.has(id) ? id : []))];
    if (admitted.length > 0) await tx.run(startRuns(scope, admitted, firstClaim(runs)));
    await this.park(
      tx,
      conditional.filter(({ id }) => !passed.has(id)),
      given,
    );
    if (given.runs.some((id) => !epochs.has(id))) await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return { admitted: new Set(admitted), given };
  }

  private async queue(tx: SqlTransaction, conditional: readonly ConditionalRun[]): Promise<Given> {
    const { scope } = this;
    const limitRequests = new Map(
      conditional.map(({ limiter, limitRequest }) => [limiter, JSON.stringify(limitRequest)]),
    );
    const keys = [...limitRequests.keys()];
    await tx.run(
      insertLimiters(
        scope,
        conditional.map(({ limitRequest }) => limitRequest),
      ),
    );
    const limiters = await lockLimiters(tx, scope, keys, async (missing) =>
      missing.map((limiter) => limitRequests.get(limiter)!),
    );
    await tx.run(
      insertRunEntries(
        scope,
        conditional.map((run) => ({ ...run, limitRequest: JSON.stringify(run.limitRequest) })),
      ),
    );
    return new PermitGiver(tx, scope, noSteps).give(limiters);
  }

  private async park(tx: SqlConnection, runs: readonly ConditionalRun[], { closed }: Given): Promise<void> {
    for (const reason of ['concurrency_limit', 'rate_limit'] as const) {
      const of = runs.filter(({ limiter }) => (closed.get(limiter)?.reason ?? 'concurrency_limit') === reason);
      if (of.length === 0) continue;
      const ids = of.map(({ id }) => id);
      await tx.run(parkRuns(this.scope, ids, reason));
    }
  }

  private async grantIn(tx: SqlTransaction, limiters: readonly string[], dispatching: Dispatching): Promise<Given> {
    const { scope } = this;
    const rows = await lockLimiters(tx, scope, limiters, async (missing) => {
      const { rows: entries } = await tx.run<WaitingRow>(selectWaiting(scope, missing, 1));
      return entries.map(({ limits }) => limits);
    });
    if (rows.length === 0) return { runs: [], closed: new Map() };
    const giver = new PermitGiver(tx, scope, dispatching);
    const given = await giver.give(rows);
    if (giver.idle.length > 0) await tx.run(deleteLimiters(scope, giver.idle));
    if (given.runs.length > 0) await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return given;
  }
}

/** Limiters of workflows contain only runs. */
const noSteps: Dispatching = async () => undefined;

/** The run as an entry of its limiter; none if it has no limit, or is overdue and is admitted only to time out. */
function conditionalRun({ id, precondition, limits, priority, created_at, overdue }: ConditionalRow): ConditionalRun[] {
  const limitRequest =
    precondition === 'limiter' && limits !== null && Number(overdue) !== 1 ? readLimitRequest(limits) : undefined;
  if (!limitRequest || !isLimited(limitRequest.limits)) return [];
  return [{ id, limiter: limitRequest.limiter, limitRequest, turn: -Number(priority), queuedAt: Number(created_at) }];
}

interface Waiting extends Queued {
  limiter: string;
  runId: string;
}

export interface LimiterRow {
  limiter: string;
  grants: string | null;
  open_at: number | string | null;
}

export interface Queue {
  limiter: string;
  row: LimiterRow;
  granted: number;
  waiting: Waiting[];
}

export interface Given {
  /** Runs whose turn has come. */
  runs: string[];
  /** By limiter: why the next entry of its queue does not pass. */
  closed: Map<string, Pick<Passing<never>, 'reason' | 'opensAt'>>;
}

/** How many entries of each queue are read at once. */
const PAGE = 100;

/** Grants free permits of locked limiters, in the caller's transaction, which holds the locks until its end. */
export class PermitGiver {
  private readonly given: Given = { runs: [], closed: new Map() };
  /** Limiters without entries and without grants to remember. */
  readonly idle: string[] = [];

  constructor(
    private readonly tx: SqlTransaction,
    private readonly scope: Scope,
    private readonly dispatching: Dispatching,
  ) {}

  async give(rows: readonly LimiterRow[]): Promise<Given> {
    let open = [...rows];
    while (open.length > 0) open = await this.giveSome(open);
    return this.given;
  }

  /** Returns the limiters whose queue may have more to pass. */
  private async giveSome(rows: readonly LimiterRow[]): Promise<LimiterRow[]> {
    const { queues, now } = await queuesOf(this.tx, this.scope, rows, PAGE);
    const decided = queues.map((queue) => ({ ...queue, ...passing(stateOf(queue), queue.waiting, now) }));
    const passed = await this.pass(decided.flatMap(({ pass }) => pass));
    const more: LimiterRow[] = [];
    const changed: Parameters<typeof updateLimiters>[1][number][] = [];
    for (const { limiter, row, waiting, pass, granted, reason, opensAt, ...queue } of decided) {
      this.given.closed.set(limiter, { reason, opensAt });
      // An entry that could not be locked stays first: the process that has locked it checks the limiter afterwards.
      const given = pass.filter(({ holder }) => passed.has(holder));
      const all = given.length === pass.length;
      const { grants } = all ? queue : passing({ granted, grants: readGrants(row.grants) }, given, now);
      if (waiting.length + granted + grants.length === 0) this.idle.push(limiter);
      const text = grants.length > 0 ? JSON.stringify(grants) : null;
      if (text !== row.grants || opensAt !== (row.open_at === null ? null : Number(row.open_at)))
        changed.push({ limiter, grants: text, open_at: opensAt });
      if (all && reason === null && waiting.length === PAGE) more.push({ limiter, grants: text, open_at: opensAt });
    }
    if (changed.length > 0) await this.tx.run(updateLimiters(this.scope, changed));
    return more;
  }

  /** Returns the holders that have their permit now: all that could be locked. */
  private async pass(entries: readonly Waiting[]): Promise<Set<string>> {
    if (entries.length === 0) return new Set();
    const { tx, scope } = this;
    const byHolder = new Map(entries.map((entry) => [entry.holder, entry]));
    const { rows } = await tx.run<{ holder: string; run_id: string; task: string | null }>(
      lockEntries(scope, [...byHolder.keys()]),
    );
    const runs = await this.lockRuns(rows.filter(isRun).map(({ holder }) => holder));
    const tasks = rows.filter((row) => !isRun(row) && row.task !== null);
    const passed = [...runs, ...tasks.map(({ holder }) => holder)];
    const keeping = passed.filter((holder) => keepsPermit(byHolder.get(holder)!.limits));
    const leaving = passed.filter((holder) => !keepsPermit(byHolder.get(holder)!.limits));
    if (runs.length > 0) await tx.run(passRuns(scope, runs));
    if (keeping.length > 0) await tx.run(markGranted(scope, keeping));
    if (leaving.length > 0) await tx.run(deleteEntries(scope, leaving));
    if (tasks.length > 0)
      await this.dispatching(
        tasks.map(({ task }) => JSON.parse(task!) as StepTask),
        tx,
      );
    this.given.runs.push(...runs);
    return new Set(passed);
  }

  private async lockRuns(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.tx.run<{ id: string }>(lockWaitingRuns(this.scope, ids));
    return rows.map(({ id }) => id);
  }
}

const isRun = ({ holder, run_id }: { holder: string; run_id: string }): boolean => holder === run_id;

export const stateOf = ({ granted, row }: Queue) => ({ granted, grants: readGrants(row.grants) });

/** The states of limiters, with the first entries of their queues. `now` is read after they were locked. */
export async function queuesOf(
  db: SqlConnection,
  scope: Scope,
  rows: readonly LimiterRow[],
  page: number,
): Promise<{ queues: Queue[]; now: number }> {
  const keys = rows.map(({ limiter }) => limiter);
  const counted = await db.run<{ limiter: string; granted: number | string }>(countGranted(scope, keys));
  const granted = new Map(counted.rows.map((row) => [row.limiter, Number(row.granted)]));
  const found = await db.run<WaitingRow>(selectWaiting(scope, keys, page));
  const queues = new Map<string, Queue>(
    rows.map((row) => [
      row.limiter,
      { limiter: row.limiter, row, granted: granted.get(row.limiter) ?? 0, waiting: [] },
    ]),
  );
  for (const { limiter, holder, run_id: runId, limits } of found.rows)
    queues.get(limiter)?.waiting.push({ limiter, holder, runId, limits: readLimitRequest(limits).limits });
  return { queues: [...queues.values()], now: Number(found.rows[0]?.at ?? 0) };
}

/** Locks limiters in the order of their keys; missing ones are inserted first. */
export async function lockLimiters(
  tx: SqlConnection,
  scope: Scope,
  keys: readonly string[],
  requestsOf: (missing: readonly string[]) => Promise<string[]>,
): Promise<LimiterRow[]> {
  for (let tries = 0; ; tries++) {
    const { rows } = await tx.run<LimiterRow>(lockLimiterRows(scope, keys));
    const there = new Set(rows.map(({ limiter }) => limiter));
    const missing = keys.filter((limiter) => !there.has(limiter));
    // After a lock of only some of them, the next round takes its locks out of order.
    if (missing.length === 0 || tries === 3) return rows;
    const limitRequests = await requestsOf(missing);
    if (limitRequests.length === 0) return rows;
    await tx.run(insertLimiters(scope, limitRequests.map(readLimitRequest)));
  }
}

/** Writes steps that leave their limiter, or begin to wait. Locks no limiter: permits are granted after the commit. */
export const writeLimiterMoves: ExtrasWriter = async (tx, scope, writes) => {
  const leaves = writes.flatMap(({ extras }) => extras?.leaves ?? []);
  const queues = writes.flatMap(({ extras }) => extras?.queues ?? []);
  if (leaves.length > 0) {
    const holders = leaves.map(({ holder }) => holder);
    await inParts(tx, holders, (some) => deleteEntries(scope, some));
  }
  if (queues.length === 0) return;
  await inParts(tx, queues, (some) => upsertStepEntries(scope, some));
  // So that the end of the run removes its remaining entries from the queue.
  await tx.run(notifyLimiters(scope, [...new Set(queues.map(({ task }) => task.runId))]));
};

/** Releases the permits of steps that were answered or given up. Returns their limiters. */
export async function leaveLimiters(tx: SqlConnection, scope: Scope, holders: readonly string[]): Promise<string[]> {
  if (holders.length === 0) return [];
  const { rows } = await tx.run<{ limiter: string }>(selectEntries(scope, holders));
  if (rows.length > 0) await tx.run(deleteEntries(scope, holders));
  return [...new Set(rows.map(({ limiter }) => limiter))];
}

/*
 * Limiters and their entries. The order of locks: runs by id, limiters by key, then entries and runs of others. The
 * latter two are locked with SKIP LOCKED, so a grant never waits for a holder.
 */

export interface ConditionalRow {
  id: string;
  epoch: number | string;
  precondition: string | null;
  limits: string | null;
  priority: number | string;
  created_at: number | string;
  overdue: number | string | null;
}

export interface WaitingRow {
  limiter: string;
  holder: string;
  run_id: string;
  limits: string;
  at: number | string;
}

/** Locks claimed runs for their admission. */
export const lockConditional = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, epoch, precondition, limits, priority, created_at, CASE WHEN deadline <= ${nowOf(scope)} THEN 1 ELSE 0 END AS overdue
  FROM ${scope.tables.runs} ${scope.dialect.forceIndex()} WHERE id ${amongKeys(scope.dialect, ids)} AND owner IS NOT NULL ORDER BY id FOR UPDATE`;

export const insertLimiters = ({ tables, dialect }: Scope, limitRequests: readonly LimitRequest[]): Statement => {
  const rows = [...new Map(limitRequests.map((limitRequest) => [limitRequest.limiter, limitRequest])).values()]
    .sort((a, b) => (a.limiter < b.limiter ? -1 : 1))
    .map(({ limiter, namespace, name, key }) => ({ limiter, namespace, name, limiter_key: key }));
  const columns = { limiter: 'key', namespace: 'key', name: 'key', limiter_key: 'key' } as const;
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.limiters} (limiter, namespace, name, limiter_key)
  SELECT n.limiter, n.namespace, n.name, n.limiter_key FROM ${dialect.rows(rows, columns)} AS n`,
    id('limiter'),
  );
};

export const lockLimiterRows = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement =>
  sql`SELECT limiter, grants, open_at FROM ${tables.limiters} ${dialect.forceIndex()} WHERE limiter ${amongKeys(dialect, limiters)} ORDER BY limiter FOR UPDATE`;

/** The same without locks. */
export const selectLimiters = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement =>
  sql`SELECT limiter, grants, open_at FROM ${tables.limiters} WHERE limiter ${amongKeys(dialect, limiters)}`;

export const countGranted = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement => sql`
  SELECT limiter, count(*) AS granted FROM ${tables.limiterEntries}
  WHERE limiter ${amongKeys(dialect, limiters)} AND granted = 1 GROUP BY limiter`;

/** The first entries of each queue; each queue is one range read in index order. */
export const selectWaiting = (scope: Scope, limiters: readonly string[], page: number): Statement => {
  const { tables, dialect } = scope;
  const columns = sql`e.limiter, e.holder, e.run_id, e.limits, ${nowOf(scope)} AS at`;
  const first = (limiter: Statement) => sql`SELECT ${columns} FROM ${tables.limiterEntries} AS e
    WHERE e.limiter = ${limiter} AND e.granted = 0 ORDER BY e.turn, e.queued_at, ${raw(orderKey(dialect, 'e.holder'))} LIMIT ${int(page)}`;
  const listed = () =>
    dialect.rows(
      limiters.map((limiter) => ({ limiter })),
      { limiter: 'key' },
    );
  return byFamily(dialect, {
    postgres: () =>
      sql`SELECT o.* FROM ${listed()} AS l CROSS JOIN ${planned} CROSS JOIN LATERAL (${first(raw('l.limiter'))}) AS o`,
    mysql: () =>
      join(
        limiters.map((limiter) => sql`(${first(sql`${limiter}`)})`),
        ' UNION ALL ',
      ),
  });
};

/** Adds runs to their queues; an existing entry keeps its permit. */
export const insertRunEntries = (
  { tables, dialect }: Scope,
  runs: readonly { id: string; limiter: string; limitRequest: string; turn: number; queuedAt: number }[],
): Statement => {
  const rows = runs.map(({ id: holder, limiter, limitRequest, turn, queuedAt }) => ({
    holder,
    limiter,
    limits: limitRequest,
    turn,
    queued_at: queuedAt,
  }));
  const columns = { holder: 'key', limiter: 'key', limits: 'text', turn: 'int', queued_at: 'int' } as const;
  return dialect.insertOrKeep(
    sql`
  INSERT INTO ${tables.limiterEntries} (holder, limiter, run_id, granted, turn, queued_at, limits)
  SELECT n.holder, n.limiter, n.holder, 0, n.turn, n.queued_at, n.limits
  FROM ${dialect.rows(rows, columns)} AS n`,
    id('holder'),
  );
};

/** Adds steps with their tasks. A step whose task was lost releases its permit, and keeps its place in the queue. */
export const upsertStepEntries = (scope: Scope, queues: readonly QueuedTask[]): Statement => {
  const { tables, dialect } = scope;
  const rows = queues
    .map(({ task, limitRequest, priority }) => ({
      holder: task.stepId,
      limiter: limitRequest.limiter,
      run_id: task.runId,
      turn: -priority,
      limits: JSON.stringify(limitRequest),
      task: JSON.stringify(task),
    }))
    .sort((a, b) => (a.holder < b.holder ? -1 : 1));
  const columns = { holder: 'key', limiter: 'key', run_id: 'key', turn: 'int', limits: 'text', task: 'text' } as const;
  const again = dialect.onConflictUpdate([id('holder')], (incoming) =>
    join([
      sql`granted = 0`,
      ...['limiter', 'limits', 'task'].map((column) => sql`${id(column)} = ${incoming(column)}`),
    ]),
  );
  return sql`
  INSERT INTO ${tables.limiterEntries} (holder, limiter, run_id, granted, turn, queued_at, limits, task)
  SELECT n.holder, n.limiter, n.run_id, 0, n.turn, ${nowOf(scope)}, n.limits, n.task
  FROM ${dialect.rows(rows, columns)} AS n ${again}`;
};

export const deleteEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.limiterEntries, 'holder', holders);

/** With `run_id`, so that the index of the queues does not have all that is asked: see {@link orderKey}. */
export const selectEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`SELECT holder, limiter, granted, run_id FROM ${tables.limiterEntries} WHERE holder ${amongKeys(dialect, holders)}`;

/** Locks waiting entries that still exist; skips those that are locked, for example because they are being removed. */
export const lockEntries = ({ tables, dialect }: Scope, holders: readonly string[]): Statement => sql`
  SELECT holder, run_id, task FROM ${tables.limiterEntries} ${dialect.forceIndex()}
  WHERE holder ${amongKeys(dialect, holders)} AND granted = 0 ORDER BY holder FOR UPDATE SKIP LOCKED`;

/** Locks runs that wait at their limiter; skips runs that are locked. */
export const lockWaitingRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, owner FROM ${tables.runs} ${dialect.forceIndex()}
  WHERE id ${amongKeys(dialect, ids)} AND precondition = 'limiter' AND status = 'pending' ORDER BY id FOR UPDATE SKIP LOCKED`;

export const markGranted = ({ tables, dialect }: Scope, holders: readonly string[]): Statement =>
  sql`UPDATE ${tables.limiterEntries} ${dialect.forceIndex()} SET granted = 1, task = NULL WHERE holder ${amongKeys(dialect, holders)}`;

/** Clears the precondition. If a run has an owner, the owner is admitting it now and reads the result. */
export const passRuns = (scope: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${scope.tables.runs} ${scope.dialect.forceIndex()} SET precondition = NULL, reason = NULL, wake_at = CASE WHEN owner IS NULL THEN ${nowOf(scope)} END
  WHERE id ${amongKeys(scope.dialect, ids)}`;

/** `at`: when they were claimed. The process that plays them knows this time, so that what they record is later. */
export const startRuns = (scope: Scope, ids: readonly string[], at: number): Statement => sql`
  UPDATE ${scope.tables.runs} ${scope.dialect.forceIndex()}
  SET precondition = NULL, reason = NULL, started_at = COALESCE(started_at, GREATEST(created_at, ${at})),
    status = CASE WHEN closing IS NULL THEN 'running' ELSE status END
  WHERE id ${amongKeys(scope.dialect, ids)}`;

export const parkRuns = ({ tables, dialect }: Scope, ids: readonly string[], reason: string): Statement => sql`
  UPDATE ${tables.runs} ${dialect.forceIndex()} SET owner = NULL, status = 'pending', reason = ${reason}, wake_at = deadline
  WHERE id ${amongKeys(dialect, ids)}`;

export const updateLimiters = (
  { tables, dialect }: Scope,
  limiters: readonly { limiter: string; grants: string | null; open_at: number | null }[],
): Statement =>
  dialect.updateFrom({
    table: tables.limiters,
    as: 'l',
    from: sql`${dialect.rows(limiters, { limiter: 'key', grants: 'text', open_at: 'int' })} AS n`,
    on: raw('l.limiter = n.limiter'),
    set: { grants: raw('n.grants'), open_at: raw('n.open_at') },
  });

export const deleteLimiters = ({ tables, dialect }: Scope, limiters: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.limiters, 'limiter', limiters);

/** The next limiters with entries, read by index from one limiter to the next. */
export const selectPeopled = ({ tables, dialect }: Scope, after: string, limit: number): Statement => {
  const most = int(limit);
  const entries = tables.limiterEntries;
  return byFamily(dialect, {
    postgres: () => sql`
  WITH RECURSIVE peopled(limiter) AS (
    (SELECT limiter FROM ${entries} WHERE limiter > ${after} ORDER BY limiter LIMIT 1)
    UNION ALL
    SELECT (SELECT e.limiter FROM ${entries} AS e WHERE e.limiter > p.limiter ORDER BY e.limiter LIMIT 1)
    FROM peopled AS p WHERE p.limiter IS NOT NULL
  )
  SELECT limiter FROM peopled WHERE limiter IS NOT NULL LIMIT ${most}`,
    mysql: () => sql`SELECT DISTINCT limiter FROM ${entries} WHERE limiter > ${after} ORDER BY limiter LIMIT ${most}`,
  });
};

/** Marks runs whose end must be reported to limiters. */
export const notifyLimiters = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} ${dialect.forceIndex()} SET notifies = notifies + ${int(NOTIFIES.limiter)}
  WHERE id ${amongKeys(dialect, runIds)} AND notifies < ${int(NOTIFIES.limiter)}`;
