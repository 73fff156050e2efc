import { mismatchOf } from '../model/mismatch.js';
import type { BlockReason, ClaimedRun, RunTransition } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import { StepFailedError, UnreadablePayloadError } from '../../errors.js';
import { boundedText } from '../../protocol/log-line.js';
import type { Codec } from '../../protocol/codec.js';
import { type WireError, parseWireError, toWireError } from '../../protocol/wire-error.js';

/** Stops the code without an exception: the promise that it awaits never settles. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** The transition of a blocked run. It is due again only at its deadline, or for a process with matching code. */
export function standstill(
  { closing, deadline }: Pick<ClaimedRun, 'closing' | 'deadline'>,
  settled: number,
  reason: BlockReason,
  error: unknown,
): RunTransition {
  const detail = boundedText(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  const wakeAt = closing ? null : deadline;
  return { status: 'suspended', wakeAt, settled, reason, detail, ...mismatchOf(error) };
}

export type StepOutcome = { status: 'completed'; output: string | null } | { status: 'failed'; error: WireError };

/** The outcome for the code: always decoded from the record, so that the first time equals every replay. */
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
