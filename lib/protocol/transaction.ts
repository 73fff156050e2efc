/**
 * An open transaction on its way from the part that opened it to the ports that write in it. Whoever writes says here whom
 * it wakes; what else is inside only the adapters of one storage know.
 */
export interface Transaction {
  /**
   * Calls `work` once after the outermost commit, in the order in which it was added. A rollback discards it, also one to
   * a savepoint in which it was added; so does the next try of a transaction that is tried again. A throw becomes a
   * warning of the process: it stops neither other works nor the caller. Best effort, since the process may die before it:
   * polling stands behind it.
   */
  afterCommit(work: () => void): void;
}

/** After the commit of `tx`; at once where what was written has committed by itself. */
export function afterCommit(tx: Transaction | undefined, work: () => void): void {
  if (tx) tx.afterCommit(work);
  else work();
}

/** What waits for one commit: all there is to a transaction in memory, where nothing is rolled back. */
export class CommitListeners implements Transaction {
  private readonly works: (() => void)[] = [];

  readonly afterCommit = (work: () => void): void => void this.works.push(work);

  /** It has committed. */
  tell(): void {
    for (const work of this.works.splice(0)) toldOf(work);
  }
}

/** In memory: `work` in `tx` where a port was given one, else in one of its own, which commits when `work` resolves. */
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

/** What has committed stays so, whatever is thrown by those who hear of it. */
export function toldOf(work: () => void): void {
  try {
    work();
  } catch (error) {
    const { stack = String(error) } = Object(error) as Partial<Error>;
    process.emitWarning(stack);
  }
}

/** Gathers what one transaction writes by several calls, so that whoever is woken by it is woken once. */
export class OncePerCommit<Item> {
  private readonly gathered = new WeakMap<Transaction, Item[]>();

  constructor(private readonly tell: (items: readonly Item[]) => void) {}

  /** Without `tx` at once. */
  add(tx: Transaction | undefined, items: readonly Item[]): void {
    if (items.length === 0) return;
    if (!tx) return this.tell(items);
    const before = this.gathered.get(tx);
    const all = before ?? [];
    // One by one: arguments of a call go on the stack, where a hundred thousand have no room.
    for (const item of items) all.push(item);
    if (before) return;
    this.gathered.set(tx, all);
    tx.afterCommit(() => this.tell(all));
  }
}
