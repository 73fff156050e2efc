import { type Assignments, type JsonColumn } from '../../sql/dialects/dialect.js';
import { amongKeys, planned } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { writeDetail } from '../model/mismatch.js';
import { KNOWN, knownOf, standsIn } from './known-steps.sql.js';
import { isFinalTransition } from '../model/run.js';
import type { RunWrite } from '../model/run-store.js';
import { ownedBy } from '../tables/run.sql.js';
import { upsertSteps } from '../tables/step.sql.js';

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
  ...KNOWN,
} as const satisfies Record<string, JsonColumn>;

const fenceOf = (write: RunWrite) => ({ id: write.runId, epoch: write.epoch, ...knownOf(write) });

type CommitRow = Partial<Record<keyof typeof COLUMNS, string | number | null>>;

function rowOf(write: RunWrite): CommitRow {
  const { transition, clearCrashes, extras } = write;
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
      return { ...row, status, final: 1, output: transition.output };
    default:
      return { ...row, status, final: 1, error, resume: resumeOf(transition) };
  }
}

const resumeOf = (transition: object): string | null =>
  'resume' in transition && transition.resume ? JSON.stringify(transition.resume) : null;

/** The lock order of all writers. */
const byId = (a: RunWrite, b: RunWrite): number => (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0);

/** Runs that stay with their owner, the most frequent case, need only the fencing columns. */
const fencesOf = ({ dialect }: Scope, writes: readonly RunWrite[]): Statement =>
  dialect.rows(JSON.stringify([...writes].sort(byId).map(fenceOf)), FENCE);

const endOf = (write: RunWrite) => {
  const { transition } = write;
  if (!isFinalTransition(transition)) return fenceOf(write);
  const { status } = transition;
  if (status === 'completed') return { ...fenceOf(write), status, output: transition.output };
  return { ...fenceOf(write), status, error: transition.error && JSON.stringify(transition.error) };
};

const endsOf = ({ dialect }: Scope, writes: readonly RunWrite[]): Statement =>
  dialect.rows(JSON.stringify([...writes].sort(byId).map(endOf)), ENDS);

const rowsOf = ({ dialect }: Scope, writes: readonly RunWrite[]): Statement =>
  dialect.rows(JSON.stringify([...writes].sort(byId).map(rowOf)), COLUMNS);

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

/** The same as `assignments` for a run that ends. */
const endAssignments = (scope: Scope): Assignments => ({
  owner: raw('NULL'),
  wake_at: raw('NULL'),
  reason: raw('NULL'),
  reason_detail: raw('NULL'),
  output: raw('w.output'),
  error: raw('w.error'),
  finished_at: nowOf(scope),
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
    finished_at: sql`CASE WHEN w.final = 1 THEN ${now} END`,
    // A closing run that waits keeps its status `compensating`.
    status: raw(`CASE WHEN w.status = 'suspended' AND w.reason IS NULL AND r.closing IS NOT NULL
    THEN 'compensating' ELSE COALESCE(w.status, r.status) END`),
    // A run with a failed compensation keeps its `closing` for a retry.
    closing: raw(
      `CASE WHEN w.final = 1 AND w.status <> 'compensation_failed' THEN NULL ELSE COALESCE(w.closing, r.closing) END`,
    ),
  };
};

/** What the transport writes in the statement of a commit. */
export interface Riding {
  parts: readonly Statement[];
  /** Of its tasks, if it has some. */
  dispatchedAt: Statement | undefined;
}

export interface CommitParts {
  notification: Statement | undefined;
  /** Runs may end in it whose end others wait for: the transaction notifies them afterwards. */
  notifying: boolean;
  /** What is written into the tables of the transport, with the runs that passed. */
  riding?: Riding | undefined;
}

/** All writes of a commit belong to one process. */
const ownedByWriter = ([first]: readonly RunWrite[]): Statement =>
  first?.owner === undefined ? sql`r.owner IS NOT NULL` : ownedBy('r', first.owner);

/**
 * PostgreSQL: fencing, steps, runs and the notification in one statement. Returns the runs that passed, their
 * `notifies`, and whether their known records exist; if not, nothing of the run is written. Without `notifying`,
 * nothing at all is written if a run with `notifies` would end. The lock is the weakest that blocks other writers, and
 * the run's row is written only if it changes.
 */
export const commitAll = (
  scope: Scope,
  writes: readonly RunWrite[],
  { notification, notifying, riding }: CommitParts,
): Statement => {
  const { tables } = scope;
  const steps = writes.flatMap((write) => write.steps);
  const once = isOnce(writes);
  const changes = writes.some(changesRun);
  const ending = changes && onlyEnds(writes);
  const ends = ending || writes.some(({ transition }) => isFinalTransition(transition));
  // Evaluated once per statement, not per row.
  const silent = raw(
    ends && !notifying
      ? `AND NOT EXISTS (SELECT FROM held AS h WHERE h.${ending ? 'status IS NOT NULL' : 'final = 1'} AND h.notifies <> 0 AND h.stands)`
      : '',
  );
  const listed = !changes ? fencesOf(scope, writes) : ending ? endsOf(scope, writes) : rowsOf(scope, writes);
  const parts = [
    sql`w AS MATERIALIZED (SELECT listed.* FROM ${listed} AS listed CROSS JOIN ${planned})`,
    sql`held AS MATERIALIZED (
    SELECT o.id, o.epoch, o.notifies${raw(!changes ? '' : ending ? ', w.status' : ', w.final')}, ${standsIn(scope, writes)} AS stands
    FROM w CROSS JOIN LATERAL (
      SELECT r.id, r.epoch, r.notifies FROM ${tables.runs} AS r
      WHERE r.id = w.id AND r.epoch = w.epoch AND ${ownedByWriter(writes)} FOR NO KEY UPDATE
    ) AS o)`,
    ...(steps.length > 0
      ? [
          sql`stepped AS (${upsertSteps(scope, steps, { held: sql`JOIN held ON held.id = i.run_id AND held.stands ${silent}`, once })})`,
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
  const dispatchedAt = riding?.dispatchedAt ? sql`${riding.dispatchedAt} AS dispatched_at, ` : raw('');
  return sql`WITH ${join(parts, ',\n  ')}
  SELECT ${dispatchedAt}held.id, held.epoch, held.notifies, held.stands${raw(once ? ', EXISTS (SELECT 1 FROM stepped) AS fresh' : '')}${notification ? sql`, (${notification}) AS told` : raw('')} FROM held`;
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
  sql`SELECT id, epoch, owner, notifies FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

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
  SELECT id, status, reason, settled FROM ${scope.tables.runs}
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
    from: sql`${dialect.rows(JSON.stringify(runs), { id: 'key', settled: 'int' })} AS w`,
    on: raw('r.id = w.id'),
    set: {
      settled: raw('w.settled'),
      wake_at: sql`CASE WHEN r.reason IS NULL THEN LEAST(COALESCE(r.wake_at, ${nowOf(scope)}), ${nowOf(scope)}) ELSE r.wake_at END`,
    },
  });
  return notification ? sql`${update} RETURNING (${notification}) AS told` : update;
};
