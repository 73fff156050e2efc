import type { StepTask } from '../../protocol/step.js';
import type { SqlConnection, SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import {
  type Dispatching,
  type Passing,
  type Queued,
  keepsPermit,
  passing,
  readGrants,
  readLimitRequest,
} from '../model/limiter.js';
import * as limiters from './limiter.sql.js';

interface Waiting extends Queued {
  limiter: string;
  runId: string;
}

export interface LimiterRow {
  limiter: string;
  grants: string | null;
  open_at: number | string | null;
}

export interface Queue {
  limiter: string;
  row: LimiterRow;
  granted: number;
  waiting: Waiting[];
}

export interface Given {
  /** Runs whose turn has come. */
  runs: string[];
  /** By limiter: why the next entry of its queue does not pass. */
  closed: Map<string, Pick<Passing<never>, 'reason' | 'opensAt'>>;
}

/** How many entries of each queue are read at once. */
const PAGE = 100;

/** Grants free permits of locked limiters, in the caller's transaction, which holds the locks until its end. */
export class PermitGiver {
  private readonly given: Given = { runs: [], closed: new Map() };
  /** Limiters without entries and without grants to remember. */
  readonly idle: string[] = [];

  constructor(
    private readonly tx: SqlTransaction,
    private readonly scope: Scope,
    private readonly dispatching: Dispatching,
  ) {}

  async give(rows: readonly LimiterRow[]): Promise<Given> {
    let open = [...rows];
    while (open.length > 0) open = await this.giveSome(open);
    return this.given;
  }

  /** Returns the limiters whose queue may have more to pass. */
  private async giveSome(rows: readonly LimiterRow[]): Promise<LimiterRow[]> {
    const { queues, now } = await queuesOf(this.tx, this.scope, rows, PAGE);
    const decided = queues.map((queue) => ({ ...queue, ...passing(stateOf(queue), queue.waiting, now) }));
    const passed = await this.pass(decided.flatMap(({ pass }) => pass));
    const more: LimiterRow[] = [];
    const changed: Parameters<typeof limiters.updateLimiters>[1][number][] = [];
    for (const { limiter, row, waiting, pass, granted, reason, opensAt, ...queue } of decided) {
      this.given.closed.set(limiter, { reason, opensAt });
      // An entry that could not be locked stays first: the process that has locked it checks the limiter afterwards.
      const given = pass.filter(({ holder }) => passed.has(holder));
      const all = given.length === pass.length;
      const { grants } = all ? queue : passing({ granted, grants: readGrants(row.grants) }, given, now);
      if (waiting.length + granted + grants.length === 0) this.idle.push(limiter);
      const text = grants.length > 0 ? JSON.stringify(grants) : null;
      if (text !== row.grants || opensAt !== (row.open_at === null ? null : Number(row.open_at)))
        changed.push({ limiter, grants: text, open_at: opensAt });
      if (all && reason === null && waiting.length === PAGE) more.push({ limiter, grants: text, open_at: opensAt });
    }
    if (changed.length > 0) await this.tx.run(limiters.updateLimiters(this.scope, changed));
    return more;
  }

  /** Returns the holders that have their permit now: all that could be locked. */
  private async pass(entries: readonly Waiting[]): Promise<Set<string>> {
    if (entries.length === 0) return new Set();
    const { tx, scope } = this;
    const byHolder = new Map(entries.map((entry) => [entry.holder, entry]));
    const { rows } = await tx.run<{ holder: string; run_id: string; task: string | null }>(
      limiters.lockEntries(scope, [...byHolder.keys()]),
    );
    const runs = await this.lockRuns(rows.filter(isRun).map(({ holder }) => holder));
    const tasks = rows.filter((row) => !isRun(row) && row.task !== null);
    const passed = [...runs, ...tasks.map(({ holder }) => holder)];
    const keeping = passed.filter((holder) => keepsPermit(byHolder.get(holder)!.limits));
    const leaving = passed.filter((holder) => !keepsPermit(byHolder.get(holder)!.limits));
    if (runs.length > 0) await tx.run(limiters.passRuns(scope, runs));
    if (keeping.length > 0) await tx.run(limiters.markGranted(scope, keeping));
    if (leaving.length > 0) await tx.run(limiters.deleteEntries(scope, leaving));
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
    const { rows } = await this.tx.run<{ id: string }>(limiters.lockWaitingRuns(this.scope, ids));
    return rows.map(({ id }) => id);
  }
}

const isRun = ({ holder, run_id }: { holder: string; run_id: string }): boolean => holder === run_id;

export const stateOf = ({ granted, row }: Queue) => ({ granted, grants: readGrants(row.grants) });

/** The states of limiters, with the first entries of their queues. `now` is read after they were locked. */
export async function queuesOf(
  db: SqlConnection,
  scope: Scope,
  rows: readonly LimiterRow[],
  page: number,
): Promise<{ queues: Queue[]; now: number }> {
  const keys = rows.map(({ limiter }) => limiter);
  const counted = await db.run<{ limiter: string; granted: number | string }>(limiters.countGranted(scope, keys));
  const granted = new Map(counted.rows.map((row) => [row.limiter, Number(row.granted)]));
  const found = await db.run<limiters.WaitingRow>(limiters.selectWaiting(scope, keys, page));
  const queues = new Map<string, Queue>(
    rows.map((row) => [
      row.limiter,
      { limiter: row.limiter, row, granted: granted.get(row.limiter) ?? 0, waiting: [] },
    ]),
  );
  for (const { limiter, holder, run_id: runId, limits } of found.rows)
    queues.get(limiter)?.waiting.push({ limiter, holder, runId, limits: readLimitRequest(limits).limits });
  return { queues: [...queues.values()], now: Number(found.rows[0]?.at ?? 0) };
}

/** Locks limiters in the order of their keys; missing ones are inserted first. */
export async function lockLimiters(
  tx: SqlConnection,
  scope: Scope,
  keys: readonly string[],
  requestsOf: (missing: readonly string[]) => Promise<string[]>,
): Promise<LimiterRow[]> {
  for (let tries = 0; ; tries++) {
    const { rows } = await tx.run<LimiterRow>(limiters.lockLimiters(scope, keys));
    const there = new Set(rows.map(({ limiter }) => limiter));
    const missing = keys.filter((limiter) => !there.has(limiter));
    // After a lock of only some of them, the next round takes its locks out of order.
    if (missing.length === 0 || tries === 3) return rows;
    const limitRequests = await requestsOf(missing);
    if (limitRequests.length === 0) return rows;
    await tx.run(limiters.insertLimiters(scope, limitRequests.map(readLimitRequest)));
  }
}
