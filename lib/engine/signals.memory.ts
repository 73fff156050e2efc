import { DatabaseError, UndeliverableSignalError } from '../core/errors.js';
import { type StepAnswer, stepIdOf } from '../core/protocol.js';
import { real } from '../core/time.js';
import { afterCommit, inMemoryTransaction, type Transaction } from '../core/transaction.js';
import { isFinal } from './run.js';
import type { RunWrite, SignalWait } from './runs.js';
import {
  type Answering,
  channelsOf,
  deliveredTo,
  type Delivery,
  type LeftSignal,
  type Mailbox,
  nameOfSignal,
  type NewSignal,
  type PurgeSignals,
  type RefusedChannel,
  type Sent,
  type SignalRemoval,
} from './signals.js';
import type { EffectWaits, OperationWaiter } from './step.js';
import { type HeldSignal, InMemoryAdapter, type MemoryExtrasWriter, type MemoryTables } from './tables.memory.js';

/** Signals and the waits for them, in maps. */
export class InMemoryMailbox extends InMemoryAdapter implements Mailbox {
  private readonly listeners = new Set<() => void>();

  async send(signals: readonly NewSignal[], tx?: Transaction): Promise<Sent[]> {
    const verdicts = signals.map((signal) => this.sendOne(signal));
    if (verdicts.includes('sent')) afterCommit(tx, () => real.queueMicrotask(() => this.tell()));
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

/** Releases signals that are still reserved for their runs, and notifies the delivery. */
export function freeLeft(tables: MemoryTables, left: readonly LeftSignal[]): void {
  if (left.length === 0) return;
  for (const { runId, channel, position } of left) {
    const signal = tables.signals.find((held) => held.channel === channel && held.position === position);
    if (signal?.takenBy === runId && signal.keptBy.size === 0) signal.takenBy = null;
  }
  const channels = channelsOf(left);
  real.queueMicrotask(() => tables.tellOffered(channels));
}

/** Applies started and ended waits for signals, and the received signals. */
export const keepSignalWaits: MemoryExtrasWriter = (tables, writes) => ({
  apply: () => {
    writes.forEach((write) => keep(tables, write));
    freeLeft(tables, writes.flatMap(leftBy));
  },
});

const leftBy = ({ runId, extras = {} }: RunWrite): LeftSignal[] =>
  (extras.receives ?? []).flatMap(({ channel, position, how }) =>
    how === 'left' ? [{ runId, channel, position }] : [],
  );

function keep(tables: MemoryTables, { runId, extras = {} }: RunWrite): void {
  const { waits = [], unwaits = [], receives = [] } = extras;
  for (const [key, { stepId }] of tables.waits) if (unwaits.includes(stepId)) tables.waits.delete(key);
  for (const wait of waits) tables.waits.set(`${wait.channel}/${wait.stepId}`, { ...wait });
  for (const { channel, position, how } of receives) {
    const signal = tables.signals.find((held) => held.channel === channel && held.position === position);
    if (!signal) continue;
    if (how === 'kept') Object.assign(signal, { takenBy: runId, keptBy: signal.keptBy.add(runId) });
    else if (signal.takenBy === runId && signal.keptBy.size === 0) signal.takenBy = null;
  }
}

/** The counterpart of `SqlSignalRemoval`. Looks at all signals to runs at once. */
export class InMemorySignalRemoval extends InMemoryAdapter implements SignalRemoval {
  async purgeOfKeys(request: PurgeSignals): Promise<number> {
    return this.delete(this.old(request, 'key').slice(0, request.limit));
  }

  async purgeOfRuns(request: PurgeSignals): ReturnType<SignalRemoval['purgeOfRuns']> {
    const before = this.clock.now() - request.olderThanMs;
    const isOver = ({ takenBy, target }: HeldSignal) => {
      const run = this.tables.runs.get(target);
      const mayTake = run && !(run.status === 'completed' || run.status === 'cancelled');
      return takenBy !== null || !run || (!mayTake && run.finishedAt !== null && run.finishedAt <= before);
    };
    return { purged: this.delete(this.old(request, 'run').filter(isOver)), next: undefined };
  }

  async deleteUntaken(channel: string, limit: number): Promise<number> {
    const untaken = this.tables.signals.filter(
      (signal) => signal.channel === channel && signal.takenBy === null && signal.position !== null,
    );
    return this.delete(untaken.sort((a, b) => a.position! - b.position!).slice(0, limit));
  }

  async forget(channels: readonly string[], limit: number): Promise<number> {
    return this.delete(this.tables.signals.filter(({ channel }) => channels.includes(channel)).slice(0, limit));
  }

  private old({ namespace, olderThanMs }: PurgeSignals, addressed: HeldSignal['addressed']): HeldSignal[] {
    const before = this.clock.now() - olderThanMs;
    return this.tables.signals.filter(
      (signal) =>
        signal.namespace === namespace &&
        signal.addressed === addressed &&
        signal.position !== null &&
        signal.createdAt <= before,
    );
  }

  private delete(over: readonly HeldSignal[]): number {
    const { signals } = this.tables;
    for (const signal of over) signals.splice(signals.indexOf(signal), 1);
    return over.length;
  }
}

export class InMemoryEffectWaits implements EffectWaits {
  constructor(private readonly tables: MemoryTables) {}

  async waiting(channel: string): Promise<OperationWaiter[]> {
    const waits = [...this.tables.waits.values()].filter((wait) => wait.channel === channel);
    return waits.map(({ stepId, runId, seq }) => ({ stepId, runId, seq }));
  }

  async awaited(channels: readonly string[]): Promise<string[]> {
    const waited = new Set([...this.tables.waits.values()].map(({ channel }) => channel));
    return channels.filter((channel) => waited.has(channel));
  }
}
