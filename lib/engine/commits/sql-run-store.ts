import { byFamily } from '../../sql/dialects/dialect.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { CommitRiders } from '../../sql/commit-riders.js';
import { inParts } from '../../sql/in-parts.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlConnection, SqlExecutor, SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import * as claims from './claim.sql.js';
import * as commits from './commit.sql.js';
import { SqlCommitter } from './sql-committer.js';
import { type ClaimedRun, isFinal, type RunStatus } from '../model/run.js';
import type {
  ClaimRuns,
  Outgoing,
  RefusedWrite,
  RunClaim,
  RunStore,
  RunWrite,
  Standstill,
  Taking,
  Telling,
} from '../model/run-store.js';
import * as runs from '../tables/run.sql.js';
import { leaveLimiters } from '../limits/sql-admissions.js';
import { olderThanAsked } from '../endings/resumption.js';
import { openIn, settleAnswers, type StepRecord } from '../model/step-record.js';
import { channelsOf, isNote, leftIn, leftOver } from '../model/left-signals.js';
import { freeLeft, offeredHint, SIGNALS_TOPIC } from '../signals/sql-signal-waits.js';
import { selectOpen as selectOpenRuns } from '../starts/start-key.sql.js';
import * as steps from '../tables/step.sql.js';

/** Runs and their histories in tables. */
export class SqlRunStore implements RunStore {
  private readonly scope: Scope;
  private readonly committer: SqlCommitter;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
    riders?: CommitRiders,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
    this.committer = new SqlCommitter(db, this.scope, notifier, riders);
  }

  claim(request: ClaimRuns): Promise<ClaimedRun[]> {
    const { scope, db } = this;
    return byFamily(db.dialect, {
      postgres: async () => (await db.run<runs.ClaimedRow>(claims.claimRuns(scope, request))).rows.map(runs.claimedOf),
      mysql: () => this.claimInSteps(request),
    });
  }

  private async claimInSteps(request: ClaimRuns): Promise<ClaimedRun[]> {
    const { scope, db } = this;
    const claimable = await db.run<{ kind: string }>(claims.selectClaimable(scope, request));
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
    return this.notifier.subscribe('runs', (payload) => listener(lostIn(payload)));
  }

  /** MySQL and MariaDB. Due runs first; runs that wait for their turn fill the rest of the limit. */
  private async claimIn(tx: SqlConnection, request: ClaimRuns, kinds: ReadonlySet<string>): Promise<ClaimedRun[]> {
    const due = kinds.has('due') ? await this.take(tx, request, claims.lockClaimable) : [];
    const room = { ...request, limit: request.limit - due.length };
    return kinds.has('in_turn') ? [...due, ...(await this.take(tx, room, claims.lockInTurn))] : due;
  }

  /** A fair share for each workflow; the rest of the limit goes to workflows that may have more runs. */
  private async take(tx: SqlConnection, request: ClaimRuns, lock: typeof claims.lockClaimable): Promise<ClaimedRun[]> {
    const taken: ClaimedRun[] = [];
    let { workflows } = request;
    while (taken.length < request.limit && workflows.length > 0) {
      const asked = { ...request, workflows, limit: request.limit - taken.length };
      const { rows } = await tx.run<runs.ClaimedRow>(lock(this.scope, asked));
      const picked = rows.slice(0, asked.limit).map(runs.claimedOf);
      if (picked.length === 0) break;
      const ids = picked.map(({ id }) => id);
      await tx.run(claims.stampClaimed(this.scope, request.nodeId, amongKeys(tx.dialect, ids)));
      taken.push(...picked);
      const full = ({ name, version }: (typeof workflows)[number]) =>
        rows.filter((row) => row.workflow === name && Number(row.version) === version).length >= claims.quotaOf(asked);
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

/** The runs that were taken from their owner, from a notification; undefined means that runs may be due. */
function lostIn(payload: string | undefined): readonly string[] | undefined {
  if (payload === undefined) return undefined;
  try {
    const { lost } = JSON.parse(payload) as { lost?: unknown };
    return Array.isArray(lost) && lost.every((id) => typeof id === 'string') ? lost : undefined;
  } catch {
    return undefined;
  }
}
