import { InvalidTransactionError } from '../../lib/core/errors.js';
import type { AwaitedGroups, EffectGroup } from '../../lib/effects/entries.js';

/** Transactions of an app without a database: what is joined hears of the commit, and of nothing when it rolls back. */
export function memoryTransactions() {
  const open = new WeakMap<object, (() => void)[]>();
  return {
    join(transaction: unknown) {
      const listeners = open.get(transaction as object);
      if (!listeners) throw new InvalidTransactionError('It is not open');
      return { afterCommit: (listener: () => void) => void listeners.push(listener) };
    },
    async begin<T>(work: (tx: unknown) => Promise<T>): Promise<T> {
      const tx = {};
      const listeners: (() => void)[] = [];
      open.set(tx, listeners);
      const answer = await work(tx);
      for (const listener of listeners) listener();
      return answer;
    },
  };
}

/** As if runs waited for these groups. */
export const amongAwaited =
  (awaited: readonly EffectGroup[]): AwaitedGroups =>
  async (groups) =>
    groups.filter((group) =>
      awaited.some(({ operation, subject }) => operation === group.operation && subject === group.subject),
    );
