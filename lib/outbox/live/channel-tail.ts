import { ChannelBuffer, type BufferLimits } from './channel-buffer.js';
import { type ChannelPage, type ReadPosition, isAfter } from './channel-reader.js';
import type { ChannelStream } from './channel-stream.js';

/** The maximum number of positions of lagging readers that are read at once per channel. */
const POSITIONS_BACK = 8;

/** A channel that is read once in this process for all its readers. */
export class ChannelTail {
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
    const { buffer } = this;
    buffer?.restart(top);
    for (const stream of [...this.streams])
      if (stream.position !== undefined && isAfter(top, stream.position)) stream.reset(top, 'gone');
  }
}
