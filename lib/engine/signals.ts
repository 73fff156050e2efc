import { brand } from '../core/brand.js';
import { DatabaseError, UndeliverableSignalError } from '../core/errors.js';
import { mayPass, untilBack } from '../core/leasing.js';
import { BackgroundService, Batcher } from '../core/loops.js';
import { checkedOptions, type KnownOptions, type StandardSchema } from '../core/options.js';
import { digestOf, type StepAnswer, stepIdOf } from '../core/protocol.js';
import { backoffMs, type Clock, sleep, stopwatch } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import type { SignalsWanted, WaitInSight } from './insight.js';
import { isSchema, noSchema } from './payloads.js';
import { checkName } from './run.js';
import type { SignalTaken } from './runs.js';
import type { EffectWaits, StepRecord } from './step.js';
import type { AnswerWriter } from './tasks.js';

/**
 * A signal that can be sent to runs: its name and the type of its payload. Declare it once, beside the workflow that
 * waits for it.
 *
 * @example
 * export const approved = new WorkflowSignal<{ by: string }>('approved');
 * // in the workflow: await ctx.waitForSignal('approval', approved, { key: order.id, timeout: '3d' });
 * // anywhere else:   await workflows.signal(approved, { by: 'Ada' }, { key: order.id });
 *
 * @throws InvalidArgumentError unless `name` is a string of 1 to 191 characters, and `payload` a schema.
 */
export class WorkflowSignal<Payload = undefined, Sent = Payload> {
  /** For type checks only: signals with different payloads have different types. */
  declare readonly payload: Payload;
  /** What its payload is checked with when it is sent. */
  readonly schema: StandardSchema<Sent, Payload> | undefined;

  constructor(
    readonly name: string,
    options: WorkflowSignalOptions<Payload, Sent> = {},
  ) {
    checkName(name, 'The name of a signal');
    const { payload: schema } = checkedOptions(options, SIGNAL_DECLARATION, `WorkflowSignal('${name}')`);
    if (schema !== undefined && !isSchema(schema)) throw noSchema(`The payload of signal "${name}"`, schema);
    this.schema = schema;
  }
}

brand({ WorkflowSignal });

export interface WorkflowSignalOptions<Payload, Sent> {
  /**
   * A schema of zod, valibot, arktype, or another library of Standard Schema. It gives the signal its type. What it
   * returns is what is stored; a payload that it refuses is not sent.
   *
   * @example new WorkflowSignal('approved', { payload: z.object({ by: z.string() }) })
   */
  payload?: StandardSchema<Sent, Payload>;
}

const SIGNAL_DECLARATION = { payload: true } satisfies KnownOptions<WorkflowSignalOptions<unknown, unknown>>;

/** A signal that a step waits for, for display. */
export interface ListenedSignal {
  name: string;
  /** Null: the signal must be sent to the run itself. */
  key: string | null;
}

/** JSON text for the record of a waiting step, since channels are hashes that people cannot read. */
export const writeListened = (signals: readonly { name: string; key?: string | undefined }[]): string | null =>
  signals.length === 0 ? null : JSON.stringify(signals.map(({ name, key }) => ({ name, key })));

/** Returns an empty list for a wait that was recorded without one. */
export function readListened(text: string | null): ListenedSignal[] {
  try {
    const listed = JSON.parse(text ?? '[]') as unknown;
    if (!Array.isArray(listed)) return [];
    return (listed as Partial<ListenedSignal>[]).flatMap(({ name, key = null }) =>
      typeof name === 'string' && (key === null || typeof key === 'string') ? [{ name, key }] : [],
    );
  } catch {
    return [];
  }
}

export interface SignalTarget {
  namespace: string;
  addressed: 'run' | 'key';
  /** The name of the signal. */
  name: string;
  /** The run's id or the key. */
  target: string;
}

/** The queue of one signal for one run or one key: a hash, so that names of any length fit an index. */
export const signalChannel = ({ namespace, addressed, name, target }: SignalTarget): string =>
  digestOf([namespace, addressed, name, target]);

/** The channel of signals of this name to a run or a key; undefined unless both are known. */
export function channelWanted(namespace: string, { name, run, key }: SignalsWanted): string | undefined {
  const target = run ?? key;
  if (name === undefined || target === undefined) return undefined;
  return signalChannel({ namespace, name, target, addressed: run === undefined ? 'key' : 'run' });
}

export interface NewSignal extends SignalTarget {
  /** Hash of the namespace, the name and the target: one queue of signals. */
  channel: string;
  /** Signals of one channel with the same id count as one. */
  dedupId: string | null;
  /** JSON text. */
  payload: string;
}

/** `known`: a signal with this id was sent before. `no_run`: the target run does not exist. */
export type Sent = 'sent' | 'known' | 'no_run';

/** Writes answers to steps in the same transaction; they reach their runs like answers of workers. */
export type Answering = (answers: readonly StepAnswer[], tx: Transaction) => Promise<unknown>;

export interface Delivery {
  /** `more`: more signals remain to be filed. `elsewhere`: another process is filing them now. */
  left: 'more' | 'elsewhere' | 'done';
  /** The committed answers; engines have been notified of them. */
  answers: readonly StepAnswer[];
  /** Channels that were not changed, because the database refuses the values. Other channels are not affected. */
  refused: readonly RefusedChannel[];
}

export interface RefusedChannel {
  channel: string;
  error: UndeliverableSignalError;
}

/**
 * Stores signals that wait for runs, and waits of steps for signals. Sending is one INSERT and locks nothing that
 * others need. An engine files a signal: it gives the signal its position in its channel, dense from 1, so that no
 * reader can skip a signal whose transaction is still open. A delivery is an answer to the waiting step, whose output
 * is the JSON of {@link Delivered}.
 *
 * A wait is recorded before `deliver` is called for its channel, and `deliver` reads waits after it has locked the
 * channel: so neither a late signal nor a late wait is missed. A waiting step has rows here or an answer, never both.
 */
export interface Mailbox {
  /**
   * Returns the outcome for each signal. Of several with the same id in one channel, the first is sent. Engines are
   * notified with the commit.
   */
  send(signals: readonly NewSignal[], tx?: Transaction): Promise<Sent[]>;
  /**
   * Files new signals, then delivers to each waiting step the first matching signal after its `after`: sent since its
   * run began, or earlier and not taken; and not later than its deadline. Each wait is answered at most once, and a
   * signal sent before the run began is reserved for the one run that receives it. With `channels`: processes these,
   * and all waits on them. Without: all new signals, except on the channels in `without`. If the database refuses
   * values, it does not throw: the channel is returned in `refused`, and other channels continue.
   */
  deliver(answering: Answering, channels?: readonly string[], without?: ReadonlySet<string>): Promise<Delivery>;
  /**
   * Ends the waits of steps whose deadline has passed, after delivering signals that came in time. Steps in `expired`
   * will never be answered; the others have been answered, now or before.
   *
   * @throws DatabaseError that is `aboutData` if the database refuses an answer's values; nothing is changed then.
   */
  expire(
    stepIds: readonly string[],
    answering: Answering,
  ): Promise<{ expired: readonly string[]; answers: readonly StepAnswer[] }>;
  /**
   * Calls `listener` when signals may have been sent; with channels when signals on these were released, so that
   * {@link deliver} must process them.
   */
  onSignals(listener: (offered?: readonly string[]) => void): () => void;
}

export interface PurgeSignals {
  namespace: string;
  /** Only signals that were sent at least this long ago, in ms. */
  olderThanMs: number;
  /** The most signals that this call looks at, or deletes. */
  limit: number;
}

/** A place in the order in which signals were sent. */
export interface SignalCursor {
  createdAt: number;
  id: number;
}

/** Deletes old signals. One that is not filed yet is kept. */
export interface SignalRemoval {
  /** Deletes signals to keys, taken or not; the oldest first. Returns how many. */
  purgeOfKeys(request: PurgeSignals): Promise<number>;
  /**
   * Looks at signals to runs, in the order in which they were sent, and deletes those that nobody takes any more: they
   * were taken, or their run does not exist, or it was completed or cancelled at least as long ago. `next` is where the
   * next call goes on; undefined at the end.
   */
  purgeOfRuns(request: PurgeSignals, after?: SignalCursor): Promise<{ purged: number; next: SignalCursor | undefined }>;
  /**
   * Deletes up to `limit` signals of a channel that nobody has taken, the first ones first, under the lock of deliveries:
   * each is either delivered or deleted. Returns how many.
   */
  deleteUntaken(channel: string, limit: number, tx: Transaction): Promise<number>;
  /** Deletes up to `limit` signals of these channels, taken or not. Returns how many. */
  forget(channels: readonly string[], limit: number): Promise<number>;
}

export const nameOfSignal = (signal: Pick<NewSignal, 'name' | 'addressed' | 'target'> | undefined): string =>
  signal ? `Signal "${signal.name}" to ${signal.addressed} "${signal.target}"` : 'A signal';

/** The content of an answer to a waiting step. */
export interface Delivered {
  position: number;
  channel: string;
  /** The stored text of the payload; null if there is none. */
  payload: string | null;
}

/** The answer that delivers a signal to a step. The storage of answers sets its time. */
export const deliveredTo = (step: Answered, delivered: Delivered): StepAnswer =>
  completing(step, JSON.stringify(delivered));

type Answered = Pick<StepAnswer, 'stepId' | 'runId' | 'seq'>;

const completing = (step: Answered, output: string | null): StepAnswer => ({
  ...step,
  status: 'completed',
  output,
  error: null,
  startedAt: null,
  createdAt: 0,
});

/** Returns undefined if the output is no signal. */
export function readDelivered(output: string | null): Delivered | undefined {
  try {
    const value = JSON.parse(output ?? 'null') as Partial<Delivered> | null;
    const { position, channel, payload } = value ?? {};
    if (typeof position !== 'number' || typeof channel !== 'string') return undefined;
    if (typeof payload !== 'string' && payload !== null) return undefined;
    return { position, channel, payload };
  } catch {
    return undefined;
  }
}

/** A signal that was delivered to a run, but not taken by its code. It may still be reserved for that run. */
export interface LeftSignal {
  runId: string;
  channel: string;
  position: number;
}

/**
 * Notes are stored as answers, with positions below those of all compensations, derived from the position of their
 * step. A step id has no room for a longer number.
 */
const NOTES = -900_000_000;
const NOTED = 99_999_999;

/**
 * Notes that a signal was left, as an answer that no step awaits. A process that ends a run from outside may have no
 * engine, and should not lock signals in the app's transaction. An engine that collects the note releases the signal
 * and delivers it again.
 */
const noteOf = ({ runId, seq, output }: Pick<StepAnswer, 'runId' | 'seq' | 'output'>): StepAnswer | undefined => {
  const delivered = seq < 0 ? undefined : readDelivered(output);
  const noteSeq = NOTES - (seq % NOTED);
  return (
    delivered && deliveredTo({ stepId: stepIdOf(runId, noteSeq), runId, seq: noteSeq }, { ...delivered, payload: '' })
  );
};

/** One note for each signal that was delivered to a step, in an answer or in the step's record. */
export const notesOf = (given: readonly Pick<StepAnswer, 'runId' | 'seq' | 'output'>[]): StepAnswer[] =>
  given.flatMap((one) => noteOf(one) ?? []);

export const isNote = ({ seq }: Pick<StepAnswer, 'seq'>): boolean => seq <= NOTES;

/** The signals in answers or step records that are no longer needed. */
export const leftIn = (given: readonly Pick<StepAnswer, 'runId' | 'output'>[]): LeftSignal[] =>
  given.flatMap(({ runId, output }) => {
    const delivered = readDelivered(output);
    return delivered ? [{ runId, channel: delivered.channel, position: delivered.position }] : [];
  });

/** The steps with a signal that was delivered while the run had no owner, and that its code has not taken. */
export const untaken = (open: readonly StepRecord[]): StepRecord[] =>
  open.filter(({ kind, status, output }) => kind === 'signal' && status === 'answered' && readDelivered(output));

/** The writes of a run that is being ended: its steps lose their untaken signals, and the signals are released. */
export function leaving(given: readonly StepRecord[]): { steps: StepRecord[]; receives: SignalTaken[] } {
  return {
    steps: given.map((step) => ({ ...step, status: 'pending', output: null })),
    receives: leftIn(given).map(({ channel, position }) => ({ channel, position, how: 'left' })),
  };
}

/**
 * The answers with a signal that settled no step, except signals that another step of the same run has received as
 * well. `settled` and `open` are the steps of their runs.
 */
export function leftOver(
  answers: readonly StepAnswer[],
  settled: readonly StepRecord[],
  open: readonly StepRecord[],
): StepAnswer[] {
  const used = new Set(settled.map(({ runId, seq }) => stepIdOf(runId, seq)));
  const unused = answers.filter(({ stepId }) => !used.has(stepId));
  if (unused.length === 0) return [];
  const held = new Set(leftIn(untaken([...settled, ...open])).map(keyOf));
  return unused.filter((answer) => leftIn([answer]).some((left) => !held.has(keyOf(left))));
}

const keyOf = ({ runId, channel, position }: LeftSignal): string => JSON.stringify([runId, channel, position]);

/** The channels of these signals, on which other waits may receive them now. */
export const channelsOf = (left: readonly { channel: string }[]): string[] => [
  ...new Set(left.map(({ channel }) => channel)),
];

const BETWEEN_TRIES = { delay: '1s', factor: 2, maxDelay: '1m', jitter: 'none' } as const;

/** Channels whose deliveries the database refuses, and when each is retried. */
export class RefusedChannels {
  private readonly byChannel = new Map<string, { refusals: number; dueAt: number }>();
  private readonly refused = new Set<string>();

  constructor(private readonly clock: Clock = stopwatch) {}

  get all(): ReadonlySet<string> {
    return this.refused;
  }

  add(channel: string): void {
    const refusals = (this.byChannel.get(channel)?.refusals ?? 0) + 1;
    // Moved to the end, so that due channels take turns.
    this.byChannel.delete(channel);
    this.byChannel.set(channel, { refusals, dueAt: this.clock.now() + backoffMs(refusals, BETWEEN_TRIES) });
    this.refused.add(channel);
  }

  delete(channel: string): void {
    this.byChannel.delete(channel);
    this.refused.delete(channel);
  }

  hasAny(channels: readonly string[]): boolean {
    return channels.some((channel) => this.refused.has(channel));
  }

  /** The channels to retry now, at most `most`. */
  due(most: number): string[] {
    const now = this.clock.now();
    const due: string[] = [];
    for (const [channel, { dueAt }] of this.byChannel) {
      if (due.length === most) break;
      if (dueAt <= now) due.push(channel);
    }
    return due;
  }
}

type Verdict = 'expired' | 'answered' | 'stopped';

export interface SignalExchangeOptions {
  /** Whether notifications currently arrive. */
  notified: () => boolean;
  /** The longest interval between two polls for signals while no notifications arrive. */
  pollMs: number;
  onError: (error: unknown) => void;
}

/** The poll interval while notifications arrive. */
const BACKSTOP_MS = 5_000;
/** The wait while another process is filing the signals. */
const ELSEWHERE_MS = 20;
const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** For deliveries whose values the database refuses. */
const RARELY = { delay: '1s', factor: 2, maxDelay: '1m', jitter: 'full' } as const;
/** The most refused channels that one tick retries. */
const RETRIED_AT_ONCE = 20;
const REFUSED_CHECK_MS = 250;

/** Delivers signals to the steps that wait for them. */
export class SignalExchange extends BackgroundService {
  private readonly opening: Batcher<readonly string[], 'looked' | 'stopped'>;
  private readonly expiring: Batcher<string, Verdict>;
  private readonly refused = new RefusedChannels();
  private readonly stopped = new AbortController();
  private unsubscribe = (): void => {};

  constructor(
    private readonly mailbox: Mailbox,
    private readonly answers: AnswerWriter,
    private readonly options: SignalExchangeOptions,
  ) {
    const { notified, pollMs, onError } = options;
    super('signals', { maxMs: () => (notified() ? BACKSTOP_MS : pollMs), live: notified, onError });
    const isolates = () => !this.stopped.signal.aborted;
    this.opening = new Batcher((opened) => this.deliverTo(opened), { maxItems: 200, isolates });
    this.expiring = new Batcher((stepIds) => this.expireAll(stepIds), { maxItems: 200, isolates });
  }

  override start(): void {
    this.unsubscribe = this.mailbox.onSignals((offered) => (offered ? this.offer(offered) : this.loop.wake()));
    super.start();
  }

  /** Waits opened after it are still processed, but without waiting for an unavailable database. */
  override async stop(): Promise<void> {
    this.unsubscribe();
    this.stopped.abort();
    await super.stop();
    await Promise.all([this.opening.idle(), this.expiring.idle()]);
  }

  /**
   * Call it after a wait on these channels was recorded. Delivers existing signals, once the database accepts that;
   * until then the run must stay in memory, so that its next owner calls this again. `stopped`: not done, because this
   * process stops or `gone` aborted.
   */
  async opened(channels: readonly string[], gone?: AbortSignal): Promise<'looked' | 'stopped'> {
    if ((await this.opening.add(channels)) === 'stopped') return 'stopped';
    if (!this.refused.hasAny(channels)) return 'looked';
    const over = this.overWith(gone);
    while (this.refused.hasAny(channels) && !over.aborted) await sleep(REFUSED_CHECK_MS, over);
    return over.aborted ? 'stopped' : 'looked';
  }

  /**
   * Ends a step's wait at its deadline. `answered`: an answer was written. While the database refuses a signal that
   * came in time, the wait continues: it must not end as if there were no signal. `stopped`: as for {@link opened}.
   */
  async expire(stepId: string, gone?: AbortSignal): Promise<Verdict> {
    for (let refusals = 1; ; refusals++) {
      try {
        return refusals === 1 ? await this.expiring.add(stepId) : (await this.expireAll([stepId]))[0]!;
      } catch (error) {
        if (!(error instanceof DatabaseError && error.aboutData)) throw error;
        const over = this.overWith(gone);
        if (over.aborted) return 'stopped';
        this.options.onError(new UndeliverableSignalError(`A signal for step "${stepId}", past its deadline,`, error));
        await sleep(backoffMs(refusals, RARELY), over);
        if (over.aborted) return 'stopped';
      }
    }
  }

  private overWith(gone: AbortSignal | undefined): AbortSignal {
    return gone ? AbortSignal.any([this.stopped.signal, gone]) : this.stopped.signal;
  }

  /** Delivers signals that were released on these channels to other waits. */
  private offer(channels: readonly string[]): void {
    this.opening.add(channels).catch(this.options.onError);
  }

  async look(): Promise<'busy' | 'active' | 'idle'> {
    const delivery = await this.mailbox.deliver(this.answering, undefined, this.refused.all);
    const { left, answers } = this.heard(delivery);
    await this.retryRefused();
    if (left === 'elsewhere') await sleep(ELSEWHERE_MS, this.stopped.signal);
    if (left !== 'done') return 'busy';
    return answers.length > 0 ? 'active' : 'idle';
  }

  /** Each channel alone, so that a channel that is refused again does not block others. */
  private async retryRefused(): Promise<void> {
    for (const channel of this.refused.due(RETRIED_AT_ONCE)) {
      if (this.stopped.signal.aborted) return;
      this.heard(await this.mailbox.deliver(this.answering, [channel]), [channel]);
    }
  }

  /** Stores which channels were refused, and removes the other channels of `looked`. */
  private heard(delivery: Delivery, looked: readonly string[] = []): Delivery {
    const { refused } = delivery;
    const again = new Set(refused.map(({ channel }) => channel));
    for (const channel of looked) if (!again.has(channel)) this.refused.delete(channel);
    for (const { channel, error } of refused) {
      this.refused.add(channel);
      this.options.onError(error);
    }
    return delivery;
  }

  private async deliverTo(opened: readonly (readonly string[])[]): Promise<('looked' | 'stopped')[]> {
    const channels = [...new Set(opened.flat())];
    const delivery = await this.insistently(() => this.mailbox.deliver(this.answering, channels));
    if (delivery) this.heard(delivery, channels);
    return opened.map(() => (delivery ? 'looked' : 'stopped'));
  }

  private async expireAll(stepIds: readonly string[]): Promise<Verdict[]> {
    const done = await this.insistently(() => this.mailbox.expire(stepIds, this.answering));
    if (!done) return stepIds.map(() => 'stopped');
    const over = new Set(done.expired);
    return stepIds.map((stepId) => (over.has(stepId) ? 'expired' : 'answered'));
  }

  private readonly answering: Answering = (answers, tx) => this.answers.answer(answers, tx);

  /** Retries while the database is unavailable; returns undefined if this process stops before it succeeds. */
  private async insistently<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const { onError: onFailure } = this.options;
      return await untilBack(ask, { stopped: this.stopped.signal, passes: mayPass, onFailure, retry: RETRY });
    } catch (error) {
      // A temporary error is only thrown when this process stops.
      if (mayPass(error)) return undefined;
      throw error;
    }
  }
}

/** A run waits until all calls of this operation for this subject have succeeded. */
export interface AwaitedOperation {
  operation: string;
  subject: string;
}

/** The channel for waits on an operation. Differs from all signal channels, whose hashed text has four parts. */
export const effectChannel = ({ operation, subject }: AwaitedOperation): string =>
  digestOf(['effects', operation, subject]);

/** The operation in the record of a step that waits for it. */
export interface RecordedOperation extends AwaitedOperation {
  entryIds: readonly string[];
}

/** JSON text for the record of a waiting step. */
export const writeOperation = ({ operation, subject, entryIds }: RecordedOperation): string =>
  JSON.stringify({ operation, subject, entryIds });

/** Returns undefined for the record of another wait. */
export function readOperation(text: string | null): RecordedOperation | undefined {
  try {
    const { operation, subject, entryIds } = (JSON.parse(text ?? 'null') ?? {}) as Partial<RecordedOperation>;
    if (typeof operation !== 'string' || typeof subject !== 'string' || !Array.isArray(entryIds)) return undefined;
    return { operation, subject, entryIds };
  } catch {
    return undefined;
  }
}

/** Of these operations, those that runs wait for. */
export const awaitedOf =
  (waits: Pick<EffectWaits, 'awaited'>) =>
  async (operations: readonly AwaitedOperation[], tx: Transaction): Promise<AwaitedOperation[]> => {
    const byChannel = new Map(operations.map((operation) => [effectChannel(operation), operation]));
    return (await waits.awaited([...byChannel.keys()], tx)).map((channel) => byChannel.get(channel)!);
  };

/** Notifies runs of a complete operation, in the transaction that settles its last call. */
export class EffectCompletions {
  constructor(private readonly storage: { readonly effectWaits: EffectWaits; readonly answers: AnswerWriter }) {}

  /**
   * Answers the steps that wait for an operation, in `tx`, the transaction in which the last of its calls has
   * succeeded. A step commits together with the calls it waits for, so its wait exists before any of them can succeed.
   *
   * `isComplete` checks, in `tx`, whether all calls of the group have succeeded. It is called after the waits were
   * read: if further calls were committed since `tx` last read the group, their steps must not be answered yet. Then no
   * step is answered, and the transaction that completes those calls answers all of them.
   */
  async complete(operation: AwaitedOperation, tx: Transaction, isComplete: () => Promise<boolean>): Promise<void> {
    const { effectWaits, answers } = this.storage;
    const waiting = await effectWaits.waiting(effectChannel(operation), tx);
    if (waiting.length === 0 || !(await isComplete())) return;
    const given = waiting.map((step) => completing(step, null));
    await answers.answer(given, tx);
  }
}

/** A wait as it is stored, with what is known of its step and its run. */
export interface StoredWait extends Omit<WaitInSight, 'name' | 'key'> {
  channel: string;
  namespace: string;
  /** What the step has recorded of the signals that it waits for. */
  recorded: string | null;
}

/**
 * For which signal it is: a channel is a hash, which only what its step has recorded explains. None: it is a wait for
 * calls, or of another namespace, or the second one of a signal with a key, which may also be sent to the run itself.
 */
export function waitInSight(wait: StoredWait, namespace: string): WaitInSight[] {
  const { channel, namespace: own, recorded, ...known } = wait;
  if (own !== namespace || readOperation(recorded)) return [];
  const listened = readListened(recorded);
  const meant = listened.find((signal) => channelOf(signal, wait) === channel);
  const isSecond = listened.some(({ name }) => channelOf({ name, key: null }, wait) === channel);
  if (!meant && isSecond) return [];
  // What an erasure has emptied, and what old versions have recorded, says nothing.
  return [{ ...known, name: meant?.name ?? null, key: meant?.key ?? null }];
}

const channelOf = ({ name, key }: ListenedSignal, { namespace, runId }: StoredWait): string =>
  signalChannel({ namespace, name, addressed: key === null ? 'run' : 'key', target: key ?? runId });
