import type { WireError } from './wire-error.js';

/** The parts of a recorded error that are set on the error that is thrown in its stead. */
export interface RevivedParts {
  /** Ends with the frames of the original, if they were recorded; so it is the same on every replay. */
  stack: string;
  cause?: Error;
  /** Of an `AggregateError`. */
  errors?: readonly Error[];
}

/** A recorded error as an `Error`, with its name, message, code, stack and causes. */
export function revivedError(wire: WireError): Error {
  const { name = 'Error', message, code } = wire;
  const { stack, cause, errors } = revivedParts(wire);
  const error = errors ? new AggregateError(errors, message) : new Error(message);
  hide(error, { name, stack, ...(cause && { cause }) });
  return code === undefined ? error : Object.assign(error, { code });
}

export function revivedParts({ name = 'Error', message, stack, cause, errors }: WireError): RevivedParts {
  const frames =
    stack === undefined
      ? ''
      : stack
          .split('\n')
          .map((frame) => `\n    ${frame}`)
          .join('');
  return {
    stack: `${name}: ${message}${frames}`,
    ...(cause && { cause: revivedError(cause) }),
    ...(errors && { errors: errors.map(revivedError) }),
  };
}

/** Sets fields that are not enumerable, like those of every error. */
function hide<T extends Error>(error: T, fields: Readonly<Record<string, unknown>>): T {
  for (const [key, value] of Object.entries(fields))
    Object.defineProperty(error, key, { value, configurable: true, writable: true, enumerable: false });
  return error;
}
