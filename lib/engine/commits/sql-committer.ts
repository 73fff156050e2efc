import { byFamily } from '../../sql/dialects/dialect.js';
import type { CommitRiders } from '../../sql/commit-riders.js';
import { inParts, MOST_ROWS } from '../../sql/in-parts.js';
import { type Notifier, tellWithCommit } from '../../sql/notifier.js';
import type { Transaction } from '../../protocol/transaction.js';
import { inTransaction, type SqlConnection, type SqlExecutor, type SqlTransaction } from '../../sql/sql-executor.js';
import * as commits from './commit.sql.js';
import { isFinalTransition } from '../model/run.js';
import { keepsAnswers } from '../model/run-control.js';
import { withoutRecorded } from '../model/outgoing-steps.js';
import type { Outgoing, RefusedWrite, RunWrite } from '../model/run-store.js';
import type { Scope } from '../../sql/tables.js';
import { type EndedRun, settleLastAnswers, tellEndings } from '../endings/sql-run-endings.js';
import { channelsOf, leftIn } from '../model/left-signals.js';
import { freeLeft, offeredHint, SIGNALS_TOPIC } from '../signals/sql-signal-waits.js';
import { recordedOutgoing, writeExtras } from './sql-run-extras.js';
import * as steps from '../tables/step.sql.js';

/** The writes that passed, with the notifies of their runs. */
type Accepted = Map<RunWrite, number>;

interface Fenced {
  accepted: Accepted;
  refused: readonly RefusedWrite[];
  dispatchedAt?: number;
}

/** A run would have ended without notifying its waiters: the commit is repeated in a transaction. */
class NotifiesAfterAll extends Error {}

interface HeldRow {
  id: string;
  epoch: number | string;
  notifies: number | string;
  stands: boolean | number | string;
  /** Only for a write with `once`. */
  fresh?: boolean | number | string;
  /** Only if it dispatched tasks; null: none was written, since they were there. */
  dispatched_at?: number | string | null;
}

/**
 * Commits the writes of activations, many runs at a time. On PostgreSQL, steps, parkings and ends are one statement, and
 * so are tasks and taken answers if they can ride with it; writes with other parts, and ends that others wait for, need
 * a transaction.
 */
export class SqlCommitter {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: Scope,
    private readonly notifier: Notifier,
    private readonly riders?: CommitRiders,
  ) {}

  /** Returns the writes that did not pass the fencing. */
  async commit(writes: readonly RunWrite[], outgoing: Outgoing, tx?: Transaction): Promise<readonly RefusedWrite[]> {
    const finished = writes.filter(({ transition }) => isFinalTransition(transition)).map(({ runId }) => runId);
    const work = (own: SqlTransaction) => this.commitIn(own, writes, outgoing, finished);
    return !tx && this.isOneStatement(writes, outgoing)
      ? this.inOneStatement(writes, outgoing, finished, () => this.db.transaction(work))
      : inTransaction(this.db, tx, work);
  }

  private isOneStatement(writes: readonly RunWrite[], outgoing: Outgoing): boolean {
    const can = byFamily(this.db.dialect, { postgres: () => true, mysql: () => false });
    const carries = this.riders !== undefined && outgoing.carried !== undefined;
    return can && writes.every(carries ? isWithTransport : isAlone) && mostRowsOf(writes) <= MOST_ROWS;
  }

  private async inOneStatement(
    writes: readonly RunWrite[],
    outgoing: Outgoing,
    finished: readonly string[],
    otherwise: () => Promise<readonly RefusedWrite[]>,
  ): Promise<readonly RefusedWrite[]> {
    try {
      const { accepted, refused, dispatchedAt } = await this.write(this.db, writes, finished, false);
      this.tellEnded(endedOf(accepted));
      outgoing.carried?.([...accepted.keys()], dispatchedAt);
      return refused;
    } catch (error) {
      if (error instanceof NotifiesAfterAll) return otherwise();
      throw error;
    }
  }

  private async commitIn(
    tx: SqlTransaction,
    writes: readonly RunWrite[],
    outgoing: Outgoing,
    finished: readonly string[],
  ): Promise<readonly RefusedWrite[]> {
    const recorded = await recordedOutgoing(tx, this.scope, writes);
    const { accepted, refused } = await this.write(tx, writes, finished, true);
    const passed = [...accepted.keys()];
    const ended = endedOf(accepted);
    tx.afterCommit(() => this.tellEnded(ended));
    const written = await writeExtras(tx, this.scope, passed);
    const renewed = passed.filter(({ transition }) => transition?.status === 'pending').map(({ runId }) => runId);
    if (renewed.length > 0) await tx.run(steps.deleteHistories(this.scope, renewed));
    const told = await tellEndings(tx, this.scope, ended);
    const answers = [...told.answers, ...written.answers];
    const limiters = [...told.limiters, ...written.limiters];
    if (told.woken || written.woken) await tellWithCommit(tx, this.notifier, 'runs', '{}');
    let { offered } = written;
    if (passed.length > 0 && (answers.length + limiters.length > 0 || !passed.every(isAlone))) {
      const fresh = withoutRecorded(passed, (stepId) => recorded.has(stepId));
      const answered = await outgoing(fresh, tx, { answers, limiters });
      await settleLastAnswers(tx, this.scope, closedOf(passed), answered);
      const left = leftIn(answered ?? []);
      if (await freeLeft(tx, this.scope, left)) offered = [...offered, ...channelsOf(left)];
    }
    if (offered.length > 0) tx.afterCommit(() => this.notifier.local(SIGNALS_TOPIC, offeredHint(offered)));
    return refused;
  }

  private tellEnded(ended: readonly EndedRun[]): void {
    if (ended.length > 0) this.notifier.local('done', JSON.stringify(ended.map(({ id }) => id)));
  }

  private write(
    tx: SqlConnection,
    writes: readonly RunWrite[],
    finished: readonly string[],
    notifying: boolean,
  ): Promise<Fenced> {
    return byFamily(tx.dialect, {
      postgres: () => this.writeAtOnce(tx, writes, finished, notifying),
      mysql: () => this.writeInSteps(tx, writes),
    });
  }

  private async writeAtOnce(
    tx: SqlConnection,
    writes: readonly RunWrite[],
    finished: readonly string[],
    notifying: boolean,
  ): Promise<Fenced> {
    const newest = newestOf(writes);
    const notification = finished.length > 0 ? this.notifier.statement('done', JSON.stringify(finished)) : undefined;
    // Too many steps for one statement are written after the fencing, in the same transaction.
    const apart = notifying && stepsOf(newest) > MOST_ROWS;
    const listed = apart ? newest.map((write) => ({ ...write, steps: [] })) : newest;
    const riding = notifying ? undefined : this.ridingOn(newest);
    const { rows } = await tx.run<HeldRow>(commits.commitAll(this.scope, listed, { notification, notifying, riding }));
    const fenced = fencedBy(writes, rows);
    const dispatchedAt = rows[0]?.dispatched_at ?? null;
    if (dispatchedAt !== null) fenced.dispatchedAt = Number(dispatchedAt);
    if (apart) await this.writeSteps(tx, fenced.accepted);
    if (!notifying && endedOf(fenced.accepted).some(({ notifies }) => notifies !== 0)) throw new NotifiesAfterAll();
    return fenced;
  }

  /** What the transport writes in the same statement; in a transaction it has statements of its own. */
  private ridingOn(writes: readonly RunWrite[]): commits.Riding | undefined {
    const { riders } = this;
    const ridden = { tasks: writes.flatMap(({ tasks }) => tasks), takes: writes.flatMap(({ takes }) => takes) };
    const [hasTasks, hasTakes] = [ridden.tasks.length > 0, ridden.takes.length > 0];
    if (!riders || !(hasTasks || hasTakes)) return undefined;
    return { parts: riders.parts(ridden), dispatchedAt: hasTasks ? riders.dispatchedAt : undefined };
  }

  private async writeInSteps(tx: SqlConnection, writes: readonly RunWrite[]): Promise<Fenced> {
    const { scope } = this;
    const { rows } = await tx.run<HeldRow>(commits.lockFenced(scope, newestOf(writes)));
    const fenced = fencedBy(writes, rows);
    const { accepted } = fenced;
    await this.writeSteps(tx, accepted);
    const changing = [...accepted.keys()].filter(commits.changesRun);
    if (changing.length > 0) await inParts(tx, changing, (some) => commits.changeRuns(scope, some));
    return fenced;
  }

  private async writeSteps(tx: SqlConnection, accepted: Accepted): Promise<void> {
    const written = [...accepted.keys()].flatMap((write) => write.steps);
    if (written.length > 0) await inParts(tx, written, (some) => steps.upsertSteps(this.scope, some));
  }
}

/**
 * The writes of the newest claim of each run. The statement finds a run's writes by its id, so writes of an older claim
 * of this process, which cannot pass the fencing, must not be in it.
 */
function newestOf(writes: readonly RunWrite[]): readonly RunWrite[] {
  const newest = new Map<string, RunWrite>();
  for (const write of writes) {
    const other = newest.get(write.runId);
    if (!other || other.epoch < write.epoch) newest.set(write.runId, write);
  }
  return newest.size === writes.length ? writes : [...newest.values()];
}

const stepsOf = (writes: readonly RunWrite[]): number => writes.reduce((sum, { steps: { length } }) => sum + length, 0);

/** Of the kind of which there are the most rows: a statement lists each kind. */
const mostRowsOf = (writes: readonly RunWrite[]): number =>
  Math.max(
    ...(['steps', 'tasks', 'takes'] as const).map((kind) => writes.reduce((sum, write) => sum + write[kind].length, 0)),
  );

/** Whether it only writes the tables of runs and steps. */
const isAlone = (write: RunWrite): boolean => write.tasks.length + write.takes.length === 0 && isWithTransport(write);

/** Whether it only writes the tables of runs and steps, dispatches tasks and takes answers. */
const isWithTransport = ({ withdraws, extras, notifies = 0, transition }: RunWrite): boolean =>
  withdraws.length === 0 &&
  (extras === undefined || Object.keys(extras).every((key) => key === 'unwinds')) &&
  !(notifies !== 0 && isFinalTransition(transition)) &&
  transition?.status !== 'pending';

const closedOf = (accepted: readonly RunWrite[]): string[] =>
  accepted.filter(({ transition }) => keepsAnswers(transition)).map(({ runId }) => runId);

function endedOf(accepted: Accepted): EndedRun[] {
  const ended: EndedRun[] = [];
  for (const [{ runId: id, transition }, notifies] of accepted)
    if (isFinalTransition(transition)) ended.push({ id, notifies });
  return ended;
}

function fencedBy(writes: readonly RunWrite[], rows: readonly HeldRow[]): Fenced {
  const held = new Map<string, HeldRow>();
  for (const row of rows) held.set(row.id, row);
  const accepted: Accepted = new Map();
  const refused: RefusedWrite[] = [];
  for (const write of writes) {
    const row = held.get(write.runId);
    if (!row || Number(row.epoch) !== write.epoch) refused.push(write);
    else if (!Number(row.stands)) refused.push({ ...write, because: 'ahead' });
    else if (write.once && !Number(row.fresh)) refused.push({ ...write, because: 'settled' });
    else accepted.set(write, Number(row.notifies));
  }
  return { accepted, refused };
}
