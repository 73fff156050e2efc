import { type StepAnswer, stepIdOf } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { parseWireError } from '../core/wire-error.js';
import { amongKeys, byFamily, deleteByKeys, listedKeys } from '../sql/dialects.js';
import {
  connectionOf,
  inTransaction,
  type SqlConnection,
  type SqlTransaction,
  sqlTransaction,
} from '../sql/executor.js';
import { NotifyingAdapter, tellWithCommit } from '../sql/notifier.js';
import { type Identifier, indexOf, int, raw, sql, type Statement } from '../sql/statement.js';
import { inParts, nowOf, onceNow, type Scope, TablesAdapter } from '../sql/tables.js';
import {
  childOf,
  type CloseOutcome,
  type EditableRun,
  foundWithout,
  type GivingUp,
  outputsIn,
  planResumption,
  type PurgeRuns,
  reopenExhausted,
  type ResumableRun,
  type Resumption,
  type ResumptionRefusal,
  type RunControl,
  type RunEdits,
  type RunRemoval,
  TERMINATED,
} from './control.js';
import * as controls from './endings.sql.js';
import { settleLastAnswers, tellEndings } from './endings.sql.js';
import { leaveLimiters } from './limits.sql.js';
import { BLOCK_REASONS, isFinal, type ResumePoint, type RunRecord, type RunStatus } from './run.js';
import { NO_ENDINGS } from './runs.js';
import { notesOf, untaken } from './signals.js';
import { deleteWaits } from './signal-waits.sql.js';
import type { StepRecord } from './step.js';
import {
  claimedOf,
  type ClaimedRow,
  endedColumn,
  freeRun,
  numberOrNull,
  readResume,
  RUN_COLUMNS,
  runOf,
  type RunRow,
  STEP_COLUMNS,
  stepOf,
  type StepRow,
  upsertAttempts,
  upsertSteps,
} from './tables.sql.js';

type LockedRow = Pick<
  RunRow & ClaimedRow,
  'id' | 'namespace' | 'workflow' | 'status' | 'reason' | 'closing' | 'notifies' | 'unwinds' | 'error' | 'erased_at'
>;

/** The open requests of a closed run. */
interface GivenUp {
  stepIds: string[];
  limiters: string[];
  /** Notes of the delivered signals that it did not take. */
  notes: StepAnswer[];
}

type How = 'cancelled' | 'terminated';

/** A transaction, and whether the caller passed it. */
interface At {
  tx: SqlTransaction;
  joined: boolean;
}

/** Changes runs from outside of their code, in tables. */
export class SqlRunControl extends NotifyingAdapter implements RunControl {
  close(id: string, how: How, givingUp: GivingUp, tx?: Transaction): Promise<CloseOutcome> {
    const joined = tx !== undefined;
    return inTransaction(this.db, tx, (own) => this.closeIn({ tx: own, joined }, id, how, givingUp));
  }

  async openChildren(parentId: string): ReturnType<RunControl['openChildren']> {
    return (await this.childrenOf(this.db, parentId)).map(({ id, parent_close: close }) => ({ id, close }));
  }

  retry(id: string, givingUp: GivingUp, tx?: Transaction): ReturnType<RunControl['retry']> {
    return inTransaction(this.db, tx, async (own) => {
      const outcome = await this.retryIn(own, id, givingUp);
      if (outcome === 'retried') own.afterCommit(() => this.hint('runs'));
      return outcome;
    });
  }

  private async closeIn(at: At, id: string, how: How, givingUp: GivingUp): Promise<CloseOutcome> {
    const { tx } = at;
    const run = await this.lock(tx, id);
    if (!run) return 'missing';
    if (isFinal(run.status)) return 'over';
    if (run.closing !== null && (how === 'cancelled' || run.closing === 'terminated')) return 'underway';
    const withdrawn = await this.giveUpAsked(at, id);
    if (await this.mustUnwind(at, run, how)) {
      await tx.run(controls.beginClosing(this.scope, id, how));
      const { limiters, stepIds, notes } = withdrawn;
      const answered = await givingUp({ answers: notes, limiters, withdrawn: stepIds }, tx);
      await settleLastAnswers(tx, this.scope, [id], how === 'cancelled' ? answered : outputsIn(answered));
      await this.tell(tx, ['runs', lostHint(id)], ['runs', '{}']);
      await this.tellFreed(tx, withdrawn.limiters);
      return 'closing';
    }
    const error = how === 'terminated' ? JSON.stringify(TERMINATED) : null;
    await tx.run(controls.endCancelled(this.scope, id, error));
    const { answers, limiters, woken } = await tellEndings(tx, this.scope, [{ id, notifies: Number(run.notifies) }]);
    const told = { answers: [...answers, ...withdrawn.notes], limiters: [...limiters, ...withdrawn.limiters] };
    const { namespace, workflow } = run;
    const ended = { runId: id, namespace, workflow, status: 'cancelled' } as const;
    const answered = await givingUp({ ...told, withdrawn: withdrawn.stepIds, ended }, tx);
    await settleLastAnswers(tx, this.scope, [id], outputsIn(answered));
    await this.tell(tx, ['runs', lostHint(id)], ['done', JSON.stringify([id])]);
    if (woken) await this.tell(tx, ['runs', '{}']);
    await this.tellFreed(tx, told.limiters);
    return 'ended';
  }

  private async mustUnwind({ tx, joined }: At, { id, unwinds }: LockedRow, how: How): Promise<boolean> {
    if (Number(unwinds) === 0) return false;
    return how === 'cancelled' || (await this.childrenOf(tx, id, joined)).length > 0;
  }

  /** Ends waits for signals and permits; the caller's ports withdraw tasks and answers. */
  private async giveUpAsked({ tx, joined }: At, id: string): Promise<GivenUp> {
    const { rows } = await tx.run<controls.OpenRow>(controls.selectOpen(this.scope, id, joined));
    const of = (wanted: string) =>
      rows.filter(({ kind }) => kind === wanted).map(({ seq }) => stepIdOf(id, Number(seq)));
    const [remote, waiting] = [of('remote'), of('signal')];
    if (waiting.length > 0) await tx.run(deleteWaits(this.scope, waiting));
    const given = { stepIds: [...remote, ...waiting], notes: await this.leaveGiven(tx, id, rows) };
    return { ...given, limiters: await leaveLimiters(tx, this.scope, remote) };
  }

  /** Removes delivered signals that its code has not taken, and returns notes of them. */
  private async leaveGiven(tx: SqlConnection, runId: string, open: readonly controls.OpenRow[]): Promise<StepAnswer[]> {
    const notesAt = new Map(
      open.flatMap(({ seq, given }) =>
        notesOf([{ runId, seq: Number(seq), output: given }]).map((note) => [Number(seq), note] as const),
      ),
    );
    if (notesAt.size > 0) await tx.run(controls.forgetGiven(this.scope, runId, [...notesAt.keys()]));
    return [...notesAt.values()];
  }

  private async retryIn(tx: SqlTransaction, id: string, givingUp: GivingUp): ReturnType<RunControl['retry']> {
    const run = await this.lock(tx, id);
    if (!run) return 'missing';
    if (run.erased_at !== null) return 'erased';
    if (run.status === 'compensation_failed') {
      const { cause } = parseWireError(run.error);
      await tx.run(controls.forgetFailedUndoing(this.scope, id));
      await tx.run(controls.compensateAgain(this.scope, id, cause ? JSON.stringify(cause) : null));
      return 'retried';
    }
    if (run.status === 'failed') return (await resumeRun(tx, this.scope, id, givingUp)) ?? 'retried';
    if (run.status !== 'suspended' || !BLOCK_REASONS.some((reason) => reason === run.reason)) return 'not-stuck';
    await reopenInTables(tx, this.scope, id);
    await tx.run(controls.unblock(this.scope, id));
    return 'retried';
  }

  private async lock(tx: SqlConnection, id: string): Promise<LockedRow | undefined> {
    return (await tx.run<LockedRow>(controls.lockRun(this.scope, id))).rows[0];
  }

  private async childrenOf(
    connection: SqlConnection,
    parentId: string,
    joined = false,
  ): Promise<{ id: string; parent_close: 'cancel' | 'terminate' }[]> {
    type Row = { id: string; parent_close: 'cancel' | 'terminate' };
    return (await connection.run<Row>(controls.selectOpenChildren(this.scope, parentId, joined))).rows;
  }

  /** Notifies engines of other processes, too: this process may have none. */
  private async tellFreed(tx: SqlTransaction, limiters: readonly string[]): Promise<void> {
    if (limiters.length > 0) await this.tell(tx, ['limiters', JSON.stringify(limiters)]);
  }

  private async tell(tx: SqlTransaction, ...hints: [topic: string, payload: string][]): Promise<void> {
    for (const [topic, payload] of hints) await tellWithCommit(tx, this.notifier, topic, payload);
  }
}

const lostHint = (id: string): string => JSON.stringify({ lost: [id] });

/** Lets a failed run go on, or returns why it cannot. The child `left` stays as it is: its step gets another outcome. */
export async function resumeRun(
  tx: SqlTransaction,
  scope: Scope,
  id: string,
  givingUp: GivingUp,
  left: string | null = null,
): Promise<ResumptionRefusal | undefined> {
  const resumed = await resumeInTables(tx, scope, id, left);
  if ('refusal' in resumed) return resumed.refusal;
  const { answers, withdrawn } = resumed.plan;
  if (withdrawn.length > 0) await givingUp({ ...NO_ENDINGS, answers, withdrawn }, tx);
  return undefined;
}

/** Locks the run first, then its children level by level. */
async function resumeInTables(
  tx: SqlConnection,
  scope: Scope,
  id: string,
  left: string | null,
): Promise<{ plan: Resumption } | { refusal: ResumptionRefusal }> {
  const found = foundWithout(left);
  let now = await readRuns(tx, scope, [id], found);
  for (;;) {
    const planned = planResumption(found.get(id)!, found, now);
    if ('needs' in planned) now = await readRuns(tx, scope, [...planned.needs].sort(), found);
    else {
      if ('plan' in planned) await write(tx, scope, planned.plan);
      return planned;
    }
  }
}

/** For a blocked run: its steps that have used all their attempts get fresh ones. */
export async function reopenInTables(tx: SqlConnection, scope: Scope, id: string): Promise<void> {
  const found = new Map<string, ResumableRun | undefined>();
  const now = await readRuns(tx, scope, [id], found);
  const again = reopenExhausted(found.get(id)!, now);
  if (!again) return;
  await inParts(tx, again.steps, (some) => upsertSteps(scope, some));
  await tx.run(keepResume(scope, id, again.resume));
}

async function readRuns(
  tx: SqlConnection,
  scope: Scope,
  ids: readonly string[],
  found: Map<string, ResumableRun | undefined>,
): Promise<number> {
  const { rows } = await inParts<ResumableRow, string>(tx, ids, (some) => lockResumable(scope, some));
  const read = await inParts<StepRow, string>(tx, ids, (some) => selectUncompleted(scope, some));
  const steps = read.rows.map(stepOf);
  for (const id of ids) found.set(id, undefined);
  for (const { id, parent_id: parentId, resume, erased_at, ...run } of rows) {
    const own = steps.filter(({ runId }) => runId === id);
    const { status, closing, output } = run;
    const erasedAt = numberOrNull(erased_at);
    found.set(id, { id, parentId, status, closing, output, erasedAt, resume: readResume(resume), steps: own });
  }
  return Number(rows[0]?.now ?? 0);
}

async function write(tx: SqlConnection, scope: Scope, plan: Resumption): Promise<void> {
  const { attempts, forgotten, markers, steps, runs } = plan;
  if (attempts.length > 0) await inParts(tx, attempts, (some) => upsertAttempts(scope, some));
  if (forgotten.length > 0) await inParts(tx, forgotten, (some) => forgetSteps(scope, some));
  for (const { runId, after } of markers) await tx.run(forgetMarkers(scope, runId, after));
  if (steps.length > 0) await inParts(tx, steps, (some) => upsertSteps(scope, some));
  await inParts(tx, runs, (some) => resumeRuns(scope, some));
}

export interface ResumableRow extends Pick<
  RunRow & ClaimedRow,
  'id' | 'parent_id' | 'status' | 'closing' | 'output' | 'resume' | 'erased_at'
> {
  now: number | string;
}

export const lockResumable = (scope: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, parent_id, status, closing, output, resume, erased_at, ${nowOf(scope)} AS now FROM ${scope.tables.runs} ${scope.dialect.forceIndex()}
  WHERE id ${amongKeys(scope.dialect, ids)} ORDER BY id FOR UPDATE`;

/** Their newest rows, also in the app's transaction: all but the steps that completed. */
export const selectUncompleted = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement => sql`
  SELECT ${STEP_COLUMNS} FROM ${tables.steps} ${dialect.forceIndex()}
  WHERE run_id ${amongKeys(dialect, runIds)} AND (status <> 'completed' OR seq < 0) ${dialect.newest}`;

/** The code asks for these positions anew. */
export const forgetSteps = ({ tables, dialect }: Scope, keys: readonly { runId: string; seq: number }[]): Statement =>
  dialect.deleteFrom({
    table: tables.steps,
    as: 's',
    from: sql`${dialect.rows(
      keys.map(({ runId, seq }) => ({ run_id: runId, seq })),
      { run_id: 'key', seq: 'int' },
    )} AS d`,
    on: raw('s.run_id = d.run_id AND s.seq = d.seq'),
  });

export const forgetMarkers = ({ tables }: Scope, runId: string, after: number): Statement =>
  sql`DELETE FROM ${tables.steps} WHERE run_id = ${runId} AND seq >= ${after} AND kind = 'marker'`;

export const keepResume = ({ tables }: Scope, runId: string, resume: ResumePoint): Statement =>
  sql`UPDATE ${tables.runs} SET resume = ${JSON.stringify(resume)} WHERE id = ${runId}`;

/** Makes ended runs due. A run with a limiter asks it again; a time limit begins anew. */
export const resumeRuns = (scope: Scope, runs: readonly { id: string; resume: ResumePoint }[]): Statement => {
  const rows = runs.map(({ id, resume }) => ({ id, resume: JSON.stringify(resume) }));
  return scope.dialect.updateFrom({
    table: scope.tables.runs,
    as: 'r',
    from: sql`${scope.dialect.rows(rows, { id: 'key', resume: 'text' })} AS n`,
    on: raw('r.id = n.id'),
    set: {
      status: raw(`CASE WHEN r.limiter IS NULL THEN 'suspended' ELSE 'pending' END`),
      precondition: raw(`CASE WHEN r.limiter IS NULL THEN NULL ELSE 'limiter' END`),
      wake_at: nowOf(scope),
      deadline: sql`${nowOf(scope)} + r.timeout_ms`,
      crashes: raw('0'),
      crashed: raw('NULL'),
      closing: raw('NULL'),
      error: raw('NULL'),
      finished_at: raw('NULL'),
      resume: raw('n.resume'),
      settled: sql`(SELECT COALESCE(MAX(s.settled), 0) FROM ${scope.tables.steps} AS s WHERE s.run_id = r.id)`,
    },
  });
};

/** The most keys in one statement. */
const CHUNK = 500;

type MemberRow = Pick<RunRow, 'id' | 'parent_id' | 'finished_at'>;

export class SqlRunRemoval extends TablesAdapter implements RunRemoval {
  delete(ids: readonly string[], givingUp: GivingUp, tx?: Transaction): Promise<string[]> {
    return inTransaction(this.db, tx, async (connection) => {
      const family = await this.familyOf(connection, ids);
      const locked = new Map<string, MemberRow>();
      for (const some of chunksOf([...family].sort())) {
        const { rows } = await connection.run<MemberRow>(lockByKey(this.scope, some));
        for (const row of rows) locked.set(row.id, row);
      }
      const going = descent(ids, locked);
      const left = [...locked.values()].filter(({ id, parent_id }) => !going.has(id) && going.has(parent_id ?? ''));
      await this.remove(connection, { going: [...going], left: left.map(({ id }) => id) }, givingUp);
      return [...going];
    });
  }

  async purge({ status, ...request }: PurgeRuns, givingUp: GivingUp): Promise<number> {
    let purged = 0;
    for (const one of status) {
      const limit = request.limit - purged;
      if (limit <= 0) break;
      purged += await this.db.transaction((tx) => this.purgeIn(tx, { ...request, limit }, one, givingUp));
    }
    return purged;
  }

  async tidy(limit: number): Promise<number> {
    const { rows } = await this.db.run<{ start_key: string }>(selectExpiredKeys(this.scope, limit));
    if (rows.length === 0) return 0;
    const keys = rows.map(({ start_key }) => start_key);
    return (await this.db.run(deleteExpiredKeys(this.scope, keys))).affected;
  }

  private async purgeIn(
    tx: SqlTransaction,
    request: Omit<PurgeRuns, 'status'>,
    status: RunStatus,
    givingUp: GivingUp,
  ): Promise<number> {
    const picked = (await tx.run<{ id: string }>(lockPurgeable(this.scope, request, status))).rows;
    if (picked.length === 0) return 0;
    const going = new Set(picked.map(({ id }) => id));
    const children = (await this.childrenOf(tx, [...going])).filter(({ id }) => !going.has(id));
    const left: string[] = [];
    for (const some of chunksOf(children.map(({ id }) => id).sort())) {
      const { rows } = await tx.run<MemberRow>(lockByKey(this.scope, some, true));
      left.push(...rows.map(({ id }) => id));
    }
    const held = new Set(left);
    // If a child is locked, its parent cannot be removed from its row: the parent is deleted by a later purge.
    for (const { id, parent_id } of children) if (!held.has(id)) going.delete(parent_id ?? '');
    const parents = new Map(children.map(({ id, parent_id }) => [id, parent_id ?? '']));
    const orphans = left.filter((id) => going.has(parents.get(id)!));
    await this.remove(tx, { going: [...going], left: orphans }, givingUp);
    return going.size;
  }

  /** These runs with all their descendants, read level by level. */
  private async familyOf(connection: SqlConnection, ids: readonly string[]): Promise<Set<string>> {
    const family = new Set(ids);
    let level: string[] = [...family];
    while (level.length > 0) {
      const children = await this.childrenOf(connection, level);
      level = children.map(({ id }) => id).filter((id) => !family.has(id));
      for (const id of level) family.add(id);
    }
    return family;
  }

  private async childrenOf(connection: SqlConnection, ids: readonly string[]): Promise<MemberRow[]> {
    const children: MemberRow[] = [];
    for (const some of chunksOf(ids)) {
      children.push(...(await connection.run<MemberRow>(selectChildren(this.scope, some))).rows);
    }
    return children;
  }

  /** Call it with the rows of the runs locked. */
  private async remove(
    tx: SqlTransaction,
    { going, left }: { going: readonly string[]; left: readonly string[] },
    givingUp: GivingUp,
  ): Promise<void> {
    for (const some of chunksOf(left)) await tx.run(orphanRuns(this.scope, some));
    for (const some of chunksOf(going)) {
      await this.removeBelongings(tx, some, givingUp);
      await tx.run(deleteRuns(this.scope, some));
    }
  }

  private async removeBelongings(tx: SqlTransaction, runIds: readonly string[], givingUp: GivingUp): Promise<void> {
    const { scope } = this;
    const open = await tx.run<{ run_id: string; seq: number | string }>(selectOpenSteps(scope, runIds));
    const stepIds = open.rows.map(({ run_id, seq }) => stepIdOf(run_id, Number(seq))).sort();
    for (const some of chunksOf(stepIds)) {
      await givingUp({ ...NO_ENDINGS, withdrawn: some }, tx);
      await tx.run(deleteWaitsOfRuns(scope, some));
    }
    const { rows } = await tx.run<{ channel: string }>(selectRunChannels(scope, runIds));
    for (const statement of deleteBelongings(scope, runIds)) await tx.run(statement);
    const channels = rows.map(({ channel }) => channel).sort();
    for (const some of chunksOf(channels)) await tx.run(deleteChannels(scope, some));
  }
}

/**
 * For ended runs that begin anew: ends their waits, and takes their children from them. Returns the ids of their steps that
 * may have a task or an answer.
 */
export async function leaveOthers(tx: SqlConnection, scope: Scope, runIds: readonly string[]): Promise<string[]> {
  const open = await tx.run<{ run_id: string; seq: number | string }>(selectOpenSteps(scope, runIds, true));
  const stepIds = open.rows.map(({ run_id, seq }) => stepIdOf(run_id, Number(seq)));
  if (stepIds.length > 0) await tx.run(deleteWaitsOfRuns(scope, stepIds));
  const { rows: children } = await tx.run<MemberRow>(selectChildren(scope, runIds, true));
  const left = children.map(({ id }) => id).sort();
  if (left.length > 0) await tx.run(orphanRuns(scope, left));
  return stepIds;
}

/** The ended runs of `ids`, and their ended descendants whose ancestors have all ended. */
function descent(ids: readonly string[], locked: ReadonlyMap<string, MemberRow>): Set<string> {
  const children = new Map<string, string[]>();
  for (const { id, parent_id } of locked.values()) {
    if (parent_id !== null) children.set(parent_id, [...(children.get(parent_id) ?? []), id]);
  }
  const going = new Set<string>();
  const next = [...ids];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    const run = locked.get(id);
    if (!run || run.finished_at === null || going.has(id)) continue;
    going.add(id);
    next.push(...(children.get(id) ?? []));
  }
  return going;
}

function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let i = 0; i < all.length; i += CHUNK) chunks.push(all.slice(i, i + CHUNK));
  return chunks;
}

/** `SKIP LOCKED` for callers that must not wait for locks. */
const skipping = (skip: boolean): Statement => raw(skip ? ' SKIP LOCKED' : '');

/** Locks ended runs in the order of the index: those that ended first come first, one status at a time. */
export const lockPurgeable = (scope: Scope, request: Omit<PurgeRuns, 'status'>, status: RunStatus): Statement => {
  const { tables, dialect } = scope;
  const { namespace, olderThanMs, limit } = request;
  // Subqueries per row, since a join might read the whole table.
  return sql`
  SELECT r.id FROM ${tables.runs} AS r ${dialect.forceIndex(indexOf(tables.runs, 'finished'))}
  WHERE r.namespace = ${namespace} AND r.${raw(endedColumn(dialect))} = ${status} AND r.finished_at <= ${onceNow(scope)} - ${olderThanMs}
    AND NOT COALESCE((SELECT p.finished_at IS NULL FROM ${tables.runs} AS p WHERE p.id = r.parent_id), false)
    AND (SELECT COUNT(*) FROM ${tables.dependencies} AS e WHERE e.target_id = r.id) = 0
  ORDER BY r.finished_at, r.id LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;
};

/** In a transaction whose snapshot may be older, MySQL returns the newest rows only to locking reads. */
const newestIf = ({ dialect }: Scope, newest: boolean): Statement => (newest ? sql` ${dialect.newest}` : raw(''));

/** The children of these runs, ended or not. With a status, see {@link Dialect.forceIndex}. */
export const selectChildren = (scope: Scope, parentIds: readonly string[], newest = false): Statement =>
  sql`SELECT id, parent_id, status FROM ${scope.tables.runs} ${scope.dialect.forceIndex(indexOf(scope.tables.runs, 'parent'))} WHERE parent_id ${amongKeys(scope.dialect, parentIds)}${newestIf(scope, newest)}`;

export const lockByKey = ({ tables, dialect }: Scope, ids: readonly string[], skip = false): Statement => sql`
  SELECT id, parent_id, finished_at FROM ${tables.runs} ${dialect.forceIndex()}
  WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE${skipping(skip)}`;

/** Removes the parent of these runs: their ends notify no parent, and no parent's end closes them. */
export const orphanRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  UPDATE ${tables.runs} ${dialect.forceIndex()} SET parent_id = NULL, parent_seq = NULL, parent_close = NULL, notifies = notifies - notifies % 2
  WHERE id ${amongKeys(dialect, ids)}`;

/** Steps that may have a task, an answer or a wait. */
export const selectOpenSteps = (scope: Scope, runIds: readonly string[], newest = false): Statement => sql`
  SELECT run_id, seq FROM ${scope.tables.steps} ${scope.dialect.forceIndex()}
  WHERE run_id ${amongKeys(scope.dialect, runIds)} AND kind IN ('remote', 'child', 'signal') AND settled IS NULL${newestIf(scope, newest)}`;

export const deleteRuns = (scope: Scope, ids: readonly string[]): Statement =>
  deleteByKeys(scope.dialect, scope.tables.runs, 'id', ids);

export const deleteWaitsOfRuns = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.waits, 'step_id', stepIds, { index: indexOf(tables.waits, 'step') });

/** The queues of signals that were sent to these runs by id. */
export const selectRunChannels = ({ tables, dialect }: Scope, runIds: readonly string[]): Statement =>
  sql`SELECT DISTINCT channel FROM ${tables.signals} WHERE target ${amongKeys(dialect, runIds)} AND addressed = 'run'`;

export const deleteChannels = (scope: Scope, channels: readonly string[]): Statement =>
  deleteByKeys(scope.dialect, scope.tables.channels, 'channel', channels);

/** Everything else that belongs to runs, table by table. */
export function deleteBelongings(scope: Scope, runIds: readonly string[]): Statement[] {
  const { dependencies, startKeys, attributes } = scope.tables;
  return [
    deleteMetDependencies(scope, runIds),
    ofRuns(scope, dependencies, runIds, 'waiting'),
    ofRuns(scope, startKeys, runIds, 'run'),
    ofRuns(scope, attributes, runIds),
    ...deleteLives(scope, runIds),
  ];
}

/** What belongs to the present life of ended runs. */
export function deleteLives(scope: Scope, runIds: readonly string[]): Statement[] {
  const { limiterEntries, attempts, logs, steps, signals } = scope.tables;
  return [
    ofRuns(scope, limiterEntries, runIds, 'run'),
    ofRuns(scope, attempts, runIds),
    ofRuns(scope, logs, runIds, 'run'),
    ofRuns(scope, steps, runIds),
    sql`${deleteByKeys(scope.dialect, signals, 'target', runIds, { index: indexOf(signals, 'target') })} AND addressed = 'run'`,
  ];
}

const ofRuns = ({ dialect }: Scope, table: Identifier, runIds: readonly string[], index?: string): Statement =>
  deleteByKeys(dialect, table, 'run_id', runIds, index === undefined ? {} : { index: indexOf(table, index) });

/** Only for completed runs: waiters for a run that did not complete must notice that it is gone. */
const deleteMetDependencies = ({ tables, dialect }: Scope, targetIds: readonly string[]): Statement => {
  const on = raw(`r.id = e.target_id AND r.status = 'completed'`);
  return byFamily(dialect, {
    postgres: () =>
      sql`DELETE FROM ${tables.dependencies} AS e USING ${tables.runs} AS r WHERE ${on} AND e.target_id ${amongKeys(dialect, targetIds)}`,
    mysql: () => {
      const from = sql`${listedKeys(dialect, targetIds)} STRAIGHT_JOIN ${tables.runs} AS r FORCE INDEX (PRIMARY) ON r.id = k.found`;
      return dialect.deleteFrom({ table: tables.dependencies, as: 'e', from, on });
    },
  });
};

/** Keys whose window has passed. */
export const selectExpiredKeys = (scope: Scope, limit: number): Statement => sql`
  SELECT start_key FROM ${scope.tables.startKeys}
  WHERE expires_at <= ${onceNow(scope)} ORDER BY expires_at LIMIT ${int(limit)}`;

/** Skips keys that were renewed meanwhile. */
export const deleteExpiredKeys = (scope: Scope, keys: readonly string[]): Statement => sql`
  ${deleteByKeys(scope.dialect, scope.tables.startKeys, 'start_key', keys)} AND expires_at <= ${nowOf(scope)}`;

/** What operators change in runs, in tables. */
export class SqlRunEdits extends NotifyingAdapter implements RunEdits {
  async lock(ids: readonly string[], tx: Transaction): Promise<RunRecord[]> {
    if (ids.length === 0) return [];
    return (await sqlTransaction(tx).run<RunRow>(lockRuns(this.scope, ids))).rows.map(runOf);
  }

  async open(id: string, tx?: Transaction): Promise<EditableRun | undefined> {
    const connection = connectionOf(this.db, tx);
    const isLocked = tx !== undefined;
    const { rows } = await connection.run<RunRow & ClaimedRow>(selectEditable(this.scope, id, isLocked));
    const [row] = rows;
    if (!row) return undefined;
    const steps = (await connection.run<StepRow>(selectSteps(this.scope, id, isLocked))).rows.map(stepOf);
    return { run: runOf(row), claim: claimedOf(row), steps };
  }

  async rewrite(
    { run, steps }: EditableRun,
    step: StepRecord,
    givingUp: GivingUp,
    tx: Transaction,
  ): ReturnType<RunEdits['rewrite']> {
    const own = sqlTransaction(tx);
    const { runId, seq } = step;
    const before = steps.find((other) => other.seq === seq);
    const left = childOf(before);
    const refusal = run.status === 'failed' ? await resumeRun(own, this.scope, runId, givingUp, left) : undefined;
    if (refusal) return refusal;
    await own.run(upsertSteps(this.scope, [step]));
    await own.run(freeRun(this.scope, runId));
    const freed = step.settled === null || !before ? [] : await this.giveUp(own, before, givingUp);
    await tellWithCommit(own, this.notifier, 'runs', JSON.stringify({ lost: [runId] }));
    await tellWithCommit(own, this.notifier, 'runs', '{}');
    if (freed.length > 0) await tellWithCommit(own, this.notifier, 'limiters', JSON.stringify(freed));
    return true;
  }

  /** Returns the limiters that have a permit more. */
  private async giveUp(tx: SqlTransaction, before: StepRecord, givingUp: GivingUp): Promise<string[]> {
    const ids = [stepIdOf(before.runId, before.seq)];
    const limiters = await leaveLimiters(tx, this.scope, ids);
    if (before.kind === 'signal') await tx.run(deleteWaits(this.scope, ids));
    await givingUp({ answers: notesOf(untaken([before])), limiters, withdrawn: ids }, tx);
    return limiters;
  }
}

/** Locks runs, so that their owners cannot write them. */
export const lockRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT ${RUN_COLUMNS} FROM ${tables.runs} ${dialect.forceIndex()} WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

/** A run, also in the form of a claim. */
export const selectEditable = ({ tables }: Scope, id: string, locked: boolean): Statement => sql`
  SELECT r.*, COALESCE(r.continued_at, r.created_at) AS since FROM ${tables.runs} AS r WHERE r.id = ${id}${raw(locked ? ' FOR UPDATE' : '')}`;

/** `newest`: also in a transaction whose snapshot is older. */
export const selectSteps = ({ tables, dialect }: Scope, runId: string, newest: boolean): Statement =>
  sql`SELECT ${STEP_COLUMNS} FROM ${tables.steps} ${dialect.forceIndex()} WHERE run_id = ${runId} ORDER BY seq ${newest ? dialect.newest : raw('')}`;
