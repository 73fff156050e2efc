import type { StepAnswer } from '../protocol/step.js';
import type { Transaction } from '../protocol/transaction.js';
import { amongKeys } from '../sql/key-list.js';
import type { Notifier } from '../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../sql/sql-executor.js';
import type { SqlNow } from '../sql/sql-now.js';
import type { Tables } from '../sql/tables.js';
import * as claims from './claim.sql.js';
import * as commits from './commit.sql.js';
import { isFinal, type ClaimedRun, type RunStatus } from './run.js';
import type { Alongside, ClaimRuns, RunClaim, RunStore, RunWrite } from './run-store.js';
import * as runs from './run.sql.js';
import { settleAnswers } from './settled-answers.js';
import type { StepRecord } from './step-record.js';
import * as steps from './step.sql.js';

/** Runs and their histories in tables. */
export class SqlRunStore implements RunStore {
  private readonly scope: runs.Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async claim(request: ClaimRuns): Promise<ClaimedRun[]> {
    const { scope, db } = this;
    if (db.dialect.family === 'postgres') {
      return (await db.run<runs.ClaimedRow>(claims.claimRuns(scope, request))).rows.map(runs.claimedOf);
    }
    const claimable = await db.run(claims.selectClaimable(scope, request));
    return claimable.rows.length === 0 ? [] : db.transaction((tx) => this.claimIn(tx, request));
  }

  async histories(runIds: readonly string[]): Promise<StepRecord[]> {
    return (await this.db.run<steps.StepRow>(steps.selectHistories(this.scope, runIds))).rows.map(steps.stepOf);
  }

  async commit(writes: readonly RunWrite[], alongside: Alongside, tx?: Transaction): Promise<readonly RunWrite[]> {
    const finished = writes
      .filter(({ transition }) => transition && transition.status !== 'suspended')
      .map(({ runId }) => runId);
    // With nothing alongside, one statement is a transaction already.
    const alone = this.db.dialect.family === 'postgres' && writes.every(isAlone);
    const lost = tx
      ? await this.commitIn(tx as SqlConnection, writes, alongside, finished)
      : alone
        ? await this.commitIn(this.db, writes, alongside, finished)
        : await this.db.transaction((own) => this.commitIn(own, writes, alongside, finished));
    if (finished.length > 0) this.notifier.local('done', JSON.stringify(finished));
    return lost;
  }

  async settleUnowned(
    namespace: string,
    answers: readonly StepAnswer[],
    alongside: (stepIds: readonly string[], tx: Transaction) => Promise<void>,
  ): Promise<string[]> {
    const { scope } = this;
    const ids = answers.map(({ runId }) => runId);
    return this.db.transaction(async (tx) => {
      const { rows: held } = await tx.run<HeldRow>(commits.lockUnowned(scope, namespace, ids));
      if (held.length === 0) return [];
      const alive = held.filter(({ status }) => !isFinal(status));
      const open =
        alive.length > 0
          ? await tx.run<steps.StepRow>(
              steps.selectOpenRemoteSteps(
                scope,
                alive.map(({ id }) => id),
              ),
            )
          : { rows: [] };
      const order = alive.map(({ id, settled }) => ({ id, settled: Number(settled) }));
      const settled = settleAnswers(order, open.rows.map(steps.stepOf), answers);
      if (settled.steps.length > 0) await tx.run(steps.upsertSteps(scope, settled.steps));
      if (settled.runs.length > 0) await tx.run(commits.wakeRuns(scope, settled.runs));
      const ours = new Set(held.map(({ id }) => id));
      const stepIds = answers.filter(({ runId }) => ours.has(runId)).map(({ stepId }) => stepId);
      await alongside(stepIds, tx);
      return stepIds;
    });
  }

  async owned(nodeId: string): Promise<RunClaim[]> {
    const { rows } = await this.db.run<Pick<OwnedRow, 'id' | 'epoch'>>(runs.selectOwned(this.scope, nodeId));
    return rows.map(({ id, epoch }) => ({ runId: id, epoch: Number(epoch) }));
  }

  async release(claimed: readonly RunClaim[], crashed: boolean): Promise<void> {
    if (claimed.length === 0) return;
    await this.db.transaction(async (tx) => {
      // First, so that what the owner is committing just now is seen when the order of outcomes is written down.
      await tx.run(
        commits.lockRuns(
          this.scope,
          claimed.map(({ runId }) => runId),
        ),
      );
      await tx.run(runs.freeClaims(this.scope, claimed, crashed));
    });
    this.notifier.local('runs', '{}');
    this.notifier.publish('runs', '{}');
  }

  onRuns(listener: (lost?: readonly string[]) => void): () => void {
    return this.notifier.subscribe('runs', (payload) => listener(lostIn(payload)));
  }

  private async claimIn(tx: SqlConnection, request: ClaimRuns): Promise<ClaimedRun[]> {
    const { rows } = await tx.run<runs.ClaimedRow>(claims.lockClaimable(this.scope, request));
    const picked = rows.slice(0, request.limit).map(runs.claimedOf);
    if (picked.length > 0) {
      const among = amongKeys(
        tx.dialect,
        picked.map(({ id }) => id),
      );
      await tx.run(claims.stampClaimed(this.scope, request.nodeId, among));
    }
    return picked;
  }

  private async commitIn(
    tx: SqlConnection,
    writes: readonly RunWrite[],
    alongside: Alongside,
    finished: readonly string[],
  ): Promise<readonly RunWrite[]> {
    const accepted = await this.write(tx, writes, finished);
    if (accepted.length > 0 && !writes.every(isAlone)) await alongside(accepted, tx);
    return writes.filter((write) => !accepted.includes(write));
  }

  private async write(
    tx: SqlConnection,
    writes: readonly RunWrite[],
    finished: readonly string[],
  ): Promise<RunWrite[]> {
    const { scope } = this;
    if (tx.dialect.family === 'postgres') {
      const notification = finished.length > 0 ? this.notifier.statement('done', JSON.stringify(finished)) : undefined;
      const { rows } = await tx.run<{ id: string; epoch: number | string }>(
        commits.commitAll(scope, writes, notification),
      );
      return passed(writes, rows);
    }
    const { rows } = await tx.run<OwnedRow>(
      commits.lockRuns(
        scope,
        writes.map(({ runId }) => runId),
      ),
    );
    const accepted = passed(
      writes,
      rows.filter(({ owner }) => owner !== null),
    );
    const written = accepted.flatMap((write) => write.steps);
    if (written.length > 0) await tx.run(steps.upsertSteps(scope, written));
    const changes = commits.changeRuns(scope, accepted);
    if (changes) await tx.run(changes);
    return accepted;
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

const isAlone = ({ tasks, takes, withdraws }: RunWrite): boolean =>
  tasks.length + takes.length + withdraws.length === 0;

function passed(writes: readonly RunWrite[], rows: readonly { id: string; epoch: number | string }[]): RunWrite[] {
  const epochs = new Map(rows.map(({ id, epoch }) => [id, Number(epoch)]));
  return writes.filter(({ runId, epoch }) => epochs.get(runId) === epoch);
}

/** Runs that a notification says were taken from their owner; undefined for "look for due ones". */
function lostIn(payload: string | undefined): readonly string[] | undefined {
  if (payload === undefined) return undefined;
  try {
    const { lost } = JSON.parse(payload) as { lost?: unknown };
    return Array.isArray(lost) && lost.every((id) => typeof id === 'string') ? lost : undefined;
  } catch {
    return undefined;
  }
}
