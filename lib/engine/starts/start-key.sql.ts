import { amongKeys } from '../../sql/dialects/key-list.js';
import { nowOf, type Scope } from '../../sql/sql-scope.js';
import { id, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { FINAL_STATUSES, type StartKey } from '../model/run.js';

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
    start_key: startKey.key,
    run_id,
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

/** Of these runs, those that have not ended: the newest, whatever the caller's transaction has seen before. */
export const selectOpen = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs} WHERE id ${amongKeys(dialect, ids)} AND status NOT IN (${join(FINAL_STATUSES)})
  ${dialect.newest}`;

/** Of these runs, those that have not begun, locked. */
export const lockUnbegun = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs}
  WHERE id ${amongKeys(dialect, ids)} AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE`;

/** They begin later, and with another input. */
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
    set: { input: raw('n.input'), wake_at: due, deadline: sql`${due} + n.timeout_ms` },
  });
};
