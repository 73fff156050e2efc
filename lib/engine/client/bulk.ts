import { createHash, randomUUID } from 'node:crypto';
import { type ActedBy, type NewAct, OPERATOR_OPTIONS, requiredOperator } from '../../acts/acts.js';
import { jsonCodec } from '../../core/codec.js';
import { DatabaseError, DurableError, InvalidArgumentError, QuestionTimeoutError } from '../../core/errors.js';
import { checkedLimit, checkedOptions, cursorText, type KnownOptions, readCursor } from '../../core/options.js';
import { type Clock, withinTime } from '../../core/time.js';
import { type ListOptions, listQuery, RUN_FILTERS, type RunsFilter } from '../listing.js';
import { BLOCK_REASONS, isFinal, type RunRecord, type RunStatus } from '../run.js';
import type { WorkflowSignal } from '../signals.js';
import type { EngineStorage } from '../storage.js';
import { cursorOf } from '../views.js';
import type { ClientControl, ClientRemoval } from './control.js';
import { acceptedPayload, type ClientSignals, signalName } from './signals.js';

/** Which runs: by the filters of `list`, at least one of them, or by their ids. */
export type BulkFilter = RunsFilter | { ids: readonly string[] };

export interface BulkOptions extends ActedBy {
  /** Changes nothing: the batches tell what would be done. Default false. */
  dryRun?: boolean;
  /** The cursor of the last batch of the same bulk, to go on with it: the same action, filter and `dryRun`. */
  cursor?: string;
  /** Runs per batch, from 1 to 1,000. Default 200. */
  batchSize?: number;
}

const BULK_OPTIONS = {
  ...OPERATOR_OPTIONS,
  dryRun: true,
  cursor: true,
  batchSize: true,
} satisfies KnownOptions<BulkOptions>;

/** What is done to each run. */
export type BulkChange =
  | { action: 'cancel' | 'terminate' | 'retry' | 'delete' }
  | { action: 'signal'; signal: WorkflowSignal<unknown, unknown> | string; payload: unknown };

interface Ports {
  storage: Pick<EngineStorage, 'catalog' | 'acts'>;
  control: ClientControl;
  removal: ClientRemoval;
  signals: ClientSignals;
  namespace: string;
  clock: Clock;
}

/** How many runs are changed at the same time. */
const AT_ONCE = 4;
/** How long it may take to find the runs of a batch; what is done to them takes as long as it takes. */
const FIND_MS = 5_000;
/** The record of a bulk has at most this many of the given ids. */
const MOST_NAMED = 100;

/** Changes many runs for operators. */
export class ClientBulk {
  constructor(private readonly ports: Ports) {}

  /** @throws InvalidArgumentError */
  bulk(change: BulkChange, filter: BulkFilter, options: BulkOptions): Bulk {
    const by = requiredOperator(checkedOptions(options, BULK_OPTIONS, `${change.action}All`));
    const { dryRun = false, cursor, batchSize = 200 } = options;
    checkFilter(filter, this.ports.namespace);
    checkedLimit(batchSize, 1_000, 'batchSize');
    const asked: Asked = { change, filter, by, dryRun, batchSize };
    const signal = 'signal' in change && signalName(change.signal);
    // Before the first run gets it; each signal is what the schema makes of the payload.
    if ('signal' in change) acceptedPayload(change.signal, change.payload);
    const of = hashOf([change.action, signal, dryRun], filter);
    const progress = cursor === undefined ? undefined : progressIn(cursor, of);
    return new Bulk(
      async () => progress ?? this.begin(asked, of),
      (from) => this.next(asked, from),
    );
  }

  /** By the time of its record, the storage's own, since runs that begin later must not make it endless. */
  private async begin(asked: Asked, of: string): Promise<BulkProgress> {
    const id = randomUUID();
    const { namespace, clock, storage } = this.ports;
    if (asked.dryRun) return { id, of, bound: clock.now() + 1, done: 0, refused: 0 };
    await this.record(asked, id, 'begun', { filter: recorded(asked.filter) });
    const { acts } = await storage.acts.list({ namespace, kind: 'bulk', target: id, limit: 1 });
    return { id, of, bound: acts[0]!.at.getTime() + 1, done: 0, refused: 0 };
  }

  private async next(asked: Asked, from: BulkProgress): ReturnType<NextBatch> {
    const { runs, missing, past } = await withinTime(FIND_MS, () => this.page(asked, from), tooLate);
    const refusals = new Map<string, string | undefined>();
    const queue = [...runs];
    const work = async () => {
      for (let run = queue.shift(); run; run = queue.shift()) {
        const why = refusalOf(asked.change.action, run);
        refusals.set(run.id, why ?? (asked.dryRun ? undefined : await this.apply(asked, from, run)));
      }
    };
    // After an error nothing more is begun, and the caller hears of it once nothing is under way.
    const stop = (error: unknown) => {
      queue.length = 0;
      throw error;
    };
    const works = Array.from({ length: asked.dryRun ? 1 : AT_ONCE }, () => work().catch(stop));
    const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
    if (failed) await Promise.reject((failed as PromiseRejectedResult).reason as Error);
    const ids = runs.map(({ id }) => id).filter((id) => refusals.get(id) === undefined);
    const refused = [
      ...missing.map((id) => ({ id, why: `No run has the id "${id}"` })),
      ...runs.map(({ id }) => ({ id, why: refusals.get(id) })).filter(isRefusal),
    ];
    const total = { done: from.done + ids.length, refused: from.refused + refused.length };
    if (past !== undefined) return { batch: { ids, refused, total }, next: { ...from, ...total, past } };
    if (!asked.dryRun) await this.record(asked, from.id, 'ended', total);
    return { batch: { ids, refused, total } };
  }

  private async page({ filter, batchSize }: Asked, { past, bound }: BulkProgress): Promise<Page> {
    const { catalog } = this.ports.storage;
    if ('ids' in filter) {
      const start = typeof past === 'number' ? past : 0;
      const ids = [...new Set(filter.ids)].slice(start, start + batchSize);
      const found = (await catalog.find(ids)).filter(({ namespace }) => namespace === this.ports.namespace);
      const known = new Map(found.map((run) => [run.id, run]));
      const end = start + ids.length;
      const missing = ids.filter((id) => !known.has(id));
      // In the given order: a database finds rows in any.
      const runs = ids.flatMap((id) => known.get(id) ?? []);
      return { runs, missing, ...(end < new Set(filter.ids).size && { past: end }) };
    }
    const before = Math.min(bound, filter.createdBefore?.getTime() ?? bound);
    const cursor = typeof past === 'string' ? { cursor: past } : {};
    const options = {
      ...filter,
      createdBefore: new Date(before),
      order: 'oldest',
      payloads: false,
      limit: batchSize,
      ...cursor,
    } as const satisfies ListOptions;
    const { runs, next } = await catalog.list(listQuery(options, this.ports.namespace));
    return { runs, missing: [], ...(next && { past: cursorOf(next) }) };
  }

  /** Returns why it was refused. @throws DatabaseError, after which the bulk may go on from its last cursor. */
  private async apply(
    { change, by }: Asked,
    { id: bulk }: BulkProgress,
    { id }: RunRecord,
  ): Promise<string | undefined> {
    const { control, removal, signals } = this.ports;
    const options = { ...by, bulk };
    try {
      switch (change.action) {
        case 'retry':
          return void (await control.retry(id, options));
        case 'delete':
          // False: it was deleted with its parent.
          return void (await removal.delete(id, options));
        case 'signal':
          return void (await signals.send(change.signal, change.payload, { workflowId: id, id: bulk, ...options }));
        default: {
          const how = change.action === 'cancel' ? 'cancelled' : 'terminated';
          return (await control.close(id, how, options)) ? undefined : 'It has ended';
        }
      }
    } catch (error) {
      if (error instanceof DurableError && !(error instanceof DatabaseError)) return error.message;
      throw error;
    }
  }

  private async record({ change, by }: Asked, id: string, outcome: string, details: NewAct['details']): Promise<void> {
    const { storage, namespace } = this.ports;
    const what = { action: `${change.action} all`, kind: 'bulk', target: id, namespace, outcome, details } as const;
    await storage.acts.within(undefined, (tx) => storage.acts.record([{ ...by, ...what }], tx));
  }
}

const tooLate = (cause?: unknown) => new QuestionTimeoutError('runs.bulk', FIND_MS, { cause });

const isRefusal = (one: { id: string; why: string | undefined }): one is { id: string; why: string } =>
  one.why !== undefined;

interface Asked {
  change: BulkChange;
  filter: BulkFilter;
  by: ActedBy;
  dryRun: boolean;
  batchSize: number;
}

interface Page {
  runs: RunRecord[];
  missing: string[];
  past?: string | number;
}

const FAILED: readonly RunStatus[] = ['failed', 'compensation_failed'];

/** Why an action is of no use for a run as it is; undefined if it may be. */
function refusalOf(action: BulkChange['action'], { status, reason, closing }: RunRecord): string | undefined {
  const ended = isFinal(status);
  switch (action) {
    case 'delete':
      return ended ? undefined : `It has not ended: it is ${status}`;
    case 'retry': {
      const isBlocked = status === 'suspended' && BLOCK_REASONS.some((known) => known === reason);
      return isBlocked || FAILED.includes(status) ? undefined : `It is neither blocked nor failed: it is ${status}`;
    }
    case 'signal':
      return ended ? 'It has ended' : undefined;
    default:
      if (ended) return 'It has ended';
      return closing === 'terminated' || (closing !== null && action === 'cancel')
        ? 'It is being ended already'
        : undefined;
  }
}

const FILTERS = { ids: true, ...RUN_FILTERS } as const;

/**
 * Stricter than `list`, which ignores what is undefined: a filter that falls away would change runs that nobody meant.
 *
 * @throws InvalidArgumentError
 */
function checkFilter(filter: unknown, namespace: string): void {
  const given = Object.entries(filter ?? {});
  if (given.length === 0)
    throw new InvalidArgumentError('filter', filter, 'at least one filter of list(), or { ids }: it would be all runs');
  for (const [name, value] of given) checkCondition(name, value);
  const { ids, ...others } = filter as { ids?: unknown } & RunsFilter;
  if (ids === undefined) return void listQuery(others, namespace);
  const areIds = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
  if (!areIds || given.length > 1) throw new InvalidArgumentError('ids', ids, 'a list of ids, without other filters');
}

function checkCondition(name: string, value: unknown): void {
  if (!Object.hasOwn(FILTERS, name))
    throw new InvalidArgumentError(`filter.${name}`, value, `one of ${Object.keys(FILTERS).join(', ')}`);
  if (value === undefined || value === null)
    throw new InvalidArgumentError(`filter.${name}`, value, 'a value, or leave it out');
  if (name === 'blocked' && value !== true) throw new InvalidArgumentError('filter.blocked', value, 'true');
  if (name !== 'attributes') return;
  const wanted = Object.entries(value);
  if (wanted.length === 0 || wanted.some(([, one]) => one === undefined))
    throw new InvalidArgumentError('filter.attributes', value, 'at least one attribute, each with a value');
}

/** Without the values of attributes: an erasure could not find them here. */
function recorded(filter: BulkFilter): object {
  if ('ids' in filter) return { ids: filter.ids.slice(0, MOST_NAMED), count: filter.ids.length };
  return filter.attributes ? { ...filter, attributes: Object.keys(filter.attributes) } : filter;
}

/** What one batch of a bulk did or, with `dryRun`, would do. */
export interface BulkBatch {
  /** The runs of this batch that were changed: in the order of the given ids, or oldest first. */
  ids: string[];
  refused: { id: string; why: string }[];
  /** Since the bulk began. */
  total: BulkTotal;
  /** Where the bulk goes on, also in another process; undefined if it has ended. */
  cursor?: string;
}

export interface BulkTotal {
  done: number;
  refused: number;
}

/** How far a bulk is. */
interface BulkProgress extends BulkTotal {
  /** Its id in the act log. */
  id: string;
  /** A hash of its action, filter and `dryRun`: its cursor goes on with nothing else. */
  of: string;
  /** Epoch ms: runs that were created later are left alone. */
  bound: number;
  /** The cursor of the list, or the number of ids that are done. */
  past?: string | number;
}

type NextBatch = (progress: BulkProgress) => Promise<{ batch: Omit<BulkBatch, 'cursor'>; next?: BulkProgress }>;

/**
 * A change of many runs, in batches. It begins when it is first awaited or iterated. Each run is changed in a
 * transaction of its own with its act; a bulk that was interrupted goes on from its last cursor.
 *
 * @example
 * for await (const { total, cursor } of workflows.cancelAll({ workflow: 'order' }, by)) console.log(total.done, cursor);
 */
export class Bulk implements AsyncIterable<BulkBatch> {
  constructor(
    private readonly begin: () => Promise<BulkProgress>,
    private readonly next: NextBatch,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<BulkBatch, void, undefined> {
    let progress: BulkProgress | undefined = await this.begin();
    while (progress) {
      const { batch, next } = await this.next(progress);
      yield { ...batch, ...(next && { cursor: cursorText(next) }) };
      progress = next;
    }
  }

  /** Makes one batch, for a page that asks again with its cursor. */
  async batch(): Promise<BulkBatch> {
    for await (const batch of this) return batch;
    throw new Error('A bulk has at least one batch');
  }

  /** Makes all batches. Returns the numbers, and the first 1,000 refusals. */
  async all(): Promise<BulkTotal & { refusals: BulkBatch['refused'] }> {
    const refusals: BulkBatch['refused'] = [];
    let total: BulkTotal = { done: 0, refused: 0 };
    for await (const batch of this) {
      refusals.push(...batch.refused.slice(0, MOST_IN_CURSOR - refusals.length));
      ({ total } = batch);
    }
    return { ...total, refusals };
  }
}

const MOST_IN_CURSOR = 1_000;

/** What a cursor belongs to. The order of names in a filter does not count; that of ids does. */
const hashOf = (what: readonly unknown[], filter: object): string =>
  createHash('sha256')
    .update(jsonCodec.encode([what, sorted(filter)]))
    .digest('base64url');

/** The entries by name; also those of the attributes. */
const sorted = (fields: object): unknown[] =>
  Object.entries(fields)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]: [string, unknown]) => [name, name === 'attributes' ? sorted(value as object) : value]);

/** @throws InvalidArgumentError when the text is no cursor of a bulk with this hash. */
const progressIn = (cursor: unknown, of: string): BulkProgress =>
  readCursor<BulkProgress>(
    cursor,
    ({ id, bound, done, refused, ...progress }) =>
      progress.of === of && typeof id === 'string' && [bound, done, refused].every(Number.isFinite),
    'the cursor of a bulk with the same action, filter and dryRun',
  );
