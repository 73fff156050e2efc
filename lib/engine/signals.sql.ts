import { DatabaseError, UndeliverableSignalError } from '../core/errors.js';
import type { StepAnswer } from '../core/protocol.js';
import { afterCommit, type Transaction } from '../core/transaction.js';
import { isDuplicate } from '../sql/database-errors.js';
import { amongKeys, byFamily, deleteByNumbers, type Dialect } from '../sql/dialects.js';
import { type SqlConnection, sqlTransaction } from '../sql/executor.js';
import { NotifyingAdapter, textsIn } from '../sql/notifier.js';
import { indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, onceNow, type Scope, type Tables, TablesAdapter } from '../sql/tables.js';
import * as delivering from './signal-waits.sql.js';
import { lockChannels, SIGNALS_TOPIC as TOPIC, SqlSignalDelivery } from './signal-waits.sql.js';
import {
  type Answering,
  type Delivery,
  type Mailbox,
  nameOfSignal,
  type NewSignal,
  type PurgeSignals,
  type RefusedChannel,
  type Sent,
  type SignalCursor,
  type SignalRemoval,
} from './signals.js';
import type { EffectWaits, OperationWaiter } from './step.js';

/** The most channels of one delivery. */
const CHANNELS = 200;
const NONE: ReadonlySet<string> = new Set();

/** Signals and the waits for them, in tables. */
export class SqlMailbox extends NotifyingAdapter implements Mailbox {
  async send(signals: readonly NewSignal[], tx?: Transaction): Promise<Sent[]> {
    const joined = tx && sqlTransaction(tx);
    const missing = await this.missingRuns(signals, joined);
    const verdicts: Sent[] = signals.map((signal) => (missing.has(runOf(signal)) ? 'no_run' : 'known'));
    const first = firstOfEach(signals, (_, i) => verdicts[i] !== 'no_run');
    if (first.length === 0) return verdicts;
    const asked = first.map((i) => signals[i]!);
    const sent = await this.insert(asked, joined);
    first.forEach((i, n) => sent[n] && (verdicts[i] = 'sent'));
    if (sent.includes(true)) afterCommit(tx, () => this.hint(TOPIC, tx !== undefined));
    return verdicts;
  }

  async deliver(
    answering: Answering,
    channels?: readonly string[],
    without: ReadonlySet<string> = NONE,
  ): Promise<Delivery> {
    const rows = await (channels ? this.holding(channels) : this.unfiled(without));
    if (rows.length === 0) return { left: 'done', answers: [], refused: [] };
    const { locked, answers, refused } = await this.deliverParts(rows, answering, !channels);
    if (channels) return { left: 'done', answers, refused };
    const reached = locked + refused.length;
    if (reached === 0) return { left: 'elsewhere', answers, refused };
    return { left: rows.length === CHANNELS || reached < rows.length ? 'more' : 'done', answers, refused };
  }

  private async holding(channels: readonly string[]): Promise<delivering.CandidateRow[]> {
    return (await this.db.run<delivering.CandidateRow>(delivering.selectHolding(this.scope, channels))).rows;
  }

  /** The limit grows with the excluded channels, in whole pages, so that the statement has few different texts. */
  private async unfiled(without: ReadonlySet<string>): Promise<delivering.CandidateRow[]> {
    const limit = CHANNELS * (1 + Math.ceil(without.size / CHANNELS));
    const { rows } = await this.db.run<delivering.CandidateRow>(delivering.selectUnfiled(this.scope, limit));
    return rows.filter(({ channel }) => !without.has(channel)).slice(0, CHANNELS);
  }

  /** Delivers in one transaction; after a refusal in halves, so that a refused channel blocks no other. */
  private async deliverParts(
    rows: readonly delivering.CandidateRow[],
    answering: Answering,
    skip: boolean,
  ): Promise<DeliveredOn & { refused: RefusedChannel[] }> {
    try {
      return { ...(await this.deliverOn(rows, answering, skip)), refused: [] };
    } catch (error) {
      if (!(error instanceof DatabaseError && error.aboutData)) throw error;
      if (rows.length === 1) return { locked: 0, answers: [], refused: [await this.refusal(rows[0]!.channel, error)] };
      const half = Math.ceil(rows.length / 2);
      const first = await this.deliverParts(rows.slice(0, half), answering, skip);
      const second = await this.deliverParts(rows.slice(half), answering, skip);
      return {
        locked: first.locked + second.locked,
        answers: [...first.answers, ...second.answers],
        refused: [...first.refused, ...second.refused],
      };
    }
  }

  private async refusal(channel: string, error: DatabaseError): Promise<RefusedChannel> {
    const { rows } = await this.db.run<AddressRow>(selectAddress(this.scope, channel));
    return { channel, error: new UndeliverableSignalError(nameOfSignal(rows[0]), error) };
  }

  private deliverOn(
    rows: readonly delivering.CandidateRow[],
    answering: Answering,
    skip: boolean,
  ): Promise<DeliveredOn> {
    return this.db.transaction(async (tx) => {
      const delivery = new SqlSignalDelivery(tx, this.scope, answering);
      const locked = await delivery.take(rows, skip);
      await delivery.deliver(locked);
      return { locked: locked.length, answers: delivery.answers };
    });
  }

  async expire(stepIds: readonly string[], answering: Answering): ReturnType<Mailbox['expire']> {
    const { scope } = this;
    return this.db.transaction(async (tx) => {
      const { rows: waits } = await tx.run<delivering.WaitRow>(delivering.selectWaits(scope, stepIds));
      if (waits.length === 0) return { expired: [], answers: [] };
      const channels = [...new Set(waits.map(({ channel }) => channel))];
      const { rows } = await tx.run<delivering.CandidateRow>(delivering.selectHolding(scope, channels));
      const delivery = new SqlSignalDelivery(tx, scope, answering);
      if (rows.length > 0) await delivery.deliver(await delivery.take(rows, false));
      const left = await tx.run<delivering.WaitRow>(delivering.lockWaits(scope, stepIds));
      const expired = [...new Set(left.rows.map(({ step_id }) => step_id))];
      if (expired.length > 0) await tx.run(delivering.closeWaits(scope, expired));
      return { expired, answers: delivery.answers };
    });
  }

  onSignals(listener: (offered?: readonly string[]) => void): () => void {
    return this.notifier.subscribe(TOPIC, (payload) => listener(textsIn(payload, 'offered')));
  }

  /** The target runs that do not exist, by {@link runOf}. */
  private async missingRuns(signals: readonly NewSignal[], tx?: SqlConnection): Promise<Set<string>> {
    const missing = new Set(signals.map(runOf).filter((run) => run !== ''));
    const look = async (select: typeof selectRunsIn) => {
      const asked = signals.filter((signal) => missing.has(runOf(signal)));
      if (asked.length === 0) return;
      const ids = [...new Set(asked.map(({ target }) => target))];
      const { rows } = await (tx ?? this.db).run<{ id: string; namespace: string }>(select(this.scope, ids));
      for (const { id, namespace } of rows) missing.delete(`${namespace}/${id}`);
    };
    await look(selectRunsIn);
    // The caller's snapshot may be older than the run. On its own connection, since there may be no other.
    if (tx)
      await byFamily(tx.dialect, {
        postgres: () => Promise.resolve(),
        mysql: () => look(selectLatestRunsIn),
      });
    return missing;
  }

  /** Returns for each signal whether it is new. */
  private insert(signals: readonly NewSignal[], tx?: SqlConnection): Promise<boolean[]> {
    return byFamily(this.db.dialect, {
      postgres: () => this.insertPostgres(signals, tx),
      mysql: () => this.insertMysql(signals, tx),
    });
  }

  private async insertPostgres(signals: readonly NewSignal[], tx?: SqlConnection): Promise<boolean[]> {
    const told = tx ? undefined : this.notifier.statement(TOPIC, '{}');
    const { rows } = await (tx ?? this.db).run<KnownRow>(sendSignals(this.scope, signals, told));
    const sent = new Set(rows.map(keyOfRow));
    return signals.map((signal) => signal.dedupId === null || sent.has(keyOf(signal)));
  }

  /**
   * A plain INSERT of signals that do not exist yet, repeated if another sender of the same id was first. ON DUPLICATE
   * KEY is not used, because it would lock the existing row until the end of the caller's transaction.
   */
  private async insertMysql(signals: readonly NewSignal[], tx?: SqlConnection): Promise<boolean[]> {
    const known = new Set<string>();
    const named = signals.filter(({ dedupId }) => dedupId !== null);
    for (let attempt = 1; ; attempt++) {
      if (named.length > 0) {
        const select = attempt === 1 ? selectKnown : lockKnown;
        for (const row of (await (tx ?? this.db).run<KnownRow>(select(this.scope, named))).rows)
          known.add(keyOfRow(row));
      }
      const unsent = signals.filter((signal) => signal.dedupId === null || !known.has(keyOf(signal)));
      try {
        if (unsent.length > 0) await (tx ?? this.db).run(insertSignals(this.scope, unsent));
        return signals.map((signal) => unsent.includes(signal));
      } catch (error) {
        if (!isDuplicate(error) || attempt >= 5) throw error;
      }
    }
  }
}

/** How many channels one transaction has locked, and the answers it has written. */
interface DeliveredOn {
  locked: number;
  answers: readonly StepAnswer[];
}

type AddressRow = Pick<NewSignal, 'name' | 'target' | 'addressed'>;

interface KnownRow {
  channel: string;
  dedup_id: string | null;
}

const keyOf = ({ channel, dedupId }: NewSignal): string => JSON.stringify([channel, dedupId]);
const keyOfRow = ({ channel, dedup_id }: KnownRow): string => JSON.stringify([channel, dedup_id]);

const runOf = ({ addressed, namespace, target }: NewSignal): string =>
  addressed === 'run' ? `${namespace}/${target}` : '';

/** The indexes of the signals to send, each id once. */
function firstOfEach(signals: readonly NewSignal[], wanted: (signal: NewSignal, i: number) => boolean): number[] {
  const seen = new Set<string>();
  return signals.flatMap((signal, i) => {
    if (!wanted(signal, i)) return [];
    if (signal.dedupId === null) return [i];
    const key = keyOf(signal);
    if (seen.has(key)) return [];
    seen.add(key);
    return [i];
  });
}

const NEW_COLUMNS = {
  ord: 'int',
  namespace: 'key',
  channel: 'key',
  name: 'key',
  target: 'key',
  addressed: 'key',
  dedup_id: 'key',
  payload: 'text',
} as const;

/** Inserts signals in the given order, so that their ids have this order. */
export const insertSignals = (scope: Scope, signals: readonly NewSignal[]): Statement => {
  const rows = signals.map(({ dedupId, ...signal }, ord) => ({ ...signal, ord, dedup_id: dedupId }));
  const copied = raw('namespace, channel, name, target, addressed, dedup_id, payload');
  return sql`
  INSERT INTO ${scope.tables.signals} (${copied}, created_at)
  SELECT ${copied}, ${nowOf(scope)} FROM ${scope.dialect.rows(rows, NEW_COLUMNS)} AS n ORDER BY n.ord`;
};

/** PostgreSQL: skips signals whose id exists, returns the inserted ones, and notifies in the same commit. */
export const sendSignals = (scope: Scope, signals: readonly NewSignal[], told: Statement | undefined): Statement => sql`
  WITH sent AS (${insertSignals(scope, signals)} ON CONFLICT (channel, dedup_id) DO NOTHING RETURNING channel, dedup_id)
  SELECT sent.channel, sent.dedup_id${told ? sql`, (${told}) AS told` : raw('')} FROM sent`;

/** The existing ids, as the caller's transaction sees them. */
export const selectKnown = (scope: Scope, signals: readonly NewSignal[]): Statement => {
  const rows = signals.map(({ channel, dedupId }) => ({ channel, dedup_id: dedupId }));
  const listed = scope.dialect.rows(rows, { channel: 'key', dedup_id: 'key' });
  return sql`
  SELECT s.channel, s.dedup_id FROM ${listed} AS n
  JOIN ${scope.tables.signals} AS s ON s.channel = n.channel AND s.dedup_id = n.dedup_id`;
};

/** MySQL family: the existing ids in their last committed state; locks their rows. */
export const lockKnown = ({ tables }: Scope, signals: readonly NewSignal[]): Statement => sql`
  SELECT channel, dedup_id FROM ${tables.signals} FORCE INDEX (${indexOf(tables.signals, 'dedup')})
  WHERE ${join(
    signals.map(({ channel, dedupId }) => sql`(channel = ${channel} AND dedup_id = ${dedupId})`),
    ' OR ',
  )} LOCK IN SHARE MODE`;

/** Any signal of the channel: all have the same name and target. */
export const selectAddress = ({ tables }: Scope, channel: string): Statement =>
  sql`SELECT name, target, addressed FROM ${tables.signals} WHERE channel = ${channel} LIMIT 1`;

export const selectRunsIn = ({ tables, dialect }: Scope, ids: readonly string[]): Statement =>
  sql`SELECT id, namespace FROM ${tables.runs} ${dialect.forceIndex()} WHERE id ${amongKeys(dialect, ids)}`;

/**
 * MySQL and MariaDB: the last committed state; locks the rows, so only for runs that the caller's transaction does not
 * see. PostgreSQL has no such read: there, a REPEATABLE READ transaction cannot see runs that were created after it
 * began.
 */
export const selectLatestRunsIn = (scope: Scope, ids: readonly string[]): Statement =>
  sql`${selectRunsIn(scope, ids)} LOCK IN SHARE MODE`;

interface PlacedRow {
  id: number | string;
  created_at: number | string;
  gone: number | string;
}

/** Before all signals. */
const START: SignalCursor = { createdAt: 0, id: 0 };

export class SqlSignalRemoval extends TablesAdapter implements SignalRemoval {
  async purgeOfKeys(request: PurgeSignals): Promise<number> {
    const { rows } = await this.db.run<{ id: number | string }>(selectOldOfKeys(this.scope, request));
    return this.delete(rows);
  }

  async purgeOfRuns(request: PurgeSignals, after = START): ReturnType<SignalRemoval['purgeOfRuns']> {
    const { rows } = await this.db.run<PlacedRow>(selectOldOfRuns(this.scope, request, after));
    const purged = await this.delete(rows.filter(({ gone }) => Number(gone) === 1));
    const last = rows.at(-1);
    const isEnd = !last || rows.length < request.limit;
    return { purged, next: isEnd ? undefined : { createdAt: Number(last.created_at), id: Number(last.id) } };
  }

  async deleteUntaken(channel: string, limit: number, tx: Transaction): Promise<number> {
    const connection = sqlTransaction(tx);
    await connection.run(lockChannels(this.scope, [channel], false));
    const untaken = lockUntaken(this.scope, channel, limit);
    return this.delete((await connection.run<{ id: number | string }>(untaken)).rows, connection);
  }

  async forget(channels: readonly string[], limit: number): Promise<number> {
    if (channels.length === 0) return 0;
    const found = selectIn(this.scope, channels, limit);
    return this.delete((await this.db.run<{ id: number | string }>(found)).rows);
  }

  private async delete(rows: readonly { id: number | string }[], on: SqlConnection = this.db): Promise<number> {
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    return (await on.run(deleteSignals(this.scope, ids))).affected;
  }
}

/** Filed signals that are old enough: a range of the index (namespace, addressed, created_at, id). */
const oldOnes = (scope: Scope, { namespace, olderThanMs }: PurgeSignals, addressed: 'run' | 'key'): Statement => sql`
  s.namespace = ${namespace} AND s.addressed = ${addressed} AND s.position IS NOT NULL
  AND s.created_at <= ${onceNow(scope)} - ${olderThanMs}`;

export const selectOldOfKeys = (scope: Scope, request: PurgeSignals): Statement => sql`
  SELECT s.id FROM ${scope.tables.signals} AS s WHERE ${oldOnes(scope, request, 'key')}
  ORDER BY s.created_at, s.id LIMIT ${int(request.limit)}`;

/** A page of the signals to runs, and of each whether nobody takes it any more. Runs are looked up one by one. */
export const selectOldOfRuns = (
  scope: Scope,
  request: PurgeSignals,
  { createdAt, id: last }: SignalCursor,
): Statement => {
  const { tables } = scope;
  return sql`
  SELECT p.id, p.created_at, CASE WHEN p.taken_by IS NOT NULL OR COALESCE((
      SELECT r.status IN ('completed', 'cancelled') AND r.finished_at <= ${nowOf(scope)} - ${request.olderThanMs}
      FROM ${tables.runs} AS r WHERE r.id = p.target), true) THEN 1 ELSE 0 END AS gone
  FROM (
    SELECT s.id, s.created_at, s.target, s.taken_by FROM ${tables.signals} AS s
    WHERE ${oldOnes(scope, request, 'run')} AND s.created_at >= ${createdAt} AND (s.created_at > ${createdAt} OR s.id > ${last})
    ORDER BY s.created_at, s.id LIMIT ${int(request.limit)}
  ) AS p ORDER BY p.created_at, p.id`;
};

/** Signals of these channels, taken or not. */
export const selectIn = ({ tables, dialect }: Scope, channels: readonly string[], limit: number): Statement =>
  sql`SELECT id FROM ${tables.signals} WHERE channel ${amongKeys(dialect, channels)} LIMIT ${int(limit)}`;

/** Of a locked channel. */
export const lockUntaken = ({ tables }: Scope, channel: string, limit: number): Statement => sql`
  SELECT id FROM ${tables.signals} WHERE channel = ${channel} AND position IS NOT NULL AND taken_by IS NULL
  ORDER BY position LIMIT ${int(limit)} FOR UPDATE`;

export const deleteSignals = ({ tables, dialect }: Scope, ids: readonly (number | string)[]): Statement =>
  deleteByNumbers(dialect, tables.signals, 'id', ids);

export interface WaitingRow {
  step_id: string;
  run_id: string;
  seq: number | string;
}

export const selectWaiting = ({ waits }: Pick<Tables, 'waits'>, channel: string): Statement =>
  sql`SELECT step_id, run_id, seq FROM ${waits} WHERE channel = ${channel} ORDER BY step_id`;

export const selectAwaited = (
  { waits }: Pick<Tables, 'waits'>,
  dialect: Dialect,
  channels: readonly string[],
): Statement => sql`SELECT DISTINCT channel FROM ${waits} WHERE channel ${amongKeys(dialect, channels)}`;

export class SqlEffectWaits implements EffectWaits {
  constructor(private readonly tables: Tables) {}

  async awaited(channels: readonly string[], tx: Transaction): Promise<string[]> {
    const at = sqlTransaction(tx);
    const { rows } = await at.run<{ channel: string }>(selectAwaited(this.tables, at.dialect, channels));
    return rows.map(({ channel }) => channel);
  }

  async waiting(channel: string, tx: Transaction): Promise<OperationWaiter[]> {
    const { rows } = await sqlTransaction(tx).run<WaitingRow>(selectWaiting(this.tables, channel));
    return rows.map(({ step_id: stepId, run_id: runId, seq }) => ({ stepId, runId, seq: Number(seq) }));
  }
}
