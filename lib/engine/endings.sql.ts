import { compare, type StepAnswer } from '../core/protocol.js';
import { WorkflowTimeoutError } from '../core/run-errors.js';
import { toWireError } from '../core/wire-error.js';
import { amongKeys, deleteByKeys } from '../sql/dialects.js';
import type { SqlConnection } from '../sql/executor.js';
import { indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { inParts, nowOf, type Scope, SqlAdapter } from '../sql/tables.js';
import { answerOfChild, type Dependence, isOver, type Release, releasesOf } from './endings.js';
import {
  BLOCK_REASONS,
  type ClaimedRun,
  FINAL_STATUSES,
  firstClaim,
  isFinal,
  type NewRun,
  NOTIFIES,
  type Precondition,
  type RunStatus,
} from './run.js';
import { type Endings, NO_ENDINGS } from './runs.js';
import { lastOutcomes } from './step.js';
import { STEP_COLUMNS, stepOf, type StepRow, upsertSteps } from './tables.sql.js';

/**
 * For runs closed in this transaction, which has locked them: records existing answers of workers as outcomes of their
 * steps, so that these are compensated, and not asked for again by a `retry`.
 */
export async function settleLastAnswers(
  tx: SqlConnection,
  scope: Scope,
  runIds: readonly string[],
  answers: readonly StepAnswer[] = [],
): Promise<void> {
  const answered = new Set(answers.map(({ runId }) => runId));
  const ids = runIds.filter((id) => answered.has(id));
  if (ids.length === 0) return;
  await tx.run(countSettled(scope, ids));
  type OrderRow = { id: string; settled: number | string };
  const runs = (await tx.run<OrderRow>(selectOrders(scope, ids))).rows;
  const open = (await tx.run<StepRow>(lockOpenRemote(scope, ids))).rows.map(stepOf);
  const order = runs.map(({ id, settled }) => ({ id, settled: Number(settled) }));
  const steps = lastOutcomes(order, open, answers);
  if (steps.length === 0) return;
  await inParts(tx, steps, (some) => upsertSteps(scope, some));
  await tx.run(countSettled(scope, ids));
}

/** A run that has ended in this transaction, and who must be notified. */
export interface EndedRun {
  id: string;
  notifies: number;
}

/**
 * Applies the effects of runs that ended in this transaction, with their rows locked: returns answers to the steps of
 * their parents, releases waiting runs, and frees permits of limiters. `woken`: runs became due.
 */
export async function tellEndings(
  tx: SqlConnection,
  scope: Scope,
  ended: readonly EndedRun[],
): Promise<Endings & { woken: boolean }> {
  const notifying = (whom: number) => ended.filter(({ notifies }) => (notifies & whom) !== 0).map(({ id }) => id);
  const [children, targets, holders] = [
    notifying(NOTIFIES.parent),
    notifying(NOTIFIES.runs),
    notifying(NOTIFIES.limiter),
  ];
  return {
    answers: children.length > 0 ? await answersOf(tx, scope, children) : NO_ENDINGS.answers,
    woken: targets.length > 0 && (await releaseWaiters(tx, scope, targets)),
    limiters: holders.length > 0 ? await leaveLimiters(tx, scope, holders) : NO_ENDINGS.limiters,
  };
}

async function answersOf(tx: SqlConnection, scope: Scope, ids: readonly string[]): Promise<Endings['answers']> {
  const { rows } = await tx.run<EndedChildRow>(selectEndedChildren(scope, ids));
  return rows.map(({ parent_id: parentId, parent_seq, ...child }) =>
    answerOfChild({ ...child, parentId, parentSeq: Number(parent_seq) }),
  );
}

/**
 * Decreases the blockers of parked runs under their locks. The dependencies of a claimed run are kept: after this
 * transaction, its owner reads which runs it still waits for.
 */
async function releaseWaiters(tx: SqlConnection, scope: Scope, targets: readonly string[]): Promise<boolean> {
  const first = (await tx.run<DependencyRow>(selectDependenciesTo(scope, targets))).rows;
  if (first.length === 0) return false;
  const ids = [...new Set(first.map(({ run_id }) => run_id))];
  const { rows: locked } = await tx.run<WaiterRow>(lockWaiters(scope, ids));
  const parked = new Map(locked.filter(isParked).map(({ id, blockers }) => [id, Number(blockers)]));
  const over = new Set(locked.filter(({ status }) => isFinal(status)).map(({ id }) => id));
  // Read again under the locks: now no other transaction can delete these dependencies.
  const { rows: dependencies } = await tx.run<DependencyRow>(selectDependenciesTo(scope, targets));
  const told = dependencies.filter(({ run_id }) => parked.has(run_id));
  const gone = [...told, ...dependencies.filter(({ run_id }) => over.has(run_id))];
  if (gone.length > 0) await tx.run(deleteDependencies(scope, gone));
  if (told.length === 0) return false;
  const { rows } = await tx.run<{ id: string; status: RunStatus }>(selectStatuses(scope, targets));
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const releases = releasesOf(
    told.map(({ run_id: runId, target_id: targetId }) => ({ runId, targetId, status: statuses.get(targetId)! })),
  );
  await tx.run(wakeWaiters(scope, releases));
  const failed = releases.filter(({ error }) => error !== null).map(({ id }) => id);
  if (failed.length > 0) await tx.run(deleteDependenciesOf(scope, failed));
  return releases.some(({ id, met, error }) => error !== null || met >= parked.get(id)!);
}

const isParked = ({ status, reason, owner }: WaiterRow): boolean =>
  status === 'pending' && reason === 'waiting_for_runs' && owner === null;

async function leaveLimiters(tx: SqlConnection, scope: Scope, runIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.run<{ limiter: string }>(selectLimitersOf(scope, runIds));
  if (rows.length === 0) return [];
  await tx.run(deletePermitsOf(scope, runIds));
  return rows.map(({ limiter }) => limiter);
}

export interface EndedChildRow {
  id: string;
  parent_id: string;
  parent_seq: number | string;
  status: RunStatus;
  output: string | null;
  error: string | null;
}

/** Ended runs whose parents have not ended: an answer to an ended parent would never be taken. */
export const selectEndedChildren = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT r.id, r.parent_id, r.parent_seq, r.status, r.output, r.error
  FROM ${tables.runs} AS r JOIN ${tables.runs} AS p ON p.id = r.parent_id
  WHERE r.id ${amongKeys(dialect, ids)} AND p.status NOT IN (${join(FINAL_STATUSES)})`;

export interface DependencyRow {
  target_id: string;
  run_id: string;
}

export const selectDependenciesTo = ({ tables, dialect }: Scope, targetIds: readonly string[]): Statement =>
  sql`SELECT target_id, run_id FROM ${tables.dependencies} WHERE target_id ${amongKeys(dialect, targetIds)}`;

export interface WaiterRow {
  id: string;
  status: RunStatus;
  reason: string | null;
  owner: string | null;
  blockers: number | string;
}

/** Without a condition on their state, so that it waits for a run that is being parked instead of skipping it. */
export const lockWaiters = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, status, reason, owner, blockers FROM ${tables.runs} ${dialect.forceIndex()} WHERE id ${amongKeys(dialect, ids)} ORDER BY id
  ${dialect.forNoKeyUpdate}`;

const DEPENDENCY_COLUMNS = { target_id: 'key', run_id: 'key' } as const;

export const deleteDependencies = ({ tables, dialect }: Scope, dependencies: readonly DependencyRow[]): Statement => {
  const listed = dependencies.map(({ target_id, run_id }) => ({ target_id, run_id }));
  return dialect.deleteFrom({
    table: tables.dependencies,
    as: 'e',
    from: sql`${dialect.rows(listed, DEPENDENCY_COLUMNS)} AS g`,
    on: raw('e.target_id = g.target_id AND e.run_id = g.run_id'),
  });
};

export const deleteDependenciesOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.dependencies, 'run_id', runIds, { index: indexOf(tables.dependencies, 'waiting') });

/**
 * Updates locked runs that wait for fewer runs now. A run that waits for none is due, and its precondition is met; a
 * run that depended on a failed one is due, and fails. `blockers` comes last, since MySQL assigns from left to right.
 */
export const wakeWaiters = (scope: Scope, releases: readonly Release[]): Statement => {
  const { tables, dialect } = scope;
  const free = raw('(w.error IS NOT NULL OR r.blockers <= w.met)');
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(releases, { id: 'key', met: 'int', error: 'text' })} AS w`,
    on: raw('r.id = w.id'),
    set: {
      wake_at: sql`CASE WHEN ${free} THEN ${nowOf(scope)} ELSE r.wake_at END`,
      reason: sql`CASE WHEN ${free} THEN NULL ELSE r.reason END`,
      precondition: sql`CASE WHEN NOT ${free} THEN r.precondition WHEN w.error IS NULL AND r.limiter IS NOT NULL THEN 'limiter' END`,
      closing: raw(`CASE WHEN w.error IS NOT NULL THEN 'failed' ELSE r.closing END`),
      error: raw('COALESCE(w.error, r.error)'),
      blockers: sql`CASE WHEN ${free} THEN 0 ELSE r.blockers - w.met END`,
    },
  });
};

/** The statuses of runs, ended or not. */
export const selectStatuses = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, status FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)}`;

/** The limiters in which these runs, or steps of theirs, hold a permit or wait for one. */
export const selectLimitersOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT limiter FROM ${tables.limiterEntries} WHERE run_id ${amongKeys(dialect, runIds)}`;

export const deletePermitsOf = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.limiterEntries, 'run_id', runIds, { index: indexOf(tables.limiterEntries, 'run') });

/** In the app's transaction, MySQL returns the newest rows only to locking reads. */
const newest = ({ dialect }: Scope, joined: boolean): Statement => (joined ? sql` ${dialect.newest}` : raw(''));

/** Locks a run, so that its owner cannot write it. */
export const lockRun = ({ tables }: Scope, runId: string): Statement =>
  sql`SELECT id, namespace, workflow, status, reason, closing, notifies, unwinds, error, erased_at FROM ${tables.runs} WHERE id = ${runId} FOR UPDATE`;

export interface OpenRow {
  seq: number | string;
  kind: string;
  /** The delivered signal that its code has not taken. */
  given: string | null;
}

/** Its open remote steps and signal waits; also signals that were delivered and not taken. */
export const selectOpen = (scope: Scope, runId: string, joined: boolean): Statement =>
  sql`SELECT seq, kind, CASE WHEN kind = 'signal' AND status = 'answered' THEN output END AS given FROM ${scope.tables.steps} ${scope.dialect.forceIndex()} WHERE run_id = ${runId} AND kind IN ('remote', 'signal') AND settled IS NULL${newest(scope, joined)}`;

export const selectOpenChildren = (scope: Scope, parentId: string, joined = false): Statement => sql`
  SELECT id, parent_close FROM ${scope.tables.runs} ${scope.dialect.forceIndex(indexOf(scope.tables.runs, 'parent'))}
  WHERE parent_id = ${parentId} AND parent_close <> 'abandon' AND status NOT IN (${join(FINAL_STATUSES)})
  ORDER BY id${newest(scope, joined)}`;

export const endCancelled = (scope: Scope, runId: string, error: string | null): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'cancelled', owner = NULL, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL,
    reason_detail = NULL, closing = NULL, error = ${error}, finished_at = GREATEST(${nowOf(scope)}, COALESCE(started_at, created_at))
  WHERE id = ${runId}`;

/** Takes the run from its owner, makes it due at once, and stores its last place in the order of outcomes. */
export const beginClosing = (scope: Scope, runId: string, closing: string): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'compensating', closing = ${closing}, owner = NULL, epoch = epoch + 1, wake_at = ${nowOf(scope)},
    reason = NULL, reason_detail = NULL, crashes = 0, crashed = NULL,
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = ${runId})
  WHERE id = ${runId}`;

export const selectOrders = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT id, settled FROM ${tables.runs} WHERE id ${amongKeys(dialect, runIds)}`;

/** Locks the rows, so that the app's transaction sees the newest ones, too. */
export const lockOpenRemote = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps} ${dialect.forceIndex()}
  WHERE run_id ${amongKeys(dialect, runIds)} AND kind = 'remote' AND settled IS NULL ORDER BY run_id, seq FOR UPDATE`;

/** Stores the last place in the order of outcomes of these runs. */
export const countSettled = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} ${dialect.forceIndex()}
  SET settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${tables.steps} AS s WHERE s.run_id = ${tables.runs}.id)
  WHERE id ${amongKeys(dialect, runIds)}`;

/** Removes delivered signals from steps: they are left to other waits. */
export const forgetGiven = ({ tables, dialect }: Scope, runId: string, seqs: readonly number[]): Statement => sql`
  UPDATE ${tables.steps} ${dialect.forceIndex()} SET status = 'pending', output = NULL WHERE run_id = ${runId} AND seq IN (${join(seqs)})`;

/** Makes a blocked run due at once; it keeps its reason until it is claimed. */
export const unblock = (scope: Scope, runId: string): Statement => sql`
  UPDATE ${scope.tables.runs} ${scope.dialect.forceIndex()} SET wake_at = ${nowOf(scope)}, crashes = 0, crashed = NULL
  WHERE id = ${runId} AND reason IN (${join(BLOCK_REASONS)})`;

/** Restores the error that had ended the run; stores its last place in the order, which an end does not do. */
export const compensateAgain = (scope: Scope, runId: string, error: string | null): Statement => sql`
  UPDATE ${scope.tables.runs}
  SET status = 'compensating', wake_at = ${nowOf(scope)}, crashes = 0, crashed = NULL, finished_at = NULL, error = ${error},
    closing = COALESCE(closing, 'failed'),
    settled = (SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = ${runId})
  WHERE id = ${runId}`;

/** Deletes failed compensations, so that they start again. */
export const forgetFailedUndoing = ({ tables }: Scope, runId: string): Statement =>
  sql`DELETE FROM ${tables.steps} WHERE run_id = ${runId} AND seq < 0 AND status = 'failed'`;

/**
 * Admits runs that wait for other runs.
 *
 * First it marks the other runs, under their locks: transactions that end them later look for dependencies. Then it
 * locks the waiting run, and only after that it reads which of the others have ended. The end of a run at the same time
 * is either committed before, and is seen; or it finds the waiting run parked, and decreases its number of blockers.
 */
export class SqlRunDependencies extends SqlAdapter {
  /** Returns the runs that wait for no other run: they are played, go on to a limiter, or fail. */
  async admit(runs: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    const ids = runs.map(({ id }) => id);
    const { rows } = await this.db.run<{ target_id: string }>(selectTargets(this.scope, ids));
    const targets = rows.map(({ target_id }) => target_id);
    if (targets.length > 0) await this.db.transaction((tx) => this.notifyWaiting(tx, targets));
    return this.db.transaction((tx) => this.decide(tx, runs));
  }

  private async notifyWaiting(tx: SqlConnection, targets: readonly string[]): Promise<void> {
    const { rows } = await tx.run<{ id: string; notifies: number | string }>(lockOpen(this.scope, targets));
    const silent = rows.filter(({ notifies }) => (Number(notifies) & NOTIFIES.runs) === 0).map(({ id }) => id);
    if (silent.length > 0) await tx.run(notifyRuns(this.scope, silent));
  }

  private async decide(tx: SqlConnection, runs: readonly ClaimedRun[]): Promise<ClaimedRun[]> {
    const { scope } = this;
    const { rows: locked } = await tx.run<ConditionalRow>(
      lockConditional(
        scope,
        runs.map(({ id }) => id),
      ),
    );
    const rows = new Map(locked.map((row) => [row.id, row]));
    const held = runs.filter(({ id, epoch }) => {
      const row = rows.get(id);
      return row !== undefined && Number(row.epoch) === epoch && row.owner !== null;
    });
    if (held.length === 0) return [];
    const waits = await this.waitsOf(tx, held);
    const late = held.filter(({ id }) => waits.get(id)!.blockers > 0 && Number(rows.get(id)!.late) === 1);
    const decided = held.filter((run) => !late.includes(run)).map(({ id }) => waits.get(id)!);
    if (decided.length > 0) await tx.run(decideConditional(scope, decided, firstClaim(held)));
    return [
      ...late.map((run) => failing(run, JSON.stringify(toWireError(new WorkflowTimeoutError(run.id))))),
      ...held.filter((run) => !late.includes(run)).flatMap((run) => past(run, waits.get(run.id)!, rows.get(run.id)!)),
    ];
  }

  /** By run: how many runs it still waits for. Deletes dependencies on ended runs. */
  private async waitsOf(tx: SqlConnection, runs: readonly ClaimedRun[]): Promise<Map<string, Conditional>> {
    const { scope } = this;
    const ids = runs.map(({ id }) => id);
    const { rows } = await tx.run<TargetRow>(selectTargetStatuses(scope, ids));
    const ended = rows.filter(({ status }) => isOver(status));
    const releases = new Map(releasesOf(ended.map(dependenceOf)).map((release) => [release.id, release]));
    const failed = (id: string) => releases.get(id)?.error ?? null;
    const gone = rows.filter(({ run_id, status }) => isOver(status) || failed(run_id) !== null);
    if (gone.length > 0) await tx.run(deleteDependencies(scope, gone));
    const waits = new Map<string, Conditional>(ids.map((id) => [id, { id, blockers: 0, error: failed(id) }]));
    for (const { run_id, status } of rows) {
      const wait = waits.get(run_id)!;
      if (!isOver(status) && wait.error === null) wait.blockers++;
    }
    return waits;
  }
}

const dependenceOf = ({ run_id: runId, target_id: targetId, status }: TargetRow): Dependence => ({
  runId,
  targetId,
  status,
});

function past(run: ClaimedRun, { blockers, error }: Conditional, { limiter }: ConditionalRow): ClaimedRun[] {
  if (error !== null) return [failing(run, error)];
  const precondition: Precondition | null = limiter === null ? null : 'limiter';
  return blockers > 0 ? [] : [{ ...run, precondition }];
}

/** The run has not begun, so there is nothing to compensate. */
const failing = (run: ClaimedRun, error: string): ClaimedRun => ({
  ...run,
  precondition: null,
  closing: 'failed',
  error,
});

/** In key order. */
export const dependenciesOf = (runs: readonly NewRun[]): DependencyRow[] =>
  runs
    .flatMap(({ id: run_id, after = [] }) => after.map((target_id) => ({ target_id, run_id })))
    .sort((a, b) => compare(a.target_id, b.target_id) || compare(a.run_id, b.run_id));

/** `created` restricts it to runs created by the same statement. */
export const insertDependencies = (
  { tables, dialect }: Scope,
  dependencies: readonly DependencyRow[],
  created = raw(''),
): Statement => sql`
  INSERT INTO ${tables.dependencies} (target_id, run_id)
  SELECT e.target_id, e.run_id FROM ${dialect.rows(dependencies, DEPENDENCY_COLUMNS)} AS e ${created}`;

export const selectTargets = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT target_id FROM ${tables.dependencies} WHERE run_id ${amongKeys(dialect, runIds)}`;

/** Waits for transactions that are ending one of these runs. */
export const lockOpen = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, notifies FROM ${scope.tables.runs} ${scope.dialect.forceIndex()}
  WHERE id ${amongKeys(scope.dialect, ids)} AND status NOT IN (${join(FINAL_STATUSES)}) ORDER BY id ${scope.dialect.forNoKeyUpdate}`;

/** Marks runs whose end must release waiting runs. */
export const notifyRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} ${dialect.forceIndex()} SET notifies = notifies | ${int(NOTIFIES.runs)} WHERE id ${amongKeys(dialect, ids)}`;

export interface ConditionalRow {
  id: string;
  epoch: number | string;
  owner: string | null;
  limiter: string | null;
  late: number | boolean;
}

export const lockConditional = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, epoch, owner, limiter, CASE WHEN deadline <= ${nowOf(scope)} THEN 1 ELSE 0 END AS late
  FROM ${scope.tables.runs} ${scope.dialect.forceIndex()} WHERE id ${amongKeys(scope.dialect, ids)} ORDER BY id ${scope.dialect.forNoKeyUpdate}`;

export interface TargetRow extends DependencyRow {
  /** Null if the run no longer exists. */
  status: RunStatus | null;
}

/** The statuses of the awaited runs. A separate statement after the lock, so that earlier ends are seen. */
export const selectTargetStatuses = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT e.run_id, e.target_id, r.status FROM ${tables.dependencies} AS e LEFT JOIN ${tables.runs} AS r ON r.id = e.target_id
  WHERE e.run_id ${amongKeys(dialect, runIds)}`;

/** The precondition of a claimed run, evaluated. */
export interface Conditional {
  id: string;
  /** The number of runs it waits for. Zero: it may pass. */
  blockers: number;
  error: string | null;
}

/** For locked runs, claimed at `at`: waiting ones are parked; others pass, to their limiter if they have one, or will fail. */
export const decideConditional = (scope: Scope, decided: readonly Conditional[], at: number): Statement => {
  const { tables, dialect } = scope;
  const [waits, fails] = [raw('w.blockers > 0'), raw('w.error IS NOT NULL')];
  const begins = raw('w.blockers = 0 AND w.error IS NULL AND r.limiter IS NULL');
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(decided, { id: 'key', blockers: 'int', error: 'text' })} AS w`,
    on: raw('r.id = w.id'),
    set: {
      owner: sql`CASE WHEN ${waits} THEN NULL ELSE r.owner END`,
      status: sql`CASE WHEN ${fails} THEN 'compensating' WHEN ${begins} THEN 'running' ELSE 'pending' END`,
      reason: sql`CASE WHEN ${waits} THEN 'waiting_for_runs' END`,
      wake_at: sql`CASE WHEN ${waits} THEN r.deadline END`,
      started_at: sql`CASE WHEN ${begins} THEN COALESCE(r.started_at, GREATEST(r.created_at, ${at})) ELSE r.started_at END`,
      precondition: sql`CASE WHEN ${waits} THEN r.precondition WHEN ${fails} OR r.limiter IS NULL THEN NULL ELSE 'limiter' END`,
      closing: sql`CASE WHEN ${fails} THEN 'failed' ELSE r.closing END`,
      error: raw('COALESCE(w.error, r.error)'),
      blockers: raw('w.blockers'),
    },
  });
};
