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

/** The listeners of one commit. A transaction in memory is nothing else, since nothing is rolled back there. */
export class CommitListeners implements Transaction {
  private readonly works: (() => void)[] = [];

  readonly afterCommit = (work: () => void): void => void this.works.push(work);

  /** Calls all listeners, after the commit. */
  tell(): void {
    for (const work of this.works.splice(0)) toldOf(work);
  }
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

/** Collects the items of several writes of one transaction, so that `tell` is called once, after the commit. */
export class OncePerCommit<Item> {
  private readonly gathered = new WeakMap<Transaction, Item[]>();

  constructor(private readonly tell: (items: readonly Item[]) => void) {}

  /** Without `tx`, calls `tell` at once. */
  add(tx: Transaction | undefined, items: readonly Item[]): void {
    if (items.length === 0) return;
    if (!tx) return this.tell(items);
    const before = this.gathered.get(tx);
    const all = before ?? [];
    // One by one: a spread call puts its arguments on the stack, which overflows with a hundred thousand.
    for (const item of items) all.push(item);
    if (before) return;
    this.gathered.set(tx, all);
    tx.afterCommit(() => this.tell(all));
  }
}
