import type { UndeliverableSignalError } from '../../errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

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
  /** What was written and has committed. */
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
  /** Answers for each what became of it. Of those with the same id in one channel the first is sent. */
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
  /** Deletes signals that somebody took, and those of keys that nobody took, once they are older. Answers how many. */
  purge(olderThanMs: { taken: number; untaken: number }, limit: number): Promise<number>;
  /** Tells engines, after the commit that sent. */
  announce(): void;
  /**
   * Calls `listener` when signals may have been sent; with channels when some on these became anybody's again, so that
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
