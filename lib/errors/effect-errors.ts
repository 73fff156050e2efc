import { DurableError } from './durable-error.js';

/** No `@Effect` method of this process nor `effects.remoteHandlers` has the handler's name. Nothing was written. */
export class UnknownEffectHandlerError extends DurableError {
  readonly code = 'UNKNOWN_EFFECT_HANDLER';

  constructor(readonly handler: string) {
    super(
      `No effect handler "${handler}" in this process: decorate its method with @Effect('name'), correct the name, or add it to effects.remoteHandlers if another process has it`,
    );
  }
}

/**
 * Thrown by an `@Effect` method: a retry would not help. The call is abandoned at once.
 *
 * @example throw new NonRetryableEffectError('The account belongs to somebody else');
 */
export class NonRetryableEffectError extends DurableError {
  readonly code = 'NON_RETRYABLE_EFFECT';
}

/** An `@Effect` method took longer than its `timeout`. Retried like any failure. */
export class EffectTimeoutError extends DurableError {
  readonly code = 'EFFECT_TIMEOUT';

  constructor(
    readonly handler: string,
    readonly timeoutMs: number,
  ) {
    super(`"${handler}" took longer than ${timeoutMs} ms: make it stop when its signal aborts, or raise its timeout`);
  }
}

/** A call was abandoned because the process died in each of its attempts. */
export class EffectAttemptsExhaustedError extends DurableError {
  readonly code = 'EFFECT_ATTEMPTS_EXHAUSTED';

  constructor(
    readonly handler: string,
    readonly attempts: number,
  ) {
    super(
      `"${handler}" was called ${attempts} times, and every time its process died before it wrote the outcome: find out why`,
    );
  }
}

/**
 * The app's audit sink took too long, so the change that it should record is not written either: `requeue` throws this
 * error, and an outcome of a call is discarded, so the call is made again after its lease has expired.
 */
export class AuditTimeoutError extends DurableError {
  readonly code = 'AUDIT_TIMEOUT';

  constructor(readonly timeoutMs: number) {
    super(
      `The audit sink has not responded for ${timeoutMs} ms, while a transaction waited for it: let append() resolve sooner, for example by writing to a durable queue`,
    );
  }
}

/** The audit log contains an event of a type that this version does not know. */
export class UnknownAuditEventError extends DurableError {
  readonly code = 'UNKNOWN_AUDIT_EVENT';

  constructor(readonly type: string) {
    super(`The audit log has an event of type "${type}": read it with the version that wrote it`);
  }
}
