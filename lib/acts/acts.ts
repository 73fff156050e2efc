import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../core/errors.js';
import { checkedLimit, checkedOneOf, checkedOptions, checkedTime, type KnownOptions } from '../core/options.js';
import { isStorable, type Moment, type MomentQuery } from '../core/protocol.js';
import type { PortMethods, Transaction } from '../core/transaction.js';

/** Who changes something by hand, and why. With an actor, the change and its record in the act log are one transaction. */
export interface ByOperator {
  /** Who: a user name, an address. 1 to 191 characters. Default: nobody, and nothing is recorded. */
  actor?: string;
  /** Why, for the record. 1 to 1,000 characters. */
  reason?: string;
}

/** A change that may be one of many of a bulk. */
interface Acting extends ByOperator {
  /** The id of the bulk. */
  bulk?: string;
}

/** Who and why, for functions that only operators call: both are required. */
export interface ActedBy {
  /** Who: a user name, an address. 1 to 191 characters. */
  actor: string;
  /** Why, for the record. 1 to 1,000 characters. */
  reason: string;
}

export const OPERATOR_OPTIONS = { actor: true, reason: true } satisfies KnownOptions<ActedBy>;

/** The kind of thing that was changed. A step is recorded with its run. `bulk`: an act on many things. */
export type ActKind = 'run' | 'signal' | 'schedule' | 'channel' | 'destination' | 'effect' | 'hold' | 'node' | 'bulk';

export const ACT_KINDS: readonly ActKind[] = [
  ...(['run', 'signal', 'schedule', 'channel', 'destination', 'effect', 'hold', 'node', 'bulk'] as const),
];

/** What an operator is about to do, as it is recorded. */
export interface NewAct {
  readonly actor: string;
  readonly reason: string | null;
  /** The verb, such as `cancel`. At most 64 characters. */
  readonly action: string;
  readonly kind: ActKind;
  /** The id or name of the thing. */
  readonly target: string;
  /** Null: what it belongs to has no namespaces. */
  readonly namespace: string | null;
  /** JSON values: what was there before, and what the act was given. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What came of it, such as `ended`. At most 64 characters. */
  readonly outcome: string;
}

/** What an operator did. */
export interface Act extends NewAct {
  /** Increases in the order of writing. */
  readonly id: string;
  readonly at: Date;
}

const LONGEST_ACTOR = 191;
const LONGEST_REASON = 1_000;

/**
 * Who acts; undefined without an actor.
 *
 * @throws InvalidArgumentError for an invalid actor or reason, and for a reason without an actor.
 */
export function operatorOf({ actor, reason }: ByOperator): Pick<NewAct, 'actor' | 'reason'> | undefined {
  if (actor === undefined && reason === undefined) return undefined;
  return {
    actor: checkedText('actor', actor, LONGEST_ACTOR),
    reason: reason === undefined ? null : checkedText('reason', reason, LONGEST_REASON),
  };
}

/** @throws InvalidArgumentError unless there are both an actor and a reason. */
export const requiredOperator = (given: Partial<ActedBy> | undefined): ActedBy => ({
  actor: checkedText('actor', given?.actor, LONGEST_ACTOR),
  reason: checkedText('reason', given?.reason, LONGEST_REASON),
});

/** Length in code points, as the databases count. */
function checkedText(argument: 'actor' | 'reason', text: unknown, longest: number): string {
  if (isStorable(text) && text.trim() !== '' && [...text].length <= longest) return text;
  const expected = argument === 'actor' ? 'who acts' : 'why';
  throw new InvalidArgumentError(argument, text, `${expected}, as a text of 1 to ${longest} characters`);
}

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

export interface ListActsOptions {
  kind?: ActKind;
  /** The id or name of what was changed: of a run, a schedule, a channel, an effect. */
  target?: string;
  actor?: string;
  /** The verb, such as `cancel`. */
  action?: string;
  /** Not before this time. */
  since?: Date;
  /** Before this time. */
  until?: Date;
  /** The maximum number of acts of a page, from 1 to 1,000. Default 100. */
  limit?: number;
  /** The cursor of the previous page. */
  cursor?: string;
}

const LIST_OPTIONS = {
  kind: true,
  target: true,
  actor: true,
  action: true,
  since: true,
  until: true,
  limit: true,
  cursor: true,
} satisfies KnownOptions<ListActsOptions>;

export interface ActPage {
  /** Newest first. */
  acts: Act[];
  /** For the next page; undefined on the last one. */
  cursor?: string;
}

/**
 * Shows what operators did: who, when, why, and what was there before.
 *
 * @example
 * const { acts } = await operatorActs.list({ kind: 'run', target: 'order-7' });
 */
export class OperatorActs {
  constructor(
    private readonly log: Pick<ActLog, 'list'>,
    private readonly namespace: string,
  ) {}

  /**
   * Lists acts, newest first, page by page. A page looks at 10,000 acts, so that one with several filters may have none,
   * and a cursor.
   *
   * @throws InvalidArgumentError
   */
  async list(options: ListActsOptions = {}): Promise<ActPage> {
    const query = queryOf(checkedOptions(options, LIST_OPTIONS, 'OperatorActs.list'), this.namespace);
    const { acts, next } = await this.log.list(query);
    return { acts, ...(next !== undefined && { cursor: next }) };
  }
}

function queryOf(options: ListActsOptions, namespace: string): ListActs {
  const { kind, target, actor, action, since, until, limit = 100, cursor } = options;
  if (kind !== undefined) checkedOneOf(kind, ACT_KINDS, 'kind');
  checkedLimit(limit, 1_000);
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
    throw new InvalidArgumentError('cursor', cursor, 'the cursor of the previous page');
  return {
    namespace,
    limit,
    ...(kind !== undefined && { kind }),
    ...(target !== undefined && { target: textOf('target', target) }),
    ...(actor !== undefined && { actor: textOf('actor', actor) }),
    ...(action !== undefined && { action: textOf('action', action) }),
    ...(since !== undefined && { since: checkedTime('since', since) }),
    ...(until !== undefined && { until: checkedTime('until', until) }),
    ...(cursor !== undefined && { before: cursor }),
  };
}

function textOf(argument: string, text: unknown): string {
  if (isStorable(text)) return text;
  throw new InvalidArgumentError(argument, text, 'a text');
}
