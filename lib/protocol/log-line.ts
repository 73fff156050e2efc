/** How many bytes a text takes as a value within JSON: that is how rows travel to the database. */
export const quotedBytes = (text: string | null | undefined): number =>
  text === null || text === undefined ? 4 : Buffer.byteLength(JSON.stringify(text));

/** In bytes of UTF-8: how much is kept of a text that no payload limit holds, such as the message of an error. */
export const LONGEST_TEXT = 65_536;

/** Room for the note that says how much was cut. */
const NOTE_BYTES = 48;

/**
 * The text, cut where it is longer than `most` bytes of UTF-8, and saying so at its end. Halves of surrogate pairs are
 * never left behind, and a text that was cut before is not cut again.
 */
export function boundedText(text: string, most = LONGEST_TEXT): string {
  // A character of JavaScript takes one to three bytes, so most texts need no count.
  if (text.length * 3 <= most) return text;
  if (text.length <= most && Buffer.byteLength(text) <= most) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most - NOTE_BYTES));
  return `${text.slice(0, read)}… (cut: ${text.length - read} characters)`;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A line as it is kept: `fields` are JSON text. */
export interface LogText {
  level: LogLevel;
  message: string;
  fields: string | null;
}

/** In bytes of UTF-8, each for the message and for the fields of a line. */
export const LONGEST_LOG_TEXT = 32_768;

/** Whatever was logged, as texts that every database stores; never throws, for a log line must not fail a step. */
export function logText(level: LogLevel, message: unknown, fields?: unknown): LogText {
  return { level, message: clean(cut(textOf(message))), fields: fields === undefined ? null : fieldsOf(fields) };
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value that has no text';
  }
}

/** What is cut off would be no JSON any more, so it is kept as one text. */
function fieldsOf(fields: unknown): string | null {
  try {
    const json = JSON.stringify(fields, bigintsAsText) as string | undefined;
    if (json === undefined) return null;
    const short = cut(json);
    return short === json ? json : JSON.stringify({ cut: clean(short) });
  } catch (error) {
    return JSON.stringify({ unreadable: clean(textOf(error)) });
  }
}

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const cut = (text: string): string => boundedText(text, LONGEST_LOG_TEXT);

const clean = (text: string): string => text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
