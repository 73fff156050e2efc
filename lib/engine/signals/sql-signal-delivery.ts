import { byFamily } from '../../sql/dialects/dialect.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import { howManyFit } from '../../time/batcher.js';
import { type Answering, deliveredTo } from '../model/mailbox.js';
import * as statements from './signal-delivery.sql.js';
import type { CandidateRow, ChannelRow, MatchRow } from './signal-delivery.sql.js';
import { deleteWaits } from './signal-wait.sql.js';

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
        postgres: () => this.tx.run(statements.fileSignals(this.scope, channels)),
        mysql: () => this.fileOnMysql(toFile),
      });
    return locked.map(({ channel }) => channel);
  }

  private async lock(candidates: readonly CandidateRow[], skip: boolean): Promise<ChannelRow[]> {
    const fresh = candidates.filter(({ known }) => Number(known) === 0).map(({ channel }) => channel);
    if (fresh.length > 0) await this.tx.run(statements.insertChannels(this.scope, fresh));
    const all = candidates.map(({ channel }) => channel);
    return (await this.tx.run<ChannelRow>(statements.lockChannels(this.scope, all, skip))).rows;
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
      const found = await tx.run<UnfiledRow>(statements.selectToFile(scope, [...last.keys()], FILED_AT_ONCE));
      if (found.rows.length === 0) return;
      const ids = found.rows.map(({ id }) => id);
      const free = new Set((await tx.run<UnfiledRow>(statements.lockToFile(scope, ids))).rows.map(({ id }) => id));
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
        await tx.run(statements.numberSignals(scope, placed));
        const moved = [...new Set(placed.map(({ channel }) => channel))];
        await tx.run(
          statements.advanceChannels(
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
    const { rows } = await tx.run<MatchRow>(statements.matchWaits(scope, channels));
    if (rows.length === 0) return false;
    const { chosen, contested } = choose(rows);
    const stepIds = chosen.map(({ step_id }) => step_id);
    const { rows: still } = await tx.run<statements.WaitRow>(statements.lockWaits(scope, stepIds));
    const waits = new Set(still.map((wait) => `${wait.channel}/${Number(wait.after_position)}/${wait.step_id}`));
    const answered = chosen.filter((m) => waits.has(`${m.channel}/${Number(m.after_position)}/${m.step_id}`));
    if (answered.length === 0) return false;
    // Reserved, so that a run that begins later does not receive the same signal.
    const taken = answered.filter((match) => match.addressed === 'key' || isEarly(match));
    const reserved = new Map(taken.map(({ signal_id: id, run_id }) => [id, { id, run_id }]));
    if (reserved.size > 0) await tx.run(statements.reserveSignals(scope, [...reserved.values()]));
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
    const { rows } = await this.tx.run<PayloadRow>(statements.selectPayloads(this.scope, ids));
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
