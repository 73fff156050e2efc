import { hostname } from 'node:os';
import type { SqlConnection, SqlExecutor } from '../sql/sql-executor.js';
import type { SqlNow } from '../sql/sql-now.js';
import { amongKeys } from '../sql/key-list.js';
import type { Tables } from '../sql/tables.js';
import type { NodeIdentity, NodeRoster } from './node-roster.js';
import * as nodes from './node.sql.js';
import * as runs from './run.sql.js';

/** A lapsed node's row is kept so long, for people who look for what happened. */
const KEEP_LAPSED_MS = 60_000;

/** The roster as a table: one row per process, one small write per beat. */
export class SqlNodeRoster implements NodeRoster {
  private readonly scope: runs.Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async beat(node: NodeIdentity, leaseMs: number): Promise<number> {
    const { scope, db } = this;
    const seat = { ...node, host: hostname().slice(0, 255), pid: process.pid };
    if (db.dialect.family === 'mysql') {
      await db.run(nodes.signIn(scope, seat, leaseMs));
      return nowIn(await db.run<NowRow>(nodes.selectNow(scope)));
    }
    return nowIn(await db.run<NowRow>(nodes.signInReturningNow(scope, seat, leaseMs)));
  }

  async reap(limit: number): Promise<number> {
    const { rows } = await this.db.run<{ owner: string }>(runs.selectDeadOwners(this.scope));
    let freed = 0;
    for (const { owner } of rows) {
      if (freed < limit) freed += await this.db.transaction((tx) => this.freeRunsOf(tx, owner, limit - freed));
    }
    if (rows.length > 0) await this.db.run(nodes.strikeOff(this.scope, KEEP_LAPSED_MS));
    return freed;
  }

  async leave(nodeId: string): Promise<void> {
    await this.db.run(nodes.signOff(this.scope, nodeId));
  }

  private async freeRunsOf(tx: SqlConnection, owner: string, limit: number): Promise<number> {
    const { rows } = await tx.run<{ id: string }>(runs.lockOrphans(this.scope, owner, limit));
    if (rows.length === 0) return 0;
    await tx.run(
      runs.freeRuns(
        this.scope,
        amongKeys(
          tx.dialect,
          rows.map(({ id }) => id),
        ),
      ),
    );
    return rows.length;
  }
}

interface NowRow {
  now: number | string;
}

const nowIn = ({ rows }: { rows: NowRow[] }): number => Number(rows[0]?.now);
