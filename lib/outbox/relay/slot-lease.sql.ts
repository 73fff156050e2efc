import { id, sql, type Statement } from '../../sql/statement.js';
import { amongInts, int, nowOf, type RelayScope, underLeases } from './relay-scope.sql.js';
import type { AcquireSlots, SlotLease } from './slot-leases.js';

export interface LeaseRow {
  destination: string;
  slot: number | string;
  epoch: number | string;
  abandoned?: number | boolean;
}

export const seeDestinations = (scope: RelayScope, names: readonly string[]): Statement => sql`
  INSERT INTO ${scope.tables.destinations} (name, created_at, seen_at)
  SELECT n.name, ${nowOf(scope)}, ${nowOf(scope)}
  FROM ${scope.dialect.rows(JSON.stringify(names.map((name) => ({ name }))), { name: 'key' })} AS n ORDER BY n.name
  ${scope.dialect.onConflictUpdate([id('name')], (incoming) => sql`seen_at = ${incoming('seen_at')}`)}`;

/** Free since now: those whose slots they should be come first. */
export function insertSlots(scope: RelayScope, names: readonly string[], slots: number): Statement {
  const rows = names.flatMap((name) => Array.from({ length: slots }, (_, slot) => ({ name, slot })));
  const insert = sql`
  INSERT INTO ${scope.tables.slots} (destination, slot, epoch, lease_until)
  SELECT n.name, n.slot, 0, ${nowOf(scope)}
  FROM ${scope.dialect.rows(JSON.stringify(rows), { name: 'key', slot: 'int' })} AS n WHERE 1 = 1 ORDER BY n.name, n.slot`;
  return scope.dialect.insertOrKeep(insert, [id('destination'), id('slot')]);
}

export const selectDestinations = ({ tables }: RelayScope): Statement =>
  sql`SELECT name, seen_at FROM ${tables.destinations} ORDER BY name`;

export const forgetDestination = ({ tables }: RelayScope, name: string): Statement[] => [
  sql`DELETE FROM ${tables.destinations} WHERE name = ${name}`,
  sql`DELETE FROM ${tables.slots} WHERE destination = ${name}`,
  sql`DELETE FROM ${tables.channels} WHERE destination = ${name}`,
];

const isHeld = (scope: RelayScope, owner: string): Statement => sql`owner = ${owner} AND lease_until > ${nowOf(scope)}`;

const until = (scope: RelayScope, leaseMs: number): Statement => sql`${nowOf(scope)} + ${int(leaseMs)}`;

/** PostgreSQL. */
export const renewReturning = (scope: RelayScope, owner: string, leaseMs: number): Statement => sql`
  UPDATE ${scope.tables.slots} SET lease_until = ${until(scope, leaseMs)} WHERE ${isHeld(scope, owner)}
  RETURNING destination, slot, epoch`;

/** MySQL and MariaDB, in two statements, so that nothing stays locked when a process is stopped between them. */
export const renew = (scope: RelayScope, owner: string, leaseMs: number): Statement => sql`
  UPDATE ${scope.tables.slots} SET lease_until = ${until(scope, leaseMs)} WHERE ${isHeld(scope, owner)}`;

export const selectHeld = (scope: RelayScope, owner: string): Statement =>
  sql`SELECT destination, slot, epoch FROM ${scope.tables.slots} WHERE ${isHeld(scope, owner)}`;

/** Free for those whose it should be, or for a whole lease already; the wanted ones first. */
const selectFree = (scope: RelayScope, request: AcquireSlots): Statement => {
  const { destination, wanted, strays, leaseMs } = request;
  const isWanted = sql`slot ${amongInts(scope, wanted)}`;
  const free = (ms: number) => sql`(lease_until IS NULL OR lease_until <= ${nowOf(scope)} - ${int(ms)})`;
  const released = sql`(owner IS NULL OR ${free(0)})`;
  return sql`
  SELECT destination, slot, epoch, CASE WHEN owner IS NULL THEN 0 ELSE 1 END AS abandoned,
    CASE WHEN ${isWanted} THEN 1 ELSE 0 END AS wanted
  FROM ${scope.tables.slots}
  WHERE destination = ${destination} AND CASE WHEN ${isWanted} THEN ${released} ELSE ${free(leaseMs)} END
  ORDER BY CASE WHEN ${isWanted} THEN 0 ELSE 1 END, slot LIMIT ${int(wanted.length + strays)}`;
};

/**
 * PostgreSQL, in one statement: a process that is stopped must not keep slots locked that it was just taking. More strays
 * than asked for come along where wanted ones are not free, and are left.
 */
export const acquireReturning = (scope: RelayScope, owner: string, request: AcquireSlots): Statement => sql`
  WITH free AS MATERIALIZED (${selectFree(scope, request)} FOR UPDATE SKIP LOCKED),
  chosen AS (
    SELECT slot, abandoned FROM (
      SELECT free.*, row_number() OVER (PARTITION BY wanted ORDER BY slot) AS place FROM free
    ) AS listed WHERE wanted = 1 OR place <= ${int(request.strays)}
  )
  UPDATE ${scope.tables.slots} AS s SET owner = ${owner}, epoch = s.epoch + 1, lease_until = ${until(scope, request.leaseMs)}
  FROM chosen AS c WHERE s.destination = ${request.destination} AND s.slot = c.slot
  RETURNING s.destination, s.slot, s.epoch, c.abandoned`;

/** MySQL and MariaDB: what may be taken just now. */
export const selectFreeSlots = selectFree;

/** Those that nobody has taken meanwhile, and whose owner has not come back either: a renewal leaves the epoch as it is. */
export const takeSlots = (
  scope: RelayScope,
  owner: string,
  { destination, leaseMs }: AcquireSlots,
  leases: readonly SlotLease[],
): Statement => sql`
  UPDATE ${scope.tables.slots} SET owner = ${owner}, epoch = epoch + 1, lease_until = ${until(scope, leaseMs)}
  WHERE destination = ${destination} AND slot ${amongInts(
    scope,
    leases.map(({ slot }) => slot),
  )} AND (owner IS NULL OR lease_until IS NULL OR lease_until <= ${nowOf(scope)}) AND ${underLeases('', leases)}`;

/** Which of them are `owner`'s now. */
export const selectTaken = (
  scope: RelayScope,
  owner: string,
  destination: string,
  leases: readonly SlotLease[],
): Statement => sql`
  SELECT destination, slot, epoch FROM ${scope.tables.slots}
  WHERE destination = ${destination} AND ${isHeld(scope, owner)} AND ${underLeases('', leases)}`;

const LEASE = { destination: 'key', slot: 'int', epoch: 'int' } as const;

/** Free from now on: whoever else may have it only after a lease counts from here. */
export const releaseSlots = (scope: RelayScope, owner: string, leases: readonly SlotLease[]): Statement => sql`
  UPDATE ${scope.tables.slots} AS s SET owner = NULL, lease_until = ${nowOf(scope)}
  WHERE s.owner = ${owner} AND EXISTS (
    SELECT 1 FROM ${scope.dialect.rows(JSON.stringify(leases), LEASE)} AS g
    WHERE g.destination = s.destination AND g.slot = s.slot AND g.epoch = s.epoch)`;
