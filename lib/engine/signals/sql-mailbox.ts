import { DatabaseError, UndeliverableSignalError } from '../../errors/database-errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import { afterCommit, type Transaction } from '../../protocol/transaction.js';
import { isDuplicate } from '../../sql/database-errors.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import type { Notifier } from '../../sql/notifier.js';
import { type SqlConnection, type SqlExecutor, sqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import {
  type Answering,
  type Delivery,
  type Mailbox,
  nameOfSignal,
  type NewSignal,
  type RefusedChannel,
  type Sent,
} from '../model/mailbox.js';
import * as statements from './mailbox.sql.js';
import * as delivering from './signal-delivery.sql.js';
import { offeredIn, SIGNALS_TOPIC as TOPIC } from './sql-signal-waits.js';
import { SqlSignalDelivery } from './sql-signal-delivery.js';

/** The most channels of one delivery. */
const CHANNELS = 200;
const NONE: ReadonlySet<string> = new Set();

/** Signals and the waits for them, in tables. */
export class SqlMailbox implements Mailbox {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Notifier,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async send(signals: readonly NewSignal[], tx?: Transaction): Promise<Sent[]> {
    const joined = tx && sqlTransaction(tx);
    const missing = await this.missingRuns(signals, joined);
    const verdicts: Sent[] = signals.map((signal) => (missing.has(runOf(signal)) ? 'no_run' : 'known'));
    const first = firstOfEach(signals, (_, i) => verdicts[i] !== 'no_run');
    if (first.length === 0) return verdicts;
    const asked = first.map((i) => signals[i]!);
    const sent = await this.insert(asked, joined);
    first.forEach((i, n) => sent[n] && (verdicts[i] = 'sent'));
    if (sent.includes(true)) afterCommit(tx, () => this.tell(tx !== undefined));
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
    const { rows } = await this.db.run<AddressRow>(statements.selectAddress(this.scope, channel));
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

  /** The caller's transaction contains no notification statement, since its locks and duration are the caller's. */
  private tell(publishing: boolean): void {
    this.notifier.local(TOPIC, '{}');
    if (publishing) this.notifier.publish(TOPIC, '{}');
  }

  onSignals(listener: (offered?: readonly string[]) => void): () => void {
    return this.notifier.subscribe(TOPIC, (payload) => listener(offeredIn(payload)));
  }

  /** The target runs that do not exist, by {@link runOf}. */
  private async missingRuns(signals: readonly NewSignal[], tx?: SqlConnection): Promise<Set<string>> {
    const missing = new Set(signals.map(runOf).filter((run) => run !== ''));
    const look = async (select: typeof statements.selectRunsIn) => {
      const asked = signals.filter((signal) => missing.has(runOf(signal)));
      if (asked.length === 0) return;
      const ids = [...new Set(asked.map(({ target }) => target))];
      const { rows } = await (tx ?? this.db).run<{ id: string; namespace: string }>(select(this.scope, ids));
      for (const { id, namespace } of rows) missing.delete(`${namespace}/${id}`);
    };
    await look(statements.selectRunsIn);
    // The caller's snapshot may be older than the run. On its own connection, since there may be no other.
    if (tx)
      await byFamily(tx.dialect, {
        postgres: () => Promise.resolve(),
        mysql: () => look(statements.selectLatestRunsIn),
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
    const { rows } = await (tx ?? this.db).run<KnownRow>(statements.sendSignals(this.scope, signals, told));
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
        const select = attempt === 1 ? statements.selectKnown : statements.lockKnown;
        for (const row of (await (tx ?? this.db).run<KnownRow>(select(this.scope, named))).rows)
          known.add(keyOfRow(row));
      }
      const unsent = signals.filter((signal) => signal.dedupId === null || !known.has(keyOf(signal)));
      try {
        if (unsent.length > 0) await (tx ?? this.db).run(statements.insertSignals(this.scope, unsent));
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
