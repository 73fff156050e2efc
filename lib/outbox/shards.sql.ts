import { OutboxOccupiedError } from '../core/errors.js';
import { amongKeys, amongNumbers, byFamily } from '../sql/dialects.js';
import { id, int, raw, sql, type Statement } from '../sql/statement.js';
import { type Clocked, nowOf, SqlAdapter } from '../sql/tables.js';
import { lookAtEra, type NumbersStay } from './events.sql.js';
import type { AcquireShards, ShardLease } from './shards.js';
import { isOurNode, type RelayNodes } from './storage.js';
import { type OutboxTables, shardExpression } from './tables.sql.js';

export interface LeaseRow {
  destination: string;
  shard: number | string;
  epoch: number | string;
  last_owner?: string | null;
}

export const seeDestinations = (scope: RelayScope, names: readonly string[]): Statement => sql`
  INSERT INTO ${scope.tables.destinations} (name, created_at, seen_at)
  SELECT n.name, ${nowOf(scope)}, ${nowOf(scope)}
  FROM ${scope.dialect.rows(
    names.map((name) => ({ name })),
    { name: 'key' },
  )} AS n ORDER BY n.name
  ${scope.dialect.onConflictUpdate([id('name')], (incoming) => sql`seen_at = ${incoming('seen_at')}`)}`;

/** What destinations want of the ends and blocks of runs. */
export const selectWants = ({ tables }: RelayScope): Statement =>
  sql`SELECT name, wants FROM ${tables.destinations} WHERE wants IS NOT NULL ORDER BY name`;

export interface LockedWishes {
  name: string;
  wants: string | null;
  now: number | string;
}

/** Other processes declare theirs after this one. */
export const lockWants = (scope: RelayScope, names: readonly string[]): Statement => sql`
  SELECT name, wants, ${nowOf(scope)} AS now FROM ${scope.tables.destinations} ${scope.dialect.forceIndex()}
  WHERE name ${amongKeys(scope.dialect, names)} ORDER BY name FOR UPDATE`;

export const writeWants = (
  { tables, dialect }: RelayScope,
  rows: readonly { name: string; wants: string }[],
): Statement =>
  dialect.updateFrom({
    table: tables.destinations,
    as: 'd',
    from: sql`${dialect.rows(rows, { name: 'key', wants: 'text' })} AS n`,
    on: raw('d.name = n.name'),
    set: { wants: raw('n.wants') },
  });

export const clearWants = ({ tables, dialect }: RelayScope, names: readonly string[]): Statement => sql`
  UPDATE ${tables.destinations} ${dialect.forceIndex()} SET wants = NULL WHERE name ${amongKeys(dialect, names)} AND wants IS NOT NULL`;

/** Free from now on: their assigned nodes may take them first. */
export function insertShards(scope: RelayScope, names: readonly string[], shards: number): Statement {
  const rows = names.flatMap((name) => Array.from({ length: shards }, (_, shard) => ({ name, shard })));
  const insert = sql`
  INSERT INTO ${scope.tables.shards} (destination, shard, epoch, lease_until)
  SELECT n.name, n.shard, 0, ${nowOf(scope)}
  FROM ${scope.dialect.rows(rows, { name: 'key', shard: 'int' })} AS n WHERE 1 = 1 ORDER BY n.name, n.shard`;
  return scope.dialect.insertOrKeep(insert, [id('destination'), id('shard')]);
}

export const selectDestinations = ({ tables }: RelayScope): Statement =>
  sql`SELECT name, seen_at FROM ${tables.destinations} ORDER BY name`;

export const forgetDestination = ({ tables }: RelayScope, name: string): Statement[] => [
  sql`DELETE FROM ${tables.destinations} WHERE name = ${name}`,
  sql`DELETE FROM ${tables.shards} WHERE destination = ${name}`,
  sql`DELETE FROM ${tables.channels} WHERE destination = ${name}`,
];

const isHeld = (scope: RelayScope, owner: string): Statement => sql`owner = ${owner} AND lease_until > ${nowOf(scope)}`;

const until = (scope: RelayScope, leaseMs: number): Statement => sql`${nowOf(scope)} + ${int(leaseMs)}`;

/** PostgreSQL. */
export const renewReturning = (scope: RelayScope, owner: string, leaseMs: number): Statement => sql`
  UPDATE ${scope.tables.shards} SET lease_until = ${until(scope, leaseMs)} WHERE ${isHeld(scope, owner)}
  RETURNING destination, shard, epoch`;

/** MySQL and MariaDB, in two statements, so that nothing stays locked if the process is suspended between them. */
export const renew = (scope: RelayScope, owner: string, leaseMs: number): Statement => sql`
  UPDATE ${scope.tables.shards} SET lease_until = ${until(scope, leaseMs)} WHERE ${isHeld(scope, owner)}`;

export const selectHeld = (scope: RelayScope, owner: string): Statement =>
  sql`SELECT destination, shard, epoch FROM ${scope.tables.shards} WHERE ${isHeld(scope, owner)}`;

/** Free for their assigned nodes, or for all nodes after a whole lease; the wanted ones first. */
const selectFree = (scope: RelayScope, request: AcquireShards): Statement => {
  const { destination, wanted, strays, leaseMs } = request;
  const isWanted = sql`shard ${amongNumbers(scope.dialect, wanted)}`;
  const free = (ms: number) => sql`(lease_until IS NULL OR lease_until <= ${nowOf(scope)} - ${int(ms)})`;
  const released = sql`(owner IS NULL OR ${free(0)})`;
  return sql`
  SELECT destination, shard, epoch, owner AS last_owner,
    CASE WHEN ${isWanted} THEN 1 ELSE 0 END AS wanted
  FROM ${scope.tables.shards}
  WHERE destination = ${destination} AND CASE WHEN ${isWanted} THEN ${released} ELSE ${free(leaseMs)} END
  ORDER BY CASE WHEN ${isWanted} THEN 0 ELSE 1 END, shard LIMIT ${int(wanted.length + strays)}`;
};

/**
 * PostgreSQL, in one statement: a process that is suspended must not keep shards locked. May find more strays than
 * requested if wanted shards are not free; these are skipped.
 */
export const acquireReturning = (scope: RelayScope, owner: string, request: AcquireShards): Statement => sql`
  WITH free AS MATERIALIZED (${selectFree(scope, request)} FOR UPDATE SKIP LOCKED),
  chosen AS (
    SELECT shard, last_owner FROM (
      SELECT free.*, row_number() OVER (PARTITION BY wanted ORDER BY shard) AS ordinal FROM free
    ) AS listed WHERE wanted = 1 OR ordinal <= ${int(request.strays)}
  )
  UPDATE ${scope.tables.shards} AS s SET owner = ${owner}, epoch = s.epoch + 1, lease_until = ${until(scope, request.leaseMs)}
  FROM chosen AS c WHERE s.destination = ${request.destination} AND s.shard = c.shard
  RETURNING s.destination, s.shard, s.epoch, c.last_owner`;

/** MySQL and MariaDB: the shards that may be taken now. */
export const selectFreeShards = selectFree;

/** Takes those that no other process has taken, and whose owner has not renewed: a renewal keeps the epoch. */
export const takeShards = (
  scope: RelayScope,
  owner: string,
  { destination, leaseMs }: AcquireShards,
  leases: readonly ShardLease[],
): Statement => sql`
  UPDATE ${scope.tables.shards} ${scope.dialect.forceIndex()} SET owner = ${owner}, epoch = epoch + 1, lease_until = ${until(scope, leaseMs)}
  WHERE destination = ${destination} AND shard ${amongNumbers(
    scope.dialect,
    leases.map(({ shard }) => shard),
  )} AND (owner IS NULL OR lease_until IS NULL OR lease_until <= ${nowOf(scope)}) AND ${underLeases('', leases)}`;

/** Which of them `owner` holds now. */
export const selectTaken = (
  scope: RelayScope,
  owner: string,
  destination: string,
  leases: readonly ShardLease[],
): Statement => sql`
  SELECT destination, shard, epoch FROM ${scope.tables.shards}
  WHERE destination = ${destination} AND ${isHeld(scope, owner)} AND ${underLeases('', leases)}`;

const LEASE = { destination: 'key', shard: 'int', epoch: 'int' } as const;

/** Frees shards: nodes other than the assigned one may take them one lease later. */
export const releaseShards = (scope: RelayScope, owner: string, leases: readonly ShardLease[]): Statement =>
  scope.dialect.updateFrom({
    table: scope.tables.shards,
    as: 's',
    from: sql`${scope.dialect.rows(leases, LEASE)} AS g`,
    on: sql`g.destination = s.destination AND g.shard = s.shard AND g.epoch = s.epoch AND s.owner = ${owner}`,
    set: { owner: raw('NULL'), lease_until: nowOf(scope) },
  });

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
export class SqlRelayNodes extends SqlAdapter<RelayScope> implements RelayNodes {
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

/** The context of the statements in this folder, besides their values. */
export interface RelayScope extends Clocked {
  readonly tables: OutboxTables;
  /** Whether delivered events are retained, marked as processed. */
  readonly retains: boolean;
}

/** Not delivered yet, in the form of PostgreSQL's partial index. */
export const isPending = ({ dialect }: RelayScope, alias: string): Statement => dialect.isFalse(`${alias}.processed`);

/** The shard of an outbox row, in the indexed form. */
export const shardOfRow = ({ dialect }: RelayScope, alias: string): Statement =>
  byFamily(dialect, {
    postgres: () => shardExpression(dialect, raw(`${alias}.channel`)),
    mysql: () => raw(`${alias}.shard`),
  });

/** The columns of an event, all as text except `rejected`. */
export const eventColumns = ({ dialect }: Pick<RelayScope, 'dialect'>, alias: string): Statement => {
  const text = (column: string) => dialect.cast(raw(`${alias}.${column}`), 'text');
  const plain = raw(['mutation_id', 'name', 'rejected'].map((column) => `${alias}.${column}`).join(', '));
  return sql`${text('sequence_id')} AS sequence_id, ${plain}, ${text('data')} AS data, ${text('headers')} AS headers`;
};

/** PostgreSQL: texts as one array parameter, for which the planner builds a hash table. */
export const textArray = (texts: readonly string[]): Statement =>
  sql`CAST(${`{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`} AS text[])`;

/** MySQL and MariaDB: a row of a shard under one of these leases. One text parameter for any number of them. */
export const underLeases = (alias: '' | 's.', leases: readonly { shard: number; epoch: number }[]): Statement =>
  sql`LOCATE(CONCAT('|', ${raw(alias)}shard, ':', ${raw(alias)}epoch, '|'), ${`|${leases.map(({ shard, epoch }) => `${shard}:${epoch}`).join('|')}|`}) > 0`;

/** A shard number as a parameter of fixed type, for every planner. */
export const shardValue = ({ dialect }: RelayScope, shard: number): Statement => dialect.cast(shard, 'int');
