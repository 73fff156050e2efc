/** Processes end with this one, so none of them lives when the state is read again, and none holds anything. */
const NOT_KEPT = new Set(['nodes', 'shards']);

type Table = Map<unknown, unknown> | unknown[];

/** What of the tables has to outlive the process. Listeners are sets, and are not kept. */
export function memoryStateOf(tables: object): Record<string, Table> {
  return Object.fromEntries(kept(tables));
}

/** Puts back what {@link memoryStateOf} had kept. @throws TypeError when it is nothing of that kind. */
export function restoreMemory(tables: object, state: unknown): void {
  if (typeof state !== 'object' || state === null) throw new TypeError('It holds no tables');
  const held = state as Record<string, unknown>;
  const found = kept(tables).map(([name, table]) => ({ name, table, rows: held[name] }));
  const wrong = found.find(({ table, rows }) => rows !== undefined && !sameKind(table, rows));
  if (wrong) throw new TypeError(`Its table "${wrong.name}" is none`);
  for (const { table, rows } of found) refill(table, rows);
}

const kept = (tables: object): [string, Table][] =>
  Object.entries(tables).filter(
    (entry): entry is [string, Table] =>
      !NOT_KEPT.has(entry[0]) && (entry[1] instanceof Map || Array.isArray(entry[1])),
  );

const sameKind = (table: Table, rows: unknown): boolean =>
  table instanceof Map ? rows instanceof Map : Array.isArray(rows);

/** A table that an older file did not have stays empty. */
function refill(table: Table, rows: unknown): void {
  if (table instanceof Map) for (const [key, row] of (rows as typeof table | undefined) ?? []) table.set(key, row);
  else table.push(...((rows as unknown[] | undefined) ?? []));
}
