import type { DestinationRoster, KnownDestination } from './destination-roster.js';
import { type HeldSlot, keyOf, type MemoryOutbox } from './memory-outbox.js';
import type { AcquiredSlot, AcquireSlots, SlotLease, SlotLeases } from './slot-leases.js';

/** Destinations in a map. */
export class InMemoryDestinationRoster implements DestinationRoster {
  constructor(private readonly tables: MemoryOutbox) {}

  async register(names: readonly string[], slots: number): Promise<void> {
    const now = this.tables.clock.now();
    for (const name of names) {
      this.tables.destinations.set(name, now);
      for (let slot = 0; slot < slots; slot++) {
        const key = keyOf(name, slot);
        if (!this.tables.slots.has(key)) this.tables.slots.set(key, { owner: undefined, epoch: 0, until: now });
      }
    }
  }

  async known(): Promise<KnownDestination[]> {
    const all = [...this.tables.destinations].map(([name, seenAt]) => ({ name, seenAt }));
    return all.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async forget(name: string): Promise<void> {
    this.tables.destinations.delete(name);
    for (const rows of [this.tables.slots, this.tables.channels])
      for (const key of rows.keys()) if (key.startsWith(`${name}\n`)) rows.delete(key);
  }
}

/** Leases in a map. */
export class InMemorySlotLeases implements SlotLeases {
  constructor(private readonly tables: MemoryOutbox) {}

  async renew(owner: string, leaseMs: number): Promise<SlotLease[]> {
    const now = this.tables.clock.now();
    const ours = [...this.tables.slots].filter(([, held]) => held.owner === owner && held.until > now);
    return ours.map(([key, held]) => {
      held.until = now + leaseMs;
      return { ...named(key), epoch: held.epoch };
    });
  }

  async acquire(owner: string, { destination, wanted, strays, leaseMs }: AcquireSlots): Promise<AcquiredSlot[]> {
    const now = this.tables.clock.now();
    const all = [...this.tables.slots].filter(([key]) => named(key).destination === destination);
    const isWanted = (key: string) => wanted.includes(named(key).slot);
    const free = all.filter(([key, held]) => isWanted(key) && (held.owner === undefined || held.until <= now));
    const stray = all.filter(([key, held]) => !isWanted(key) && held.until <= now - leaseMs).slice(0, strays);
    return [...free, ...stray].map(([key, held]) => take(key, held, owner, now + leaseMs));
  }

  async release(owner: string, leases: readonly SlotLease[]): Promise<void> {
    for (const { destination, slot, epoch } of leases) {
      const held = this.tables.slots.get(keyOf(destination, slot));
      if (held?.owner !== owner || held.epoch !== epoch) continue;
      held.owner = undefined;
      held.until = this.tables.clock.now();
    }
  }
}

function take(key: string, held: HeldSlot, owner: string, until: number): AcquiredSlot {
  const abandoned = held.owner !== undefined;
  Object.assign(held, { owner, until, epoch: held.epoch + 1 });
  return { ...named(key), epoch: held.epoch, abandoned };
}

const named = (key: string): { destination: string; slot: number } => {
  const [destination = '', slot] = key.split('\n');
  return { destination, slot: Number(slot) };
};
