import { randomUUID } from 'node:crypto';
import type { Moment, MomentQuery } from '../protocol/moment.js';
import type { PortMethods } from '../protocol/port-methods.js';
import type { Transaction } from '../protocol/transaction.js';
import { type Act, type Acting, type ActKind, type ByOperator, type NewAct, operatorOf } from './act.js';

export interface ListActs {
  /** Acts on things of this namespace, or without one. */
  namespace: string;
  kind?: ActKind;
  target?: string;
  actor?: string;
  action?: string;
  /** Epoch ms: not before this time. */
  since?: number;
  /** Epoch ms: before this time. */
  until?: number;
  /** Only acts with a lower id: the last one of the previous page. */
  before?: string;
  limit: number;
}

export interface ListedActs {
  acts: Act[];
  /** `before` for the next page; undefined: there is none. */
  next?: string;
}

/** A thing whose acts belong to a run of a story. */
export interface ActTarget {
  kind: ActKind;
  target: string;
  /** The index of the run. */
  run: number;
}

/** An act of a story: `moment.item` is its id. */
export interface ActInStory {
  moment: Moment;
  act: Act;
}

/** Records what operators do. Append-only: only retention deletes, and only an erasure removes details. */
export interface ActLog {
  /**
   * Runs `work` in `tx`, or in a transaction of our own, which commits when it resolves. That one may run `work` again
   * after a deadlock.
   */
  within<T>(tx: Transaction | undefined, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Writes the acts in the given order, at the time of the storage's clock. Visible exactly if `tx` commits. */
  record(acts: readonly NewAct[], tx: Transaction): Promise<void>;
  /**
   * Newest first, by id. Each page begins where the last one ended, whatever is recorded meanwhile. Looks at a limited
   * number of acts, so that a page may have fewer than `limit`, or none, and others follow.
   */
  list(query: ListActs): Promise<ListedActs>;
  /** The next acts on these things, in the order of time; those of `namespace`, or without one. */
  story(namespace: string, targets: readonly ActTarget[], query: Omit<MomentQuery, 'runIds'>): Promise<ActInStory[]>;
  /** Deletes up to `limit` acts that were recorded at least `olderThanMs` ago, oldest first. Returns how many. */
  purge(olderThanMs: number, limit: number): Promise<number>;
  /** Removes the details of all acts on these things: they may hold what was there before. Returns how many had some. */
  forget(kind: ActKind, targets: readonly string[]): Promise<number>;
}

export const ACT_METHODS: PortMethods<ActLog> = {
  within: 'writes',
  record: 'writes',
  list: 'reads',
  story: 'reads',
  purge: 'finds',
  forget: 'writes',
};

/** What a change will replace, and where it is, if that is only known once it was found. */
export interface Found {
  namespace?: string;
  details?: Readonly<Record<string, unknown>>;
}

/** A change, as the record describes it. */
export interface Deed<T> extends Pick<NewAct, 'action' | 'kind' | 'target' | 'namespace'> {
  /** Reads what the change will replace; its locks last until the commit. */
  before?(tx: Transaction): Promise<Found>;
  outcome(result: T): { outcome: string; details?: Readonly<Record<string, unknown>> };
}

/**
 * Makes a change; if there is an actor, in one transaction with its record. When the change throws, nothing is recorded.
 *
 * @throws InvalidArgumentError for an invalid actor or reason, before anything is written.
 */
export async function acting<T>(
  log: ActLog,
  given: Acting,
  tx: Transaction | undefined,
  deed: Deed<T>,
  change: (tx: Transaction | undefined) => Promise<T>,
): Promise<T> {
  const by = operatorOf(given);
  if (!by) return change(tx);
  const { action, kind, target, namespace } = deed;
  return log.within(tx, async (own) => {
    const found = await deed.before?.(own);
    const result = await change(own);
    const { outcome, details } = deed.outcome(result);
    const what = { action, kind, target, namespace: found?.namespace ?? namespace };
    await log.record(
      [
        {
          ...by,
          ...what,
          outcome,
          details: { ...found?.details, ...details, ...(given.bulk && { bulk: given.bulk }) },
        },
      ],
      own,
    );
    return result;
  });
}

/** A change in many transactions, as the record describes it. */
type LongDeed = Pick<NewAct, 'action' | 'namespace' | 'details'>;

/**
 * Makes a change in many transactions and returns how many rows it has changed; if there is an actor, with an act of the
 * kind `bulk` before it, and another one with the number after it. Without the second one, the change was interrupted.
 *
 * @throws InvalidArgumentError for an invalid actor or reason, before anything is written.
 */
export async function actingInParts(
  log: Pick<ActLog, 'within' | 'record'>,
  given: ByOperator,
  { action, namespace, details }: LongDeed,
  change: () => Promise<number>,
): Promise<number> {
  const by = operatorOf(given);
  if (!by) return change();
  const what = { ...by, action, kind: 'bulk', target: randomUUID(), namespace } as const;
  const record = (outcome: string, more?: { count: number }) =>
    log.within(undefined, (tx) => log.record([{ ...what, outcome, details: { ...details, ...more } }], tx));
  await record('begun');
  const count = await change();
  await record('ended', { count });
  return count;
}
