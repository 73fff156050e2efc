import { Observable } from 'rxjs';
import { type Loops, PollLoop } from '../core/loops.js';
import type { KnownOptions } from '../core/options.js';
import { type Clock, macrotask, sleep, stopwatch } from '../core/time.js';
import type { RelaySignals } from './destinations.js';
import { type EventCodec, OUTBOX_TOPIC, type OutboxEvent, shown } from './events.js';

/** Event numbers are strings of digits, since they may exceed 2^53. */

/** The maximum value of the column. */
const GREATEST = 2n ** 63n - 1n;

/** A number in canonical form for comparison; undefined if it is not a valid number. */
function sequenceOf(text: string): string | undefined {
  if (!/^\d{1,19}$/.test(text)) return undefined;
  const number = BigInt(text);
  return number > GREATEST ? undefined : String(number);
}

/** Whether `a` comes after `b`. */
export const isAfter = (a: string, b: string): boolean => (a.length === b.length ? a > b : a.length > b.length);

export const laterOf = (a: string, b: string): string => (isAfter(a, b) ? a : b);

/** A position in a channel: after the event with this number. */
export interface ReadPosition {
  readonly channel: string;
  /** A whole number as text; `'0'` is before the first event. */
  readonly after: string;
}

export interface ReadEvent {
  readonly event: OutboxEvent;
  /** Approximate size in characters of JSON. */
  readonly size: number;
}

/** The events after a position, in order. */
export interface ChannelPage {
  readonly events: readonly ReadEvent[];
  /** The last removed number, if events after the position were removed; `events` is empty then. */
  readonly gone?: string;
}

/**
 * Reads channels without changing anything. A reader that has seen an event of a channel has missed none before it, if
 * events get their numbers at commit or insert.
 */
export interface ChannelReader {
  /**
   * The first `limit` events after each position, in the order of the request; several positions may be of one channel.
   * Takes one or two statements for any number of positions. Each page is a consistent snapshot.
   */
  read(positions: readonly ReadPosition[], limit: number): Promise<ChannelPage[]>;
  /** The greatest number of each channel so far, in the order of the request; `'0'` where there was none. */
  tops(channels: readonly string[]): Promise<string[]>;
}

/** Data read from the app's tables, and the position of the channel at that moment. */
export interface ChannelSnapshot<T> {
  data: T;
  /** `data` reflects every event up to this number and none after it: pass it as `after` to a stream of the channel. */
  sequenceId: string;
}

/** Reads of an app that a stream of events can continue from. */
export interface ChannelSnapshots {
  /**
   * `read` and the position of the channel see the same snapshot. The number is valid for this channel only. `handle`
   * is the transaction handle of the app's ORM; `read` may run more than once and should change nothing.
   */
  snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>>;
}

export interface OutboxFeedOptions {
  onError: (error: unknown) => void;
  /** Notifies the feed of new events. Notifications may be lost, so the feed also polls. */
  hints?: Pick<RelaySignals, 'subscribe'>;
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

  /** A stream of its own for each subscription: see `Outbox.channel`. */
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

/**
 * A message of a channel's stream, in the shape that `@Sse()` sends. `id` is always the stream's position: a browser
 * sends it as `Last-Event-ID` when it reconnects.
 */
export type ChannelMessage<Data = unknown> =
  | { type: 'event'; id: string; data: OutboxEvent<Data> }
  | { type: 'reset'; id: string; data: ResetNote }
  | { type: 'heartbeat'; id: string; data: { sequenceId: string } };

/**
 * Events were missed: take a new snapshot, and ignore events with numbers up to that of the snapshot. The stream
 * continues after `sequenceId`.
 */
export interface ResetNote {
  sequenceId: string;
  /** `gone`: events after the position were removed. `slow`: the reader fell too far behind. */
  reason: 'gone' | 'slow';
}

/** The part of an HTTP response that shows whether its reader keeps up. */
export interface PacedResponse {
  readonly writableNeedDrain: boolean;
  once(event: 'drain', listener: () => void): unknown;
}

export interface StreamOptions {
  readonly clock: Clock;
  readonly response?: PacedResponse | undefined;
  /** A reader that had caught up gets a `reset` when it falls more than this many events behind. */
  readonly behind: number;
}

/**
 * The numbers of events and of JSON characters that are sent before the response is checked again. It signals
 * backpressure with a delay, and NestJS drops readers with 4 MiB pending.
 */
const PER_TURN = 200;
const SIZE_PER_TURN = 256_000;

/** One reader of one channel: its position, and whether it can take more. */
class ChannelStream {
  private opened = false;
  private closed = false;
  private waiting = false;
  private sentThisTurn = 0;
  private sizeThisTurn = 0;
  /** Events read for it that it could not take yet. */
  private pending: readonly ReadEvent[] = [];
  private lastSentAt = 0;
  /** The channel's event count when this reader last had all of them; undefined until then. */
  private caughtUpAt: number | undefined;

  constructor(
    private readonly send: (message: ChannelMessage) => void,
    /** The number of its last event; undefined: the channel's last event when it opens. */
    public position: string | undefined,
    private readonly options: StreamOptions,
    /** Called when the reader can take more. */
    private readonly ready: () => void,
  ) {}

  /** Starts the stream; its first message is a heartbeat with its position. */
  open(top: string): void {
    if (this.opened || this.closed) return;
    this.opened = true;
    this.position ??= top;
    this.beat();
  }

  close(): void {
    this.closed = true;
  }

  /** Whether it needs events that the buffer no longer has. */
  lagsBehind(buffer: ChannelBuffer): boolean {
    return this.position !== undefined && this.pending.length === 0 && this.canTake && !buffer.covers(this.position);
  }

  /** Sends the events that the buffer has for it. `count`: how many events the channel has had since it was opened. */
  follow(buffer: ChannelBuffer, count: number): void {
    this.flush();
    while (this.position !== undefined && this.pending.length === 0 && this.canTake) {
      if (!buffer.covers(this.position)) {
        if (this.caughtUpAt === undefined || count - this.caughtUpAt <= this.options.behind) return;
        this.reset(buffer.head, 'slow');
      }
      const next = buffer.next(this.position);
      if (!next) return void (this.caughtUpAt = count);
      this.tell(next);
    }
  }

  /**
   * Sends events that were read for it or for a reader further behind; keeps some of those that it cannot take at once.
   * Returns whether all of them were sent.
   */
  take(events: readonly ReadEvent[]): boolean {
    const { position } = this;
    if (position === undefined) return false;
    const mine = events.filter(({ event }) => isAfter(event.sequenceId, position));
    let size = 0;
    const end = mine.findIndex((read) => (size += read.size) > SIZE_PER_TURN);
    this.pending = end === -1 ? mine : mine.slice(0, end + 1);
    this.flush();
    return this.pending.length === 0 && this.position === (mine.at(-1)?.event.sequenceId ?? position);
  }

  reset(sequenceId: string, reason: ResetNote['reason']): void {
    this.position = sequenceId;
    this.pending = [];
    this.caughtUpAt = undefined;
    this.say({ type: 'reset', id: sequenceId, data: { sequenceId, reason } });
  }

  /** Sends a heartbeat if nothing was sent for `ms`. */
  beat(ms = 0): void {
    const { position: id } = this;
    if (id === undefined || !this.canTake || this.options.clock.now() - this.lastSentAt < ms) return;
    this.say({ type: 'heartbeat', id, data: { sequenceId: id } });
  }

  private flush(): void {
    let told = 0;
    for (const read of this.pending) {
      if (!this.canTake) break;
      told++;
      this.tell(read);
    }
    if (told > 0) this.pending = this.pending.slice(told);
  }

  private tell({ event, size }: ReadEvent): void {
    this.position = event.sequenceId;
    this.sizeThisTurn += size;
    this.say({ type: 'event', id: event.sequenceId, data: event });
  }

  private say(message: ChannelMessage): void {
    this.lastSentAt = this.options.clock.now();
    this.sentThisTurn++;
    this.send(message);
  }

  private get canTake(): boolean {
    if (!this.opened || this.closed || this.waiting) return false;
    const { response } = this.options;
    if (!response) return true;
    if (response.writableNeedDrain) response.once('drain', this.wait());
    else if (this.sentThisTurn >= PER_TURN || this.sizeThisTurn >= SIZE_PER_TURN) void macrotask().then(this.wait());
    return !this.waiting;
  }

  /** Pauses sending until the returned function is called. */
  private wait(): () => void {
    this.waiting = true;
    return () => {
      this.waiting = false;
      this.sentThisTurn = 0;
      this.sizeThisTurn = 0;
      if (!this.closed) this.ready();
    };
  }
}

/** The maximum number of positions of lagging readers that are read at once per channel. */
const POSITIONS_BACK = 8;

/** A channel that is read once in this process for all its readers. */
class ChannelTail {
  readonly streams = new Set<ChannelStream>();
  private buffer: ChannelBuffer | undefined;
  /** The number of events so far. */
  private count = 0;
  private turn = 0;

  constructor(
    readonly channel: string,
    private readonly limits: BufferLimits,
  ) {}

  get isOpen(): boolean {
    return this.buffer !== undefined;
  }

  open(top: string): void {
    this.buffer ??= new ChannelBuffer(top, this.limits);
    for (const stream of [...this.streams]) this.welcome(stream);
  }

  /** Adds a stream to a channel that is already open. */
  welcome(stream: ChannelStream): void {
    if (!this.buffer) return;
    stream.open(this.buffer.head);
    this.follow(stream);
  }

  follow(stream: ChannelStream): void {
    if (this.buffer) stream.follow(this.buffer, this.count);
  }

  /** The positions to read after: the head, and those of some lagging readers. */
  positions(): ReadPosition[] {
    const { buffer, channel } = this;
    if (!buffer) return [];
    const lagging = [...this.streams].filter((stream) => stream.lagsBehind(buffer));
    const back = [...new Set(lagging.map(({ position }) => position ?? '0'))].sort((a, b) => (isAfter(a, b) ? 1 : -1));
    // A page serves all readers at its position. The other positions are read next time.
    const step = Math.ceil(back.length / POSITIONS_BACK);
    const first = step > 0 ? this.turn++ % step : 0;
    return [buffer.head, ...back.filter((_, n) => n % step === first)].map((after) => ({ channel, after }));
  }

  get lags(): boolean {
    const { buffer } = this;
    return buffer !== undefined && [...this.streams].some((stream) => stream.lagsBehind(buffer));
  }

  /** Appends the events after the head. `isWhole`: there are no more; `witnesses` joined before they were read. */
  advance({ events }: ChannelPage, isWhole: boolean, witnesses: readonly ChannelStream[]): void {
    const { buffer } = this;
    if (!buffer) return;
    for (const read of events) {
      // One by one: all readers get each event before the buffer drops it.
      buffer.append([read]);
      this.count++;
      for (const stream of [...this.streams]) this.follow(stream);
    }
    if (!isWhole) return;
    // This number was never assigned here: lost commits had assigned it, or it is of another channel.
    for (const stream of witnesses)
      if (stream.position !== undefined && isAfter(stream.position, buffer.head)) stream.reset(buffer.head, 'gone');
  }

  /** Sends the events after the position of a lagging reader. */
  catchUp(after: string, { events, gone }: ChannelPage, isWhole: boolean): void {
    const { buffer } = this;
    if (!buffer) return;
    for (const stream of [...this.streams]) {
      if (stream.position === undefined || isAfter(after, stream.position) || !stream.lagsBehind(buffer)) continue;
      if (gone !== undefined) {
        if (isAfter(gone, stream.position)) stream.reset(buffer.head, 'gone');
      } else if (stream.take(events) && isWhole && !buffer.covers(stream.position)) stream.position = buffer.floor;
      this.follow(stream);
    }
  }

  /** The channel was not read for so long that events after the head were removed. */
  restart(top: string): void {
    if (this.buffer) this.buffer = new ChannelBuffer(top, this.limits);
    for (const stream of [...this.streams])
      if (stream.position !== undefined && isAfter(top, stream.position)) stream.reset(top, 'gone');
  }
}

interface BufferLimits {
  /** The maximum number of events. Default 1,000. */
  readonly events: number;
  /** The maximum size in characters of JSON; the newest event is always kept. Default 1,000,000. */
  readonly size: number;
}

/** The newest events of one channel without gaps, shared by all its readers in this process. */
class ChannelBuffer {
  private readonly kept: ReadEvent[] = [];
  private size = 0;
  /** The buffer contains all events after this number, up to {@link head}. */
  floor: string;
  head: string;

  constructor(
    top: string,
    private readonly limits: BufferLimits,
  ) {
    this.floor = top;
    this.head = top;
  }

  /** Appends events that follow {@link head}. */
  append(events: readonly ReadEvent[]): void {
    for (const read of events) {
      this.kept.push(read);
      this.size += read.size;
      this.head = read.event.sequenceId;
    }
    let dropped = 0;
    const { limits, kept } = this;
    while (kept.length - dropped > limits.events || (this.size > limits.size && kept.length - dropped > 1)) {
      const { event, size } = kept[dropped++]!;
      this.size -= size;
      this.floor = event.sequenceId;
    }
    kept.splice(0, dropped);
  }

  /** Whether the buffer has the next event after `position`, or will receive it. */
  covers(position: string): boolean {
    return !isAfter(this.floor, position);
  }

  /** The first event after `position`, which the buffer must cover. */
  next(position: string): ReadEvent | undefined {
    let [low, high] = [0, this.kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isAfter(this.kept[middle]!.event.sequenceId, position)) high = middle;
      else low = middle + 1;
    }
    return this.kept[low];
  }
}

export interface OutboxPrunerOptions {
  /** How long events stay, ms. */
  retainMs: number;
  onError: (error: unknown) => void;
  /** The time between two passes. Default one minute, or a tenth of `retainMs` if that is less; at least a second. */
  pauseMs?: number;
  /** Whether runs have channels here, whose positions are deleted. Default: no. */
  sweeps?: () => boolean;
  /** The number of events that one statement checks. Default 1,000. */
  batchSize?: number;
}

/** Removes retained events once `retainMs` has passed, in small batches. */
export class OutboxPruner {
  private readonly loop: PollLoop;
  private after = '0';

  constructor(
    private readonly pruning: EventPruning,
    private readonly options: OutboxPrunerOptions,
  ) {
    const { retainMs, onError, pauseMs = Math.max(1_000, Math.min(60_000, retainMs / 10)) } = options;
    this.loop = new PollLoop(() => this.step(), { maxMs: pauseMs, onError });
  }

  get loops(): Loops {
    return { 'outbox.pruning': this.loop };
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async step(): Promise<'busy' | 'idle'> {
    const { retainMs, sweeps, batchSize: limit = 1_000 } = this.options;
    const { next } = await this.pruning.prune({ retainMs, after: this.after, limit });
    this.after = next ?? '0';
    if (next !== undefined) return 'busy';
    return sweeps?.() && (await this.pruning.sweep(limit)).more ? 'busy' : 'idle';
  }
}

export interface PruneRequest {
  /** How long events stay after they were written, ms. */
  retainMs: number;
  /** The number after which to start; `'0'` for the first call. */
  after: string;
  /** The maximum number of rows to check and remove. */
  limit: number;
}

export interface Swept {
  /** Of the kind with the most. */
  deleted: number;
  /** Whether the next call is likely to delete something. */
  more: boolean;
}

export interface Pruned {
  removed: number;
  /** The next `after`; undefined when no later event is old enough. */
  next: string | undefined;
}

/** Removes published events once they are old enough. */
export interface EventPruning {
  /**
   * Checks the first `limit` events after a number and removes those that have been processed and are older than
   * `retainMs`. The last removed number of each channel is stored in the same commit and never decreases. The newest
   * event of all is kept. Two concurrent calls may do the same work.
   */
  prune(request: PruneRequest): Promise<Pruned>;
  /**
   * Looks at up to `limit` positions of each kind in channels of runs, from where the last call of this process ended,
   * and deletes those in which nothing is pending, blocked or requeued: every run has a channel, which would otherwise
   * leave rows behind. Never waits for a lock.
   */
  sweep(limit: number): Promise<Swept>;
}
