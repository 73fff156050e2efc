import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/tables.js';
import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { FINAL_STATUSES, type StartKey } from '../model/run.js';

/** A start with a key, and the run it would create. */
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
  /** 1 if its window has passed; null without a window. */
  expired: number | string | null;
}

const COLUMNS = { start_key: 'key', run_id: 'key', window_ms: 'int', longest_ms: 'int' } as const;

const rowsOf = ({ dialect }: Scope, starts: readonly KeyedStart[]): Statement => {
  const rows = starts.map(({ id: run_id, startKey }) => ({
    start_key: startKey.key,
    run_id,
    window_ms: startKey.kind === 'singleton' ? startKey.windowMs : undefined,
    longest_ms: startKey.kind === 'debounce' ? startKey.maxDelayMs : undefined,
  }));
  return dialect.rows(JSON.stringify(rows), COLUMNS);
};

/** Inserts the keys that do not exist yet, for these starts. */
export const insertKeys = (scope: Scope, starts: readonly KeyedStart[]): Statement => {
  const now = nowOf(scope);
  return scope.dialect.insertOrKeep(
    sql`
  INSERT INTO ${scope.tables.startKeys} (start_key, run_id, expires_at, latest_at)
  SELECT n.start_key, n.run_id, ${now} + n.window_ms, ${now} + n.longest_ms FROM ${rowsOf(scope, starts)} AS n`,
    id('start_key'),
  );
};

/** Reads and locks keys until the end of the transaction: other starts with the same keys wait. */
export const lockKeys = (scope: Scope, keys: readonly string[]): Statement => sql`
  SELECT start_key, run_id, CASE WHEN expires_at <= ${nowOf(scope)} THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired
  FROM ${scope.tables.startKeys} WHERE start_key ${amongKeys(scope.dialect, keys)} ORDER BY start_key FOR UPDATE`;

/** Assigns the keys to these starts. */
export const takeKeys = (scope: Scope, starts: readonly KeyedStart[]): Statement =>
  scope.dialect.updateFrom({
    table: scope.tables.startKeys,
    as: 'k',
    from: sql`${rowsOf(scope, starts)} AS n`,
    on: raw('k.start_key = n.start_key'),
    set: {
      run_id: raw('n.run_id'),
      expires_at: sql`${nowOf(scope)} + n.window_ms`,
      latest_at: sql`${nowOf(scope)} + n.longest_ms`,
    },
  });

/** Which of these runs have not ended, by their newest rows, independent of the caller's snapshot. */
export const selectOpen = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} AND status NOT IN (${join(FINAL_STATUSES)})
  ${dialect.newest}`;

/** Locks and returns which of these runs have not begun. */
export const lockUnbegun = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE`;

/** Sets a new input and a later due time. */
export const putOff = (scope: Scope, starts: readonly (KeyedStart & { runId: string })[]): Statement => {
  const { tables, dialect } = scope;
  const json = JSON.stringify(
    starts.map(({ runId, input, delayMs, timeoutMs, startKey }) => ({
      run_id: runId,
      start_key: startKey.key,
      input,
      delay_ms: delayMs,
      timeout_ms: timeoutMs,
    })),
  );
  const columns = { run_id: 'key', start_key: 'key', input: 'text', delay_ms: 'int', timeout_ms: 'int' } as const;
  const due = sql`LEAST(${nowOf(scope)} + n.delay_ms, COALESCE(k.latest_at, ${nowOf(scope)} + n.delay_ms))`;
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(json, columns)} AS n JOIN ${tables.startKeys} AS k ON k.start_key = n.start_key`,
    on: raw('r.id = n.run_id'),
    set: { input: raw('n.input'), wake_at: due, deadline: sql`${due} + n.timeout_ms`, timeout_ms: raw('n.timeout_ms') },
  });
};
