import { DurableError } from './durable-error.js';

/** A value has no JSON form: a function, a symbol, a circular structure. */
export class SerializationError extends DurableError {
  readonly code = 'NOT_SERIALIZABLE';

  constructor(what: string, reason: string) {
    super(`${what} cannot be stored as JSON: ${reason}. Pass plain data, Date, Map, Set, BigInt or Error`);
  }
}

/** A payload is larger than `limits.payload`. */
export class PayloadTooLargeError extends DurableError {
  readonly code = 'PAYLOAD_TOO_LARGE';

  constructor(
    readonly what: string,
    readonly bytes: number,
    readonly limit: number,
  ) {
    super(
      `${what} is ${bytes} bytes of JSON, over the limit of ${limit}: store it elsewhere and pass a reference, or raise limits.payload`,
    );
  }
}

/** A stored text cannot be decoded: `NaN` of a worker in another language, or what the codec of the app did not write. */
export class UnreadablePayloadError extends DurableError {
  readonly code = 'UNREADABLE_PAYLOAD';

  constructor(what: string, options?: ErrorOptions) {
    const needed =
      'who writes it must send valid JSON (without NaN or Infinity), encoded by the codec of the app if it has one';
    super(`${what} cannot be decoded: ${needed}`, options);
  }
}

/** A text was sealed with a key that this process does not have, or that was forgotten. */
export class UnknownKeyError extends DurableError {
  readonly code = 'UNKNOWN_KEY';

  constructor(readonly keyId: string) {
    super(`The key "${keyId}" is not known here: give it to sealedCodec, unless it was forgotten on purpose`);
  }
}

/** A sealed text was changed, or its key is another one with the same id. */
export class BrokenSealError extends DurableError {
  readonly code = 'BROKEN_SEAL';

  constructor(
    readonly keyId: string,
    options?: ErrorOptions,
  ) {
    super(
      `A text that the key "${keyId}" has sealed does not open: it was changed, or the key is another one`,
      options,
    );
  }
}
