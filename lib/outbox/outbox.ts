import { randomUUID } from 'node:crypto';
import type { Observable } from 'rxjs';
import { acting, actingInParts, type ActKind, type ByOperator, OPERATOR_OPTIONS, operatorOf } from '../acts/acts.js';
import { ConfigurationError, InvalidArgumentError } from '../core/errors.js';
import { checkedLimit, checkedOptions, defined, type KnownOptions } from '../core/options.js';
import { isStorable } from '../core/protocol.js';
import { headersWithTrace, type TraceCarrier } from '../core/telemetry.js';
import { type Clock, type Duration, stopwatch, toMs } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import {
  CHANNEL_OPTIONS,
  type ChannelMessage,
  type ChannelOptions,
  type ChannelSnapshot,
  type ChannelSnapshots,
  type OutboxFeed,
} from './channels.js';
import type { ChannelLag, DeadEvent, StandingChannel } from './dead-letters.js';
import {
  checkedEvent,
  type EventCodec,
  type EventLimits,
  eventOfRun,
  hooksFor,
  type HookWishes,
  type NewOutboxEvent,
  type OutboxWriter,
  shown,
  wishesIn,
  type WrittenEvent,
} from './events.js';
import type { DestinationRoster, KnownDestination } from './shards.js';
import type { RelayStorage } from './storage.js';

export interface PublishOptions {
  /**
   * The app's own open transaction, as the ORM passes it: TypeORM's `EntityManager` or `QueryRunner`, MikroORM's
   * `EntityManager`. Default: the surrounding transaction if the ORM knows it (MikroORM), otherwise a new one.
   */
  transaction?: unknown;
}

const PUBLISH_OPTIONS = { transaction: true } satisfies KnownOptions<PublishOptions>;

/** Reads channels for this process. */
export interface LiveChannels {
  readonly feed: Pick<OutboxFeed, 'channel'>;
  readonly snapshots: ChannelSnapshots;
  /** Whether published events are retained; without that, channels cannot be followed. */
  readonly retains: boolean;
}

/**
 * Events of the app, published per channel in the order in which their transactions commit.
 *
 * ```ts
 * await dataSource.transaction(async (tx) => {
 *   await tx.update(Order, id, { status: 'paid' });
 *   await outbox.publish({ channel: `order:${id}`, name: 'paid', data: { by } }, { transaction: tx });
 * });
 * ```
 */
export class Outbox {
  constructor(
    private readonly writer: OutboxWriter,
    private readonly limits: EventLimits,
    private readonly live?: LiveChannels,
    /** The caller's span, which the headers of events carry; empty if nobody traces. */
    private readonly caller: () => TraceCarrier = () => ({}),
  ) {}

  /**
   * Writes one event or several with the commit of a transaction; a rollback discards them. Returns their mutation ids,
   * in the same order. Events that one transaction publishes to one channel keep their order, and follow the events
   * that it inserted into the table directly.
   *
   * @throws InvalidArgumentError for an event that cannot be stored; then none is written.
   * @throws InvalidTransactionError when `transaction` is no open transaction of the app's ORM.
   */
  async publish(events: NewOutboxEvent | readonly NewOutboxEvent[], options: PublishOptions = {}): Promise<string[]> {
    const { transaction } = checkedOptions(options, PUBLISH_OPTIONS, 'Outbox.publish');
    const listed: readonly NewOutboxEvent[] = Array.isArray(events) ? events : [events as NewOutboxEvent];
    const written = listed.map((event) => this.checked(event));
    await this.writer.write(written, transaction);
    return written.map(({ mutationId }) => mutationId);
  }

  /**
   * Publishes that a change was refused that a client has already shown. Uses a new transaction, because that of the
   * change is rolled back. Pass the `mutationId` of the change; it is returned.
   *
   * @throws InvalidArgumentError for an event that cannot be stored.
   */
  async reject(event: NewOutboxEvent): Promise<string> {
    const written = { ...this.checked(event), rejected: true };
    await this.writer.writeAlone([written]);
    return written.mutationId;
  }

  /**
   * The events of a channel as they are committed, shaped for `@Sse()`. Each subscription receives every event once and
   * in order. Its first message is a heartbeat with its position. A `reset` message means that events after `after`
   * were deleted or that the reader is too slow: the reader must take a new snapshot. All streams of a process share
   * one query per poll.
   *
   * @example
   * \@Sse('posts/:id/events')
   * events(\@Param('id') id: string, \@Headers('last-event-id') after?: string): Observable<ChannelMessage> {
   *   return this.outbox.channel(`posts:${id}`, { after });
   * }
   *
   * @throws ConfigurationError unless the module's option `outbox.retain` is set.
   */
  channel<Data = unknown>(name: string, options: ChannelOptions = {}): Observable<ChannelMessage<Data>> {
    return this.reading('channel').feed.channel<Data>(
      checkedChannel(name),
      checkedOptions(options, CHANNEL_OPTIONS, 'Outbox.channel'),
    );
  }

  /**
   * Returns what `read` reads, and the number of the channel's last event at that moment: a stream that continues
   * `after` it misses nothing and repeats nothing. `read` receives the transaction handle of the app's ORM. It may run
   * more than once and should change nothing.
   *
   * @example
   * const { data, sequenceId } = await outbox.snapshot(`posts:${id}`, (em: EntityManager) => em.findOneBy(Post, { id }));
   */
  snapshot<T, Handle = unknown>(channel: string, read: (handle: Handle) => Promise<T>): Promise<ChannelSnapshot<T>> {
    return this.reading('snapshot').snapshots.snapshot(
      checkedChannel(channel),
      read as (handle: unknown) => Promise<T>,
    );
  }

  private checked(event: NewOutboxEvent): WrittenEvent {
    const written = checkedEvent(event, this.limits, randomUUID);
    return { ...written, headers: headersWithTrace(written.headers, this.caller()) };
  }

  private reading(method: string): LiveChannels {
    if (this.live?.retains) return this.live;
    throw new ConfigurationError(
      `outbox.${method}() needs published events to be kept for a while: set the module option outbox.retain, for example '1h'`,
    );
  }
}

function checkedChannel(name: unknown): string {
  if (typeof name === 'string' && name !== '' && [...name].length <= 255) return name;
  throw new InvalidArgumentError('channel', name, 'a string of 1 to 255 characters');
}

export interface OperationOptions extends ByOperator {
  /** The name of a publisher or consumer. Default: the only one, if there is only one. */
  destination?: string;
}

const OPERATION_OPTIONS = { ...OPERATOR_OPTIONS, destination: true } satisfies KnownOptions<OperationOptions>;

export interface OperationsQuery {
  /** The name of a publisher or consumer. Default: the only one, if there is only one. */
  destination?: string;
  /** The maximum number of entries, from 1 to 1,000. Default 100. */
  limit?: number;
}

const QUERY = { destination: true, limit: true } satisfies KnownOptions<OperationsQuery>;

export interface LagQuery extends OperationsQuery {
  /** The maximum number of events counted per channel, from 1 to 10,000. Default 1,000. */
  atMost?: number;
}

const LAG_QUERY = { ...QUERY, atMost: true } satisfies KnownOptions<LagQuery>;

export interface DeadLettersQuery extends OperationsQuery {
  channel?: string;
  /** Only events with a greater number than this: the last number of the previous page. */
  after?: string;
}

const DEAD_LETTERS_QUERY = { ...QUERY, channel: true, after: true } satisfies KnownOptions<DeadLettersQuery>;

export interface PurgeDeadLetters extends ByOperator {
  /** Only dead letters that were set aside at least this long ago. */
  olderThan: Duration;
  /** How many rows one transaction deletes at most, from 1 to 10,000. Default 500. */
  batchSize?: number;
}

const PURGE_OPTIONS = {
  ...OPERATOR_OPTIONS,
  olderThan: true,
  batchSize: true,
} satisfies KnownOptions<PurgeDeadLetters>;

type OperationsPorts = Pick<RelayStorage, 'destinations' | 'deadLetters' | 'deadLetterRemoval' | 'acts'>;

const LIMIT = 100;
const MOST_LISTED = 1_000;
const COUNTED = 1_000;
/** Of a channel, or rows of a transaction. */
const MOST_ROWS = 10_000;
/** How many channels one transaction retries. */
const RETRIED_AT_ONCE = 500;

/**
 * Shows and repairs events that are not delivered. Works from any process of the app.
 *
 * @example
 * for (const { channel, error } of await operations.standing()) console.warn(channel, error);
 * await operations.retryAll();
 */
export class OutboxOperations {
  constructor(
    private readonly ports: OperationsPorts,
    /** Wakes the relays of all processes. */
    private readonly wake: () => void,
    /** Opens the data of dead letters. */
    private readonly codec?: EventCodec,
  ) {}

  /** All publishers and consumers in the database, by name, and when a process with each last started. */
  destinations(): Promise<KnownDestination[]> {
    return this.ports.destinations.known();
  }

  /**
   * Removes a publisher or consumer that no longer exists, so that events do not wait for it. One that is still
   * declared starts anew at the next start of its process.
   */
  async forget(destination: string, by: ByOperator = {}): Promise<void> {
    operatorOf(checkedOptions(by, OPERATOR_OPTIONS, 'forget'));
    const target = await this.named(destination);
    const deed = { ...deedOn('destination', 'forget', target), outcome: () => ({ outcome: 'forgotten' }) };
    await acting(this.ports.acts, by, undefined, deed, (tx) => this.ports.destinations.forget(target, tx));
  }

  /**
   * Channels with undelivered events and how many there are, most first. Of more than 200 channels (or `limit`, if that
   * is more) those are counted whose first event is the oldest.
   *
   * @throws InvalidArgumentError
   */
  async lag(query: LagQuery = {}): Promise<ChannelLag[]> {
    const { destination, limit = LIMIT, atMost = COUNTED } = checkedOptions(query, LAG_QUERY, 'lag');
    checkedLimit(limit, MOST_LISTED);
    checkedLimit(atMost, MOST_ROWS, 'atMost');
    return this.ports.deadLetters.lag(await this.named(destination), limit, atMost);
  }

  /** Channels that are blocked, parked, or have requeued events pending, by state and name. @throws InvalidArgumentError */
  async standing(query: OperationsQuery = {}): Promise<StandingChannel[]> {
    const { destination, limit = LIMIT } = checkedOptions(query, QUERY, 'standing');
    checkedLimit(limit, MOST_LISTED);
    return this.ports.deadLetters.standing(await this.named(destination), limit);
  }

  /** Dead letters: events that were set aside, ordered by number. Data that cannot be opened is an `UnreadablePayload`. @throws InvalidArgumentError */
  async deadLetters(given: DeadLettersQuery = {}): Promise<DeadEvent[]> {
    const { destination, limit = LIMIT, ...query } = checkedOptions(given, DEAD_LETTERS_QUERY, 'deadLetters');
    checkedLimit(limit, MOST_LISTED);
    if (query.after !== undefined) checkNumber(query.after, 'after');
    if (query.channel !== undefined) checkName(query.channel);
    const dead = await this.ports.deadLetters.list({ ...query, destination: await this.named(destination), limit });
    return dead.map((event) => shown(this.codec, event));
  }

  /**
   * Requeues dead letters of a channel, either all or those in `sequenceIds`, at most 1,000. They are delivered in order
   * before any other event of the channel. Resolves to their number.
   *
   * @throws InvalidArgumentError
   */
  async requeue(channel: string, given: OperationOptions & { sequenceIds?: readonly string[] } = {}): Promise<number> {
    const { sequenceIds, ...options } = given;
    if (sequenceIds !== undefined) checkNumbers(sequenceIds);
    const requeue = (destination: string, tx?: Transaction) =>
      this.ports.deadLetters.requeue(destination, channel, sequenceIds, tx);
    return this.done('requeue', channel, options, requeue, defined({ sequenceIds }));
  }

  /**
   * Sets the first event of a blocked channel aside; then the channel continues. Returns false if it is not blocked.
   */
  skip(channel: string, options: OperationOptions = {}): Promise<boolean> {
    return this.done('skip', channel, options, (destination, tx) =>
      this.ports.deadLetters.skip(destination, channel, tx),
    );
  }

  /** Retries a blocked channel at once and resets its attempts. Returns false if it is not blocked. */
  retry(channel: string, options: OperationOptions = {}): Promise<boolean> {
    return this.done('retry', channel, options, (destination, tx) =>
      this.ports.deadLetters.retry(destination, channel, tx),
    );
  }

  /**
   * Retries all blocked channels, for example after a long broker outage, in transactions of at most 500, each with an
   * act of its own. Resolves to their number.
   */
  async retryAll(options: OperationOptions = {}): Promise<number> {
    let retried = 0;
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after;
      retried += await this.done('retry all', undefined, options, async (destination, tx) => {
        const batch = { after: from, limit: RETRIED_AT_ONCE };
        const { retried: some, last } = await this.ports.deadLetters.retrySome(destination, batch, tx);
        after = last;
        return some;
      });
    }
    return retried;
  }

  /**
   * Deletes dead letters of all destinations that were set aside at least this long ago, in transactions of at most
   * `batchSize` rows (default 500). Requeued ones are kept until they are delivered. Resolves to their number.
   *
   * @throws InvalidArgumentError
   * @example await operations.purgeDeadLetters({ olderThan: '90d' });
   */
  async purgeDeadLetters(options: PurgeDeadLetters): Promise<number> {
    const { olderThan, batchSize = 500, ...by } = checkedOptions(options, PURGE_OPTIONS, 'purgeDeadLetters');
    const olderThanMs = toMs(olderThan, 'olderThan');
    checkedLimit(batchSize, MOST_ROWS, 'batchSize');
    const deed = { action: 'purge dead letters', namespace: null, details: { olderThanMs } };
    return actingInParts(this.ports.acts, by, deed, async () => {
      let purged = 0;
      for (let batch = 1; batch > 0; purged += batch)
        batch = await this.ports.deadLetterRemoval.purge(olderThanMs, batchSize);
      return purged;
    });
  }

  /** Without a channel it is an act on the destination. */
  private async done<Done extends boolean | number>(
    action: string,
    channel: string | undefined,
    options: OperationOptions,
    change: (destination: string, tx: Transaction | undefined) => Promise<Done>,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<Done> {
    const { destination: given, ...by } = checkedOptions(options, OPERATION_OPTIONS, `OutboxOperations: ${action}`);
    operatorOf(by);
    if (channel !== undefined) checkName(channel);
    const destination = await this.named(given);
    const deed =
      channel === undefined ? deedOn('destination', action, destination) : deedOn('channel', action, channel);
    const outcome = (done: Done) => ({
      outcome: done ? 'done' : 'nothing to do',
      details: { destination, ...details, ...(typeof done === 'number' && { count: done }) },
    });
    const done = await acting(this.ports.acts, by, undefined, { ...deed, outcome }, (tx) => change(destination, tx));
    if (done) this.wake();
    return done;
  }

  /** @throws InvalidArgumentError for an unknown name; ConfigurationError for no name if there is not exactly one */
  private async named(destination: string | undefined): Promise<string> {
    const known = (await this.ports.destinations.known()).map(({ name }) => name);
    const listed = known.map((name) => JSON.stringify(name)).join(', ') || 'none has started yet';
    if (destination !== undefined) {
      if (known.includes(destination)) return destination;
      throw new InvalidArgumentError('destination', destination, `a publisher or consumer of the outbox: ${listed}`);
    }
    const [only, another] = known;
    if (only !== undefined && another === undefined) return only;
    throw new ConfigurationError(`There is not exactly one destination: pass { destination }, one of: ${listed}`);
  }
}

const deedOn = (kind: ActKind, action: string, target: string) => ({ kind, action, target, namespace: null });

/** Of an event: larger ones than the column can hold are errors of the database. */
function checkNumber(number: unknown, what: string): void {
  if (typeof number === 'string' && /^\d{1,18}$/.test(number)) return;
  throw new InvalidArgumentError(what, number, 'the number of an event, as text');
}

function checkNumbers(numbers: unknown): void {
  if (!Array.isArray(numbers) || numbers.length > MOST_LISTED)
    throw new InvalidArgumentError(
      'sequenceIds',
      numbers,
      `a list of at most ${MOST_LISTED} numbers of events, as texts`,
    );
  for (const number of numbers) checkNumber(number, 'sequenceIds');
}

function checkName(channel: unknown): void {
  if (isStorable(channel)) return;
  throw new InvalidArgumentError('channel', channel, 'the name of a channel');
}

/** Longer than the time between two heartbeats, so that only processes without an engine look by themselves. */
const OLD_MS = 5_000;

/** What an engine or a client tells of a run. */
interface RunNews {
  runId: string;
  workflow: string;
  /** Default: that of this process. */
  namespace?: string;
  status: string;
  /** Why it is blocked. */
  reason?: string;
}

interface Ports {
  writer: Pick<OutboxWriter, 'writeWith'>;
  relay: { destinations: Pick<DestinationRoster, 'wants'> };
}

/** The `RunHooks` of the engine: writes what the hooks that the processes of the outbox have declared want to hear. */
export class HooksOfRuns {
  private wishes: readonly HookWishes[] = [];
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly outbox: Ports,
    private readonly namespace: string,
    private readonly clock: Clock = stopwatch,
  ) {}

  async look(tx?: Transaction): Promise<void> {
    this.wishes = wishesIn(await this.outbox.relay.destinations.wants(tx));
    this.lookedAt = this.clock.now();
  }

  eventOf({ runId, workflow, namespace = this.namespace, status, reason }: RunNews): WrittenEvent | undefined {
    if (this.wishes.length === 0) return undefined;
    const fact = { on: reason ? 'blocked' : 'ended', runId, workflow, namespace, state: reason ?? status } as const;
    const hooks = hooksFor(fact, this.wishes);
    return hooks.length === 0 ? undefined : eventOfRun({ ...fact, hooks });
  }

  async tell(news: RunNews, tx: Transaction): Promise<void> {
    if (this.clock.now() - this.lookedAt > OLD_MS) await this.look(tx);
    const event = this.eventOf(news);
    if (event) await this.outbox.writer.writeWith(tx, [event]);
  }
}
