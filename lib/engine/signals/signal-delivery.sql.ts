import { byFamily } from '../../sql/dialects/dialect.js';
import { amongKeys, amongNumbers } from '../../sql/dialects/key-list.js';
import type { Scope } from '../../sql/tables.js';
import { id, int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { FINAL_STATUSES } from '../model/run.js';

type Int = number | string;

export interface CandidateRow {
  channel: string;
  /** 0 if the channel has no row yet. */
  known: Int;
  /** 0 if all of its signals have positions. */
  unfiled: Int;
}

export interface ChannelRow {
  channel: string;
  last_position: Int;
}

/** A waiting step and a signal for it. */
export interface MatchRow {
  channel: string;
  step_id: string;
  run_id: string;
  seq: Int;
  since: Int;
  after_position: Int;
  signal_id: Int;
  position: Int;
  created_at: Int;
  addressed: 'run' | 'key';
}

/** Channels with signals that have no position yet. */
export const selectUnfiled = (scope: Scope, limit: number): Statement => {
  const { signals, channels } = scope.tables;
  return sql`
  SELECT u.channel, (SELECT COUNT(*) FROM ${channels} AS c WHERE c.channel = u.channel) AS known, 1 AS unfiled FROM (
    SELECT DISTINCT s.channel FROM ${signals} AS s WHERE s.position IS NULL ORDER BY s.channel LIMIT ${int(limit)}
  ) AS u`;
};

/**
 * Which of these channels have unfiled signals or a row. In one statement, so that a signal that is being filed is
 * found in one of the two tables.
 */
export const selectHolding = ({ tables, dialect }: Scope, channels: readonly string[]): Statement => sql`
  SELECT h.channel, MAX(h.known) AS known, MAX(1 - h.known) AS unfiled FROM (
    SELECT s.channel, 0 AS known FROM ${tables.signals} AS s
    WHERE s.channel ${amongKeys(dialect, channels)} AND s.position IS NULL
    UNION ALL SELECT c.channel, 1 AS known FROM ${tables.channels} AS c WHERE c.channel ${amongKeys(dialect, channels)}
  ) AS h GROUP BY h.channel`;

export const insertChannels = (scope: Scope, channels: readonly string[]): Statement => {
  const rows = [...channels].sort().map((channel) => ({ channel }));
  return scope.dialect.insertOrKeep(
    sql`
  INSERT INTO ${scope.tables.channels} (channel, last_position)
  SELECT n.channel, 0 FROM ${scope.dialect.rows(JSON.stringify(rows), { channel: 'key' })} AS n WHERE true`,
    id('channel'),
  );
};

export const lockChannels = ({ tables, dialect }: Scope, channels: readonly string[], skip: boolean): Statement => sql`
  SELECT channel, last_position FROM ${tables.channels} WHERE channel ${amongKeys(dialect, channels)}
  ORDER BY channel FOR UPDATE ${raw(skip ? 'SKIP LOCKED' : '')}`;

/** PostgreSQL: assigns positions to all signals of locked channels that have none, in the order of their ids. */
export const fileSignals = (scope: Scope, channels: readonly string[]): Statement => {
  const { tables, dialect } = scope;
  return sql`
  WITH numbered AS MATERIALIZED (
    SELECT s.id, s.channel, row_number() OVER (PARTITION BY s.channel ORDER BY s.id) AS ordinal
    FROM ${tables.signals} AS s WHERE s.channel ${amongKeys(dialect, channels)} AND s.position IS NULL
  ), filed AS (
    UPDATE ${tables.signals} AS s SET position = c.last_position + n.ordinal
    FROM numbered AS n JOIN ${tables.channels} AS c ON c.channel = n.channel WHERE s.id = n.id
  )
  UPDATE ${tables.channels} AS c SET last_position = c.last_position + n.count
  FROM (SELECT channel, count(*) AS count FROM numbered GROUP BY channel) AS n WHERE c.channel = n.channel`;
};

/** MySQL family: committed signals of these channels that have no position. */
export const selectToFile = ({ tables, dialect }: Scope, channels: readonly string[], limit: number): Statement => sql`
  SELECT channel, id FROM ${tables.signals}
  WHERE position IS NULL AND channel ${amongKeys(dialect, channels)} ORDER BY channel, id LIMIT ${int(limit)}`;

/** MySQL family: locks the signals that are not locked by another sender of the same id. */
export const lockToFile = (scope: Scope, ids: readonly Int[]): Statement =>
  sql`SELECT id FROM ${scope.tables.signals} FORCE INDEX (PRIMARY) WHERE id ${amongNumbers(scope.dialect, ids)} AND position IS NULL ORDER BY id FOR UPDATE SKIP LOCKED`;

/** MySQL family: the signals `s` of the rows `n`. See {@link indexOf}. */
const byId = ({ tables }: Scope, listed: Statement): Statement =>
  sql`${listed} AS n STRAIGHT_JOIN ${tables.signals} AS s FORCE INDEX (PRIMARY) ON s.id = n.id`;

/** MySQL family. */
export const numberSignals = (scope: Scope, rows: readonly { id: Int; position: number }[]): Statement => {
  const listed = scope.dialect.rows(JSON.stringify(rows), { id: 'int', position: 'int' });
  return sql`UPDATE ${byId(scope, listed)} SET s.position = n.position`;
};

/** MySQL family. */
export const advanceChannels = (
  { tables, dialect }: Scope,
  rows: readonly { channel: string; last: number }[],
): Statement =>
  dialect.updateFrom({
    table: tables.channels,
    as: 'c',
    from: sql`${dialect.rows(JSON.stringify(rows), { channel: 'key', last: 'int' })} AS n`,
    on: raw('c.channel = n.channel'),
    set: { last_position: raw('n.last') },
  });

/** A signal that the run itself has kept never counts again, even if clocks were set back. */
const COUNTS = raw(`(w.deadline IS NULL OR s.created_at <= w.deadline)
      AND (s.created_at >= w.since OR s.taken_by IS NULL OR s.taken_by = w.run_id)
      AND (s.kept_at IS NULL OR s.taken_by <> w.run_id)`);

/** Per waiting step and channel, the first signal that counts for it. Closing and ended runs do not wait. */
export const matchWaits = (scope: Scope, channels: readonly string[]): Statement => {
  const { tables, dialect } = scope;
  const wait = raw('w.channel, w.step_id, w.run_id, w.seq, w.since, w.after_position');
  const waiting = sql`${tables.waits} AS w JOIN ${tables.runs} AS r
    ON r.id = w.run_id AND r.closing IS NULL AND r.status NOT IN (${join(FINAL_STATUSES)})`;
  const first = (columns: string) => sql`SELECT ${raw(columns)} FROM ${tables.signals} AS s
      WHERE s.channel = w.channel AND s.position > w.after_position AND ${COUNTS} ORDER BY s.position LIMIT 1`;
  const of = sql`WHERE w.channel ${amongKeys(dialect, channels)}`;
  return byFamily(dialect, {
    postgres: () => sql`
  SELECT ${wait}, f.id AS signal_id, f.position, f.created_at, f.addressed
  FROM ${waiting} CROSS JOIN LATERAL (${first('s.id, s.position, s.created_at, s.addressed')}) AS f ${of}`,
    mysql: () => sql`
  SELECT m.*, s.id AS signal_id, s.created_at, s.addressed
  FROM (SELECT ${wait}, (${first('s.position')}) AS position FROM ${waiting} ${of}) AS m
  JOIN ${tables.signals} AS s ON s.channel = m.channel AND s.position = m.position`,
  });
};

export interface WaitRow {
  step_id: string;
  channel: string;
  after_position: Int;
}

/** Locks waits in the same order as all other code that answers steps. */
export const lockWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement => sql`
  SELECT step_id, channel, after_position FROM ${tables.waits} WHERE step_id ${amongKeys(dialect, stepIds)}
  ORDER BY step_id, channel FOR UPDATE`;

export const selectWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`SELECT step_id, channel, after_position FROM ${tables.waits} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** After every possible position of a signal. */
export const THE_END = Number.MAX_SAFE_INTEGER;

export const closeWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement => sql`
  UPDATE ${tables.waits} SET after_position = ${THE_END} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** Reserves signals for runs; a kept signal is not changed. */
export const reserveSignals = (scope: Scope, rows: readonly { id: Int; run_id: string }[]): Statement => {
  const listed = scope.dialect.rows(JSON.stringify(rows), { id: 'int', run_id: 'key' });
  const ids = rows.map((row) => row.id);
  return byFamily(scope.dialect, {
    postgres: () =>
      sql`UPDATE ${scope.tables.signals} AS s SET taken_by = n.run_id FROM ${listed} AS n WHERE s.id ${amongNumbers(scope.dialect, ids)} AND s.id = n.id AND s.kept_at IS NULL`,
    mysql: () => sql`UPDATE ${byId(scope, listed)} SET s.taken_by = n.run_id WHERE s.kept_at IS NULL`,
  });
};

export const selectPayloads = (scope: Scope, ids: readonly Int[]): Statement =>
  sql`SELECT id, payload FROM ${scope.tables.signals} WHERE id ${amongNumbers(scope.dialect, ids)}`;
