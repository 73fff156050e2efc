import type { ClaimedEffect } from '../effect-claims.js';
import type { EffectContext, EffectHandler, EffectPolicy } from '../effect-handlers.js';
import { type EffectOutcome, errorClassOf, outcomeOf } from '../effect-outcome.js';
import type { Settlement } from '../effect-storage.js';
import { EffectTimeoutError, NonRetryableEffectError } from '../../errors/effect-errors.js';
import { UnreadablePayloadError } from '../../errors/payload-errors.js';
import { RetryAfterError } from '../../errors/step-errors.js';
import type { Cancellation } from '../../leasing/cancellation.js';
import type { Codec, CodecContext } from '../../protocol/codec.js';
import { StoredTexts } from '../../protocol/stored-texts.js';
import { Telemetry } from '../../telemetry/telemetry.js';
import type { TraceCarrier, TracedWork } from '../../telemetry/tracing.js';
import { backoffMs } from '../../time/backoff.js';
import { askedDelayMs } from '../../time/retry-after.js';

/** The settlement of an entry whose handler returned. */
function afterOutcome(outcome: EffectOutcome, { backoff }: EffectPolicy): Settlement {
  if (outcome.kind !== 'scheduled') return { status: 'succeeded', alreadyAbsent: outcome.kind === 'already-absent' };
  // A minimum delay, so that a handler that keeps returning past dates is not called in a tight loop.
  return { status: 'scheduled', until: outcome.until, delayMs: backoffMs(1, { ...backoff, jitter: 'none' }) };
}

/** The settlement of an entry whose n-th try failed. Every failure counts: the claim has counted it already. */
function afterFailure(thrown: unknown, attempt: number, policy: EffectPolicy, recorded?: string): Settlement {
  const failure = { error: errorClassOf(thrown), ...(recorded !== undefined && { recorded }) };
  if (isFinal(thrown) || attempt >= policy.attempts) return { status: 'abandoned', ...failure };
  return { status: 'failed', ...failure, delayMs: delayAskedBy(thrown) ?? backoffMs(attempt, policy.backoff) };
}

/** Another try would not help. */
const isFinal = (thrown: unknown): boolean => isA(thrown, NonRetryableEffectError);

function delayAskedBy(thrown: unknown): number | undefined {
  if (!isA(thrown, RetryAfterError)) return undefined;
  try {
    return askedDelayMs((thrown as RetryAfterError).delay);
  } catch {
    return undefined;
  }
}

type ErrorType = { name: string } & (abstract new (...args: never[]) => Error);

/** Also by name, because the package, and with it its classes, may be installed twice. */
function isA(thrown: unknown, type: ErrorType): boolean {
  try {
    return typeof thrown === 'object' && thrown !== null && (thrown instanceof type || isNamed(thrown, type));
  } catch {
    // A value whose getters throw is not one of our errors.
    return false;
  }
}

function isNamed(thrown: object, { name }: ErrorType): boolean {
  if ((thrown as { name?: unknown }).name === name) return true;
  for (let proto: unknown = Object.getPrototypeOf(thrown); proto; proto = Object.getPrototypeOf(proto))
    if ((proto as { constructor?: { name?: unknown } }).constructor?.name === name) return true;
  return false;
}

const contextOf = ({ subject, ref }: ClaimedEffect): CodecContext => ({ subject, input: ref });

const tracedOf = (
  { claim: { entryId: stepId }, attempt, runId }: ClaimedEffect,
  name: string,
  carrier: TraceCarrier | undefined,
): Omit<TracedWork, 'kind'> => ({ name, stepId, attempt, runId: runId ?? undefined, carrier, links: [carrier] });

/** `interrupted`: the call was asked to stop, and stopped. */
export type CallEnd = Settlement | 'interrupted';

export type CarriedBy = (runId: string) => Promise<Readonly<Record<string, unknown>>>;

/** Makes one call and always resolves, whatever the handler throws, returns or ignores. */
export class EffectCaller {
  constructor(
    private readonly codec: Codec,
    private readonly texts = new StoredTexts(codec),
    /** Reads what a run carries. */
    private readonly carriedBy: CarriedBy = () => Promise.resolve({}),
    private readonly telemetry = new Telemetry(),
  ) {}

  async call(claimed: ClaimedEffect, handler: EffectHandler, control: Cancellation): Promise<CallEnd> {
    const { name, policy } = handler;
    const { timeoutMs } = policy;
    try {
      const ref = this.read(claimed, claimed.ref, 'ref');
      const context = this.contextOf(claimed, control.signal);
      const late = () => new EffectTimeoutError(name, timeoutMs);
      const attempt = () => control.outliveWithin(timeoutMs, () => handler.call(ref, context), late);
      // Within `control`: the lease may be lost meanwhile.
      const carried = () => context.context().catch(() => undefined);
      const carrier = this.telemetry.tracing && (await control.outlive(carried));
      if (control.asked) return 'interrupted';
      const returned = await this.telemetry.around('effect', () => tracedOf(claimed, name, carrier), attempt);
      return afterOutcome(outcomeOf(returned), policy);
    } catch (error) {
      if (control.asked && !isFinal(error)) return 'interrupted';
      return afterFailure(error, claimed.attempt, policy, this.recorded(claimed, error));
    }
  }

  /** The error of a call, as it is stored. */
  recorded(claimed: ClaimedEffect, error: unknown): string {
    return JSON.stringify(this.texts.error(error, contextOf(claimed)));
  }

  private contextOf(claimed: ClaimedEffect, signal: AbortSignal) {
    const { claim, attempt, subject, operation, payload, runId, trace } = claimed;
    const plain = payload === null ? undefined : this.read(claimed, payload, 'payload');
    const { entryId: idempotencyKey } = claim;
    const context = async () =>
      runId !== null ? this.carriedBy(runId) : ((trace ? JSON.parse(trace) : {}) as Readonly<Record<string, unknown>>);
    return { idempotencyKey, attempt, signal, subject, operation, payload: plain, context } satisfies EffectContext;
  }

  /** Counts as a normal failure: a later version, or one with the right keys, may be able to read it. */
  private read(claimed: ClaimedEffect, text: string, what: string): unknown {
    try {
      return this.codec.decode(text, contextOf(claimed));
    } catch (cause) {
      throw new UnreadablePayloadError(`The ${what} of the call`, { cause });
    }
  }
}
