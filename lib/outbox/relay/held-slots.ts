import type { AcquiredSlot, SlotLease } from './slot-leases.js';

/** A slot that this process publishes, until it gives it back or hears that it was lost. */
export class HeldSlot {
  /** The channel behind which the next look begins. */
  after = '';
  /** Nothing more is begun: it is given back once what is under way has ended. */
  draining = false;
  lost = false;
  /** Channels of it that are being delivered or acknowledged. */
  underway = 0;
  /** Kept though another should have it, who did not take it: see `SlotKeeper`. */
  strayUntil = 0;
  /** Its last owner died, and not all channels have been looked at since. */
  suspect: boolean;
  private readonly aborts = new Set<() => void>();

  constructor(
    readonly lease: SlotLease,
    abandoned: boolean,
    /** Until when it is ours at least, by the clock of elapsed time. */
    public endsAt: number,
  ) {
    this.suspect = abandoned;
  }

  /** Calls `abort` when the slot is lost. Answers a function that calls it off. */
  whenLost(abort: () => void): () => void {
    this.aborts.add(abort);
    return () => void this.aborts.delete(abort);
  }

  lose(): void {
    this.lost = true;
    for (const abort of this.aborts) abort();
    this.aborts.clear();
  }
}

/** What this process publishes, of all destinations. */
export class HeldSlots {
  private readonly slots = new Map<string, HeldSlot>();

  all(destination?: string): HeldSlot[] {
    const all = [...this.slots.values()];
    return destination === undefined ? all : all.filter(({ lease }) => lease.destination === destination);
  }

  get(destination: string, slot: number): HeldSlot | undefined {
    return this.slots.get(keyOf(destination, slot));
  }

  /** The slot under exactly this lease. */
  under(lease: SlotLease): HeldSlot | undefined {
    const held = this.get(lease.destination, lease.slot);
    return held?.lease.epoch === lease.epoch ? held : undefined;
  }

  add(acquired: AcquiredSlot, endsAt: number): HeldSlot {
    const { abandoned, ...lease } = acquired;
    const held = new HeldSlot(lease, abandoned, endsAt);
    this.slots.set(keyOf(lease.destination, lease.slot), held);
    return held;
  }

  /** It is somebody else's, or may be: whatever is under way is aborted. */
  lose(held: HeldSlot): void {
    if (held.lost) return;
    this.remove(held);
    held.lose();
  }

  remove(held: HeldSlot): void {
    const key = keyOf(held.lease.destination, held.lease.slot);
    if (this.slots.get(key) === held) this.slots.delete(key);
  }
}

const keyOf = (destination: string, slot: number): string => `${slot}:${destination}`;
