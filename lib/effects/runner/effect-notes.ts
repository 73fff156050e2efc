import { DurableError } from '../../errors.js';
import type { EffectEvent } from '../../telemetry/telemetry.js';
import type { ClaimedEffect } from '../effect-claims.js';
import { errorClassOf } from '../effect-outcome.js';

export const effectEventOf = ({ claim, handler, operation, attempt }: ClaimedEffect): EffectEvent => ({
  entryId: claim.entryId,
  handler,
  operation,
  attempt,
});

/** The class of an error, and its code if it is ours. Never the message, which may contain the app's data. */
export function errorNote(error: unknown): string {
  const name = errorClassOf(error);
  return error instanceof DurableError ? `${name} (${error.code})` : name;
}
