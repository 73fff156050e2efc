import { Observable } from 'rxjs';
import { type Clock, stopwatch } from '../../time/clock.js';
import { type Loops, PollLoop } from '../../time/poll-loop.js';
import { sleep } from '../../time/sleep.js';
import { type EventCodec, shown } from '../model/event-codec.js';
import { OUTBOX_TOPIC } from '../model/outbox-event.js';
import type { BufferLimits } from './channel-buffer.js';
import { type ChannelMessage, ChannelStream, type PacedResponse } from './channel-stream.js';
import { type ChannelPage, type ChannelReader, type ReadPosition, sequenceOf } from './channel-reader.js';
import { ChannelTail } from './channel-tail.js';
import type { KnownOptions } from '../../options/known-options.js';

/** Notifies the feed of new events. Notifications may be lost, so the feed also polls. */
export interface FeedHints {
  subscribe(topic: string, listener: () => void): () => void;
}

export interface OutboxFeedOptions {
  onError: (error: unknown) => void;
  hints?: FeedHints;
  /** The poll interval without notifications. Default 1 s. */
  pollMs?: number;
  /** The maximum time without a message on a stream. Default 15 s. */
  heartbeatMs?: number;
  /** How many events of each channel are kept for readers that join or fall behind. */
  buffer?: Partial<BufferLimits>;
  /** A reader that had caught up gets a `reset` when it falls further behind than this. Default 10,000 events. */
  behind?: number;
  /** Opens the data of events. */
  codec?: EventCodec;
  clock?: Clock;
}

export interface ChannelOptions {
  /**
   * The number of the last event that the reader has, for example from a snapshot or the header `Last-Event-ID`.
   * Default: only events after the first heartbeat are sent.
   */
  after?: string | undefined;
  /** The HTTP response that the stream is sent to: a slow reader slows its stream down. */
  response?: PacedResponse | undefined;
}

export const CHANNEL_OPTIONS = { after: true, response: true } satisfies KnownOptions<ChannelOptions>;

/** The approximate maximum number of events per poll, and the maximum per position. */
const PER_LOOK = 5_000;
const PER_POSITION = 200;
/** The approximate maximum of JSON characters per position, estimated from recent events. */
const SIZE_PER_POSITION = 1_000_000;
/** Notifications within this time share one poll. */
const GAP_MS = 10;

/**
 * Streams of channels that share one query per poll for all readers of this process. Each reader gets every event of
 * its channel once and in order, or a `reset`.
 */
export class OutboxFeed {
  private readonly tails = new Map<string, ChannelTail>();
  private readonly loop: PollLoop;
  private readonly clock: Clock;
  private unsubscribe: (() => void) | undefined;
  private stopped = false;
  private readonly ends = new Set<() => void>();
  private lookedAt = -Infinity;
  private meanSize = 1;

  constructor(
    private readonly reader: ChannelReader,
    private readonly options: OutboxFeedOptions,
  ) {
    const { pollMs = 1_000, onError, clock = stopwatch } = options;
    this.clock = clock;
    this.loop = new PollLoop(() => this.look(), { maxMs: pollMs, onError });
  }

  get loops(): Loops {
    return { 'outbox.streams': this.loop };
  }

  start(): void {
    this.stopped = false;
    this.unsubscribe ??= this.options.hints?.subscribe(OUTBOX_TOPIC, () => this.loop.wake());
    this.loop.start();
  }

  /** Completes all streams. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.unsubscribe?.();
    this.unsubscribe = undefined;
    for (const end of [...this.ends]) end();
    await this.loop.stop();
  }

  /**
   * The events of a channel, shaped for `@Sse()`. Each subscription is a separate stream. It starts with a heartbeat;
   * `reset` means that events after `after` were removed or that the reader is too slow.
   *
   * @example
   * \@Sse('posts/:id/events')
   * events(\@Param('id') id: string, \@Headers('last-event-id') after?: string): Observable<ChannelMessage> {
   *   return this.feed.channel(`posts:${id}`, { after });
   * }
   */
  channel<Data = unknown>(name: string, options: ChannelOptions = {}): Observable<ChannelMessage<Data>> {
    return new Observable<ChannelMessage<Data>>((subscriber) => {
      if (this.stopped) return subscriber.complete();
      const end = () => subscriber.complete();
      this.ends.add(end);
      const leave = this.join(
        name,
        (message) => subscriber.next(this.opened(message) as ChannelMessage<Data>),
        options,
      );
      return () => {
        this.ends.delete(end);
        leave();
      };
    });
  }

  private opened(message: ChannelMessage): ChannelMessage {
    return message.type === 'event' ? { ...message, data: shown(this.options.codec, message.data) } : message;
  }

  private join(name: string, send: (message: ChannelMessage) => void, { after, response }: ChannelOptions) {
    const tail =
      this.tails.get(name) ?? new ChannelTail(name, { events: 1_000, size: 1_000_000, ...this.options.buffer });
    this.tails.set(name, tail);
    const ready = () => {
      tail.follow(stream);
      if (tail.lags) this.loop.wake();
    };
    const position = after ? (sequenceOf(after) ?? NO_NUMBER) : undefined;
    const options = { clock: this.clock, response, behind: this.options.behind ?? 10_000 };
    const stream = new ChannelStream(send, position, options, ready);
    tail.streams.add(stream);
    tail.welcome(stream);
    this.loop.wake();
    return () => {
      stream.close();
      tail.streams.delete(stream);
      if (tail.streams.size === 0 && this.tails.get(name) === tail) this.tails.delete(name);
    };
  }

  private async look(): Promise<'busy' | 'idle'> {
    await sleep(Math.max(0, Math.min(GAP_MS, this.lookedAt + GAP_MS - this.clock.now())));
    this.lookedAt = this.clock.now();
    const tails = [...this.tails.values()];
    if (tails.length === 0) return 'idle';
    await this.openNew(tails.filter(({ isOpen }) => !isOpen));
    const isBusy = await this.readOn(tails);
    for (const { streams } of tails) for (const stream of [...streams]) stream.beat(this.options.heartbeatMs ?? 15_000);
    return isBusy || tails.some(({ lags }) => lags) ? 'busy' : 'idle';
  }

  private async openNew(tails: readonly ChannelTail[]): Promise<void> {
    if (tails.length === 0) return;
    const tops = await this.reader.tops(tails.map(({ channel }) => channel));
    tails.forEach((tail, i) => tail.open(tops[i] ?? '0'));
  }

  private limitFor(positions: number): number {
    return Math.max(
      1,
      Math.floor(Math.min(PER_POSITION, PER_LOOK / Math.max(1, positions), SIZE_PER_POSITION / this.meanSize)),
    );
  }

  private weigh(pages: readonly ChannelPage[]): void {
    const read = pages.flatMap(({ events }) => events);
    if (read.length > 0) this.meanSize = read.reduce((sum, { size }) => sum + size, 1) / read.length;
  }

  /** Returns whether there may be more to read at once. */
  private async readOn(tails: readonly ChannelTail[]): Promise<boolean> {
    const asked = tails.flatMap((tail) => {
      const witnesses = [...tail.streams];
      return tail.positions().map((position, n) => ({ tail, position, isHead: n === 0, witnesses }));
    });
    const positions: ReadPosition[] = asked.map(({ position }) => position);
    const limit = this.limitFor(positions.length);
    const pages = await this.reader.read(positions, limit);
    this.weigh(pages);
    const lost: ChannelTail[] = [];
    let isBusy = false;
    asked.forEach(({ tail, position, isHead, witnesses }, i) => {
      const page = pages[i] ?? { events: [] };
      const isWhole = page.events.length < limit;
      isBusy ||= !isWhole;
      if (!isHead) tail.catchUp(position.after, page, isWhole);
      else if (page.gone !== undefined) lost.push(tail);
      else tail.advance(page, isWhole, witnesses);
    });
    if (lost.length === 0) return isBusy;
    const tops = await this.reader.tops(lost.map(({ channel }) => channel));
    lost.forEach((tail, i) => tail.restart(tops[i] ?? '0'));
    return true;
  }
}

/** The position of a reader that sent an invalid one: greater than any number, so that it gets a `reset`. */
const NO_NUMBER = String(2n ** 63n - 1n);
