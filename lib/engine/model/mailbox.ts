import { createHash } from 'node:crypto';
import { checkName } from './names.js';
import type { UndeliverableSignalError } from '../../errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

/**
 * What may be told to a run from outside, by name and with the type of what it carries. Declare it once, beside the
 * workflow that waits for it.
 *
 * @example
 * export const approved = new WorkflowSignal<{ by: string }>('approved');
 * // in the workflow: await ctx.waitForSignal('approval', approved, { key: order.id, timeout: '3d' });
 * // anywhere else:   await workflows.signal(approved, { by: 'Ada' }, { key: order.id });
 *
 * @throws InvalidArgumentError unless `name` is a text of 1 to 191 characters.
 */
export class WorkflowSignal<Payload = undefined> {
  /** For the compiler: two signals of different payloads are different types. */
  declare readonly payload: Payload;

  constructor(readonly name: string) {
    checkName(name, 'The name of a signal');
  }
}

/** A signal that a step waits for, as it is shown. */
export interface ListenedSignal {
  name: string;
  /** Null: only if it is sent to the run itself. */
  key: string | null;
}

/** JSON text, for the record of a step that waits: channels are hashes, which tell nobody anything. */
export const writeListened = (signals: readonly { name: string; key?: string | undefined }[]): string | null =>
  signals.length === 0 ? null : JSON.stringify(signals.map(({ name, key }) => ({ name, key })));

/** Nothing for a wait that was recorded without. */
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

/** Whom a signal is sent to. */
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

export interface NewSignal {
  namespace: string;
  /** Hash of the namespace, the name and the target: one queue of signals. */
  channel: string;
  name: string;
  /** The run's id or the key, for people. */
  target: string;
  addressed: 'run' | 'key';
  /** The same id is one signal, per channel. */
  dedupId: string | null;
  /** JSON text. */
  payload: string;
}

/** `known`: one of this id is there already. `no_run`: it was sent to a run that is not there. */
export type Sent = 'sent' | 'known' | 'no_run';

/** Writes answers to steps in the same transaction; they travel to their runs like those of workers. */
export type Answering = (answers: readonly StepAnswer[], tx: Transaction) => Promise<unknown>;

export interface Delivery {
  /** `more`: there is more to file. `elsewhere`: another process is just filing what there is. */
  left: 'more' | 'elsewhere' | 'done';
  /** What was written and has committed; engines have heard of it. */
  answers: readonly StepAnswer[];
  /** Channels that were left as they were, since the database refuses the values. Others were not held up by it. */
  refused: readonly RefusedChannel[];
}

export interface RefusedChannel {
  channel: string;
  error: UndeliverableSignalError;
}

/**
 * Where signals wait for runs and steps wait for signals. To send is one INSERT and locks nothing that others need.
 * A signal gets its position in its channel, dense from 1, when an engine files it, so that no reader can overtake a
 * signal whose transaction is still open. What is delivered is an answer to the waiting step, whose output is
 * the JSON of {@link Delivered}.
 *
 * A wait is recorded before `deliver` is called for its channel, and `deliver` looks for waits after it has locked the
 * channel: so neither a late signal nor a late wait is missed. A step that waits has rows here or an answer, never both.
 */
export interface Mailbox {
  /**
   * Returns for each what became of it. Of those with the same id in one channel the first is sent. Engines hear of it
   * with the commit.
   */
  send(signals: readonly NewSignal[], tx?: Transaction): Promise<Sent[]>;
  /**
   * Files what is new, then gives each waiting step the first signal behind its `after` that counts for it: one sent
   * since its run began, or before and taken by nobody; not later than its deadline. Each wait is answered at most
   * once, and a signal that was sent before is reserved for the one run that gets it. With `channels` only these, and
   * all waits on them; without, whatever is new, but for the channels in `without`. What the database refuses for its
   * values does not throw, but is `refused`, each channel by itself.
   */
  deliver(answering: Answering, channels?: readonly string[], without?: ReadonlySet<string>): Promise<Delivery>;
  /**
   * Ends the waits of steps whose time is over, after delivering what had come in time. Of those in `expired` none is
   * ever answered any more; the others have been answered, now or before.
   *
   * @throws DatabaseError that is `aboutData` when the database refuses the values of an answer; nothing is done then.
   */
  expire(
    stepIds: readonly string[],
    answering: Answering,
  ): Promise<{ expired: readonly string[]; answers: readonly StepAnswer[] }>;
  /** Deletes signals that somebody took, and those of keys that nobody took, once they are older. Returns how many. */
  purge(olderThanMs: { taken: number; untaken: number }, limit: number): Promise<number>;
  /**
   * Calls `listener` when signals may have been sent; with channels when some on these were released, so that
   * {@link deliver} has to look through them.
   */
  onSignals(listener: (offered?: readonly string[]) => void): () => void;
}

/** A signal as errors name it. */
export const nameOfSignal = (signal: Pick<NewSignal, 'name' | 'addressed' | 'target'> | undefined): string =>
  signal ? `Signal "${signal.name}" to ${signal.addressed} "${signal.target}"` : 'A signal';

/** What an answer to a waiting step holds. */
export interface Delivered {
  position: number;
  channel: string;
  /** JSON text of the payload. */
  payload: string;
}

/** The answer to a step that was given a signal. The storage of answers stamps it. */
export const deliveredTo = (step: Pick<StepAnswer, 'stepId' | 'runId' | 'seq'>, delivered: Delivered): StepAnswer => ({
  ...step,
  status: 'completed',
  output: JSON.stringify(delivered),
  error: null,
  startedAt: null,
  createdAt: 0,
});

/** Undefined when it is no signal. */
export function readDelivered(output: string | null): Delivered | undefined {
  try {
    const value = JSON.parse(output ?? 'null') as Partial<Delivered> | null;
    const { position, channel, payload } = value ?? {};
    if (typeof position !== 'number' || typeof channel !== 'string' || typeof payload !== 'string') return undefined;
    return { position, channel, payload };
  } catch {
    return undefined;
  }
}
