type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Replaces a method of a driver's connection with `through` for all callers; `call` is the original method. */
export function callThrough(
  connection: object,
  name: string,
  through: (args: unknown[], call: (args: unknown[]) => unknown) => unknown,
): void {
  const methods = connection as Record<string, Method | undefined>;
  const method = methods[name];
  if (typeof method !== 'function') return;
  methods[name] = function (this: unknown, ...args) {
    return through(args, (passed) => method.apply(this, passed));
  };
}

/** The text of the argument of a driver's `query`. */
export function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  const { text, sql } = (query ?? {}) as { text?: unknown; sql?: unknown };
  return [text, sql].find((part) => typeof part === 'string');
}

/** Whether it rolls back the whole transaction, as an ORM writes it. */
export const isRollback = (text: string | undefined): boolean => /^\s*rollback\s*;?\s*$/i.test(text ?? '');

const PARTS = [
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)/,
  /'(?:[^'\\]|''|\\.)*'?/,
  // On the MySQL family these are texts; on PostgreSQL they are names.
  /"(?:[^"\\]|""|\\.)*"?/,
  // PostgreSQL's dollar quotes.
  /(?<![$\w])\$(?<tag>(?:[a-z_]\w*)?)\$[^]*?(?:\$\k<tag>\$|$)/,
  /(?<![$\w])\d[\d.]*/,
];
/** One expression, since each part may contain text that looks like another. */
const LITERALS = new RegExp(PARTS.map(({ source }) => source).join('|'), 'gi');

/** A statement of the app for display: on one line, shortened, without comments and literal values. */
export function withoutLiterals(text: string, { quoted = false } = {}): string {
  const shown = (part: string) => (part.startsWith('"') && !quoted ? part : /^(--|\/\*)/.test(part) ? ' ' : '…');
  const line = text.replace(LITERALS, shown).replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
