import { type StepAnswer, stepIdOf } from '../../protocol/step.js';
import { deliveredTo, readDelivered } from './mailbox.js';
import type { SignalTaken } from './run-store.js';
import type { StepRecord } from './step-record.js';

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
