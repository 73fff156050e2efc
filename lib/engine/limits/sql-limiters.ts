import { type Notifier, tellWithCommit } from '../../sql/notifier.js';
import type { SqlConnection, SqlExecutor, SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import {
  type Admissions,
  type Dispatching,
  type Granted,
  isLimited,
  passing,
  readLimitRequest,
} from '../model/limiter.js';
import * as statements from './limiter.sql.js';
import type { ClaimedRun, LimitRequest } from '../model/run.js';
import { type Given, type LimiterRow, lockLimiters, PermitGiver, queuesOf, stateOf } from './sql-permit-giver.js';

interface ConditionalRun {
  id: string;
  limiter: string;
  limitRequest: LimitRequest;
  turn: number;
  queuedAt: number;
}

/** The queues of limited runs and steps, in tables. */
export class SqlLimiters implements Omit<Admissions, 'admit'> {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: Scope,
    private readonly notifier: Notifier,
  ) {}

  /** Returns which of the claimed runs that wait at a limiter are admitted, and the changes of their queues. */
  async admit(runs: readonly ClaimedRun[]): Promise<Granted & { admitted: ClaimedRun[] }> {
    const { admitted, given } = await this.db.transaction((tx) => this.admitIn(tx, runs));
    const woken = given.runs.some((id) => !admitted.has(id));
    return { admitted: runs.filter(({ id }) => admitted.has(id)), runs: woken, opensAt: opensAt(given) };
  }

  async grant(limiters: readonly string[], dispatching: Dispatching): Promise<Granted> {
    if (limiters.length === 0) return { runs: false, opensAt: null };
    const given = await this.db.transaction((tx) => this.grantIn(tx, limiters, dispatching));
    return { runs: given.runs.length > 0, opensAt: opensAt(given) };
  }

  async waiting(afterLimiter: string, limit: number): ReturnType<Admissions['waiting']> {
    const { db, scope } = this;
    const { rows: peopled } = await db.run<{ limiter: string }>(statements.selectPeopled(scope, afterLimiter, limit));
    if (peopled.length === 0) return { limiters: [], opensAt: null, next: undefined };
    const keys = peopled.map(({ limiter }) => limiter);
    const { rows } = await db.run<LimiterRow>(statements.selectLimiters(scope, keys));
    const known = new Map(rows.map((row) => [row.limiter, row]));
    const all = keys.map((limiter) => known.get(limiter) ?? { limiter, grants: null, open_at: null });
    const { queues, now } = await queuesOf(db, scope, all, 1);
    const looked = queues.map((queue) => ({ queue, ...passing(stateOf(queue), queue.waiting, now) }));
    const opening = looked.flatMap(({ opensAt: at }) => at ?? []);
    return {
      limiters: looked.filter(({ pass }) => pass.length > 0).map(({ queue }) => queue.limiter),
      opensAt: opening.length > 0 ? Math.min(...opening) : null,
      next: keys.length < limit ? undefined : keys.at(-1),
    };
  }

  async queued(stepIds: readonly string[]): Promise<string[]> {
    if (stepIds.length === 0) return [];
    const { rows } = await this.db.run<{ holder: string; granted: number | string }>(
      statements.selectEntries(this.scope, stepIds),
    );
    return rows.filter(({ granted }) => Number(granted) === 0).map(({ holder }) => holder);
  }

  onFreed(listener: (limiters: readonly string[]) => void): () => void {
    return this.notifier.subscribe('limiters', (payload) => listener(limitersIn(payload)));
  }

  private async admitIn(
    tx: SqlTransaction,
    runs: readonly ClaimedRun[],
  ): Promise<{ admitted: Set<string>; given: Given }> {
    const { scope } = this;
    const epochs = new Map(runs.map(({ id, epoch }) => [id, epoch]));
    const { rows } = await tx.run<statements.ConditionalRow>(statements.lockConditional(scope, [...epochs.keys()]));
    const held = rows.filter(({ id, epoch }) => epochs.get(id) === Number(epoch));
    const conditional = held.flatMap(conditionalRun);
    // Runs that have got a permit meanwhile, or have no limit, pass.
    const free = held.filter(({ id }) => !conditional.some((run) => run.id === id)).map(({ id }) => id);
    const given: Given = conditional.length > 0 ? await this.queue(tx, conditional) : { runs: [], closed: new Map() };
    const passed = new Set(given.runs);
    const admitted = [...free, ...conditional.flatMap(({ id }) => (passed.has(id) ? id : []))];
    if (admitted.length > 0) await tx.run(statements.startRuns(scope, admitted));
    await this.park(
      tx,
      conditional.filter(({ id }) => !passed.has(id)),
      given,
    );
    if (given.runs.some((id) => !epochs.has(id))) await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return { admitted: new Set(admitted), given };
  }

  private async queue(tx: SqlTransaction, conditional: readonly ConditionalRun[]): Promise<Given> {
    const { scope } = this;
    const limitRequests = new Map(
      conditional.map(({ limiter, limitRequest }) => [limiter, JSON.stringify(limitRequest)]),
    );
    const keys = [...limitRequests.keys()];
    await tx.run(
      statements.insertLimiters(
        scope,
        conditional.map(({ limitRequest }) => limitRequest),
      ),
    );
    const limiters = await lockLimiters(tx, scope, keys, async (missing) =>
      missing.map((limiter) => limitRequests.get(limiter)!),
    );
    await tx.run(
      statements.insertRunEntries(
        scope,
        conditional.map((run) => ({ ...run, limitRequest: JSON.stringify(run.limitRequest) })),
      ),
    );
    return new PermitGiver(tx, scope, noSteps).give(limiters);
  }

  private async park(tx: SqlConnection, runs: readonly ConditionalRun[], { closed }: Given): Promise<void> {
    for (const reason of ['concurrency_limit', 'rate_limit'] as const) {
      const of = runs.filter(({ limiter }) => (closed.get(limiter)?.reason ?? 'concurrency_limit') === reason);
      if (of.length === 0) continue;
      const ids = of.map(({ id }) => id);
      await tx.run(statements.parkRuns(this.scope, ids, reason));
    }
  }

  private async grantIn(tx: SqlTransaction, limiters: readonly string[], dispatching: Dispatching): Promise<Given> {
    const { scope } = this;
    const rows = await lockLimiters(tx, scope, limiters, async (missing) => {
      const { rows: entries } = await tx.run<statements.WaitingRow>(statements.selectWaiting(scope, missing, 1));
      return entries.map(({ limits }) => limits);
    });
    if (rows.length === 0) return { runs: [], closed: new Map() };
    const giver = new PermitGiver(tx, scope, dispatching);
    const given = await giver.give(rows);
    if (giver.idle.length > 0) await tx.run(statements.deleteLimiters(scope, giver.idle));
    if (given.runs.length > 0) await tellWithCommit(tx, this.notifier, 'runs', '{}');
    return given;
  }
}

/** Limiters of workflows contain only runs. */
const noSteps: Dispatching = async () => undefined;

/** The run as an entry of its limiter; none if it has no limit, or is overdue and is admitted only to time out. */
function conditionalRun({
  id,
  precondition,
  limits,
  priority,
  created_at,
  overdue,
}: statements.ConditionalRow): ConditionalRun[] {
  const limitRequest =
    precondition === 'limiter' && limits !== null && Number(overdue) !== 1 ? readLimitRequest(limits) : undefined;
  if (!limitRequest || !isLimited(limitRequest.limits)) return [];
  return [{ id, limiter: limitRequest.limiter, limitRequest, turn: -Number(priority), queuedAt: Number(created_at) }];
}

function opensAt({ closed }: Given): number | null {
  const times = [...closed.values()].flatMap(({ opensAt: at }) => at ?? []);
  return times.length > 0 ? Math.min(...times) : null;
}

function limitersIn(payload: string | undefined): readonly string[] {
  try {
    const limiters: unknown = payload === undefined ? [] : JSON.parse(payload);
    return Array.isArray(limiters) ? limiters.filter((limiter) => typeof limiter === 'string') : [];
  } catch {
    return [];
  }
}
