import { stepIdOf, type StepAnswer } from '../../protocol/step.js';
import { afterCommit, inMemoryTransaction, type Transaction } from '../../protocol/transaction.js';
import type { Clock } from '../../time/clock.js';
import { DatabaseError, UndeliverableSignalError } from '../../errors/database-errors.js';
import {
  type Answering,
  deliveredTo,
  type Delivery,
  type Mailbox,
  nameOfSignal,
  type NewSignal,
  type RefusedChannel,
  type Sent,
} from '../model/mailbox.js';
import type { HeldSignal, MemoryTables } from '../tables/memory-tables.js';
import { isFinal } from '../model/run.js';
import type { SignalWait } from '../model/run-store.js';

/** Signals and the waits for them, in maps. */
export class InMemoryMailbox implements Mailbox {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly tables: MemoryTables,
  ) {}

  async send(signals: readonly NewSignal[], tx?: Transaction): Promise<Sent[]> {
    const verdicts = signals.map((signal) => this.sendOne(signal));
    if (verdicts.includes('sent')) afterCommit(tx, () => queueMicrotask(() => this.tell()));
    return verdicts;
  }

  async deliver(
    answering: Answering,
    channels?: readonly string[],
    without: ReadonlySet<string> = new Set(),
  ): Promise<Delivery> {
    return this.tables.exclusively(async () => {
      const among = new Set(channels ?? this.unfiled().map(({ channel }) => channel));
      const looked = channels ? among : new Set([...among].filter((channel) => !without.has(channel)));
      const refused: RefusedChannel[] = [];
      return { left: 'done', answers: await this.deliverParts(looked, answering, refused), refused };
    });
  }

  /** Delivers on all channels together, or on each one alone if the values of one are refused. */
  private async deliverParts(
    channels: ReadonlySet<string>,
    answering: Answering,
    refused: RefusedChannel[],
  ): Promise<StepAnswer[]> {
    try {
      return await this.deliverTo(channels, answering);
    } catch (error) {
      if (!(error instanceof DatabaseError && error.aboutData)) throw error;
      const [channel] = channels;
      if (channels.size > 1) {
        const answers: StepAnswer[] = [];
        for (const one of channels) answers.push(...(await this.deliverParts(new Set([one]), answering, refused)));
        return answers;
      }
      const signal = this.tables.signals.find((held) => held.channel === channel);
      refused.push({ channel: channel!, error: new UndeliverableSignalError(nameOfSignal(signal), error) });
      return [];
    }
  }

  async expire(stepIds: readonly string[], answering: Answering): ReturnType<Mailbox['expire']> {
    return this.tables.exclusively(async () => {
      const of = () => [...this.tables.waits.values()].filter(({ stepId }) => stepIds.includes(stepId));
      const answers = await this.deliverTo(new Set(of().map(({ channel }) => channel)), answering);
      for (const wait of of()) wait.after = Number.MAX_SAFE_INTEGER;
      return { expired: [...new Set(of().map(({ stepId }) => stepId))], answers };
    });
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  onSignals(listener: (offered?: readonly string[]) => void): () => void {
    const told = () => listener();
    this.listeners.add(told);
    this.tables.offeredListeners.add(listener);
    return () => {
      this.listeners.delete(told);
      this.tables.offeredListeners.delete(listener);
    };
  }

  private sendOne(signal: NewSignal): Sent {
    const { signals, runs } = this.tables;
    const { addressed, target, namespace, channel, dedupId } = signal;
    if (addressed === 'run' && runs.get(target)?.namespace !== namespace) return 'no_run';
    const isKnown = signals.some((held) => held.channel === channel && held.dedupId === dedupId);
    if (dedupId !== null && isKnown) return 'known';
    const id = (signals.at(-1)?.id ?? 0) + 1;
    signals.push({ ...signal, id, createdAt: this.clock.now(), position: null, takenBy: null, keptBy: new Set() });
    return 'sent';
  }

  private unfiled(): HeldSignal[] {
    return this.tables.signals.filter(({ position }) => position === null);
  }

  private async deliverTo(channels: ReadonlySet<string>, answering: Answering): Promise<StepAnswer[]> {
    const filed = this.file(channels);
    const matches = this.match(channels);
    const answers = matches.map(({ wait: { runId, seq }, signal }) =>
      deliveredTo(
        { stepId: stepIdOf(runId, seq), runId, seq },
        { position: signal.position!, channel: signal.channel, payload: signal.payload },
      ),
    );
    if (answers.length > 0) {
      await inMemoryTransaction(undefined, (tx) => answering(answers, tx)).catch((error: unknown) => {
        this.unfile(filed);
        throw error;
      });
    }
    const answered = new Set(matches.map(({ wait }) => wait.stepId));
    for (const [key, { stepId }] of this.tables.waits) if (answered.has(stepId)) this.tables.waits.delete(key);
    for (const { wait, signal } of matches) if (isForOne(signal, wait)) signal.takenBy = wait.runId;
    return answers;
  }

  private file(channels: ReadonlySet<string>): HeldSignal[] {
    const filed = this.unfiled().filter(({ channel }) => channels.has(channel));
    for (const signal of filed) {
      signal.position = (this.tables.channels.get(signal.channel) ?? 0) + 1;
      this.tables.channels.set(signal.channel, signal.position);
    }
    return filed;
  }

  /** Undoes `file`, as a rollback would. */
  private unfile(filed: readonly HeldSignal[]): void {
    for (const signal of filed) {
      this.tables.channels.set(signal.channel, this.tables.channels.get(signal.channel)! - 1);
      signal.position = null;
    }
  }

  /** Finds for each step the signal that was sent first; a signal for one run only goes to the run that began first. */
  private match(channels: ReadonlySet<string>): { wait: SignalWait; signal: HeldSignal }[] {
    const matches = new Map<string, { wait: SignalWait; signal: HeldSignal }>();
    const reserved = new Map<HeldSignal, string>();
    const waits = [...this.tables.waits.values()].filter(({ channel, runId }) => {
      const run = this.tables.runs.get(runId);
      return channels.has(channel) && run !== undefined && run.closing === null && !isFinal(run.status);
    });
    const filed = this.tables.signals
      .filter(({ channel }) => channels.has(channel))
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
    for (const wait of waits.sort((a, b) => a.since - b.since)) {
      const signal = filed.find((held) => {
        const holder = reserved.get(held);
        return counts(held, wait) && (isSince(held, wait) || holder === undefined || holder === wait.runId);
      });
      const other = matches.get(wait.stepId);
      if (!signal || (other && other.signal.id < signal.id)) continue;
      matches.set(wait.stepId, { wait, signal });
      if (isForOne(signal, wait)) reserved.set(signal, wait.runId);
    }
    return [...matches.values()];
  }
}

const isSince = ({ createdAt }: HeldSignal, { since }: SignalWait): boolean => createdAt >= since;

/** Whether only this run may receive the signal; a run that begins later must not receive it. */
const isForOne = (signal: HeldSignal, wait: SignalWait): boolean =>
  signal.addressed === 'key' || !isSince(signal, wait);

const counts = (signal: HeldSignal, wait: SignalWait): boolean => {
  const { channel, position, createdAt, takenBy, keptBy } = signal;
  if (channel !== wait.channel || position === null || position <= wait.after) return false;
  if (wait.deadline !== null && createdAt > wait.deadline) return false;
  return !keptBy.has(wait.runId) && (isSince(signal, wait) || takenBy === null || takenBy === wait.runId);
};
