import { real } from './time.js';

/**
 * An open transaction, passed from its opener to the ports that write in it. Writers register notifications with it;
 * only the adapters of one storage know its other contents.
 */
export interface Transaction {
  /**
   * Calls `work` once after the outermost commit, in the order of registration. A rollback discards it, also that of a
   * savepoint in which it was registered, and so does the retry of the transaction. If `work` throws, the process emits
   * a warning; other works and the caller continue. Best effort, since the process may die before: polling is the
   * fallback.
   */
  afterCommit(work: () => void): void;
}

/** Calls `work` after the commit of `tx`, or at once without `tx`, since the write has committed already. */
export function afterCommit(tx: Transaction | undefined, work: () => void): void {
  if (tx) tx.afterCommit(work);
  else work();
}

/**
 * The listeners of one commit: a new one for each attempt, since those that are not told are dropped. A transaction in
 * memory is nothing else, since nothing is rolled back there.
 */
export class CommitListeners implements Transaction {
  private readonly works: (() => void)[] = [];

  readonly afterCommit = (work: () => void): void => void this.works.push(work);

  /** Calls all listeners, after the commit and once its connection is released, which they may need. */
  tell(): void {
    for (const work of this.works.splice(0)) toldOf(work);
  }
}

/** Converts an app's handle into a transaction in memory. */
export interface MemoryTransactions {
  /** @throws InvalidTransactionError when it is not an open transaction. */
  join(handle: unknown): Transaction;
}

/** In memory: runs `work` in `tx` if given, else in a new transaction, which commits when `work` resolves. */
export async function inMemoryTransaction<T>(
  tx: Transaction | undefined,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (tx) return work(tx);
  const own = new CommitListeners();
  const answer = await work(own);
  own.tell();
  return answer;
}

/** Calls a commit listener. An error of it becomes a warning, since the commit cannot be undone. */
export function toldOf(work: () => void): void {
  try {
    work();
  } catch (error) {
    const { stack = String(error) } = Object(error) as Partial<Error>;
    process.emitWarning(stack);
  }
}

/**
 * Collects the items of several writes of one transaction, so that `tell` is called once, after the commit. Every write
 * registers a work of its own: a transaction may be known by several objects, and a savepoint that is rolled back drops
 * only its own items.
 */
export class OncePerCommit<Item> {
  private committed: Item[] = [];

  constructor(private readonly tell: (items: readonly Item[]) => void) {}

  /** Without `tx`, calls `tell` at once. */
  add(tx: Transaction | undefined, items: readonly Item[]): void {
    if (items.length === 0) return;
    if (tx) tx.afterCommit(() => this.gather(items));
    else this.tell(items);
  }

  /** All works of a commit are called synchronously, one after the other: the microtask runs after the last. */
  private gather(items: readonly Item[]): void {
    if (this.committed.length === 0) real.queueMicrotask(() => toldOf(() => this.tell(this.committed.splice(0))));
    // One by one: a spread call puts its arguments on the stack, which overflows with a hundred thousand.
    for (const item of items) this.committed.push(item);
  }
}

/**
 * The effect of a port's method on stored data. `reads`: none, it returns data. `tells`: none, it sends or receives
 * notifications. `lives`: it writes leases of nodes, which expire. `finds`: it changes only the rows that it finds and
 * returns, as an array, a count, or an object with a count. `writes`: any other change.
 */
export type MethodEffect = 'reads' | 'tells' | 'lives' | 'finds' | 'writes';

type MethodOf<Port> = {
  [Name in keyof Port]-?: NonNullable<Port[Name]> extends (...args: never[]) => unknown ? Name : never;
}[keyof Port];

/** The effects of all methods of a port: a port with a new method does not compile until its effect is added here. */
export type PortMethods<Port> = { readonly [Name in MethodOf<Port>]: MethodEffect };

export type StorageMethods<Storage> = { readonly [Name in keyof Storage]: PortMethods<Storage[Name]> };
