import type { ActedBy } from '../../acts/act.js';
import type { Transaction } from '../../protocol/transaction.js';
import { byFamily, type ByFamily } from '../../sql/dialects/dialect.js';
import { allowsUnsupportedServers } from '../../sql/server-version.js';
import { type SqlConnection, type SqlExecutor, sqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import type { Statement } from '../../sql/dialects/statement.js';
import { type Drain, type NodeIdentity, type NodesInSight, processOf } from '../model/node-record.js';
import type { Beat, Elsewhere, NodeRoster, Pulse } from '../model/node-roster.js';
import * as nodes from './node.sql.js';
import * as listed from './node-list.sql.js';
import * as runs from '../tables/run.sql.js';

/** The roster as a table: one row per process, one small write per beat. */
export class SqlNodeRoster implements NodeRoster {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async beat(node: NodeIdentity, leaseMs: number): Promise<Beat> {
    const { scope } = this;
    const seat = seatOf(node);
    const [row] = await this.signIn<BeatRow>(seat, leaseMs, {
      postgres: () => nodes.signInReturningBeat(scope, seat, leaseMs),
      mysql: () => nodes.selectBeat(scope, node.id),
    });
    return { now: Number(row?.now), draining: Number(row?.draining) === 1 };
  }

  async pulse(node: NodeIdentity, leaseMs: number): Promise<Pulse> {
    const { scope } = this;
    const seat = seatOf(node);
    const rows = await this.signIn<nodes.PulseRow>(seat, leaseMs, {
      postgres: () => nodes.signInLookingAround(scope, seat, leaseMs),
      mysql: () => nodes.lookAround(scope, node.id),
    });
    return pulseIn(node, rows);
  }

  /** On PostgreSQL, the statement that asks also registers the node. */
  private async signIn<Row>(seat: nodes.NodeSeat, leaseMs: number, asking: ByFamily<Statement>): Promise<Row[]> {
    const { scope, db } = this;
    await byFamily<unknown>(db.dialect, {
      postgres: () => undefined,
      mysql: () => db.run(nodes.signIn(scope, seat, leaseMs)),
    });
    return (await db.run<Row>(byFamily(db.dialect, asking))).rows;
  }

  async reap(limit: number): Promise<number> {
    const { rows } = await this.db.run<{ owner: string }>(nodes.selectDeadOwners(this.scope));
    let freed = 0;
    for (const { owner } of rows) {
      if (freed < limit) freed += await this.db.transaction((tx) => this.freeRunsOf(tx, owner, limit - freed));
    }
    return freed;
  }

  async elsewhere(): Promise<Elsewhere[]> {
    const { scope, db } = this;
    if (allowsUnsupportedServers()) return [];
    return byFamily(db.dialect, {
      postgres: () => Promise.resolve([]),
      mysql: async () => {
        const { rows } = await db.transaction((tx) => tx.run<nodes.ElsewhereRow>(nodes.selectElsewhere(scope)));
        return rows.map(elsewhereOf);
      },
    });
  }

  async lives(nodeId: string): Promise<boolean> {
    return (await this.db.run(nodes.selectAlive(this.scope, nodeId))).rows.length > 0;
  }

  async nodes(): Promise<NodesInSight> {
    const { rows } = await this.db.run<listed.NodeRow>(listed.selectNodes(this.scope));
    return { now: Number(rows[0]?.now), nodes: rows.flatMap(listed.nodeOf) };
  }

  async setDraining(nodeId: string, by: ActedBy | null, tx: Transaction): Promise<Drain | null | undefined> {
    const connection = sqlTransaction(tx);
    const { rows } = await connection.run<listed.DrainRow>(listed.lockAlive(this.scope, nodeId));
    if (!rows[0]) return undefined;
    const text = by && JSON.stringify({ actor: by.actor, reason: by.reason });
    await connection.run(listed.setDraining(this.scope, nodeId, text));
    return listed.drainOf(rows[0]);
  }

  async strikeOff(): Promise<void> {
    const { rows } = await this.db.run<{ id: string }>(listed.selectForgotten(this.scope));
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await this.db.run(listed.strikeOff(this.scope, ids));
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

const seatOf = ({ serves = {}, load, ...node }: NodeIdentity): nodes.NodeSeat => ({
  ...node,
  ...processOf(),
  serves: JSON.stringify(serves),
  load: load ? JSON.stringify(load()) : null,
});

function pulseIn({ id: owner }: NodeIdentity, rows: readonly nodes.PulseRow[]): Pulse {
  const of = (kind: nodes.PulseRow['kind']) => rows.filter((row) => row.kind === kind);
  return {
    now: Number(of('now')[0]?.n),
    draining: of('draining').length > 0,
    owned: of('owned').map(({ id, n }) => ({ runId: id, epoch: Number(n), owner })),
    orphans: of('dead').length > 0,
    elsewhere: of('elsewhere').map(({ n, ...row }) => elsewhereOf({ ...row, expires_at: n })),
  };
}

const elsewhereOf = ({ id, server, here, expires_at }: nodes.ElsewhereRow): Elsewhere => ({
  nodeId: id,
  server: String(server),
  here: String(here),
  expiresAt: Number(expires_at),
});

interface BeatRow {
  now: number | string;
  draining: number | string;
}
