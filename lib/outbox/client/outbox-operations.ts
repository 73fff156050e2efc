import { ConfigurationError, InvalidArgumentError } from '../../errors.js';
import type { ChannelLag, DeadEvent, DeadLetters, StandingChannel } from '../relay/dead-letters.js';
import type { DestinationRoster, KnownDestination } from '../relay/shard-leases.js';

export interface OperationsQuery {
  /** The name of a publisher or consumer. Default: the only one, if there is only one. */
  destination?: string;
  /** The maximum number of entries. Default 100. */
  limit?: number;
}

export interface LagQuery extends OperationsQuery {
  /** The maximum number of events counted per channel. Default 10,000. */
  atMost?: number;
}

export interface DeadLettersQuery extends OperationsQuery {
  channel?: string;
  /** Only events with a greater number than this: the last number of the previous page. */
  after?: string;
}

const LIMIT = 100;
const COUNTED = 10_000;

/**
 * Shows and repairs events that are not delivered. Works from any process of the app.
 *
 * @example
 * for (const { channel, error } of await operations.standing()) console.warn(channel, error);
 * await operations.retryAll();
 */
export class OutboxOperations {
  constructor(
    private readonly roster: DestinationRoster,
    private readonly letters: DeadLetters,
    /** Wakes the relays of all processes. */
    private readonly wake: () => void,
  ) {}

  /** All publishers and consumers in the database, by name, and when a process with each last started. */
  destinations(): Promise<KnownDestination[]> {
    return this.roster.known();
  }

  /**
   * Removes a publisher or consumer that no longer exists, so that events do not wait for it. One that is still
   * declared starts anew at the next start of its process.
   */
  async forget(destination: string): Promise<void> {
    await this.roster.forget(await this.named(destination));
  }

  /** Channels with undelivered events and how many there are, most first. */
  async lag({ destination, limit = LIMIT, atMost = COUNTED }: LagQuery = {}): Promise<ChannelLag[]> {
    checkCount(limit, 'limit');
    checkCount(atMost, 'atMost');
    return this.letters.lag(await this.named(destination), limit, atMost);
  }

  /** Channels that are blocked, parked, or have requeued events pending, by state and name. */
  async standing({ destination, limit = LIMIT }: OperationsQuery = {}): Promise<StandingChannel[]> {
    checkCount(limit, 'limit');
    return this.letters.standing(await this.named(destination), limit);
  }

  /** Dead letters: events that were set aside, ordered by number. */
  async deadLetters({ destination, limit = LIMIT, ...query }: DeadLettersQuery = {}): Promise<DeadEvent[]> {
    checkCount(limit, 'limit');
    return this.letters.list({ ...query, destination: await this.named(destination), limit });
  }

  /**
   * Requeues dead letters of a channel, either all or those in `sequenceIds`. They are delivered in order before any
   * other event of the channel. Resolves to their number.
   */
  async requeue(
    channel: string,
    { destination, sequenceIds }: { destination?: string; sequenceIds?: readonly string[] } = {},
  ): Promise<number> {
    return this.told(await this.letters.requeue(await this.named(destination), channel, sequenceIds));
  }

  /**
   * Sets the first event of a blocked channel aside; then the channel continues. Returns false if it is not blocked.
   */
  async skip(channel: string, { destination }: { destination?: string } = {}): Promise<boolean> {
    return this.told(await this.letters.skip(await this.named(destination), channel));
  }

  /** Retries a blocked channel at once and resets its attempts. Returns false if it is not blocked. */
  async retry(channel: string, { destination }: { destination?: string } = {}): Promise<boolean> {
    return this.told(await this.letters.retry(await this.named(destination), channel));
  }

  /** Retries all blocked channels, for example after a long broker outage. Resolves to their number. */
  async retryAll({ destination }: { destination?: string } = {}): Promise<number> {
    return this.told(await this.letters.retryAll(await this.named(destination)));
  }

  private told<Done extends boolean | number>(done: Done): Done {
    if (done) this.wake();
    return done;
  }

  /** @throws InvalidArgumentError for an unknown name; ConfigurationError for no name if there is not exactly one */
  private async named(destination: string | undefined): Promise<string> {
    const known = (await this.roster.known()).map(({ name }) => name);
    const listed = known.map((name) => JSON.stringify(name)).join(', ') || 'none has started yet';
    if (destination !== undefined) {
      if (known.includes(destination)) return destination;
      throw new InvalidArgumentError('destination', destination, `a publisher or consumer of the outbox: ${listed}`);
    }
    const [only, another] = known;
    if (only !== undefined && another === undefined) return only;
    throw new ConfigurationError(`There is not exactly one destination: pass { destination }, one of: ${listed}`);
  }
}

function checkCount(count: unknown, what: string): void {
  if (Number.isInteger(count) && (count as number) > 0) return;
  throw new InvalidArgumentError(what, count, 'a whole number above 0');
}
