import { randomUUID } from 'node:crypto';
import type { Observable } from 'rxjs';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { ConfigurationError } from '../../errors/setup-errors.js';
import { checkedEvent, type EventLimits } from '../events/checked-event.js';
import type { OutboxWriter } from '../events/outbox-writer.js';
import type { ChannelMessage } from '../live/channel-stream.js';
import type { ChannelSnapshot, ChannelSnapshots } from '../live/channel-reader.js';
import { CHANNEL_OPTIONS, type ChannelOptions, type OutboxFeed } from '../live/outbox-feed.js';
import type { NewOutboxEvent, WrittenEvent } from '../model/outbox-event.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';
import { headersWithTrace } from '../../telemetry/traced-headers.js';
import type { TraceCarrier } from '../../telemetry/tracing.js';

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
