import { toMs, type Duration } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import type { StepRecord } from '../model/step-record.js';
import { never } from '../activation/never.js';

export function sleep(activation: Activation, name: string, duration: Duration): Promise<void> {
  const ms = toMs(duration, `The duration of sleep "${name}"`);
  const position = activation.ask('sleep', name);
  if (!position) return never();
  const { seq, step, isNew } = position;
  if (step.settled === null) {
    const due = step.wakeAt ?? step.createdAt + ms;
    const asleep: StepRecord = { ...step, wakeAt: due };
    if (isNew) activation.keep(asleep);
    void activation.until(seq, due).then(() => activation.settle({ ...asleep, status: 'completed' }));
  }
  return activation.journal.outcome<unknown>(seq).then(() => undefined);
}
