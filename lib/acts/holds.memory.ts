import type { Clock } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import {
  type HeldThing,
  type Hold,
  type HoldKind,
  type HoldStore,
  inOrder,
  isInNamespace,
  type NewHold,
} from './holds.js';

/** The table of holds in memory, by namespace, kind and name. */
export class MemoryHolds {
  readonly holds = new Map<string, Hold & { namespace: string | null }>();
}

const keyOf = (namespace: string, { kind, name }: HeldThing): string =>
  JSON.stringify([isInNamespace(kind) ? namespace : null, kind, name]);

/** The names of what is held: for claims, as in SQL. */
export const heldIn = ({ holds }: MemoryHolds, namespace: string, kind: HoldKind, now: number): ReadonlySet<string> =>
  new Set(
    [...holds.values()].filter((hold) => hold.kind === kind && isInForce(hold, namespace, now)).map(({ name }) => name),
  );

const isInForce = (hold: Hold & { namespace: string | null }, namespace: string, now: number): boolean =>
  (hold.namespace ?? namespace) === namespace && (hold.until === undefined || hold.until.getTime() > now);

/** The counterpart of `SqlHoldStore`. */
export class InMemoryHoldStore implements HoldStore {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly table = new MemoryHolds(),
  ) {}

  async put(namespace: string, hold: NewHold, tx: Transaction): Promise<Hold | undefined> {
    const before = this.find(namespace, hold);
    const since = before?.since ?? new Date(this.clock.now());
    const { kind, name, actor, reason, until } = hold;
    const row = { kind, name, since, actor, reason, until };
    this.table.holds.set(keyOf(namespace, hold), { ...row, namespace: isInNamespace(kind) ? namespace : null });
    this.tell(tx);
    return before;
  }

  async lift(namespace: string, thing: HeldThing, tx: Transaction): Promise<Hold | undefined> {
    const before = this.find(namespace, thing);
    if (this.table.holds.delete(keyOf(namespace, thing))) this.tell(tx);
    return before;
  }

  async list(namespace: string): Promise<Hold[]> {
    return [...this.table.holds.values()]
      .filter((hold) => isInForce(hold, namespace, this.clock.now()))
      .map(({ namespace: _, ...hold }) => hold)
      .sort(inOrder);
  }

  onChanged(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private find(namespace: string, thing: HeldThing): Hold | undefined {
    const row = this.table.holds.get(keyOf(namespace, thing));
    if (!row || !isInForce(row, namespace, this.clock.now())) return undefined;
    const { namespace: _, ...hold } = row;
    return hold;
  }

  private tell(tx: Transaction): void {
    tx.afterCommit(() => this.listeners.forEach((listener) => listener()));
  }
}
