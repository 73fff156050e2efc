import { ChannelBuffer, type BufferLimits } from './channel-buffer.js';
import { type ChannelPage, type ReadPosition, isAfter } from './channel-reader.js';
import type { ChannelStream } from './channel-stream.js';

/** For how many readers that are behind, and stand in different positions, a channel is read at once. */
const POSITIONS_BACK = 8;

/** A channel that is read in this process, once for all of its readers. */
export class ChannelTail {
  readonly streams = new Set<ChannelStream>();
  private buffer: ChannelBuffer | undefined;
  /** Events so far. */
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

  /** A stream that has come later. */
  welcome(stream: ChannelStream): void {
    if (!this.buffer) return;
    stream.open(this.buffer.head);
    this.follow(stream);
  }

  follow(stream: ChannelStream): void {
    if (this.buffer) stream.follow(this.buffer, this.count);
  }

  /** Where to read: behind what is known already, and behind some of the readers that are further back. */
  positions(): ReadPosition[] {
    const { buffer, channel } = this;
    if (!buffer) return [];
    const lagging = [...this.streams].filter((stream) => stream.lagsBehind(buffer));
    const back = [...new Set(lagging.map(({ position }) => position ?? '0'))].sort((a, b) => (isAfter(a, b) ? 1 : -1));
    // A page is for all who stand in it. Another time it is the turn of others.
    const step = Math.ceil(back.length / POSITIONS_BACK);
    const first = step > 0 ? this.turn++ % step : 0;
    return [buffer.head, ...back.filter((_, n) => n % step === first)].map((after) => ({ channel, after }));
  }

  get lags(): boolean {
    const { buffer } = this;
    return buffer !== undefined && [...this.streams].some((stream) => stream.lagsBehind(buffer));
  }

  /** What stands behind the head. `isWhole`: and that is all; `witnesses` were there before it was read. */
  advance({ events }: ChannelPage, isWhole: boolean, witnesses: readonly ChannelStream[]): void {
    const { buffer } = this;
    if (!buffer) return;
    for (const read of events) {
      // One by one, so that nobody misses what the buffer cannot hold.
      buffer.append([read]);
      this.count++;
      for (const stream of [...this.streams]) this.follow(stream);
    }
    if (!isWhole) return;
    // No such number has been given: those of before were taken back, or it is of another channel.
    for (const stream of witnesses)
      if (stream.position !== undefined && isAfter(stream.position, buffer.head)) stream.reset(buffer.head, 'gone');
  }

  /** What stands behind one of the readers that are further back. */
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

  /** The channel was not read for so long that something behind the head is gone. */
  restart(top: string): void {
    const { buffer } = this;
    buffer?.restart(top);
    for (const stream of [...this.streams])
      if (stream.position !== undefined && isAfter(top, stream.position)) stream.reset(top, 'gone');
  }
}
