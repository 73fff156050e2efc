import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import { deliveredTo, readDelivered } from './mailbox.js';
import type { SignalTaken } from './run-store.js';
import type { StepRecord } from './step-record.js';

/** A signal that a run was given and did not take, since it had no more use for it. It may be reserved for that run. */
export interface LeftSignal {
  runId: string;
  channel: string;
  position: number;
}

/**
 * Notes stand in the answers below all compensations, by the position of their step. A step id has no room for a longer
 * number.
 */
const NOTES = -900_000_000;
const NOTED = 99_999_999;

/**
 * Says of a signal that it was left, as an answer that no step awaits: whoever ends a run from outside may have no engine
 * and, in the app's transaction, should lock no signal. An engine that collects it frees the signal and has it delivered.
 */
const noteOf = ({ runId, seq, output }: Pick<StepAnswer, 'runId' | 'seq' | 'output'>): StepAnswer | undefined => {
  const delivered = seq < 0 ? undefined : readDelivered(output);
  const noteSeq = NOTES - (seq % NOTED);
  return (
    delivered && deliveredTo({ stepId: stepIdOf(runId, noteSeq), runId, seq: noteSeq }, { ...delivered, payload: '' })
  );
};

/** One for each signal in what steps were given, by answers or by their records. */
export const notesOf = (given: readonly Pick<StepAnswer, 'runId' | 'seq' | 'output'>[]): StepAnswer[] =>
  given.flatMap((one) => noteOf(one) ?? []);

export const isNote = ({ seq }: Pick<StepAnswer, 'seq'>): boolean => seq <= NOTES;

/** Signals in what nobody wants any more. */
export const leftIn = (given: readonly Pick<StepAnswer, 'runId' | 'output'>[]): LeftSignal[] =>
  given.flatMap(({ runId, output }) => {
    const delivered = readDelivered(output);
    return delivered ? [{ runId, channel: delivered.channel, position: delivered.position }] : [];
  });

/** Those that a run was given while nobody played it, as the records of steps say that its code has not come to. */
export const untaken = (open: readonly StepRecord[]): StepRecord[] =>
  open.filter(({ kind, status, output }) => kind === 'signal' && status === 'answered' && readDelivered(output));

/** What a run that is left for its end writes of them: it was given nothing, and they are released. */
export function leaving(given: readonly StepRecord[]): { steps: StepRecord[]; receives: SignalTaken[] } {
  return {
    steps: given.map((step) => ({ ...step, status: 'pending', output: null })),
    receives: leftIn(given).map(({ channel, position }) => ({ channel, position, how: 'left' })),
  };
}

/**
 * Of answers those that settled nothing and hold a signal, unless another step of the same run has been given it, too.
 * `settled` and `open` are the steps of their runs.
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

/** The channels on which somebody may get one of them now. */
export const channelsOf = (left: readonly { channel: string }[]): string[] => [
  ...new Set(left.map(({ channel }) => channel)),
];
