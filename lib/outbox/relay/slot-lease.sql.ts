import { id, join, list, sql, type Statement } from '../../sql/statement.js';
import { int, nowOf, type RelayScope } from './relay-scope.sql.js';
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

/** Locked, so that what is answered is what is renewed. */
export const selectHeld = (scope: RelayScope, owner: string): Statement => sql`
  SELECT destination, slot, epoch FROM ${scope.tables.slots} WHERE ${isHeld(scope, owner)}
  ORDER BY destination, slot FOR UPDATE`;

export const renewLeases = (scope: RelayScope, leases: readonly LeaseKey[], leaseMs: number): Statement => sql`
  UPDATE ${scope.tables.slots} SET lease_until = ${until(scope, leaseMs)} WHERE ${among(leases)}`;

type LeaseKey = Pick<SlotLease, 'destination' | 'slot'>;

const among = (leases: readonly LeaseKey[]): Statement =>
  sql`(destination, slot) IN (${join(leases.map(({ destination, slot }) => sql`(${destination}, ${int(slot)})`))})`;

/** Free for those whose it should be, or for a whole lease already; the wanted ones first. */
export const selectFree = (scope: RelayScope, request: AcquireSlots): Statement => {
  const { destination, wanted, strays, leaseMs } = request;
  const isWanted = sql`slot IN ${list(wanted.map(int))}`;
  const free = (ms: number) => sql`(lease_until IS NULL OR lease_until <= ${nowOf(scope)} - ${int(ms)})`;
  const released = sql`(owner IS NULL OR ${free(0)})`;
  return sql`
  SELECT destination, slot, epoch, CASE WHEN owner IS NULL THEN 0 ELSE 1 END AS abandoned FROM ${scope.tables.slots}
  WHERE destination = ${destination} AND CASE WHEN ${isWanted} THEN ${released} ELSE ${free(leaseMs)} END
  ORDER BY CASE WHEN ${isWanted} THEN 0 ELSE 1 END, slot LIMIT ${int(wanted.length + strays)} FOR UPDATE SKIP LOCKED`;
};

export const takeSlots = (scope: RelayScope, owner: string, leases: readonly LeaseKey[], leaseMs: number): Statement =>
  sql`
  UPDATE ${scope.tables.slots} SET owner = ${owner}, epoch = epoch + 1, lease_until = ${until(scope, leaseMs)}
  WHERE ${among(leases)}`;

/** Free from now on: whoever else may have it only after a lease counts from here. */
export const releaseSlots = (scope: RelayScope, owner: string, leases: readonly SlotLease[]): Statement => sql`
  UPDATE ${scope.tables.slots} SET owner = NULL, lease_until = ${nowOf(scope)}
  WHERE owner = ${owner} AND (${join(
    leases.map(
      ({ destination, slot, epoch }) =>
        sql`(destination = ${destination} AND slot = ${int(slot)} AND epoch = ${int(epoch)})`,
    ),
    ' OR ',
  )})`;
