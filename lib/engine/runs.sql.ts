import { isNotHeld } from '../acts/holds.sql.js';
import type { StepAnswer } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { byFamily, keyList, planned } from '../sql/dialects.js';
import {
  type CommitRiders,
  ownSessionsOr,
  type SqlConnection,
  type SqlExecutor,
  type SqlSessions,
  type SqlTransaction,
} from '../sql/executor.js';
import { type Notifier, textsIn } from '../sql/notifier.js';
import { indexOf, int, join, raw, sql, type SqlPart, type Statement } from '../sql/statement.js';
import { inParts, nowOf, onceNow, type Scope, type SqlNow, type Tables } from '../sql/tables.js';
import * as commits from './commits.sql.js';
import { SqlCommitter } from './commits.sql.js';
import { olderThanAsked } from './control.js';
import { leaveLimiters } from './limits.sql.js';
import { type ClaimedRun, firstClaim, isFinal, type RunStatus, TRIED_REASONS } from './run.js';
import {
  type ClaimRuns,
  type Outgoing,
  type RefusedWrite,
  type RunClaim,
  type RunStore,
  type RunWrite,
  type Standstill,
  SUSPECT_AFTER,
  type Taking,
  type Telling,
} from './runs.js';
import { freeLeft, offeredHint, SIGNALS_TOPIC } from './signal-waits.sql.js';
import { channelsOf, isNote, leftIn, leftOver } from './signals.js';
import { selectOpen as selectOpenRuns } from './start-keys.sql.js';
import { openIn, settleAnswers, type StepRecord } from './step.js';
import * as runs from './tables.sql.js';
import * as steps from './tables.sql.js';

/** Runs and their histories in tables. */
export class SqlRunStore implements RunStore {
  private readonly scope: Scope;
  private readonly committer: SqlCommitter;
  private readonly db: SqlSessions;

  constructor(
    db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
    riders?: CommitRiders,
  ) {
    this.db = ownSessionsOr(db);
    this.scope = { tables, dialect: db.dialect, now };
    this.committer = new SqlCommitter(this.db, this.scope, notifier, riders);
  }

  claim(request: ClaimRuns): Promise<ClaimedRun[]> {
    const { scope, db } = this;
    return byFamily(db.dialect, {
      postgres: async () => (await db.run<runs.ClaimedRow>(claimRuns(scope, request))).rows.map(runs.claimedOf),
      mysql: () => this.claimInSteps(request),
    });
  }

  private async claimInSteps(request: ClaimRuns): Promise<ClaimedRun[]> {
    const { scope, db } = this;
    const claimable = await db.run<{ kind: string }>(selectClaimable(scope, request));
    const kinds = new Set(claimable.rows.map(({ kind }) => kind));
    return kinds.size === 0 ? [] : db.transaction((tx) => this.claimIn(tx, request, kinds));
  }

  async histories(runIds: readonly string[], { latest = false } = {}): Promise<StepRecord[]> {
    const read = steps.selectHistories(this.scope, runIds);
    const { db } = this;
    const { rows } = await (latest && db.readLatest ? db.readLatest<steps.StepRow>(read) : db.run<steps.StepRow>(read));
    return rows.map(steps.stepOf);
  }

  commit(writes: readonly RunWrite[], outgoing: Outgoing, tx?: Transaction): Promise<readonly RefusedWrite[]> {
    return this.committer.commit(writes, outgoing, tx);
  }

  settleUnowned(namespace: string, answers: readonly StepAnswer[], taking: Taking): Promise<string[]> {
    return this.db.transaction((tx) => this.settleIn(tx, namespace, answers, taking));
  }

  private async settleIn(
    tx: SqlTransaction,
    namespace: string,
    answers: readonly StepAnswer[],
    taking: Taking,
  ): Promise<string[]> {
    const { scope } = this;
    const held = await this.lockUnowned(tx, namespace, answers);
    const ours = new Set(held.map(({ id }) => id));
    const given = answers.filter((answer) => isNote(answer) || ours.has(answer.runId));
    if (given.length === 0) return [];
    const alive = held.filter(({ status }) => !isFinal(status));
    const open = await this.openOf(tx, alive);
    const mine = await this.withoutStale(tx, open, given);
    const order = alive.map(({ id, settled }) => ({ id, settled: Number(settled) }));
    const statuses = new Map(alive.map(({ id, status }) => [id, status]));
    const isOpen = (step: StepRecord) => openIn([step], statuses.get(step.runId)!).length > 0;
    const settled = settleAnswers(order, open.filter(isOpen), mine);
    if (settled.steps.length > 0) await inParts(tx, settled.steps, (some) => steps.upsertSteps(scope, some));
    // Other processes are notified, too: this one may have no room for the runs, or not their workflows.
    const told = this.notifier.statement('runs', '{}');
    if (settled.runs.length > 0) await tx.run(commits.wakeRuns(scope, settled.runs, told));
    const over = leftOver(mine, settled.steps, open);
    const left = leftIn(over);
    // If signals were released, the answers are kept for another round: this process may die before the delivery.
    const again = (await freeLeft(tx, scope, left)) ? over : [];
    const stepIds = mine.filter((answer) => !again.includes(answer)).map(({ stepId }) => stepId);
    if (stepIds.length > 0) await taking(stepIds, tx);
    const limited = open.some(({ kind, ref }) => kind === 'remote' && ref !== null) || alive.length < held.length;
    const freed = limited ? await leaveLimiters(tx, scope, stepIds) : [];
    const offered = channelsOf(left);
    tx.afterCommit(() => {
      if (freed.length > 0) this.notifier.local('limiters', JSON.stringify(freed));
      if (offered.length > 0) this.notifier.local(SIGNALS_TOPIC, offeredHint(offered));
    });
    return stepIds;
  }

  /** Without answers about ends of children that go on. */
  private async withoutStale(
    tx: SqlConnection,
    open: readonly StepRecord[],
    answers: readonly StepAnswer[],
  ): Promise<readonly StepAnswer[]> {
    const older = olderThanAsked(open, answers);
    if (older.length === 0) return answers;
    const ids = older.map(({ childId }) => childId);
    const { rows } = await tx.run<{ id: string }>(selectOpenRuns(this.scope, ids));
    const going = new Set(rows.map(({ id }) => id));
    const stale = older.filter(({ childId }) => going.has(childId)).map(({ answer }) => answer);
    return answers.filter((answer) => !stale.includes(answer));
  }

  private async lockUnowned(
    tx: SqlConnection,
    namespace: string,
    answers: readonly StepAnswer[],
  ): Promise<readonly HeldRow[]> {
    const ids = answers.filter((answer) => !isNote(answer)).map(({ runId }) => runId);
    return ids.length === 0 ? [] : (await tx.run<HeldRow>(commits.lockUnowned(this.scope, namespace, ids))).rows;
  }

  private async openOf(tx: SqlConnection, runs: readonly { id: string }[]): Promise<StepRecord[]> {
    const ids = runs.map(({ id }) => id);
    if (ids.length === 0) return [];
    return (await tx.run<steps.StepRow>(steps.selectAnswerable(this.scope, ids))).rows.map(steps.stepOf);
  }

  async owned(nodeId: string): Promise<RunClaim[]> {
    const { rows } = await this.db.run<Pick<OwnedRow, 'id' | 'epoch'>>(runs.selectOwned(this.scope, nodeId));
    return rows.map(({ id, epoch }) => ({ runId: id, epoch: Number(epoch), owner: nodeId }));
  }

  async lost(claimed: readonly RunClaim[]): Promise<RunClaim[]> {
    const ids = claimed.map(({ runId }) => runId);
    const { rows } = await this.db.run<OwnedRow>(runs.selectClaims(this.scope, ids));
    const held = new Map(rows.map((row) => [row.id, row]));
    const holds = ({ runId, epoch, owner }: RunClaim) => {
      const row = held.get(runId);
      return row !== undefined && Number(row.epoch) === epoch && row.owner === owner;
    };
    return claimed.filter((claim) => !holds(claim));
  }

  async release(
    claimed: readonly RunClaim[],
    crashed: boolean,
    standstill?: Standstill,
    telling?: Telling,
  ): Promise<void> {
    if (claimed.length === 0) return;
    await this.db.transaction(async (tx) => {
      // Locked first, so that a commit of the owner in progress is seen when the order of outcomes is stored.
      await tx.run(
        commits.lockRuns(
          this.scope,
          claimed.map(({ runId }) => runId),
        ),
      );
      const { affected } = await tx.run(runs.freeClaims(this.scope, claimed, crashed, standstill));
      if (telling && affected > 0) await telling(tx);
    });
    this.notifier.local('runs', '{}');
    this.notifier.publish('runs', '{}');
  }

  onRuns(listener: (lost?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('runs', (payload) => listener(textsIn(payload, 'lost')));
  }

  /** MySQL and MariaDB. Due runs first; runs that wait for their turn fill the rest of the limit. */
  private async claimIn(tx: SqlConnection, request: ClaimRuns, kinds: ReadonlySet<string>): Promise<ClaimedRun[]> {
    const due = kinds.has('due') ? await this.take(tx, request, lockClaimable) : [];
    const room = { ...request, limit: request.limit - due.length };
    return kinds.has('in_turn') ? [...due, ...(await this.take(tx, room, lockInTurn))] : due;
  }

  /** A fair share for each workflow; the rest of the limit goes to workflows that may have more runs. */
  private async take(tx: SqlConnection, request: ClaimRuns, lock: typeof lockClaimable): Promise<ClaimedRun[]> {
    const taken: ClaimedRun[] = [];
    let { workflows } = request;
    while (taken.length < request.limit && workflows.length > 0) {
      const asked = { ...request, workflows, limit: request.limit - taken.length };
      const { rows } = await tx.run<runs.ClaimedRow>(lock(this.scope, asked));
      const picked = rows.slice(0, asked.limit).map(runs.claimedOf);
      if (picked.length === 0) break;
      const ids = picked.map(({ id }) => id);
      await tx.run(stampClaimed(this.scope, request.nodeId, firstClaim(picked), ids));
      taken.push(...picked);
      const full = ({ name, version }: (typeof workflows)[number]) =>
        rows.filter((row) => row.workflow === name && Number(row.version) === version).length >= quotaOf(asked);
      workflows = workflows.filter(full);
    }
    return taken;
  }
}

interface HeldRow {
  id: string;
  status: RunStatus;
  settled: number | string;
}

interface OwnedRow {
  id: string;
  epoch: number | string;
  owner: string | null;
}

/** MySQL and MariaDB: how many runs of each workflow one statement may lock, so that few are locked needlessly. */
export const quotaOf = ({ limit, workflows }: ClaimRuns): number => Math.ceil(limit / workflows.length);

/** The start of the index range. The index may begin with old entries of claimed runs that are not cleaned up yet. */
const sinceOf = (scope: Scope, { dueWithinMs }: ClaimRuns): Statement =>
  dueWithinMs === undefined ? raw('') : sql` AND r.wake_at >= ${onceNow(scope)} - ${int(dueWithinMs)}`;

const LEFT_OUT = { id: 'key', epoch: 'int' } as const;

const isNoneOf = ({ dialect }: Scope, claims: NonNullable<ClaimRuns['without']>): Statement => {
  const rows = claims.map(({ runId, epoch }) => ({ id: runId, epoch }));
  return sql`NOT EXISTS (SELECT 1 FROM ${dialect.rows(rows, LEFT_OUT)} AS o WHERE o.id = r.id AND o.epoch = r.epoch)`;
};

const filterOf = (scope: Scope, request: ClaimRuns): Statement => {
  const { which, afterId = '', without = [] } = request;
  const others = without.length > 0 ? sql` AND ${isNoneOf(scope, without)}` : raw('');
  const due = sql`r.wake_at <= ${onceNow(scope)}`;
  switch (which) {
    case 'due':
      return sql`${due}${sinceOf(scope, request)} AND r.crashes < ${int(SUSPECT_AFTER)}`;
    case 'suspect':
      return sql`${due} AND r.crashes >= ${int(SUSPECT_AFTER)}`;
    case 'blocked':
      // As in the index's condition: with parameters, a cached plan could not use the partial index.
      return sql`r.reason IS NOT NULL AND r.status = 'suspended' AND r.reason IN (${join(TRIED_REASONS)}) AND r.id > ${afterId}${others}`;
  }
};

const orderOf = ({ which }: ClaimRuns): Statement => raw(which === 'blocked' ? 'r.id' : 'r.wake_at');

/** New runs that wait for their turn have a turn in place of a due time, until they are claimed. */
const AWAITS_TURN = raw(`r.turn IS NOT NULL AND r.status = 'pending'`);

/** A node that is not registered must not claim runs, since its death would not be noticed. */
const signedIn = (scope: Scope, nodeId: string): Statement =>
  sql`EXISTS (SELECT 1 FROM ${scope.tables.nodes} AS n WHERE n.id = ${nodeId} AND n.expires_at > ${nowOf(scope)})`;

/** `at`: when they are claimed. */
const taken = (nodeId: string, at: SqlPart): Statement => sql`
  owner = ${nodeId}, epoch = epoch + 1, wake_at = NULL, turn = NULL, reason = NULL, reason_detail = NULL,
  status = CASE WHEN closing IS NOT NULL THEN 'compensating' WHEN precondition IS NOT NULL THEN status ELSE 'running' END,
  started_at = CASE WHEN precondition IS NULL THEN COALESCE(started_at, GREATEST(created_at, ${at})) END`;

/** The columns that the owner of a run needs, besides its epoch. */
const CLAIMED =
  'id, workflow, version, context, input, crashes, crashed, deadline, closing, error, notifies, unwinds, precondition, ' +
  'first_seq, resume, forked_seq, schedule_id';
const SINCE = 'COALESCE(continued_at, created_at) AS since';
const claimedAt = (scope: Scope): Statement =>
  sql`GREATEST(${nowOf(scope)}, COALESCE(started_at, created_at)) AS claimed_at`;

const PICKED = raw('SELECT tid FROM due');

/** PostgreSQL: one statement; each workflow is one range read in index order. */
export const claimRuns = (scope: Scope, request: ClaimRuns): Statement => {
  const { nodeId, namespace, workflows, limit } = request;
  const { tables, dialect } = scope;
  const served = workflows.map(({ name, version }) => ({ name, version }));
  // The outer limit ends the reads, so that only claimed runs are locked.
  const pick = (filter: Statement, order: Statement, most: Statement) => sql`
    SELECT o.tid FROM ${dialect.rows(served, { name: 'key', version: 'int' })} AS w
    CROSS JOIN ${planned}
    CROSS JOIN LATERAL (
      SELECT r.ctid AS tid FROM ${tables.runs} AS r
      WHERE r.namespace = ${namespace} AND r.workflow = w.name AND r.version = w.version AND r.owner IS NULL
        AND ${filter} AND ${isNotHeld(scope, namespace, 'workflow', raw('w.name'))}
      ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) AS o
    WHERE ${signedIn(scope, nodeId)}
    LIMIT ${most}`;
  const due = pick(filterOf(scope, request), orderOf(request), sql`${limit}`);
  // Due runs first; runs that wait for their turn fill the rest of the limit.
  const room = sql`(CAST(${limit} AS bigint) - (SELECT count(*) FROM due))`;
  const inTurn = pick(AWAITS_TURN, raw('r.turn'), room);
  const picked = request.which === 'due' ? sql`${PICKED} UNION ALL SELECT tid FROM in_turn` : PICKED;
  const update = sql`
  WITH due AS MATERIALIZED (${due})${request.which === 'due' ? sql`, in_turn AS MATERIALIZED (${inTurn})` : raw('')}
  UPDATE ${tables.runs} SET ${taken(nodeId, nowOf(scope))}
    WHERE ctid = ANY (ARRAY(${picked}))
    RETURNING ${raw(`${CLAIMED}, epoch, ${SINCE}`)}, ${claimedAt(scope)}`;
  // Ordered, since the last row is the start of the next page; an UPDATE returns rows in no order.
  if (request.which === 'blocked') return sql`WITH taken AS (${update}) SELECT * FROM taken ORDER BY id`;
  return update;
};

interface Probe {
  index: Statement;
  filter: Statement;
  order: Statement;
}

const forced = ({ tables }: Scope, suffix: string): Statement => sql`FORCE INDEX (${indexOf(tables.runs, suffix)})`;

const askedFor = (scope: Scope, request: ClaimRuns): Probe => ({
  index: forced(scope, request.which === 'blocked' ? 'blocked' : 'due'),
  filter: filterOf(scope, request),
  order: orderOf(request),
});

const inTurn = (scope: Scope): Probe => ({ index: forced(scope, 'turn'), filter: AWAITS_TURN, order: raw('r.turn') });

/** MySQL and MariaDB: the index is forced, since with another plan a locking read would lock the whole backlog. */
const probes = (scope: Scope, request: ClaimRuns, probe: Probe, columns: Statement, tail: Statement): Statement => {
  const quota = int(quotaOf(request));
  return join(
    request.workflows.map(
      ({ name, version }) => sql`(SELECT ${columns} FROM ${scope.tables.runs} AS r ${probe.index}
      WHERE r.namespace = ${request.namespace} AND r.workflow = ${name} AND r.version = ${version}
        AND r.owner IS NULL AND ${probe.filter} AND ${isNotHeld(scope, request.namespace, 'workflow', name)}
      ORDER BY ${probe.order} LIMIT ${quota} ${tail})`,
    ),
    ' UNION ALL ',
  );
};

/**
 * MySQL and MariaDB: whether there are due runs to claim, and whether there are runs that wait for their turn. A plain
 * read, so that an idle engine locks nothing and opens no transaction.
 */
export const selectClaimable = (scope: Scope, request: ClaimRuns): Statement => {
  const found = (probe: Probe, kind: 'due' | 'in_turn') => sql`
  (SELECT '${raw(kind)}' AS kind FROM (${probes(scope, { ...request, limit: 1 }, probe, raw('1 AS found'), raw(''))}) AS p
    WHERE ${signedIn(scope, request.nodeId)} LIMIT 1)`;
  const due = found(askedFor(scope, request), 'due');
  return request.which === 'due' ? sql`${due} UNION ALL ${found(inTurn(scope), 'in_turn')}` : due;
};

const claimable = (scope: Scope): Statement =>
  sql`${raw(`${CLAIMED}, epoch + 1 AS epoch, ${SINCE}`)}, ${claimedAt(scope)}`;

/** MySQL and MariaDB. */
export const lockClaimable = (scope: Scope, request: ClaimRuns): Statement =>
  probes(scope, request, askedFor(scope, request), claimable(scope), raw('FOR UPDATE SKIP LOCKED'));

/** MySQL and MariaDB: locks the first runs that wait for their turn. */
export const lockInTurn = (scope: Scope, request: ClaimRuns): Statement =>
  probes(scope, request, inTurn(scope), claimable(scope), raw('FOR UPDATE SKIP LOCKED'));

export const stampClaimed = (scope: Scope, nodeId: string, at: number, ids: readonly string[]): Statement =>
  sql`UPDATE ${scope.tables.runs} FORCE INDEX (PRIMARY) SET ${taken(nodeId, at)} WHERE id IN ${keyList(ids)}`;
