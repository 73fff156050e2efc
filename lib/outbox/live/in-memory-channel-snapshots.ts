import type { ChannelReader } from './channel-reader.js';
import type { ChannelSnapshot, ChannelSnapshots } from './channel-snapshots.js';

/** The twin of `SqlChannelSnapshots`: reads again when something was written to the channel meanwhile. */
export class InMemoryChannelSnapshots implements ChannelSnapshots {
  constructor(private readonly reader: ChannelReader) {}

  async snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>> {
    for (;;) {
      const [before = '0'] = await this.reader.tops([channel]);
      const data = await read({});
      const [after] = await this.reader.tops([channel]);
      if (before === after) return { data, sequenceId: before };
    }
  }
}
