import type { OpenStorage } from './engine-storage.js';

/** A call of a port, as `store.commit`. */
export type PortCall = `${'store' | 'catalog' | 'roster' | 'dispatcher' | 'transactions' | 'source'}.${string}`;

export interface PortHooks {
  /** Before the call; what it throws, the call throws. */
  before?(call: PortCall, args: readonly unknown[]): void | Promise<void>;
  /** After the call, before the caller hears of it. */
  after?(call: PortCall, args: readonly unknown[], answer: unknown): void | Promise<void>;
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

const SYNCHRONOUS = new Set([
  'join',
  'ambient',
  'announce',
  'announceDue',
  'onRuns',
  'onFinished',
  'onAnswers',
  'onTasks',
]);

/**
 * A process's storage until it dies: from then on nothing it asks reaches the storage, nothing comes back, and its
 * open transactions roll back, as when the process was killed.
 */
export function mortal(storage: OpenStorage, hooks: PortHooks = {}): { storage: OpenStorage; kill: () => void } {
  let dead = false;
  let die!: () => void;
  const death = new Promise<never>((_, reject) => (die = () => reject(new Error('The process was killed'))));
  death.catch(() => undefined);
  const subscriptions: (() => void)[] = [];

  const asynchronous =
    (call: PortCall, method: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      if (dead) return never();
      try {
        await hooks.before?.(call, args);
        if (dead) return await never();
        const answer = await method(...args.map((arg) => (typeof arg === 'function' ? untilDeath(arg as never) : arg)));
        await hooks.after?.(call, args, answer);
        return dead ? await never() : answer;
      } catch (error) {
        if (dead) return never();
        throw error;
      }
    };
  /** Work inside of a transaction. */
  const untilDeath =
    (work: (...args: unknown[]) => Promise<unknown>) =>
    (...args: unknown[]) =>
      Promise.race([death, work(...args)]);
  const synchronous =
    (method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      if (dead) return undefined;
      const answer = method(...args);
      if (typeof answer === 'function') subscriptions.push(answer as () => void);
      return answer;
    };
  const wrap = <Port extends object>(name: string, port: Port): Port =>
    new Proxy(port, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target);
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...args: unknown[]) => never;
        if (SYNCHRONOUS.has(String(key))) return synchronous(method);
        return asynchronous(`${name}.${String(key)}` as PortCall, method);
      },
    });
  return {
    storage: {
      ...storage,
      store: wrap('store', storage.store),
      catalog: wrap('catalog', storage.catalog),
      roster: wrap('roster', storage.roster),
      dispatcher: wrap('dispatcher', storage.dispatcher),
      source: wrap('source', storage.source),
      transactions: wrap('transactions', storage.transactions),
    },
    kill: () => {
      dead = true;
      die();
      for (const unsubscribe of subscriptions) unsubscribe();
    },
  };
}
