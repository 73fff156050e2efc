import type { StorageMethods } from '../../protocol/port-methods.js';
import type { OutboxWriter } from '../events/outbox-writer.js';
import type { Inbox } from '../inbox/inbox.js';
import type { ChannelReader } from '../live/channel-reader.js';
import type { ChannelSnapshots } from '../live/channel-snapshots.js';
import type { EventPruning } from '../live/event-pruning.js';
import type { RelaySignals } from '../relay/relay-options.js';
import type { RelayStorage } from '../relay/relay-storage.js';

/** Every port of the outbox. */
export interface OutboxStorage {
  readonly writer: OutboxWriter;
  readonly relay: RelayStorage;
  readonly inbox: Inbox;
  readonly reader: ChannelReader;
  readonly snapshots: ChannelSnapshots;
  readonly pruning: EventPruning;
  readonly signals: RelaySignals;
}

/** What each method of these does to what is stored. The relay's ports have theirs, and signals store nothing. */
export const OUTBOX_METHODS: StorageMethods<Omit<OutboxStorage, 'relay' | 'signals'>> = {
  writer: { write: 'writes', writeAlone: 'writes', writeIn: 'writes', announce: 'tells' },
  inbox: { receive: 'writes' },
  reader: { read: 'reads', tops: 'reads' },
  snapshots: { snapshot: 'reads' },
  pruning: { prune: 'finds' },
};
