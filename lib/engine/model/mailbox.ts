import { createHash } from 'node:crypto';
import type { SignalsWanted } from './fleet-insight.js';
import { checkName } from './names.js';
import { isSchema, noSchema } from './validated.js';
import type { UndeliverableSignalError } from '../../errors/database-errors.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';
import type { StandardSchema } from '../../protocol/standard-schema.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

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
  createHash('sha256')
    .update(JSON.stringify([namespace, addressed, name, target]))
    .digest('base64url');

/** The channel of signals of this name to a run or a key; undefined unless both are known. */
export function channelWanted(namespace: string, { name, run, key }: SignalsWanted): string | undefined {
  const target = run ?? key;
  if (name === undefined || target === undefined) return undefined;
  return signalChannel({ namespace, name, target, addressed: run === undefined ? 'key' : 'run' });
}

export interface NewSignal {
  namespace: string;
  /** Hash of the namespace, the name and the target: one queue of signals. */
  channel: string;
  name: string;
  /** The run's id or the key, readable for people. */
  target: string;
  addressed: 'run' | 'key';
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
export const deliveredTo = (step: Pick<StepAnswer, 'stepId' | 'runId' | 'seq'>, delivered: Delivered): StepAnswer => ({
  ...step,
  status: 'completed',
  output: JSON.stringify(delivered),
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
