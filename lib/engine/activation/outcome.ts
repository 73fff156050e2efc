import { StepFailedError, UnreadablePayloadError } from '../../errors.js';
import type { Codec } from '../../protocol/codec.js';
import { parseWireError, toWireError, type WireError } from '../../protocol/wire-error.js';
import type { StepRecord } from '../model/step-record.js';

/** What became of a step, as it is recorded. */
export type StepOutcome = { status: 'completed'; output: string | null } | { status: 'failed'; error: WireError };

/** What the code is given: always read back from what was recorded, so the first time is like every replay. */
export type Delivery = { status: 'completed'; value: unknown } | { status: 'failed'; error: Error };

export function deliveryOf(step: StepRecord, codec: Codec): Delivery {
  const { name, seq, attempt } = step;
  const failed = (error: WireError): Delivery => {
    const { message, name: errorName = 'StepFailedError', code } = error;
    const fields = { name: errorName, message, ...(code === undefined ? {} : { code }) };
    return { status: 'failed', error: new StepFailedError(name, seq, Math.max(1, attempt), fields) };
  };
  if (step.status === 'failed') return failed(parseWireError(step.error));
  try {
    return { status: 'completed', value: step.output === null ? null : codec.decode(step.output) };
  } catch (cause) {
    return failed(toWireError(new UnreadablePayloadError(`The output of step "${name}"`, { cause })));
  }
}
