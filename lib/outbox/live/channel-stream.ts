import type { OutboxEvent } from '../model/outbox-event.js';
import type { Clock } from '../../time/clock.js';
import { macrotask } from '../../time/within.js';
import type { ChannelBuffer } from './channel-buffer.js';
import { type ReadEvent, isAfter } from './channel-reader.js';

/**
 * What a stream of a channel says, in the shape that `@Sse()` sends. `id` is always where the stream stands: what a
 * browser sends as `Last-Event-ID` when it connects again.
 */
export type ChannelMessage<Data = unknown> =
  | { type: 'event'; id: string; data: OutboxEvent<Data> }
  | { type: 'reset'; id: string; data: ResetNote }
  | { type: 'heartbeat'; id: string; data: { sequenceId: string } };

/**
 * Events were missed: take a snapshot, and leave out what comes with a number up to the snapshot's. The stream goes on
 * behind `sequenceId`.
 */
export interface ResetNote {
  sequenceId: string;
  /** `gone`: what follows the position is no longer there. `slow`: the reader fell behind what is kept for it. */
  reason: 'gone' | 'slow';
}

/** The part of an HTTP response that says whether whoever reads it keeps up. */
export interface PacedResponse {
  readonly writableNeedDrain: boolean;
  once(event: 'drain', listener: () => void): unknown;
}

export interface StreamOptions {
  readonly clock: Clock;
  readonly response?: PacedResponse | undefined;
  /** Events that may be missed by a reader that had caught up, before it has to start anew. */
  readonly behind: number;
}

/**
 * How many events, and characters of JSON, go out before a response is asked again whether it can take more. It cannot
 * say so at once, and NestJS drops who has 4 MiB waiting.
 */
const PER_TURN = 200;
const SIZE_PER_TURN = 256_000;

/** One reader of one channel: what it has been told, and whether it can be told more. */
export class ChannelStream {
  private opened = false;
  private closed = false;
  private waiting = false;
  private sentThisTurn = 0;
  private sizeThisTurn = 0;
  /** Read for it, and not told yet since it could not take more. */
  private pending: readonly ReadEvent[] = [];
  private lastSentAt = 0;
  /** How many events the channel had when this reader had all of them; undefined until then. */
  private caughtUpAt: number | undefined;

  constructor(
    private readonly send: (message: ChannelMessage) => void,
    /** Behind which event it stands; undefined: behind whatever there is when it opens. */
    public position: string | undefined,
    private readonly options: StreamOptions,
    /** Called when it may be told more. */
    private readonly ready: () => void,
  ) {}

  /** From now on it can be told something, and where it stands is the first of it. */
  open(top: string): void {
    if (this.opened || this.closed) return;
    this.opened = true;
    this.position ??= top;
    this.beat();
  }

  close(): void {
    this.closed = true;
  }

  /** Whether it wants to be told of events that the buffer does not have any more. */
  lagsBehind(buffer: ChannelBuffer): boolean {
    return this.position !== undefined && this.pending.length === 0 && this.canTake && !buffer.covers(this.position);
  }

  /** Tells whatever the buffer has for it. `count` is how many events the channel has had since it was opened. */
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
   * Tells events that were read for it, or for another that stood further back; a few of those that it cannot take at
   * once are kept for it. Returns whether it was told all of them.
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

  /** Says where it stands, if it has said nothing for `ms`. */
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

  /** Nothing more until what this answers is called. */
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
