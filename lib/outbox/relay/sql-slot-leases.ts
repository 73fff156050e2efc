import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { RelayScope } from './relay-scope.sql.js';
import * as slots from './slot-lease.sql.js';
import type { AcquiredSlot, AcquireSlots, SlotLease, SlotLeases } from './slot-leases.js';

/** A row for each slot of each destination. */
export class SqlSlotLeases implements SlotLeases {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  async renew(owner: string, leaseMs: number): Promise<SlotLease[]> {
    const { db, scope } = this;
    if (db.dialect.family === 'postgres')
      return (await db.run<slots.LeaseRow>(slots.renewReturning(scope, owner, leaseMs))).rows.map(leaseOf);
    await db.run(slots.renew(scope, owner, leaseMs));
    return (await db.run<slots.LeaseRow>(slots.selectHeld(scope, owner))).rows.map(leaseOf);
  }

  async acquire(owner: string, request: AcquireSlots): Promise<AcquiredSlot[]> {
    if (request.wanted.length + request.strays === 0) return [];
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<slots.LeaseRow>(slots.selectFree(this.scope, request));
      // More strays than asked for come along where wanted ones are not free.
      const wanted = new Set(request.wanted);
      const strays = rows.filter(({ slot }) => !wanted.has(Number(slot))).slice(0, request.strays);
      const taken = [...rows.filter(({ slot }) => wanted.has(Number(slot))), ...strays];
      if (taken.length === 0) return [];
      const numbers = taken.map(({ slot }) => Number(slot));
      await tx.run(slots.takeSlots(this.scope, owner, request.destination, numbers, request.leaseMs));
      return taken.map((row) => ({
        ...leaseOf(row),
        epoch: Number(row.epoch) + 1,
        abandoned: Number(row.abandoned) === 1,
      }));
    });
  }

  async release(owner: string, leases: readonly SlotLease[]): Promise<void> {
    if (leases.length > 0) await this.db.run(slots.releaseSlots(this.scope, owner, leases));
  }
}

const leaseOf = ({ destination, slot, epoch }: slots.LeaseRow): SlotLease => ({
  destination,
  slot: Number(slot),
  epoch: Number(epoch),
});
