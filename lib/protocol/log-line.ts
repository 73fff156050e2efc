/** How many bytes a text takes as a JSON value: rows are sent to the database as JSON. */
export const quotedBytes = (text: string | null | undefined): number =>
  text === null || text === undefined ? 4 : Buffer.byteLength(JSON.stringify(text));

/** The limit for texts without a payload limit, such as error messages, in bytes of UTF-8. */
export const LONGEST_TEXT = 65_536;

/** Room for the note about how much was cut. */
const NOTE_BYTES = 48;

/**
 * Cuts a text that is longer than `most` bytes of UTF-8, and appends a note. Surrogate pairs are not split, and a text
 * that was cut before is not cut again.
 */
export function boundedText(text: string, most = LONGEST_TEXT): string {
  // A JavaScript character takes one to three bytes, so most texts need no count.
  if (text.length * 3 <= most) return text;
  if (text.length <= most && Buffer.byteLength(text) <= most) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most - NOTE_BYTES));
  return `${text.slice(0, read)}… (cut: ${text.length - read} characters)`;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A stored log line: `fields` are JSON text. */
export interface LogText {
  level: LogLevel;
  message: string;
  fields: string | null;
}

/** The limit for the message, and for the fields, of a line; in bytes of UTF-8. */
export const LONGEST_LOG_TEXT = 32_768;

/** Converts a logged value to texts that every database stores; never throws, since a log line must not fail a step. */
export function logText(level: LogLevel, message: unknown, fields?: unknown): LogText {
  return { level, message: clean(cut(textOf(message))), fields: fields === undefined ? null : fieldsOf(fields) };
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value that cannot be converted to a string';
  }
}

/** Cut JSON would be invalid, so it is stored as one string. */
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
