import { amongKeys } from '../sql/dialects.js';
import type { SqlConnection } from '../sql/executor.js';
import { id, join, raw, sql, type Statement } from '../sql/statement.js';
import { nowOf, type Scope } from '../sql/tables.js';
import * as removal from './control.sql.js';
import { FINAL_STATUSES, type IdReuse, type NewRun, type RunStatus, type StartKey } from './run.js';
import { nextLife } from './starts.js';
import type { ClaimedRow, RunRow } from './tables.sql.js';

export type OldRow = Pick<
  RunRow & ClaimedRow,
  'id' | 'namespace' | 'workflow' | 'status' | 'epoch' | 'first_seq' | 'erased_at'
>;

export interface LastRow {
  run_id: string;
  seq: number | string;
}

/** Locks the existing runs with these ids. */
export const lockOld = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id, namespace, workflow, status, epoch, first_seq, erased_at FROM ${tables.runs} ${dialect.forceIndex()}
  WHERE id ${amongKeys(dialect, ids)} ORDER BY id FOR UPDATE`;

/**
 * The last position of each run; compensations have negative positions. The newest rows, also in the app's transaction:
 * a new life must not use the step ids, and idempotency keys, of the old one. With a time: see `Dialect.forceIndex`.
 */
export const selectLast = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT run_id, MAX(seq) AS seq, MAX(created_at) AS at FROM ${tables.steps} ${dialect.forceIndex()} WHERE run_id ${amongKeys(dialect, ids)}
  GROUP BY run_id ${dialect.newest}`;

export const goOnFrom = (
  { tables, dialect }: Scope,
  reborn: readonly { id: string; epoch: number; firstSeq: number }[],
): Statement => {
  const rows = reborn.map(({ id, epoch, firstSeq }) => ({ id, epoch, first_seq: firstSeq }));
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(rows, { id: 'key', epoch: 'int', first_seq: 'int' })} AS n`,
    on: raw('r.id = n.id'),
    set: { epoch: raw('n.epoch'), first_seq: raw('n.first_seq') },
  });
};

/** The epoch and position at which a new run continues, so that nothing for the old run is taken for the new one. */
export interface Rebirth {
  id: string;
  epoch: number;
  firstSeq: number;
}

const MAKES_ROOM: Record<IdReuse, readonly RunStatus[]> = {
  ended: ['completed', 'failed', 'cancelled', 'compensation_failed'],
  failed: ['failed', 'cancelled', 'compensation_failed'],
};

/** Locks and deletes the ended runs that new runs replace, with all their data. */
export async function makeRoom(tx: SqlConnection, scope: Scope, runs: readonly NewRun[]): Promise<Rebirth[]> {
  const wanted = new Map(runs.flatMap((run) => (run.reuse ? [[run.id, run] as const] : [])));
  if (wanted.size === 0) return [];
  const { rows } = await tx.run<OldRow>(lockOld(scope, [...wanted.keys()]));
  const going = rows.filter((row) => {
    const { namespace, workflow, reuse: policy } = wanted.get(row.id)!;
    return row.namespace === namespace && row.workflow === workflow && MAKES_ROOM[policy!].includes(row.status);
  });
  if (going.length === 0) return [];
  const ids = going.map(({ id }) => id);
  const { rows: last } = await tx.run<LastRow>(selectLast(scope, ids));
  const lastSeqs = new Map(last.map(({ run_id, seq }) => [run_id, Number(seq)]));
  await removal.leaveOthers(tx, scope, ids);
  for (const statement of removal.deleteBelongings(scope, ids)) await tx.run(statement);
  await tx.run(removal.deleteRuns(scope, ids));
  return going.map(({ id, epoch, status, first_seq: firstSeq }) => ({
    id,
    epoch: Number(epoch) + 1,
    firstSeq: nextLife({ status, firstSeq: Number(firstSeq) }, lastSeqs.get(id) ?? -1),
  }));
}

type Keyed = NewRun & { startKey: StartKey };

const isKeyed = (run: NewRun): run is Keyed => run.startKey !== undefined;

/**
 * Maps the ids of starts that create no run to the id of the run that holds their key. Decided under the locks of the
 * keys, which are taken before all other locks.
 */
export async function heldByOthers(
  tx: SqlConnection,
  scope: Scope,
  runs: readonly NewRun[],
): Promise<Map<string, string>> {
  const keyed = runs.filter(isKeyed);
  const others = new Map<string, string>();
  if (keyed.length === 0) return others;
  const leading = [...leadersOf(keyed)].sort((a, b) => (a.startKey.key < b.startKey.key ? -1 : 1));
  const holders = await lockAll(tx, scope, leading);
  const later = leading.filter(({ id, startKey }) => holders.get(startKey.key)!.run_id !== id);
  const refused = await refusedOf(tx, scope, later, holders);
  const taking = later.filter((run) => !refused.has(run.id));
  if (taking.length > 0) await tx.run(takeKeys(scope, taking));
  const byKey = new Map(leading.map(({ id, startKey }) => [startKey.key, refused.get(id) ?? id]));
  for (const { id, startKey } of keyed) {
    const holder = byKey.get(startKey.key)!;
    if (holder !== id) others.set(id, holder);
  }
  return others;
}

async function lockAll(
  tx: SqlConnection,
  scope: Scope,
  leading: readonly Keyed[],
): Promise<ReadonlyMap<string, KeyRow>> {
  const wanted = leading.map(({ startKey }) => startKey.key);
  for (;;) {
    await tx.run(insertKeys(scope, leading));
    const { rows } = await tx.run<KeyRow>(lockKeys(scope, wanted));
    // An existing key may have been deleted in between.
    if (rows.length === wanted.length) return new Map(rows.map((row) => [row.start_key, row]));
  }
}

/** Of several starts with one key in a batch, the first one creates the run; debounced ones use the last input. */
export function leadersOf(keyed: readonly Keyed[]): Keyed[] {
  const leaders = new Map<string, Keyed>();
  for (const run of keyed) {
    const first = leaders.get(run.startKey.key);
    if (!first) leaders.set(run.startKey.key, { ...run });
    else if (run.startKey.kind === 'debounce') Object.assign(first, { input: run.input, delayMs: run.delayMs });
  }
  return [...leaders.values()];
}

/** Maps the ids of refused starts to the run that keeps the key. */
async function refusedOf(
  tx: SqlConnection,
  scope: Scope,
  later: readonly Keyed[],
  holders: ReadonlyMap<string, KeyRow>,
): Promise<Map<string, string>> {
  const holderOf = ({ startKey }: Keyed) => holders.get(startKey.key)!;
  const singles = later.filter(({ startKey }) => startKey.kind === 'singleton');
  const inWindow = singles.filter((run) => Number(holderOf(run).expired ?? 1) === 0);
  const lasting = singles.filter((run) => holderOf(run).expired === null);
  const debounced = later.filter(({ startKey }) => startKey.kind === 'debounce');
  const ids = (runs: readonly Keyed[]) => runs.map((run) => holderOf(run).run_id);
  const open = lasting.length > 0 ? await idsIn(tx, selectOpen(scope, ids(lasting))) : new Set();
  const unbegun = debounced.length > 0 ? await idsIn(tx, lockUnbegun(scope, ids(debounced))) : new Set();
  const putOff = debounced.filter((run) => unbegun.has(holderOf(run).run_id));
  const delayed = putOff.map((run) => ({ ...run, holder: holderOf(run) }));
  if (delayed.length > 0) await tx.run(putOffStarts(scope, delayed));
  const refused = [...inWindow, ...lasting.filter((run) => open.has(holderOf(run).run_id)), ...putOff];
  return new Map(refused.map((run) => [run.id, holderOf(run).run_id]));
}

async function idsIn(tx: SqlConnection, statement: ReturnType<typeof selectOpen>): Promise<Set<string>> {
  return new Set((await tx.run<{ id: string }>(statement)).rows.map(({ id }) => id));
}

/** A start with a key, and the run it would create. */
export interface KeyedStart {
  id: string;
  input: string;
  delayMs: number;
  timeoutMs?: number | undefined;
  startKey: StartKey;
}

export interface KeyRow {
  start_key: string;
  run_id: string;
  /** 1 if its window has passed; null without a window. */
  expired: number | string | null;
  /** Until when a start can be put off; null without a limit. */
  latest_at: number | string | null;
}

const COLUMNS = { start_key: 'key', run_id: 'key', window_ms: 'int', longest_ms: 'int' } as const;

const rowsOf = ({ dialect }: Scope, starts: readonly KeyedStart[]): Statement => {
  const rows = starts.map(({ id: run_id, startKey }) => ({
    start_key: startKey.key,
    run_id,
    window_ms: startKey.kind === 'singleton' ? startKey.windowMs : undefined,
    longest_ms: startKey.kind === 'debounce' ? startKey.maxDelayMs : undefined,
  }));
  return dialect.rows(rows, COLUMNS);
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
  SELECT start_key, run_id, CASE WHEN expires_at <= ${nowOf(scope)} THEN 1 WHEN expires_at IS NULL THEN NULL ELSE 0 END AS expired,
    latest_at
  FROM ${scope.tables.startKeys} ${scope.dialect.forceIndex()} WHERE start_key ${amongKeys(scope.dialect, keys)} ORDER BY start_key FOR UPDATE`;

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
  SELECT id FROM ${tables.runs} ${dialect.forceIndex()} WHERE id ${amongKeys(dialect, ids)} AND status NOT IN (${join(FINAL_STATUSES)})
  ${dialect.newest}`;

/** Locks and returns which of these runs have not begun. */
export const lockUnbegun = ({ tables, dialect }: Scope, ids: readonly string[]): Statement => sql`
  SELECT id FROM ${tables.runs} ${dialect.forceIndex()}
  WHERE id ${amongKeys(dialect, ids)} AND status = 'pending' AND owner IS NULL AND epoch = 0 ORDER BY id FOR UPDATE`;

/** Sets a new input and a later due time of the runs that hold the keys of these starts. */
export const putOffStarts = (scope: Scope, starts: readonly (KeyedStart & { holder: KeyRow })[]): Statement => {
  const { tables, dialect } = scope;
  const rows = starts.map(({ holder, input, delayMs, timeoutMs }) => ({
    run_id: holder.run_id,
    latest_at: holder.latest_at === null ? undefined : Number(holder.latest_at),
    input,
    delay_ms: delayMs,
    timeout_ms: timeoutMs,
  }));
  const columns = { run_id: 'key', latest_at: 'int', input: 'text', delay_ms: 'int', timeout_ms: 'int' } as const;
  const due = sql`LEAST(${nowOf(scope)} + n.delay_ms, COALESCE(n.latest_at, ${nowOf(scope)} + n.delay_ms))`;
  return dialect.updateFrom({
    table: tables.runs,
    as: 'r',
    from: sql`${dialect.rows(rows, columns)} AS n`,
    on: raw('r.id = n.run_id'),
    set: { input: raw('n.input'), wake_at: due, deadline: sql`${due} + n.timeout_ms`, timeout_ms: raw('n.timeout_ms') },
  });
};
