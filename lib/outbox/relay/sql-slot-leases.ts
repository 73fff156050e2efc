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
    if (this.db.dialect.family === 'mysql') return this.acquireInSteps(owner, request);
    const { rows } = await this.db.run<slots.LeaseRow>(slots.acquireReturning(this.scope, owner, request));
    return rows.map(acquiredOf);
  }

  async release(owner: string, leases: readonly SlotLease[]): Promise<void> {
    if (leases.length > 0) await this.db.run(slots.releaseSlots(this.scope, owner, leases));
  }

  /** Without a transaction, so that nothing stays locked when this process is stopped in between. */
  private async acquireInSteps(owner: string, request: AcquireSlots): Promise<AcquiredSlot[]> {
    const { db, scope } = this;
    const free = (await db.run<FreeRow>(slots.selectFreeSlots(scope, request))).rows;
    const isWanted = ({ wanted }: FreeRow) => Number(wanted) === 1;
    // More strays than asked for come along where wanted ones are not free.
    const strays = free.filter((row) => !isWanted(row)).slice(0, request.strays);
    const asked = [...free.filter(isWanted), ...strays].map(acquiredOf);
    if (asked.length === 0) return [];
    await db.run(slots.takeSlots(scope, owner, request, asked));
    const raised = asked.map((lease) => ({ ...lease, epoch: lease.epoch + 1 }));
    const { rows } = await db.run<slots.LeaseRow>(slots.selectTaken(scope, owner, request.destination, raised));
    const taken = new Set(rows.map(({ slot }) => Number(slot)));
    return raised.filter(({ slot }) => taken.has(slot));
  }
}

type FreeRow = slots.LeaseRow & { wanted: number | string };

const acquiredOf = (row: slots.LeaseRow): AcquiredSlot => ({ ...leaseOf(row), abandoned: Number(row.abandoned) === 1 });

const leaseOf = ({ destination, slot, epoch }: slots.LeaseRow): SlotLease => ({
  destination,
  slot: Number(slot),
  epoch: Number(epoch),
});
