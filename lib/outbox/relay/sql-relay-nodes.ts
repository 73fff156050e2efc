import { OutboxOccupiedError } from '../../errors/outbox-errors.js';
import { type NumbersStay, lookAtEra } from '../events/sql-outbox-era.js';
import { type RelayNodes, isOurNode } from './relay-storage.js';
import type { RelayScope } from './relay-scope.sql.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import { type Statement, id, sql } from '../../sql/dialects/statement.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { nowOf } from '../../sql/tables.js';

/** The published tables have times in UTC without a time zone. */
const utcIn = (scope: RelayScope, ms: number): Statement =>
  byFamily(scope.dialect, {
    postgres: () => sql`(to_timestamp((${nowOf(scope)} + CAST(${ms} AS bigint)) / 1000.0) AT TIME ZONE 'utc')`,
    mysql: () => sql`TIMESTAMPADD(MICROSECOND, (${nowOf(scope)} + ${ms}) * 1000, '1970-01-01 00:00:00')`,
  });

export const signIn = (scope: RelayScope, nodeId: string, timeoutMs: number): Statement => sql`
  INSERT INTO ${scope.tables.nodes} (id, expiry) VALUES (${nodeId}, ${utcIn(scope, timeoutMs)})
  ${scope.dialect.onConflictUpdate([id('id')], (incoming) => sql`expiry = ${incoming('expiry')}`)}`;

export const strikeOff = (scope: RelayScope): Statement =>
  sql`DELETE FROM ${scope.tables.nodes} WHERE expiry <= ${utcIn(scope, 0)}`;

export const selectLive = (scope: RelayScope): Statement =>
  sql`SELECT id FROM ${scope.tables.nodes} WHERE expiry > ${utcIn(scope, 0)} ORDER BY id`;

export const signOff = (scope: RelayScope, nodeId: string): Statement =>
  sql`DELETE FROM ${scope.tables.nodes} WHERE id = ${nodeId}`;

/** A row that another connector has locked for publishing. */
export const selectLocked = (scope: RelayScope): Statement => sql`
  SELECT locked_by FROM ${scope.tables.outbox}
  WHERE ${scope.dialect.isFalse('processed')}
    AND locked_by IS NOT NULL AND lock_expiry > ${utcIn(scope, 0)} LIMIT 1`;

/** The published table of nodes. */
export class SqlRelayNodes implements RelayNodes {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async admit(): Promise<void> {
    const { rows } = await this.db.run<{ id: string }>(selectLive(this.scope));
    const foreign = rows.find(({ id }) => !isOurNode(id, this.scope.tables.prefix));
    if (foreign) throw new OutboxOccupiedError(foreign.id);
    const locked = await this.db.run<{ locked_by: string }>(selectLocked(this.scope));
    if (locked.rows[0]) throw new OutboxOccupiedError(locked.rows[0].locked_by);
  }

  lookAtEra(): Promise<NumbersStay | undefined> {
    return lookAtEra(this.db, this.scope.tables);
  }

  async beat(nodeId: string, timeoutMs: number): Promise<string[]> {
    await this.db.run(signIn(this.scope, nodeId, timeoutMs));
    await this.db.run(strikeOff(this.scope));
    const { rows } = await this.db.run<{ id: string }>(selectLive(this.scope));
    return rows.map(({ id }) => id).sort();
  }

  async leave(nodeId: string): Promise<void> {
    await this.db.run(signOff(this.scope, nodeId));
  }
}
