import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import type { NewRun, StartKey } from '../model/run.js';
import * as keys from './start-key.sql.js';

type Keyed = NewRun & { startKey: StartKey };

const isKeyed = (run: NewRun): run is Keyed => run.startKey !== undefined;

const startOf = ({ id, input, delayMs, timeoutMs, startKey }: Keyed): keys.KeyedStart => ({
  id,
  input,
  delayMs,
  timeoutMs,
  startKey,
});

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
  if (taking.length > 0) await tx.run(keys.takeKeys(scope, taking.map(startOf)));
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
): Promise<ReadonlyMap<string, keys.KeyRow>> {
  const wanted = leading.map(({ startKey }) => startKey.key);
  for (;;) {
    await tx.run(keys.insertKeys(scope, leading.map(startOf)));
    const { rows } = await tx.run<keys.KeyRow>(keys.lockKeys(scope, wanted));
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
  holders: ReadonlyMap<string, keys.KeyRow>,
): Promise<Map<string, string>> {
  const holderOf = ({ startKey }: Keyed) => holders.get(startKey.key)!;
  const singles = later.filter(({ startKey }) => startKey.kind === 'singleton');
  const inWindow = singles.filter((run) => Number(holderOf(run).expired ?? 1) === 0);
  const lasting = singles.filter((run) => holderOf(run).expired === null);
  const debounced = later.filter(({ startKey }) => startKey.kind === 'debounce');
  const ids = (runs: readonly Keyed[]) => runs.map((run) => holderOf(run).run_id);
  const open = lasting.length > 0 ? await idsIn(tx, keys.selectOpen(scope, ids(lasting))) : new Set();
  const unbegun = debounced.length > 0 ? await idsIn(tx, keys.lockUnbegun(scope, ids(debounced))) : new Set();
  const putOff = debounced.filter((run) => unbegun.has(holderOf(run).run_id));
  if (putOff.length > 0) {
    const starts = putOff.map((run) => ({ ...startOf(run), runId: holderOf(run).run_id }));
    await tx.run(keys.putOff(scope, starts));
  }
  const refused = [...inWindow, ...lasting.filter((run) => open.has(holderOf(run).run_id)), ...putOff];
  return new Map(refused.map((run) => [run.id, holderOf(run).run_id]));
}

async function idsIn(tx: SqlConnection, statement: ReturnType<typeof keys.selectOpen>): Promise<Set<string>> {
  return new Set((await tx.run<{ id: string }>(statement)).rows.map(({ id }) => id));
}
