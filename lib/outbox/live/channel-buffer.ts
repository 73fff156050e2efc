import { type ReadEvent, isAfter } from './channel-reader.js';

export interface BufferLimits {
  /** The maximum number of events. Default 1,000. */
  readonly events: number;
  /** The maximum size in characters of JSON; the newest event is always kept. Default 1,000,000. */
  readonly size: number;
}

/** The newest events of one channel without gaps, shared by all its readers in this process. */
export class ChannelBuffer {
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

  /** Discards all events and continues after `top`. */
  restart(top: string): void {
    this.kept.length = 0;
    this.size = 0;
    this.floor = top;
    this.head = top;
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
