import { compare, type Dispatched } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { amongKeys, type Assignments, byFamily, type JsonColumn, planned, type SentAs } from '../sql/dialects.js';
import {
  type CommitRiders,
  inTransaction,
  type Ride,
  type SqlConnection,
  type SqlSessions,
  type SqlTransaction,
} from '../sql/executor.js';
import { type Notifier, tellWithCommit } from '../sql/notifier.js';
import { join, raw, sql, type Statement } from '../sql/statement.js';
import { inParts, insertLogLines, MOST_ROWS, nowOf, type Scope } from '../sql/tables.js';
import { keepsAnswers } from './control.js';
import { type EndedRun, settleLastAnswers, tellEndings } from './endings.sql.js';
import { writeLimiterMoves } from './limits.sql.js';
import { isFinalTransition, writeDetail } from './run.js';
import {
  type Endings,
  inDoubt,
  NO_ENDINGS,
  type Outgoing,
  type RecordedStep,
  type RefusedWrite,
  refusingUnheld,
  type RunWrite,
  UnheldTasks,
  untold,
  withoutRecorded,
} from './runs.js';
import { freeLeft, offeredHint, SIGNALS_TOPIC, writeSignalWaits } from './signal-waits.sql.js';
import { channelsOf, leftIn } from './signals.js';
import { writeChildren } from './starts.sql.js';
import * as steps from './tables.sql.js';
import { type ExtrasOutcome, type ExtrasWriter, ownedBy, upsertSteps } from './tables.sql.js';

/** The writes that passed, with the notifies of their runs. */
type Accepted = Map<RunWrite, number>;

interface Fenced {
  accepted: Accepted;
  refused: readonly RefusedWrite[];
  dispatched?: Dispatched;
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
  /** Only if it dispatched tasks: what the transport tells of them. */
  dispatched?: unknown;
  /** Only if it ended tasks: the step ids of those that are not held any more, as JSON. */
  unheld?: string | null;
}

/**
 * Commits the writes of activations, many runs at a time. On PostgreSQL, steps, parkings and ends are one statement, and
 * so are tasks and taken answers if they can ride with it; writes with other parts, and ends that others wait for, need
 * a transaction.
 */
export class SqlCommitter {
  constructor(
    private readonly db: SqlSessions,
    private readonly scope: Scope,
    private readonly notifier: Notifier,
    private readonly riders?: CommitRiders,
  ) {}

  /** Returns the writes that did not pass the fencing. */
  commit(writes: readonly RunWrite[], outgoing: Outgoing, tx?: Transaction): Promise<readonly RefusedWrite[]> {
    return refusingUnheld(writes, (some) => this.commitAll(some, outgoing, tx));
  }

  private async commitAll(
    writes: readonly RunWrite[],
    outgoing: Outgoing,
    tx: Transaction | undefined,
  ): Promise<readonly RefusedWrite[]> {
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
      const { accepted, refused, dispatched } = await this.write(this.db, writes, finished, false);
      this.tellEnded(endedOf(accepted));
      outgoing.carried?.([...accepted.keys()], dispatched);
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
    const recorded = await recordedInDoubt(tx, this.scope, writes);
    const { accepted, refused } = await this.write(tx, writes, finished, true);
    const passed = [...accepted.keys()];
    const ended = endedOf(accepted);
    tx.afterCommit(() => this.tellEnded(ended));
    const fresh = withoutRecorded(passed, recorded);
    const written = await writeExtras(tx, this.scope, fresh);
    const renewed = passed.filter(({ transition }) => transition?.status === 'pending').map(({ runId }) => runId);
    if (renewed.length > 0) await tx.run(steps.deleteHistories(this.scope, renewed));
    const told = await tellEndings(tx, this.scope, ended);
    const answers = [...told.answers, ...written.answers];
    const { limiters: changed, asking } = untold(passed, fresh);
    const limiters = [...told.limiters, ...written.limiters, ...changed];
    if (told.woken || written.woken) await tellWithCommit(tx, this.notifier, 'runs', '{}');
    let { offered } = written;
    if (passed.length > 0 && (answers.length + limiters.length > 0 || !passed.every(isAlone))) {
      const answered = await outgoing(fresh, tx, { answers, limiters });
      await settleLastAnswers(tx, this.scope, closedOf(passed), answered);
      const left = leftIn(answered ?? []);
      if (await freeLeft(tx, this.scope, left)) offered = [...offered, ...channelsOf(left)];
    }
    if (asking.length > 0) tx.afterCommit(() => outgoing.carried?.(asking));
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
    const as = isFew(newest) ? 'values' : 'list';
    const riding = notifying ? undefined : this.ridingOn(newest, as);
    const { rows } = await tx.run<HeldRow>(commitAll(this.scope, listed, { notification, notifying, riding, as }));
    const fenced = fencedBy(writes, rows);
    if (rows[0]?.unheld) throw new UnheldTasks(JSON.parse(rows[0].unheld) as string[]);
    if (riding && rows[0]) fenced.dispatched = riding.read(rows[0].dispatched);
    if (apart) await this.writeSteps(tx, fenced.accepted);
    if (!notifying && endedOf(fenced.accepted).some(({ notifies }) => notifies !== 0)) throw new NotifiesAfterAll();
    return fenced;
  }

  /** What the transport writes in the same statement; in a transaction it has statements of its own. */
  private ridingOn(writes: readonly RunWrite[], as: SentAs): Ride | undefined {
    const tasks = writes.flatMap((write) => write.tasks);
    const takes = writes.flatMap((write) => write.takes);
    const ends = writes.flatMap((write) => write.ends ?? []);
    const some = tasks.length + takes.length + ends.length > 0;
    return some ? this.riders?.ride({ tasks, takes, ends, as }) : undefined;
  }

  private async writeInSteps(tx: SqlConnection, writes: readonly RunWrite[]): Promise<Fenced> {
    const { scope } = this;
    const { rows } = await tx.run<HeldRow>(lockFenced(scope, newestOf(writes)));
    const fenced = fencedBy(writes, rows);
    const { accepted } = fenced;
    await this.writeSteps(tx, accepted);
    const changing = [...accepted.keys()].filter(changesRun);
    if (changing.length > 0) await inParts(tx, changing, (some) => changeRuns(scope, some));
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
    ...(['steps', 'tasks', 'takes', 'ends'] as const).map((kind) =>
      writes.reduce((sum, write) => sum + (write[kind]?.length ?? 0), 0),
    ),
  );

/**
 * What one run writes between two of its steps. All lists of a statement are sent in the same way: else there would be as
 * many texts of it as there are ways to mix them.
 */
const isFew = (writes: readonly RunWrite[]): boolean =>
  writes.length === 1 &&
  writes.every(({ steps, tasks, takes, ends = [] }) =>
    [steps.slice(1), tasks, takes, ends].every(({ length }) => length <= 1),
  );

/** Whether it only writes the tables of runs and steps. */
const isAlone = (write: RunWrite): boolean =>
  write.tasks.length + write.takes.length + (write.ends?.length ?? 0) === 0 && isWithTransport(write);

/**
 * Whether it only writes the tables of runs and steps, takes answers, and dispatches or ends tasks for the first time.
 */
const isWithTransport = ({ again, tasks, ends = [], withdraws, extras, notifies = 0, transition }: RunWrite): boolean =>
  withdraws.length === 0 &&
  !(again && tasks.length + ends.length > 0) &&
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

/** Columns of a write's row: the first record that must exist. Usually there is only one. */
export const KNOWN = { known_seq: 'int', known: 'int' } as const;

export function knownOf({ known = [] }: RunWrite): { known_seq?: number; known?: number | null } {
  const [first] = known;
  return first ? { known_seq: first.seq, known: first.settled } : {};
}

/** Whether all known records of the write `w` exist; one read by key each. */
export function standsIn(scope: Scope, writes: readonly RunWrite[]): Statement {
  const { dialect } = scope;
  const more = writes.flatMap(({ runId: id, known = [] }) =>
    known.slice(1).map(({ seq, settled }) => ({ id, known_seq: seq, known: settled })),
  );
  const first = sql`(w.known_seq IS NULL OR ${recorded(scope, 'w')})`;
  if (more.length === 0) return first;
  const rows = dialect.rows(more, { id: 'key', ...KNOWN });
  return sql`(${first} AND NOT EXISTS (SELECT 1 FROM ${rows} AS m WHERE m.id = w.id AND NOT ${recorded(scope, 'm')}))`;
}

const recorded = ({ tables }: Scope, of: 'w' | 'm'): Statement => {
  const { id, seq, settled } = { id: raw(`${of}.id`), seq: raw(`${of}.known_seq`), settled: raw(`${of}.known`) };
  return sql`EXISTS (SELECT 1 FROM ${tables.steps} AS s
    WHERE s.run_id = ${id} AND s.seq = ${seq} AND (${settled} IS NULL OR s.settled = ${settled}))`;
};

const COLUMNS = {
  id: 'key',
  epoch: 'int',
  status: 'key',
  final: 'int',
  closing: 'key',
  reason: 'key',
  reason_detail: 'text',
  output: 'text',
  error: 'text',
  input: 'text',
  context: 'text',
  resume: 'text',
  wake_at: 'int',
  first_seq: 'int',
  settled: 'int',
  cleared: 'int',
  unwinds: 'int',
  ended: 'int',
  ...KNOWN,
} as const satisfies Record<string, JsonColumn>;

const FENCE = { id: 'key', epoch: 'int', ...KNOWN } as const;

/** The columns for runs that only end, the most frequent change of a run's row. */
const ENDS = {
  id: 'key',
  epoch: 'int',
  status: 'key',
  output: 'text',
  error: 'text',
  ended: 'int',
  ...KNOWN,
} as const satisfies Record<string, JsonColumn>;

const fenceOf = (write: RunWrite) => ({ id: write.runId, epoch: write.epoch, ...knownOf(write) });

type CommitRow = Partial<Record<keyof typeof COLUMNS, string | number | null>>;

function rowOf(write: RunWrite): CommitRow {
  const { transition, clearCrashes, extras, at: ended = 0 } = write;
  const row = { ...fenceOf(write), cleared: clearCrashes ? 1 : 0, unwinds: extras?.unwinds ? 1 : 0 };
  if (!transition) return row;
  const { status } = transition;
  const error = 'error' in transition && transition.error ? JSON.stringify(transition.error) : null;
  switch (status) {
    case 'suspended': {
      const { reason, detail, mismatch, blockedBy, wakeAt, settled } = transition;
      // A run that was parked normally did not crash its process.
      return {
        ...row,
        status,
        reason: reason ?? null,
        reason_detail: writeDetail(detail, mismatch, blockedBy),
        wake_at: wakeAt,
        settled,
        cleared: 1,
      };
    }
    case 'compensating': {
      const { closing, settled } = transition;
      return { ...row, status, closing, error, resume: resumeOf(transition), wake_at: 0, settled, cleared: 1 };
    }
    case 'pending': {
      const { input, firstSeq, context = null } = transition;
      return { ...row, status, input, context, first_seq: firstSeq, wake_at: 0, settled: 0, cleared: 1 };
    }
    case 'completed':
      return { ...row, status, final: 1, output: transition.output, ended };
    default:
      return { ...row, status, final: 1, error, resume: resumeOf(transition), ended };
  }
}

const resumeOf = (transition: object): string | null =>
  'resume' in transition && transition.resume ? JSON.stringify(transition.resume) : null;

/** The lock order of all writers. */
const byId = (a: RunWrite, b: RunWrite): number => (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0);

/** Runs that stay with their owner, the most frequent case, need only the fencing columns. */
const fencesOf = ({ dialect }: Scope, writes: readonly RunWrite[], as?: SentAs): Statement =>
  dialect.rows([...writes].sort(byId).map(fenceOf), FENCE, as);

const endOf = (write: RunWrite) => {
  const { transition, at: ended = 0 } = write;
  if (!isFinalTransition(transition)) return fenceOf(write);
  const { status } = transition;
  if (status === 'completed') return { ...fenceOf(write), status, output: transition.output, ended };
  return { ...fenceOf(write), status, error: transition.error && JSON.stringify(transition.error), ended };
};

const endsOf = ({ dialect }: Scope, writes: readonly RunWrite[], as?: SentAs): Statement =>
  dialect.rows([...writes].sort(byId).map(endOf), ENDS, as);

const rowsOf = ({ dialect }: Scope, writes: readonly RunWrite[], as?: SentAs): Statement =>
  dialect.rows([...writes].sort(byId).map(rowOf), COLUMNS, as);

export const changesRun = ({ transition, clearCrashes, extras }: RunWrite): boolean =>
  transition !== undefined || clearCrashes === true || extras?.unwinds === true;

/** Whether the only changes of these runs are ends. */
const onlyEnds = (writes: readonly RunWrite[]): boolean =>
  writes.every(
    (write) => !changesRun(write) || (isPlainEnd(write.transition) && !write.clearCrashes && !write.extras?.unwinds),
  );

/** Runs that could be resumed store how. */
const isPlainEnd = (transition: RunWrite['transition']): boolean =>
  isFinalTransition(transition) && !('resume' in transition);

/** A run does not end before its last record, which its process has made by a clock of its own. */
const endedAt = (scope: Scope): Statement => sql`GREATEST(${nowOf(scope)}, w.ended)`;

/** The same as `assignments` for a run that ends. */
const endAssignments = (scope: Scope): Assignments => ({
  owner: raw('NULL'),
  wake_at: raw('NULL'),
  reason: raw('NULL'),
  reason_detail: raw('NULL'),
  output: raw('w.output'),
  error: raw('w.error'),
  finished_at: endedAt(scope),
  status: raw('w.status'),
  closing: raw(`CASE WHEN w.status = 'compensation_failed' THEN r.closing END`),
});

/** `w` is a row of a write, `r` the run. A write without a status leaves the run with its owner. */
const assignments = (scope: Scope): Assignments => {
  const now = nowOf(scope);
  return {
    owner: raw('CASE WHEN w.status IS NULL THEN r.owner END'),
    wake_at: sql`CASE WHEN w.wake_at = 0 THEN ${now} ELSE w.wake_at END`,
    settled: raw('COALESCE(w.settled, r.settled)'),
    crashes: raw('CASE WHEN w.cleared = 1 THEN 0 ELSE r.crashes END'),
    crashed: raw('CASE WHEN w.cleared = 1 THEN NULL ELSE r.crashed END'),
    unwinds: raw('GREATEST(r.unwinds, w.unwinds)'),
    reason: raw('w.reason'),
    reason_detail: raw('w.reason_detail'),
    output: raw('w.output'),
    error: raw('COALESCE(w.error, CASE WHEN w.final = 1 THEN NULL ELSE r.error END)'),
    input: raw('COALESCE(w.input, r.input)'),
    context: raw('COALESCE(w.context, r.context)'),
    resume: raw('COALESCE(w.resume, r.resume)'),
    first_seq: raw('COALESCE(w.first_seq, r.first_seq)'),
    // Plus one: a signal of the same millisecond may have been delivered before `continueAsNew`, and to other runs.
    continued_at: sql`CASE WHEN w.status = 'pending' THEN ${now} + 1 ELSE r.continued_at END`,
    finished_at: sql`CASE WHEN w.final = 1 THEN ${endedAt(scope)} END`,
    // A closing run that waits keeps its status `compensating`.
    status: raw(`CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END`),
    // A run with a failed compensation keeps its `closing` for a retry.
    closing: raw(
      `CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END`,
    ),
  };
};

export interface CommitParts {
  notification: Statement | undefined;
  /** Runs may end in it whose end others wait for: the transaction notifies them afterwards. */
  notifying: boolean;
  /** What is written into the tables of the transport, with the runs that passed. */
  riding?: Ride | undefined;
  as?: SentAs;
}

/** All writes of a commit belong to one process. */
const ownedByWriter = ([first]: readonly RunWrite[]): Statement =>
  first?.owner === undefined ? sql`r.owner IS NOT NULL` : ownedBy('r', first.owner);

/**
 * PostgreSQL: fencing, steps, runs and the notification in one statement. Returns the runs that passed, their
 * `notifies`, and whether their known records exist; if not, nothing of the run is written. Without `notifying`,
 * nothing at all is written if a run with `notifies` would end, or if a task would end that is not held. The lock is the
 * weakest that blocks other writers, and the run's row is written only if it changes.
 */
export const commitAll = (
  scope: Scope,
  writes: readonly RunWrite[],
  { notification, notifying, riding, as }: CommitParts,
): Statement => {
  const { tables } = scope;
  const steps = writes.flatMap((write) => write.steps);
  const once = isOnce(writes);
  const changes = writes.some(changesRun);
  const ending = changes && onlyEnds(writes);
  const ends = ending || writes.some(({ transition }) => isFinalTransition(transition));
  // Evaluated once per statement, not per row.
  const unnotified = raw(
    ends && !notifying
      ? `AND NOT EXISTS (SELECT FROM held AS h WHERE h.${ending ? 'status IS NOT NULL' : 'final = 1'} AND h.notifies <> 0 AND h.stands)`
      : '',
  );
  const silent = riding?.unheld ? sql`${unnotified} AND ${riding.unheld} IS NULL` : unnotified;
  const listed = (!changes ? fencesOf : ending ? endsOf : rowsOf)(scope, writes, as);
  const parts = [
    sql`w AS MATERIALIZED (SELECT listed.* FROM ${listed} AS listed CROSS JOIN ${planned})`,
    sql`held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies${raw(!changes ? '' : ending ? ', w.status' : ', w.final')}, ${standsIn(scope, writes)} AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM ${tables.runs} AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND ${ownedByWriter(writes)} FOR NO KEY UPDATE
    ) AS o)`,
    ...(riding?.locks ?? []),
    ...(steps.length > 0
      ? [
          sql`stepped AS (${upsertSteps(scope, steps, { held: sql`JOIN held ON held.id = i.run_id AND held.stands ${silent}`, once, as })})`,
        ]
      : []),
    ...(changes
      ? [
          sql`changed AS (
    UPDATE ${tables.runs} AS r SET ${scope.dialect.assign('r', ending ? endAssignments(scope) : assignments(scope))} FROM w JOIN held ON held.id = w.id AND held.stands
    WHERE r.id = w.id AND (w.status IS NOT NULL${raw(ending ? '' : ' OR w.cleared = 1 OR w.unwinds = 1')}) ${silent})`,
        ]
      : []),
    ...(riding
      ? [sql`passed AS MATERIALIZED (SELECT held.id FROM held WHERE held.stands ${silent})`, ...riding.parts]
      : []),
  ];
  const dispatched = riding?.told ? sql`${riding.told} AS dispatched, ` : raw('');
  const unheld = riding?.unheld ? sql`${riding.unheld} AS unheld, ` : raw('');
  return sql`WITH ${join(parts, ',\n  ')}
  SELECT ${dispatched}${unheld}held.id, held.epoch, held.notifies, held.stands${raw(once ? ', EXISTS (SELECT 1 FROM stepped) AS fresh' : '')}${notification ? sql`, (${notification}) AS told` : raw('')} FROM held`;
};

const isOnce = (writes: readonly RunWrite[]): boolean => writes.some(({ once }) => once === true);

/** MySQL and MariaDB: only the fencing, with the same result as on PostgreSQL. Reads steps after it has the locks. */
export const lockFenced = (scope: Scope, writes: readonly RunWrite[]): Statement => {
  const { tables } = scope;
  const [step] = isOnce(writes) ? writes.flatMap(({ steps }) => steps) : [];
  const outcome = step
    ? sql`, (SELECT COUNT(s.settled) FROM ${tables.steps} AS s WHERE s.run_id = r.id AND s.seq = ${step.seq} LOCK IN SHARE MODE) = 0 AS fresh`
    : raw('');
  return sql`SELECT r.id, r.epoch, r.notifies, ${standsIn(scope, writes)} AS stands${outcome} FROM ${fencesOf(scope, writes)} AS w
  STRAIGHT_JOIN ${tables.runs} AS r FORCE INDEX (PRIMARY) ON r.id = w.id
  WHERE r.epoch = w.epoch AND ${ownedByWriter(writes)} ${scope.dialect.forUpdateOf('r')}`;
};

/** Locks runs; waits for transactions that are writing them. */
export const lockRuns = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, epoch, owner, notifies FROM ${tables.runs} ${dialect.forceIndex()} WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

/** MySQL and MariaDB: updates locked runs that change. */
export const changeRuns = (scope: Scope, changing: readonly RunWrite[]): Statement =>
  scope.dialect.updateFrom({
    table: scope.tables.runs,
    as: 'r',
    from: sql`${rowsOf(scope, changing)} AS w`,
    on: raw('r.id = w.id'),
    set: assignments(scope),
  });

/** Locks runs without an owner, so that they cannot be claimed; returns their last place in the order of outcomes. */
export const lockUnowned = (scope: Scope, namespace: string, ids: readonly string[]): Statement => sql`
  SELECT id, status, reason, settled FROM ${scope.tables.runs} ${scope.dialect.forceIndex()}
  WHERE id ${amongKeys(scope.dialect, ids)} AND namespace = ${namespace} AND owner IS NULL ORDER BY id FOR UPDATE`;

/** Makes runs with new outcomes due, unless they have a reason to wait. `notification`: only on PostgreSQL. */
export const wakeRuns = (
  scope: Scope,
  runs: readonly { id: string; settled: number }[],
  notification?: Statement,
): Statement => {
  const { tables, dialect } = scope;
  const update = dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(runs, { id: 'key', settled: 'int' })} AS w`,
    on: raw('r.id = w.id'),
    set: {
      settled: raw('w.settled'),
      wake_at: sql`CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, ${nowOf(scope)}), ${nowOf(scope)}) ELSE r.wake_at END`,
    },
  });
  return notification ? sql`${update} RETURNING (${notification}) AS told` : update;
};

/** Attempts, logs, attributes and custom statuses: one statement per kind, independent of the number of runs. */
export const writeNotes: ExtrasWriter = async (tx, scope, writes) => {
  const attempts = ofEach(writes, ({ attempts: failed = [] }) => failed);
  if (attempts.length > 0) await inParts(tx, attempts, (some) => steps.upsertAttempts(scope, some));
  const again = ofEach(writes, ({ replacedLogs = [] }) => replacedLogs);
  for (const line of again) await tx.run(steps.deleteLine(scope, line));
  const lines = [...ofEach(writes, ({ logs = [] }) => logs), ...again];
  if (lines.length > 0) await inParts(tx, lines, (some) => insertLogLines(scope.tables.logs, scope.dialect, some));
  const changes = ofEach(writes, ({ attributes = {} }) =>
    Object.entries(attributes).map(([name, value]) => ({ name, value })),
  );
  const set = changes.flatMap(({ value, ...change }) => (value === null ? [] : [{ ...change, value }]));
  const removed = changes.filter(({ value }) => value === null);
  set.sort(byRunAndName);
  if (set.length > 0) await inParts(tx, set, (some) => steps.upsertAttributes(scope, some));
  if (removed.length > 0) await tx.run(steps.deleteAttributes(scope, removed));
  const statuses = writes.flatMap(({ runId: id, extras }) =>
    extras?.customStatus === undefined ? [] : [{ id, status: extras.customStatus }],
  );
  if (statuses.length > 0) await inParts(tx, statuses, (some) => steps.setCustomStatus(scope, some));
};

const ofEach = <T extends object>(
  writes: readonly RunWrite[],
  partOf: (extras: NonNullable<RunWrite['extras']>) => readonly T[],
): (T & { runId: string })[] =>
  writes.flatMap(({ runId, extras = {} }) => partOf(extras).map((part) => ({ ...part, runId })));

/** The lock order of all writers. */
const byRunAndName = (a: { runId: string; name: string }, b: { runId: string; name: string }): number =>
  compare(a.runId, b.runId) || compare(a.name, b.name);

/**
 * For writes that may be committed already: the records that say whether they are. A commit that is still running on the
 * server holds the rows of its runs. So all runs are locked first, in the order of all writers, and the records that
 * are read then are final.
 */
export async function recordedInDoubt(
  tx: SqlConnection,
  scope: Scope,
  writes: readonly RunWrite[],
): Promise<readonly RecordedStep[]> {
  const doubtful = inDoubt(writes);
  if (doubtful.length === 0) return [];
  const ids = [...new Set(writes.map(({ runId }) => runId))].sort();
  await tx.run(lockRuns(scope, ids));
  const { rows } = await tx.run<Pick<steps.StepRow, 'run_id' | 'seq' | 'attempt' | 'asked_at' | 'settled'>>(
    steps.selectRecorded(scope, doubtful),
  );
  return rows.map(({ run_id: runId, seq, attempt, asked_at: askedAt, settled }) => ({
    runId,
    seq: Number(seq),
    attempt: Number(attempt),
    askedAt: askedAt === null ? null : Number(askedAt),
    settled: settled === null ? null : Number(settled),
  }));
}

const WRITERS: readonly ExtrasWriter[] = [writeChildren, writeSignalWaits, writeLimiterMoves, writeNotes];

/** Writes the extras of writes that have passed the fencing. */
export async function writeExtras(
  tx: SqlConnection,
  scope: Scope,
  writes: readonly RunWrite[],
): Promise<Endings & { woken: boolean; offered: readonly string[] }> {
  const carrying = writes.filter(({ extras }) => extras !== undefined);
  if (carrying.length === 0) return { ...NO_ENDINGS, woken: false, offered: [] };
  const outcomes: ExtrasOutcome[] = [];
  for (const write of WRITERS) outcomes.push((await write(tx, scope, carrying)) ?? {});
  return {
    answers: outcomes.flatMap(({ answers = [] }) => answers),
    limiters: outcomes.flatMap(({ limiters = [] }) => limiters),
    woken: outcomes.some(({ woken }) => woken),
    offered: outcomes.flatMap(({ offered = [] }) => offered),
  };
}
