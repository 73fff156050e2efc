import { howManyFit } from '../core/loops.js';
import { compare, type StepAnswer } from '../core/protocol.js';
import { amongKeys, amongNumbers, byFamily, deleteByKeys, overwriting } from '../sql/dialects.js';
import type { SqlConnection, SqlTransaction } from '../sql/executor.js';
import { id, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { inParts, nowOf, type Scope } from '../sql/tables.js';
import { FINAL_STATUSES } from './run.js';
import { type Answering, channelsOf, deliveredTo, type LeftSignal } from './signals.js';
import type { ExtrasWriter } from './tables.sql.js';

/**
 * Writes ended and started waits for signals, and the received signals. Waits before signals, in the lock order of
 * deliveries; ended waits before started ones, since a step that refused a signal waits again.
 */
export const writeSignalWaits: ExtrasWriter = async (tx, scope, writes) => {
  const carried = writes.flatMap(({ runId, extras }) => (extras ? [{ runId, ...extras }] : []));
  const ended = carried.flatMap(({ unwaits = [] }) => unwaits);
  const begun = carried.flatMap(({ waits = [] }) => waits);
  const received = carried.flatMap(({ runId, receives = [] }) => receives.map((taken) => ({ runId, ...taken })));
  if (ended.length > 0) await inParts(tx, ended, (some) => deleteWaits(scope, some));
  if (begun.length > 0) {
    const rows = begun.map(({ channel, stepId, runId, seq, after, since, deadline }) => ({
      channel,
      step_id: stepId,
      run_id: runId,
      seq,
      after_position: after,
      since,
      deadline,
    }));
    rows.sort((a, b) => compare(a.step_id, b.step_id) || compare(a.channel, b.channel));
    await inParts(tx, rows, (some) => upsertWaits(scope, some));
  }
  if (received.length > 0) {
    const rows = received.map(({ channel, position, runId, how }) => ({
      channel,
      position,
      run_id: runId,
      kept: how === 'kept' ? 1 : 0,
    }));
    rows.sort((a, b) => compare(a.channel, b.channel) || a.position - b.position);
    await inParts(tx, rows, (some) => markReceived(scope, some));
  }
  return { offered: channelsOf(received.filter(({ how }) => how === 'left')) };
};

export const SIGNALS_TOPIC = 'signals';

/** Releases signals that are still reserved for their runs. Returns whether there were any. */
export async function freeLeft(tx: SqlConnection, scope: Scope, left: readonly LeftSignal[]): Promise<boolean> {
  if (left.length === 0) return false;
  const rows = left.map(({ runId, channel, position }) => ({ run_id: runId, channel, position, kept: 0 }));
  rows.sort((a, b) => compare(a.channel, b.channel) || a.position - b.position);
  return (await tx.run(markReceived(scope, rows))).affected > 0;
}

export const offeredHint = (channels: readonly string[]): string => JSON.stringify({ offered: channels });

export interface WaitFields {
  channel: string;
  step_id: string;
  run_id: string;
  seq: number;
  after_position: number;
  since: number;
  deadline: number | null;
}

const WAIT_COLUMNS = {
  channel: 'key',
  step_id: 'key',
  run_id: 'key',
  seq: 'int',
  after_position: 'int',
  since: 'int',
  deadline: 'int',
} as const;

export const upsertWaits = (scope: Scope, waits: readonly WaitFields[]): Statement => {
  const names = raw(Object.keys(WAIT_COLUMNS).join(', '));
  return sql`
  INSERT INTO ${scope.tables.waits} (${names})
  SELECT ${names} FROM ${scope.dialect.rows(waits, WAIT_COLUMNS)} AS n WHERE true
  ${overwriting(scope.dialect, ['channel', 'step_id'], ['after_position', 'deadline'])}`;
};

export interface ReceivedFields {
  channel: string;
  position: number;
  run_id: string;
  kept: number;
}

/** Marks kept signals as taken by their runs; releases refused ones, unless another run has taken them meanwhile. */
export const markReceived = (scope: Scope, received: readonly ReceivedFields[]): Statement => {
  const { tables, dialect } = scope;
  const columns = { channel: 'key', position: 'int', run_id: 'key', kept: 'int' } as const;
  const listed = dialect.rows(received, columns);
  const matches = raw(`s.channel = n.channel AND s.position = n.position
    AND (n.kept = 1 OR (s.taken_by = n.run_id AND s.kept_at IS NULL))`);
  const keptAt = sql`CASE WHEN n.kept = 1 THEN ${nowOf(scope)} END`;
  const takenBy = raw('CASE WHEN n.kept = 1 THEN n.run_id END');
  // kept_at first: MySQL assigns from left to right.
  // The statements force reads by index, one by one, independent of the estimated number of rows.
  return byFamily(dialect, {
    postgres: () => sql`UPDATE ${tables.signals} AS s SET kept_at = ${keptAt}, taken_by = ${takenBy} FROM ${listed} AS n
    WHERE s.id = ANY (ARRAY(SELECT f.id FROM ${listed} AS n CROSS JOIN LATERAL (
      SELECT i.id FROM ${tables.signals} AS i WHERE i.channel = n.channel AND i.position = n.position LIMIT 1
    ) AS f)) AND ${matches}`,
    mysql: () =>
      sql`UPDATE ${listed} AS n STRAIGHT_JOIN ${tables.signals} AS s FORCE INDEX (${indexOf(tables.signals, 'order')}) ON ${matches} SET s.kept_at = ${keptAt}, s.taken_by = ${takenBy}`,
  });
};

export const deleteWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  deleteByKeys(dialect, tables.waits, 'step_id', stepIds, { index: indexOf(tables.waits, 'step') });

/** MySQL family: how many signals one statement files. */
const FILED_AT_ONCE = 5_000;
/** The most answers that are held in memory with their payloads. */
const ANSWERED_AT_ONCE = 100;

/**
 * One transaction that files signals and answers waits. It locks channels, waits, signals and answers, in this order;
 * commits of engines use the same order.
 */
export class SqlSignalDelivery {
  /** The answers that this transaction has written. */
  readonly answers: StepAnswer[] = [];

  constructor(
    private readonly tx: SqlTransaction,
    private readonly scope: Scope,
    private readonly answering: Answering,
  ) {}

  /** Locks channels, files their signals, and returns the locked ones; `skip` skips channels locked by others. */
  async take(candidates: readonly CandidateRow[], skip: boolean): Promise<string[]> {
    const locked = await this.lock(candidates, skip);
    const unfiled = new Set(candidates.flatMap(({ channel, unfiled }) => (Number(unfiled) === 0 ? [] : [channel])));
    const toFile = locked.filter(({ channel }) => unfiled.has(channel));
    const channels = toFile.map(({ channel }) => channel);
    if (toFile.length > 0)
      await byFamily<Promise<unknown>>(this.scope.dialect, {
        postgres: () => this.tx.run(fileSignals(this.scope, channels)),
        mysql: () => this.fileOnMysql(toFile),
      });
    return locked.map(({ channel }) => channel);
  }

  private async lock(candidates: readonly CandidateRow[], skip: boolean): Promise<ChannelRow[]> {
    const fresh = candidates.filter(({ known }) => Number(known) === 0).map(({ channel }) => channel);
    if (fresh.length > 0) await this.tx.run(insertChannels(this.scope, fresh));
    const all = candidates.map(({ channel }) => channel);
    return (await this.tx.run<ChannelRow>(lockChannels(this.scope, all, skip))).rows;
  }

  /** Answers waits on channels that `take` returned. */
  async deliver(channels: readonly string[]): Promise<void> {
    // Repeated while several runs match the same signal for one run: each round gives it to one of them.
    while (channels.length > 0 && (await this.answerWaits(channels)));
  }

  private async fileOnMysql(locked: readonly ChannelRow[]): Promise<void> {
    const { tx, scope } = this;
    const last = new Map(locked.map(({ channel, last_position }) => [channel, Number(last_position)]));
    for (;;) {
      const found = await tx.run<UnfiledRow>(selectToFile(scope, [...last.keys()], FILED_AT_ONCE));
      if (found.rows.length === 0) return;
      const ids = found.rows.map(({ id }) => id);
      const free = new Set((await tx.run<UnfiledRow>(lockToFile(scope, ids))).rows.map(({ id }) => id));
      // Later signals must not overtake one that a sender of the same id has locked; its channel waits for that sender.
      const held = new Set<string>();
      const placed = found.rows.flatMap(({ channel, id }) => {
        if (!free.has(id)) held.add(channel);
        if (held.has(channel)) return [];
        const position = last.get(channel)! + 1;
        last.set(channel, position);
        return [{ id, channel, position }];
      });
      if (placed.length > 0) {
        await tx.run(numberSignals(scope, placed));
        const moved = [...new Set(placed.map(({ channel }) => channel))];
        await tx.run(
          advanceChannels(
            scope,
            moved.map((channel) => ({ channel, last: last.get(channel)! })),
          ),
        );
      }
      for (const channel of held) last.delete(channel);
      if (last.size === 0) return;
    }
  }

  /** Returns whether there may be more waits to answer. */
  private async answerWaits(channels: readonly string[]): Promise<boolean> {
    const { tx, scope } = this;
    const { rows } = await tx.run<MatchRow>(matchWaits(scope, channels));
    if (rows.length === 0) return false;
    const { chosen, contested } = choose(rows);
    const stepIds = chosen.map(({ step_id }) => step_id);
    const { rows: still } = await tx.run<WaitRow>(lockWaits(scope, stepIds));
    const waits = new Set(still.map((wait) => `${wait.channel}/${Number(wait.after_position)}/${wait.step_id}`));
    const answered = chosen.filter((m) => waits.has(`${m.channel}/${Number(m.after_position)}/${m.step_id}`));
    if (answered.length === 0) return false;
    // Reserved, so that a run that begins later does not receive the same signal.
    const taken = answered.filter((match) => match.addressed === 'key' || isEarly(match));
    const reserved = new Map(taken.map(({ signal_id: id, run_id }) => [id, { id, run_id }]));
    if (reserved.size > 0) await tx.run(reserveSignals(scope, [...reserved.values()]));
    await tx.run(
      deleteWaits(
        scope,
        answered.map(({ step_id }) => step_id),
      ),
    );
    for (let from = 0; from < answered.length; from += ANSWERED_AT_ONCE)
      await this.answer(answered.slice(from, from + ANSWERED_AT_ONCE));
    return contested;
  }

  private async answer(matches: readonly MatchRow[]): Promise<void> {
    const ids = [...new Set(matches.map(({ signal_id }) => signal_id))];
    const { rows } = await this.tx.run<PayloadRow>(selectPayloads(this.scope, ids));
    const payloads = new Map(rows.map(({ id, payload }) => [Number(id), payload]));
    const answers = matches.map(({ step_id: stepId, run_id: runId, seq, channel, position, signal_id }) =>
      deliveredTo(
        { stepId, runId, seq: Number(seq) },
        { position: Number(position), channel, payload: payloads.get(Number(signal_id))! },
      ),
    );
    this.answers.push(...answers);
    while (answers.length > 0) {
      const some = answers.splice(
        0,
        howManyFit(answers, ANSWERED_AT_ONCE, ({ output }) => output?.length ?? 0),
      );
      await this.answering(some, this.tx);
    }
  }
}

interface UnfiledRow {
  channel: string;
  id: number | string;
}

interface PayloadRow {
  id: number | string;
  payload: string | null;
}

/** Whether the signal was sent before the run began: then it is for one run only. */
const isEarly = ({ created_at, since }: MatchRow): boolean => Number(created_at) < Number(since);

/** Chooses for each step the signal that was sent first; a signal for one run only goes to the run that began first. */
function choose(rows: readonly MatchRow[]): { chosen: MatchRow[]; contested: boolean } {
  const chosen = new Map<string, MatchRow>();
  const reserved = new Map<number, string>();
  let contested = false;
  const inTurn = [...rows].sort(
    (a, b) => Number(a.since) - Number(b.since) || Number(a.signal_id) - Number(b.signal_id),
  );
  for (const match of inTurn) {
    const signal = Number(match.signal_id);
    if (chosen.has(match.step_id)) continue;
    if (isEarly(match)) {
      const holder = reserved.get(signal);
      if (holder !== undefined && holder !== match.run_id) {
        contested = true;
        continue;
      }
      reserved.set(signal, match.run_id);
    }
    chosen.set(match.step_id, match);
  }
  return { chosen: [...chosen.values()], contested };
}

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
  SELECT n.channel, 0 FROM ${scope.dialect.rows(rows, { channel: 'key' })} AS n WHERE true`,
    id('channel'),
  );
};

export const lockChannels = ({ tables, dialect }: Scope, channels: readonly string[], skip: boolean): Statement => sql`
  SELECT channel, last_position FROM ${tables.channels} ${dialect.forceIndex()} WHERE channel ${amongKeys(dialect, channels)}
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
  const listed = scope.dialect.rows(rows, { id: 'int', position: 'int' });
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
    from: sql`${dialect.rows(rows, { channel: 'key', last: 'int' })} AS n`,
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
  SELECT step_id, channel, after_position FROM ${tables.waits} ${dialect.forceIndex(indexOf(tables.waits, 'step'))} WHERE step_id ${amongKeys(dialect, stepIds)}
  ORDER BY step_id, channel FOR UPDATE`;

export const selectWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement =>
  sql`SELECT step_id, channel, after_position FROM ${tables.waits} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** After every possible position of a signal. */
export const THE_END = Number.MAX_SAFE_INTEGER;

export const closeWaits = ({ tables, dialect }: Scope, stepIds: readonly string[]): Statement => sql`
  UPDATE ${tables.waits} ${dialect.forceIndex(indexOf(tables.waits, 'step'))} SET after_position = ${THE_END} WHERE step_id ${amongKeys(dialect, stepIds)}`;

/** Reserves signals for runs; a kept signal is not changed. */
export const reserveSignals = (scope: Scope, rows: readonly { id: Int; run_id: string }[]): Statement => {
  const listed = scope.dialect.rows(rows, { id: 'int', run_id: 'key' });
  const ids = rows.map((row) => row.id);
  return byFamily(scope.dialect, {
    postgres: () =>
      sql`UPDATE ${scope.tables.signals} AS s SET taken_by = n.run_id FROM ${listed} AS n WHERE s.id ${amongNumbers(scope.dialect, ids)} AND s.id = n.id AND s.kept_at IS NULL`,
    mysql: () => sql`UPDATE ${byId(scope, listed)} SET s.taken_by = n.run_id WHERE s.kept_at IS NULL`,
  });
};

export const selectPayloads = (scope: Scope, ids: readonly Int[]): Statement =>
  sql`SELECT id, payload FROM ${scope.tables.signals} WHERE id ${amongNumbers(scope.dialect, ids)}`;
