import { amongKeys } from '../../sql/key-list.js';
import { id, join, raw, sql, type Statement } from '../../sql/statement.js';
import { FINAL_STATUSES, type StartKey } from '../model/run.js';
import { nowOf, type Scope } from '../tables/run.sql.js';

/** A start with a key: the run it would begin. */
export interface KeyedStart {
  id: string;
  input: string;
  delayMs: number;
  timeoutMs: number | undefined;
  startKey: StartKey;
}

export interface KeyRow {
  start_key: string;
  run_id: string;
  /** 1 when its window has passed. */
  expired: number | string | null;
}

const COLUMNS = { start_key: 'key', run_id: 'key', window_ms: 'int', longest_ms: 'int' } as const;

const rowsOf = ({ dialect }: Scope, starts: readonly KeyedStart[]): Statement => {
  const rows = starts.map(({ id: run_id, startKey }) => ({
    ...{ start_key: startKey.key, run_id },
    window_ms: startKey.kind === 'singleton' ? startKey.windowMs : undefined,
    longest_ms: startKey.kind === 'debounce' ? startKey.maxDelayMs : undefined,
  }));
  return dialect.rows(JSON.stringify(rows), COLUMNS);
};

/** Keys that nobody has are these starts'. */
export const insertKeys = (scope: Scope, starts: readonly KeyedStart[]): Statement => {
  const now = nowOf(scope);
  return scope.dialect.insertOrKeep(
    sql`
  INSERT INTO ${scope.tables.startKeys} (start_key, run_id, expires_at, latest_at)
  SELECT n.start_key, n.run_id, ${now} + n.window_ms, ${now} + n.longest_ms FROM ${rowsOf(scope, starts)} AS n`,
    id('start_key'),
  );
};

/** Whose they are now, locked to the end of the transaction: whoever starts with one of them meanwhile waits. */
export const lockKeys = (scope: Scope, keys: readonly string[]): Statement => sql`
  SELECT start_key, run_id, CASE WHEN expires_at <= ${nowOf(scope)} THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired
  FROM ${scope.tables.startKeys} WHERE start_key ${amongKeys(scope.dialect, keys)} ORDER BY start_key FOR UPDATE`;

/** From now on they are these starts'. */
export const takeKeys = (scope: Scope, starts: readonly KeyedStart[]): Statement => {
  const { tables, dialect } = scope;
  const to = (column: string) => raw(dialect.family === 'postgres' ? column : `k.${column}`);
  const set = join([
    sql`${to('run_id')} = n.run_id`,
    sql`${to('expires_at')} = ${nowOf(scope)} + n.window_ms`,
    sql`${to('latest_at')} = ${nowOf(scope)} + n.longest_ms`,
  ]);
  const rows = rowsOf(scope, starts);
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.startKeys} AS k SET ${set} FROM ${rows} AS n WHERE k.start_key = n.start_key`
    : sql`UPDATE ${tables.startKeys} AS k JOIN ${rows} AS n ON k.start_key = n.start_key SET ${set}`;
};

/** Of these runs, those that have not ended: the newest, whatever the caller's transaction has seen before. */
export const selectOpen = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} AND status NOT IN (${join(FINAL_STATUSES)})
  ${raw(dialect.family === 'postgres' ? '' : 'LOCK IN SHARE MODE')}`;

/** Of these runs, those that have not begun, locked. */
export const lockUnbegun = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE`;

/** They begin later, and with another input. */
export const putOff = (scope: Scope, starts: readonly (KeyedStart & { runId: string })[]): Statement => {
  const { tables, dialect } = scope;
  const json = JSON.stringify(
    starts.map(({ runId, input, delayMs, timeoutMs, startKey }) => ({
      ...{ run_id: runId, start_key: startKey.key, input, delay_ms: delayMs, timeout_ms: timeoutMs },
    })),
  );
  const columns = { run_id: 'key', start_key: 'key', input: 'text', delay_ms: 'int', timeout_ms: 'int' } as const;
  const rows = sql`${dialect.rows(json, columns)} AS n`;
  const to = (column: string) => raw(dialect.family === 'postgres' ? column : `r.${column}`);
  const due = sql`LEAST(${nowOf(scope)} + n.delay_ms, COALESCE(k.latest_at, ${nowOf(scope)} + n.delay_ms))`;
  const set = join([
    sql`${to('input')} = n.input`,
    sql`${to('wake_at')} = ${due}`,
    sql`${to('deadline')} = ${due} + n.timeout_ms`,
  ]);
  const keys = tables.startKeys;
  return dialect.family === 'postgres'
    ? sql`UPDATE ${tables.runs} AS r SET ${set} FROM ${rows} JOIN ${keys} AS k ON k.start_key = n.start_key WHERE r.id = n.run_id`
    : sql`UPDATE ${tables.runs} AS r JOIN ${rows} ON r.id = n.run_id JOIN ${keys} AS k ON k.start_key = n.start_key SET ${set}`;
};
