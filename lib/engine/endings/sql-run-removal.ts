import { stepIdOf } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { inTransaction, type SqlConnection, type SqlExecutor, type SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import * as removal from './removal.sql.js';
import type { GivingUp, PurgeRuns, RunRemoval } from '../model/run-control.js';
import { NO_ENDINGS } from '../model/run-store.js';
import type { RunStatus } from '../model/run.js';

/** The most keys in one statement. */
const CHUNK = 500;

interface MemberRow {
  id: string;
  parent_id: string | null;
  finished_at: number | string | null;
}

export class SqlRunRemoval implements RunRemoval {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  delete(ids: readonly string[], givingUp: GivingUp, tx?: Transaction): Promise<string[]> {
    return inTransaction(this.db, tx, async (connection) => {
      const family = await this.familyOf(connection, ids);
      const locked = new Map<string, MemberRow>();
      for (const some of chunksOf([...family].sort())) {
        const { rows } = await connection.run<MemberRow>(removal.lockByKey(this.scope, some));
        for (const row of rows) locked.set(row.id, row);
      }
      const going = descent(ids, locked);
      const left = [...locked.values()].filter(({ id, parent_id }) => !going.has(id) && going.has(parent_id ?? ''));
      await this.remove(connection, { going: [...going], left: left.map(({ id }) => id) }, givingUp);
      return [...going];
    });
  }

  async purge({ status, ...request }: PurgeRuns, givingUp: GivingUp): Promise<number> {
    let purged = 0;
    for (const one of status) {
      const limit = request.limit - purged;
      if (limit <= 0) break;
      purged += await this.db.transaction((tx) => this.purgeIn(tx, { ...request, limit }, one, givingUp));
    }
    return purged;
  }

  async tidy(limit: number): Promise<number> {
    const { rows } = await this.db.run<{ start_key: string }>(removal.selectExpiredKeys(this.scope, limit));
    if (rows.length === 0) return 0;
    const keys = rows.map(({ start_key }) => start_key);
    return (await this.db.run(removal.deleteExpiredKeys(this.scope, keys))).affected;
  }

  private async purgeIn(
    tx: SqlTransaction,
    request: Omit<PurgeRuns, 'status'>,
    status: RunStatus,
    givingUp: GivingUp,
  ): Promise<number> {
    const picked = (await tx.run<{ id: string }>(removal.lockPurgeable(this.scope, request, status))).rows;
    if (picked.length === 0) return 0;
    const going = new Set(picked.map(({ id }) => id));
    const children = (await this.childrenOf(tx, [...going])).filter(({ id }) => !going.has(id));
    const left: string[] = [];
    for (const some of chunksOf(children.map(({ id }) => id).sort())) {
      const { rows } = await tx.run<MemberRow>(removal.lockByKey(this.scope, some, true));
      left.push(...rows.map(({ id }) => id));
    }
    const held = new Set(left);
    // If a child is locked, its parent cannot be removed from its row: the parent is deleted by a later purge.
    for (const { id, parent_id } of children) if (!held.has(id)) going.delete(parent_id ?? '');
    const parents = new Map(children.map(({ id, parent_id }) => [id, parent_id ?? '']));
    const orphans = left.filter((id) => going.has(parents.get(id)!));
    await this.remove(tx, { going: [...going], left: orphans }, givingUp);
    return going.size;
  }

  /** These runs with all their descendants, read level by level. */
  private async familyOf(connection: SqlConnection, ids: readonly string[]): Promise<Set<string>> {
    const family = new Set(ids);
    let level: string[] = [...family];
    while (level.length > 0) {
      const children = await this.childrenOf(connection, level);
      level = children.map(({ id }) => id).filter((id) => !family.has(id));
      for (const id of level) family.add(id);
    }
    return family;
  }

  private async childrenOf(connection: SqlConnection, ids: readonly string[]): Promise<MemberRow[]> {
    const children: MemberRow[] = [];
    for (const some of chunksOf(ids)) {
      children.push(...(await connection.run<MemberRow>(removal.selectChildren(this.scope, some))).rows);
    }
    return children;
  }

  /** Call it with the rows of the runs locked. */
  private async remove(
    tx: SqlTransaction,
    { going, left }: { going: readonly string[]; left: readonly string[] },
    givingUp: GivingUp,
  ): Promise<void> {
    for (const some of chunksOf(left)) await tx.run(removal.orphanRuns(this.scope, some));
    for (const some of chunksOf(going)) {
      await this.removeBelongings(tx, some, givingUp);
      await tx.run(removal.deleteRuns(this.scope, some));
    }
  }

  private async removeBelongings(tx: SqlTransaction, runIds: readonly string[], givingUp: GivingUp): Promise<void> {
    const { scope } = this;
    const open = await tx.run<{ run_id: string; seq: number | string }>(removal.selectOpenSteps(scope, runIds));
    const stepIds = open.rows.map(({ run_id, seq }) => stepIdOf(run_id, Number(seq))).sort();
    for (const some of chunksOf(stepIds)) {
      await givingUp({ ...NO_ENDINGS, withdrawn: some }, tx);
      await tx.run(removal.deleteWaits(scope, some));
    }
    const { rows } = await tx.run<{ channel: string }>(removal.selectRunChannels(scope, runIds));
    for (const statement of removal.deleteBelongings(scope, runIds)) await tx.run(statement);
    const channels = rows.map(({ channel }) => channel).sort();
    for (const some of chunksOf(channels)) await tx.run(removal.deleteChannels(scope, some));
  }
}

/** The ended runs of `ids`, and their ended descendants whose ancestors have all ended. */
function descent(ids: readonly string[], locked: ReadonlyMap<string, MemberRow>): Set<string> {
  const children = new Map<string, string[]>();
  for (const { id, parent_id } of locked.values()) {
    if (parent_id !== null) children.set(parent_id, [...(children.get(parent_id) ?? []), id]);
  }
  const going = new Set<string>();
  const next = [...ids];
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    const run = locked.get(id);
    if (!run || run.finished_at === null || going.has(id)) continue;
    going.add(id);
    next.push(...(children.get(id) ?? []));
  }
  return going;
}

function chunksOf<T>(all: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let i = 0; i < all.length; i += CHUNK) chunks.push(all.slice(i, i + CHUNK));
  return chunks;
}
