import { type ReadEvent, isAfter } from './channel-reader.js';

export interface BufferLimits {
  /** Events. Default 1,000. */
  readonly events: number;
  /** Characters of JSON, but for the newest event. Default 1,000,000. */
  readonly size: number;
}

/** The newest events of one channel, without a gap: shared by all who read it in this process. */
export class ChannelBuffer {
  private readonly kept: ReadEvent[] = [];
  private size = 0;
  /** The buffer has all events behind this number, up to {@link head}. */
  floor: string;
  head: string;

  constructor(
    top: string,
    private readonly limits: BufferLimits,
  ) {
    this.floor = top;
    this.head = top;
  }

  /** Those that follow {@link head}. */
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

  /** Starts anew behind `top`: what is between is not known. */
  restart(top: string): void {
    this.kept.length = 0;
    this.size = 0;
    this.floor = top;
    this.head = top;
  }

  /** Whether the next event behind `position` is here, or still to come. */
  covers(position: string): boolean {
    return !isAfter(this.floor, position);
  }

  /** The first event behind `position`, which the buffer has to cover. */
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
