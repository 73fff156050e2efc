import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { type Duration, toMs } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import { never } from '../activation/outcome.js';
import type { StepRecord } from '../model/step-record.js';

/** Until the recorded time: a replay that passes another time changes nothing. */
export function sleep(activation: Activation, name: string, time: Duration | Date): Promise<void> {
  const dueOf =
    time instanceof Date
      ? dueAt(time, `The end of sleep "${name}"`)
      : dueAfter(time, `The duration of sleep "${name}"`);
  const position = activation.ask('sleep', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  if (step.settled === null) {
    const due = step.wakeAt ?? dueOf(step);
    const asleep: StepRecord = { ...step, wakeAt: due };
    if (isNew) activation.keep(asleep);
    void activation.until(seq, due).then(() => activation.settle({ ...asleep, status: 'completed' }));
  }
  return activation.journal.outcome<unknown>(seq).then(() => undefined);
}

export function sleepUntil(activation: Activation, name: string, time: Date): Promise<void> {
  if (!(time instanceof Date)) throw new InvalidArgumentError(`The end of sleep "${name}"`, time, 'a Date');
  return sleep(activation, name, time);
}

type DueOf = (step: Pick<StepRecord, 'createdAt'>) => number;

/** @throws InvalidArgumentError */
function dueAt(time: Date, what: string): DueOf {
  const due = time.getTime();
  if (Number.isNaN(due)) throw new InvalidArgumentError(what, time, 'a valid Date');
  return () => due;
}

/** @throws TypeError with `code: 'INVALID_ARGUMENT'` */
function dueAfter(duration: Duration, what: string): DueOf {
  const ms = toMs(duration, what);
  return ({ createdAt }) => createdAt + ms;
}
