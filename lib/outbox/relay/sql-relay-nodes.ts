import { OutboxOccupiedError } from '../../errors.js';
import { lookAtEra, type NumbersStay } from '../events/sql-outbox-era.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import * as nodes from './relay-node.sql.js';
import { isOurNode, type RelayNodes } from './relay-nodes.js';
import type { RelayScope } from './relay-scope.sql.js';

/** The published table of nodes. */
export class SqlRelayNodes implements RelayNodes {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async admit(): Promise<void> {
    const { rows } = await this.db.run<{ id: string }>(nodes.selectLive(this.scope));
    const foreign = rows.find(({ id }) => !isOurNode(id, this.scope.tables.prefix));
    if (foreign) throw new OutboxOccupiedError(foreign.id);
    const locked = await this.db.run<{ locked_by: string }>(nodes.selectLocked(this.scope));
    if (locked.rows[0]) throw new OutboxOccupiedError(locked.rows[0].locked_by);
  }

  lookAtEra(): Promise<NumbersStay | undefined> {
    return lookAtEra(this.db, this.scope.tables);
  }

  async beat(nodeId: string, timeoutMs: number): Promise<string[]> {
    await this.db.run(nodes.signIn(this.scope, nodeId, timeoutMs));
    await this.db.run(nodes.strikeOff(this.scope));
    const { rows } = await this.db.run<{ id: string }>(nodes.selectLive(this.scope));
    return rows.map(({ id }) => id).sort();
  }

  async leave(nodeId: string): Promise<void> {
    await this.db.run(nodes.signOff(this.scope, nodeId));
  }
}
