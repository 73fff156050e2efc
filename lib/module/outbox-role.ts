import { ConfigurationError } from '../errors.js';
import type { DurableLog } from './durable.log.js';
import type { DeclaredDestinations } from './outbox-destinations.js';
import type { OutboxSettings } from './outbox-options.js';
import type { OutboxFeed } from '../outbox/live/outbox-feed.js';
import type { OutboxPruner } from '../outbox/live/outbox-pruner.js';
import type { Outbox } from '../outbox/client/outbox.js';
import type { OutboxOperations } from '../outbox/client/outbox-operations.js';
import type { OutboxRelay } from '../outbox/relay/outbox-relay.js';

/** An event that becomes visible behind a later one would be taken for one that was had already. */
const UNORDERED =
  "outbox.ordering 'none' is for an app with one @OutboxPublisher and no @OnOutboxMessage: consumers, and publishers " +
  "beside others, remember how far they have come, and would miss events. Use 'commit' or 'insert'";

export interface OutboxParts {
  outbox: Outbox;
  relay: OutboxRelay;
  operations: OutboxOperations;
  feed: OutboxFeed;
  pruner: OutboxPruner;
}

/** What a process does with the outbox: writes, publishes, lets its channels be followed. */
export class OutboxRole {
  private publishes = false;
  private prunes = false;

  constructor(
    readonly parts: OutboxParts,
    /** False: there is none. */
    private readonly settings: OutboxSettings | false,
    private readonly destinations: DeclaredDestinations,
    private readonly log: DurableLog,
  ) {}

  /**
   * @throws OutboxOccupiedError when another program publishes this outbox.
   * @throws ConfigurationError when events would be missed by who goes by their numbers.
   */
  async start(): Promise<void> {
    const { settings, destinations, parts } = this;
    if (settings === false) return;
    const { relay, retainMs, ordering } = settings;
    if (ordering === 'none' && destinations.keepPositions) throw new ConfigurationError(UNORDERED);
    this.publishes = relay && destinations.count > 0;
    this.prunes = relay && (destinations.count > 0 || retainMs > 0);
    if (this.publishes) await parts.relay.start();
    if (retainMs > 0) parts.feed.start();
    if (this.prunes) parts.pruner.start();
    if (relay && !this.publishes && retainMs > 0) this.log.nobodyPublishes();
  }

  /** Streams end, what is on its way to publishers arrives. */
  async stop(): Promise<void> {
    const { feed, pruner, relay } = this.parts;
    await feed.stop();
    // Also where it was not started: somebody may publish by hand just now.
    await Promise.all([this.prunes && pruner.stop(), relay.stop()]);
  }
}
