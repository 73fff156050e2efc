import { amongKeys } from '../../sql/dialects/key-list.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { Scope } from '../../sql/tables.js';
import { MOST_LISTED } from '../model/run-insight.js';
import type { WaitCursor } from '../model/fleet-insight.js';

type Int = number | string;

export interface UntakenRow {
  channel: string | null;
  name: string | null;
  addressed: 'run' | 'key';
  target: string | null;
  signals: Int;
  since: Int | null;
}

/** Which signals are looked at: those of a channel, or to a run, or the newest. */
export interface SignalSource {
  channel?: string | undefined;
  run?: string | undefined;
  /** Of those that were looked at. */
  name?: string | undefined;
  key?: string | undefined;
}

/** Of these signals, those that nobody has taken, by name and target. A row without a channel counts all. */
export const selectUntaken = (scope: Scope, namespace: string, scan: number, source: SignalSource = {}): Statement => {
  const { name, key } = source;
  const isNamed = name === undefined ? sql`` : sql` AND n.name = ${name}`;
  const isTo = key === undefined ? sql`` : sql` AND n.addressed = 'key' AND n.target = ${key}`;
  return sql`
  WITH looked AS (${join(probesOf(scope, namespace, scan, source), ' UNION ALL ')})
  SELECT n.channel, n.name, n.addressed, n.target, count(*) AS signals, min(n.created_at) AS since FROM looked AS n
  WHERE n.taken_by IS NULL${isNamed}${isTo} GROUP BY n.channel, n.name, n.addressed, n.target
  UNION ALL SELECT NULL, NULL, n.addressed, NULL, count(*), NULL FROM looked AS n GROUP BY n.addressed`;
};

function probesOf({ tables, dialect }: Scope, namespace: string, scan: number, { channel, run }: SignalSource) {
  const probe = (index: string, where: Statement, order: string) => sql`(
      SELECT s.channel, s.name, s.addressed, s.target, s.created_at, s.taken_by
      FROM ${tables.signals} AS s ${dialect.forceIndex(id(`${tables.prefix}_signals_${index}`))}
      WHERE ${where} ${raw(order)} LIMIT ${int(scan + 1)})`;
  // Those that have no position yet were sent a moment ago, or nobody has ever waited for them.
  if (channel !== undefined)
    return [
      probe('order', sql`s.channel = ${channel} AND s.position IS NOT NULL`, 'ORDER BY s.position DESC'),
      probe('unfiled', sql`s.channel = ${channel} AND s.position IS NULL`, 'ORDER BY s.id DESC'),
    ];
  if (run !== undefined)
    return [probe('target', sql`s.target = ${run} AND s.addressed = 'run' AND s.namespace = ${namespace}`, '')];
  return (['run', 'key'] as const).map((addressed) => {
    const where = sql`s.namespace = ${namespace} AND s.addressed = ${raw(`'${addressed}'`)}`;
    return probe('age', where, 'ORDER BY s.created_at DESC, s.id DESC');
  });
}

export const countListening = ({ tables, dialect }: Scope, channels: readonly string[]): Statement => sql`
  SELECT w.channel, count(*) AS waits FROM ${tables.waits} AS w WHERE w.channel ${amongKeys(dialect, channels)} GROUP BY w.channel`;

export interface SignalWaitRow {
  channel: string;
  step_id: string;
  run_id: string;
  seq: Int;
  deadline: Int | null;
  /** This and what follows: null if the run is being deleted. */
  name: string | null;
  output: string | null;
  since: Int | null;
  namespace: string | null;
  workflow: string | null;
}

/** A page of waits in the order of channels, which are hashes, with the steps and runs that wait. */
export const selectSignalWaits = (
  scope: Scope,
  source: { channel?: string | undefined; run?: string | undefined },
  after: WaitCursor | undefined,
  limit: number,
): Statement => {
  const { tables } = scope;
  return sql`
  SELECT w.channel, w.step_id, w.run_id, w.seq, w.deadline, t.name, t.output,
    COALESCE(t.asked_at, t.created_at) AS since, r.namespace, r.workflow
  FROM (${waitsOf(scope, source, after, limit)}) AS w
  LEFT JOIN ${tables.steps} AS t ON t.run_id = w.run_id AND t.seq = w.seq
  LEFT JOIN ${tables.runs} AS r ON r.id = w.run_id
  ORDER BY w.channel, w.step_id`;
};

const WAIT = raw('w.channel, w.step_id, w.run_id, w.seq, w.deadline');

function waitsOf(
  { tables, dialect }: Scope,
  { channel, run }: { channel?: string | undefined; run?: string | undefined },
  after: WaitCursor | undefined,
  limit: number,
): Statement {
  const [from, step] = [after?.channel ?? '', after?.stepId ?? ''];
  const end = sql`ORDER BY w.channel, w.step_id LIMIT ${int(limit)}`;
  // Otherwise MariaDB goes through all steps in the order of their ids, or sorts the channel.
  const waits = sql`${tables.waits} AS w ${dialect.forceIndex(id('PRIMARY'))}`;
  const ofChannel = (one: string) =>
    sql`SELECT ${WAIT} FROM ${waits} WHERE w.channel = ${one} AND w.step_id > ${step} ORDER BY w.step_id LIMIT ${int(limit)}`;
  // There are few of a run: they are found by its open steps.
  if (run !== undefined)
    return sql`
    SELECT ${WAIT} FROM (
      SELECT s.run_id, s.seq FROM ${tables.steps} AS s
      WHERE s.run_id = ${run} AND s.kind = 'signal' AND s.settled IS NULL ORDER BY s.seq LIMIT ${int(MOST_LISTED)}
    ) AS o JOIN ${tables.waits} AS w ON w.step_id = CONCAT(o.run_id, ':', o.seq)
    WHERE w.channel > ${from} OR (w.channel = ${from} AND w.step_id > ${step}) ${end}`;
  if (channel !== undefined) return ofChannel(channel);
  // Two ranges of the key: of a condition with both, not every database makes one.
  return sql`
    SELECT ${WAIT} FROM (
      (${ofChannel(from)}) UNION ALL
      (SELECT ${WAIT} FROM ${waits} WHERE w.channel > ${from} ${end})
    ) AS w ${end}`;
}
