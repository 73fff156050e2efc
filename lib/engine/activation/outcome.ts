import { mismatchOf } from '../model/mismatch.js';
import type { Payloads } from '../model/payloads.js';
import type { BlockReason, ClaimedRun, RunTransition } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import { UnreadablePayloadError } from '../../errors/payload-errors.js';
import { StepFailedError } from '../../errors/step-errors.js';
import { errorLine } from '../../protocol/error-line.js';
import { boundedText } from '../../protocol/log-line.js';
import { revivedParts } from '../../protocol/revived-error.js';
import { type WireError, parseWireError, toWireError } from '../../protocol/wire-error.js';

/** Stops the code without an exception: the promise that it awaits never settles. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/**
 * The transition of a blocked run. It is due again only at its deadline, or for a process with matching code. The
 * frames of the error show where the code is wrong.
 */
export function standstill(
  { closing, deadline }: Pick<ClaimedRun, 'closing' | 'deadline'>,
  settled: number,
  payloads: Payloads,
  reason: BlockReason,
  error: unknown,
): RunTransition {
  const { texts, context } = payloads;
  const { code, ...wire } = toWireError(error, { ...texts.rules, stack: true });
  const detail = texts.text(boundedText(errorLine(wire)), context);
  const wakeAt = closing ? null : deadline;
  const blockedBy = texts.seal({ ...wire, ...(code !== undefined && { code }) }, context);
  return { status: 'suspended', wakeAt, settled, reason, detail, blockedBy, ...mismatchOf(error) };
}

/**
 * The outcome for the code: always decoded from the record, so that the first time equals every replay. `unreadable`:
 * the codec of the app cannot decode it now, because its key is missing, or another version of the codec wrote it; then
 * the code must not continue. Only an output of a worker may be of no codec at all (SyntaxError), which fails its step.
 */
export type Delivery = { status: 'completed'; value: unknown } | { status: 'failed' | 'unreadable'; error: Error };

export function deliveryOf(step: StepRecord, payloads: Payloads): Delivery {
  const { texts, context } = payloads;
  const what = step.status === 'failed' ? 'error' : 'output';
  try {
    if (step.status === 'failed') return failureOf(step, texts.open(parseWireError(step.error), context));
    return { status: 'completed', value: step.output === null ? null : payloads.decode(step.output) };
  } catch (cause) {
    const error = new UnreadablePayloadError(`The ${what} of step "${step.name}"`, { cause });
    const isForeign = step.kind === 'remote' && step.status === 'completed' && cause instanceof SyntaxError;
    if (texts.seals && !isForeign) return { status: 'unreadable', error };
    return failureOf(step, toWireError(error));
  }
}

function failureOf({ name, seq, attempt }: StepRecord, wire: WireError): Delivery {
  const { message, name: errorName = 'StepFailedError', code } = wire;
  const { cause, ...parts } = revivedParts({ ...wire, name: errorName });
  const fields = { name: errorName, message, ...parts, ...(code === undefined ? {} : { code }) };
  const error = new StepFailedError(name, seq, Math.max(1, attempt), fields, cause && { cause });
  return { status: 'failed', error };
}
