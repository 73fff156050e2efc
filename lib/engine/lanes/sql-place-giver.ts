import type { StepTask } from '../../protocol/step.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Dispatching } from '../model/admissions.js';
import { type InLine, keepsPlace, passing, type Passing, readGrants, readTicket } from '../model/lane.js';
import * as lanes from './lane.sql.js';
import type { Scope } from '../tables/run.sql.js';

interface Waiting extends InLine {
  lane: string;
  runId: string;
}

export interface LaneRow {
  lane: string;
  grants: string | null;
  open_at: number | string | null;
}

export interface Line {
  lane: string;
  row: LaneRow;
  granted: number;
  waiting: Waiting[];
}

/** What was given in one transaction. */
export interface Given {
  /** Runs whose turn has come. */
  runs: string[];
  /** Why the next of a line does not pass, by lane. */
  closed: Map<string, Pick<Passing<never>, 'reason' | 'opensAt'>>;
}

/** So many of each line are looked at in one go. */
const PAGE = 100;

/** Gives free places in locked lanes, in the caller's transaction, which keeps them locked to its end. */
export class PlaceGiver {
  private readonly given: Given = { runs: [], closed: new Map() };
  /** Lanes that nobody is in, and of which nothing has to be remembered. */
  readonly idle: string[] = [];

  constructor(
    private readonly tx: SqlConnection,
    private readonly scope: Scope,
    private readonly dispatching: Dispatching,
  ) {}

  /** Lanes that are locked; answers what became of their lines. */
  async give(rows: readonly LaneRow[]): Promise<Given> {
    let open = [...rows];
    while (open.length > 0) open = await this.giveSome(open);
    return this.given;
  }

  /** Answers the lanes whose line may have more to pass. */
  private async giveSome(rows: readonly LaneRow[]): Promise<LaneRow[]> {
    const { lines, now } = await linesOf(this.tx, this.scope, rows, PAGE);
    const decided = lines.map((line) => ({ ...line, ...passing(stateOf(line), line.waiting, now) }));
    const passed = await this.pass(decided.flatMap(({ pass }) => pass));
    const more: LaneRow[] = [];
    const changed: Parameters<typeof lanes.updateLanes>[1][number][] = [];
    for (const { lane, row, waiting, pass, granted, reason, opensAt, ...line } of decided) {
      this.given.closed.set(lane, { reason, opensAt });
      // Who could not be locked is next again: whoever holds it looks at the lane when done.
      const given = pass.filter(({ holder }) => passed.has(holder));
      const all = given.length === pass.length;
      const { grants } = all ? line : passing({ granted, grants: readGrants(row.grants) }, given, now);
      if (waiting.length + granted + grants.length === 0) this.idle.push(lane);
      const text = grants.length > 0 ? JSON.stringify(grants) : null;
      if (text !== row.grants || opensAt !== (row.open_at === null ? null : Number(row.open_at)))
        changed.push({ lane, grants: text, open_at: opensAt });
      if (all && reason === null && waiting.length === PAGE) more.push({ lane, grants: text, open_at: opensAt });
    }
    if (changed.length > 0) await this.tx.run(lanes.updateLanes(this.scope, changed));
    return more;
  }

  /** Answers the holders that have their place now: those that nobody holds, or is taking away. */
  private async pass(entries: readonly Waiting[]): Promise<Set<string>> {
    if (entries.length === 0) return new Set();
    const { tx, scope } = this;
    const byHolder = new Map(entries.map((entry) => [entry.holder, entry]));
    const { rows } = await tx.run<{ holder: string; run_id: string; task: string | null }>(
      lanes.lockEntries(scope, [...byHolder.keys()]),
    );
    const runs = await this.lockRuns(rows.filter(isRun).map(({ holder }) => holder));
    const tasks = rows.filter((row) => !isRun(row) && row.task !== null);
    const passed = [...runs, ...tasks.map(({ holder }) => holder)];
    const keeping = passed.filter((holder) => keepsPlace(byHolder.get(holder)!.limits));
    const leaving = passed.filter((holder) => !keepsPlace(byHolder.get(holder)!.limits));
    if (runs.length > 0) await tx.run(lanes.passRuns(scope, runs));
    if (keeping.length > 0) await tx.run(lanes.markGranted(scope, keeping));
    if (leaving.length > 0) await tx.run(lanes.deleteEntries(scope, leaving));
    if (tasks.length > 0)
      await this.dispatching(
        tasks.map(({ task }) => JSON.parse(task!) as StepTask),
        tx,
      );
    this.given.runs.push(...runs);
    return new Set(passed);
  }

  private async lockRuns(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.tx.run<{ id: string }>(lanes.lockWaitingRuns(this.scope, ids));
    return rows.map(({ id }) => id);
  }
}

const isRun = ({ holder, run_id }: { holder: string; run_id: string }): boolean => holder === run_id;

export const stateOf = ({ granted, row }: Line) => ({ granted, grants: readGrants(row.grants) });

/** How lanes stand, and the first of their lines. `now` is read after their locks were there. */
export async function linesOf(
  db: SqlConnection,
  scope: Scope,
  rows: readonly LaneRow[],
  page: number,
): Promise<{ lines: Line[]; now: number }> {
  const keys = rows.map(({ lane }) => lane);
  const counted = await db.run<{ lane: string; granted: number | string }>(lanes.countGranted(scope, keys));
  const granted = new Map(counted.rows.map((row) => [row.lane, Number(row.granted)]));
  const found = await db.run<lanes.WaitingRow>(lanes.selectWaiting(scope, keys, page));
  const lines = new Map<string, Line>(
    rows.map((row) => [row.lane, { lane: row.lane, row, granted: granted.get(row.lane) ?? 0, waiting: [] }]),
  );
  for (const { lane, holder, run_id: runId, limits } of found.rows)
    lines.get(lane)?.waiting.push({ lane, holder, runId, limits: readTicket(limits).limits });
  return { lines: [...lines.values()], now: Number(found.rows[0]?.at ?? 0) };
}

/** Locks lanes in the order of their keys; those that nobody has been in yet are made first. */
export async function lockLanes(
  tx: SqlConnection,
  scope: Scope,
  keys: readonly string[],
  ticketsOf: (missing: readonly string[]) => Promise<string[]>,
): Promise<LaneRow[]> {
  for (let tries = 0; ; tries++) {
    const { rows } = await tx.run<LaneRow>(lanes.lockLanes(scope, keys));
    const there = new Set(rows.map(({ lane }) => lane));
    const missing = keys.filter((lane) => !there.has(lane));
    // Locks of a first round that found only some would be out of order with those of the next.
    if (missing.length === 0 || tries === 3) return rows;
    const tickets = await ticketsOf(missing);
    if (tickets.length === 0) return rows;
    await tx.run(lanes.insertLanes(scope, tickets.map(readTicket)));
  }
}
