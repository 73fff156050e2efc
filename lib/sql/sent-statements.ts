type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Calls `through` in place of a method of a driver's connection, whoever calls it; `call` is the method itself. */
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

/** The text of what a driver's `query` was given. */
export function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  const { text, sql } = (query ?? {}) as { text?: unknown; sql?: unknown };
  return [text, sql].find((part) => typeof part === 'string');
}

/** Whether it ends the whole transaction, as an ORM writes it. */
export const isRollback = (text: string | undefined): boolean => /^\s*rollback\s*;?\s*$/i.test(text ?? '');

const PARTS = [
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)/,
  /'(?:[^'\\]|''|\\.)*'?/,
  // On the MySQL family these hold texts; on PostgreSQL they hold names.
  /"(?:[^"\\]|""|\\.)*"?/,
  // Of PostgreSQL.
  /(?<![$\w])\$(?<tag>(?:[a-z_]\w*)?)\$[^]*?(?:\$\k<tag>\$|$)/,
  /(?<![$\w])\d[\d.]*/,
];
/** In one expression, since each of them may hold what looks like another. */
const LITERALS = new RegExp(PARTS.map(({ source }) => source).join('|'), 'gi');

/** A statement of the app as it may be shown: on one line, short, without comments and the values written into it. */
export function withoutLiterals(text: string, { quoted = false } = {}): string {
  const shown = (part: string) => (part.startsWith('"') && !quoted ? part : /^(--|\/\*)/.test(part) ? ' ' : '…');
  const line = text.replace(LITERALS, shown).replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
