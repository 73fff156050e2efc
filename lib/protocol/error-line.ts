import type { WireError } from './wire-error.js';

/**
 * An error on one line, for people: `TypeError: fetch failed, caused by Error: connect ECONNREFUSED 127.0.0.1:80
 * (ECONNREFUSED)`. For a log: without codes, and each message cut to `most` characters.
 */
export function errorLine(error: WireError, most?: number): string {
  const { cause, errors = [] } = error;
  const also = errors.map((one) => errorLine(one, most)).join('; ');
  const own = `${headOf(error, most)}${also === '' ? '' : ` [${also}]`}`;
  // Many errors repeat the message of their cause.
  if (!cause || (cause.message !== '' && error.message.includes(cause.message) && !cause.cause)) return own;
  return `${own}, caused by ${errorLine(cause, most)}`;
}

function headOf({ name = 'Error', message, code }: WireError, most: number | undefined): string {
  const text = message === '' && code !== undefined ? name : `${name}: ${message.slice(0, most)}`;
  return code === undefined || most !== undefined ? text : `${text} (${code})`;
}
