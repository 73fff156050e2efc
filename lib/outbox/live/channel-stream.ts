import type { OutboxEvent } from '../model/outbox-event.js';
import type { Clock } from '../../time/clock.js';
import { macrotask } from '../../time/sleep.js';
import type { ChannelBuffer } from './channel-buffer.js';
import { type ReadEvent, isAfter } from './channel-reader.js';

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
export class ChannelStream {
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
