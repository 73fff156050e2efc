import type { OpenStorage } from './engine-storage.js';

/** A call of a port, as `store.commit`. */
export type PortCall = `${Port}.${string}`;

const PORTS = [
  ...(['store', 'catalog', 'control', 'removal', 'edits', 'insight', 'roster', 'stranded', 'transactions'] as const),
  ...(['mailbox', 'admissions', 'schedules', 'acts', 'dispatcher', 'answers', 'source'] as const),
  ...(['erasure', 'erasureReads', 'lives', 'holds'] as const),
];
type Port = (typeof PORTS)[number];

export interface PortHooks {
  /** Before the call; what it throws, the call throws. */
  before?(call: PortCall, args: readonly unknown[]): void | Promise<void>;
  /** After the call, before the caller hears of it. */
  after?(call: PortCall, args: readonly unknown[], answer: unknown): void | Promise<void>;
  /** For storage that cannot roll back: what has begun when the process dies is done as a whole. */
  wholeTransactions?: boolean;
}

export interface Mortal {
  storage: OpenStorage;
  kill: () => void;
  /** Resolves once all that it has asked of these ports, by default of all, is done: a statement outlives its process. */
  settled: (...of: (Port | PortCall)[]) => Promise<void>;
}

type Work = ((...args: unknown[]) => Promise<unknown>) & { carried?: (...args: unknown[]) => unknown };

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Subscriptions, and what only looks around. */
const isSynchronous = (method: string): boolean =>
  /^(on[A-Z]|join$|ambient$|offer$|dispatched$|handBack$)/.test(method);

/**
 * A process's storage until it dies: from then on nothing it asks reaches the storage, nothing comes back, and its
 * open transactions roll back, as when the process was killed.
 */
export function mortal(storage: OpenStorage, hooks: PortHooks = {}): Mortal {
  let dead = false;
  /** How many transactions that must be done as a whole are under way. */
  let inside = 0;
  let die!: () => void;
  const death = new Promise<never>((_, reject) => (die = () => reject(new Error('The process was killed'))));
  death.catch(() => undefined);
  const subscriptions: (() => void)[] = [];
  const underWay = new Map<Promise<unknown>, PortCall>();
  const noted = (call: PortCall, answer: Promise<unknown>): Promise<unknown> => {
    const forget = () => void underWay.delete(answer);
    underWay.set(answer, call);
    answer.then(forget, forget);
    return answer;
  };

  /** A heartbeat is part of no transaction: it would sign the dead in again. */
  const isOver = (call: PortCall): boolean => dead && (inside === 0 || call.startsWith('roster.'));
  const asynchronous =
    (call: PortCall, method: (...args: unknown[]) => Promise<unknown>) =>
    async (...args: unknown[]): Promise<unknown> => {
      if (isOver(call)) return never();
      try {
        await hooks.before?.(call, args);
        if (isOver(call)) return await never();
        const answer = await noted(
          call,
          method(...args.map((arg) => (typeof arg === 'function' ? untilDeath(call, arg as never) : arg))),
        );
        await hooks.after?.(call, args, answer);
        return isOver(call) ? await never() : answer;
      } catch (error) {
        if (dead) return never();
        throw error;
      }
    };
  /** Work inside of a transaction. */
  const untilDeath = (call: PortCall, work: Work): Work => {
    const mortalWork = async (...args: unknown[]) => {
      // The app's own work ends with its process in any case.
      const isWhole = hooks.wholeTransactions && call !== 'transactions.begin';
      if (!isWhole) return Promise.race([death, work(...args)]);
      inside++;
      try {
        return await work(...args);
      } finally {
        inside--;
      }
    };
    // A commit that has written everything by itself only tells of it.
    return Object.assign(mortalWork, work.carried && { carried: synchronous(work.carried) });
  };
  const synchronous =
    (method: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      if (dead) return undefined;
      const answer = method(...args);
      if (typeof answer === 'function') subscriptions.push(answer as () => void);
      return answer;
    };
  const wrap = <T extends object>(name: string, port: T): T =>
    new Proxy(port, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target);
        if (typeof member !== 'function') return member;
        const method = member.bind(target) as (...args: unknown[]) => never;
        if (isSynchronous(String(key))) return synchronous(method);
        return asynchronous(`${name}.${String(key)}` as PortCall, method);
      },
    });
  return {
    storage: {
      ...storage,
      ...(Object.fromEntries(PORTS.map((name) => [name, wrap(name, storage[name])])) as Pick<OpenStorage, Port>),
    },
    kill: () => {
      dead = true;
      die();
      for (const unsubscribe of subscriptions) unsubscribe();
    },
    settled: async (...of) => {
      const isAsked = (call: PortCall) =>
        of.length === 0 || of.some((one) => call === one || call.startsWith(`${one}.`));
      await Promise.allSettled([...underWay].flatMap(([answer, call]) => (isAsked(call) ? [answer] : [])));
    },
  };
}
