import { boundedText } from './bounded-text.js';

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
