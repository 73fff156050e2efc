import { Injectable } from '@nestjs/common';
import { ConfigurationError } from '../errors/setup-errors.js';
import type { DurableLog } from './durable.log.js';
import type { OutboxSettings } from './outbox-options.js';
import type { OutboxFeed } from '../outbox/live/outbox-feed.js';
import type { OutboxPruner } from '../outbox/live/outbox-pruner.js';
import type { Outbox } from '../outbox/client/outbox.js';
import type { OutboxOperations } from '../outbox/client/outbox-operations.js';
import type { OutboxRelay } from '../outbox/relay/outbox-relay.js';
import type { Loops } from '../time/poll-loop.js';
import type { Destination } from '../outbox/model/destination.js';
import { ConsumerDestination } from '../outbox/inbox/inbox.js';

/** The publishers and consumers of this process, known once the container has been explored. */
@Injectable()
export class DeclaredDestinations implements Iterable<Destination> {
  private destinations: readonly Destination[] = [];

  /** @throws ConfigurationError when two have the same name. */
  serve(destinations: readonly Destination[]): void {
    const names = new Set<string>();
    for (const { name } of destinations) {
      if (names.has(name))
        throw new ConfigurationError(`A hook and another destination of the outbox are named "${name}": rename one`);
      names.add(name);
    }
    this.destinations = destinations;
  }

  /** Whether any of them wants ends or blocks of runs. */
  get hasHooks(): boolean {
    return this.destinations.some(({ wants }) => wants !== undefined);
  }

  get count(): number {
    return this.destinations.length;
  }

  /** Whether any of them stores the greatest number of each channel that it has received. */
  get keepPositions(): boolean {
    return this.count > 1 || this.destinations.some((destination) => destination instanceof ConsumerDestination);
  }

  [Symbol.iterator](): Iterator<Destination> {
    return this.destinations[Symbol.iterator]();
  }
}

/** An event that becomes visible after a later one would be taken for a duplicate. */
const UNORDERED =
  "outbox.ordering 'none' is for an app with one @OutboxPublisher, no @OnOutboxMessage and no hooks: consumers, and publishers " +
  "next to others, store their positions and would miss events. Use 'commit' or 'insert'";

export interface OutboxParts {
  outbox: Outbox;
  relay: OutboxRelay;
  operations: OutboxOperations;
  feed: OutboxFeed;
  pruner: OutboxPruner;
}

/** The outbox of a process: writes events, publishes them, and serves channel streams. */
export class OutboxRole {
  private publishes = false;
  private prunes = false;
  private streams = false;

  constructor(
    readonly parts: OutboxParts,
    /** False: the outbox is turned off. */
    private readonly settings: OutboxSettings | false,
    private readonly destinations: DeclaredDestinations,
    private readonly log: DurableLog,
  ) {}

  /** Makes hooks known, before the engine of this process ends a run. */
  async register(): Promise<void> {
    if (this.settings !== false && this.settings.relay && this.destinations.hasHooks) await this.parts.relay.register();
  }

  /** Of what was started. */
  get loops(): Loops {
    const { relay, feed, pruner } = this.parts;
    return { ...relay.loops, ...(this.streams && feed.loops), ...(this.prunes && pruner.loops) };
  }

  /**
   * @throws OutboxOccupiedError when another program publishes this outbox.
   * @throws ConfigurationError when the ordering would make destinations miss events.
   */
  async start(): Promise<void> {
    const { settings, destinations, parts } = this;
    if (settings === false) return;
    const { relay, retainMs, ordering } = settings;
    if (ordering === 'none' && destinations.keepPositions) throw new ConfigurationError(UNORDERED);
    this.publishes = relay && destinations.count > 0;
    this.prunes = relay && (destinations.count > 0 || retainMs > 0);
    if (this.publishes) await parts.relay.start();
    this.streams = retainMs > 0;
    if (this.streams) parts.feed.start();
    if (this.prunes) parts.pruner.start();
    if (relay && !this.publishes && retainMs > 0) this.log.nobodyPublishes();
  }

  /** Ends streams and waits for deliveries in progress. */
  async stop(): Promise<void> {
    const { feed, pruner, relay } = this.parts;
    await feed.stop();
    // Even if it was not started: the app may be publishing manually.
    await Promise.all([this.prunes && pruner.stop(), relay.stop()]);
  }
}
