export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A line as it is kept: `fields` are JSON text. */
export interface LogText {
  level: LogLevel;
  message: string;
  fields: string | null;
}

/** In characters, each for the message and for the fields of a line. */
export const LONGEST_LOG_TEXT = 8_192;
const CUT = '… (cut)';

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
    return json.length <= LONGEST_LOG_TEXT ? json : JSON.stringify({ cut: clean(cut(json)) });
  } catch (error) {
    return JSON.stringify({ unreadable: clean(textOf(error)) });
  }
}

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const cut = (text: string): string => (text.length <= LONGEST_LOG_TEXT ? text : text.slice(0, LONGEST_LOG_TEXT) + CUT);

const clean = (text: string): string => text.replaceAll('\0', '\uFFFD').replace(/\p{Surrogate}/gu, '\uFFFD');
