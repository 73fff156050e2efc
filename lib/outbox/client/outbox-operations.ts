import { ConfigurationError, InvalidArgumentError } from '../../errors.js';
import type { ChannelLag, DeadEvent, DeadLetters, StandingChannel } from '../relay/dead-letters.js';
import type { DestinationRoster, KnownDestination } from '../relay/shard-leases.js';

export interface OperationsQuery {
  /** The name of a publisher or consumer. Default: the only one there is. */
  destination?: string;
  /** The most entries. Default 100. */
  limit?: number;
}

export interface LagQuery extends OperationsQuery {
  /** Up to how many events of one channel are counted. Default 10,000. */
  atMost?: number;
}

export interface DeadLettersQuery extends OperationsQuery {
  channel?: string;
  /** Those with a greater number than this: the last of the page before. */
  after?: string;
}

const LIMIT = 100;
const COUNTED = 10_000;

/**
 * What people may see and do about events that do not go on, from any process of the app.
 *
 * @example
 * for (const { channel, error } of await operations.standing()) console.warn(channel, error);
 * await operations.retryAll();
 */
export class OutboxOperations {
  constructor(
    private readonly roster: DestinationRoster,
    private readonly letters: DeadLetters,
    /** Tells the relays of all processes that there is something to look at. */
    private readonly wake: () => void,
  ) {}

  /** Publishers and consumers that the database knows, by name, and when a process with each started last. */
  destinations(): Promise<KnownDestination[]> {
    return this.roster.known();
  }

  /**
   * Forgets a publisher or consumer that is no more, so that events do not wait for it. One that is still declared
   * begins anew at the next start of its process.
   */
  async forget(destination: string): Promise<void> {
    await this.roster.forget(await this.named(destination));
  }

  /** Channels in which something waits, and how much: most first. */
  async lag({ destination, limit = LIMIT, atMost = COUNTED }: LagQuery = {}): Promise<ChannelLag[]> {
    checkCount(limit, 'limit');
    checkCount(atMost, 'atMost');
    return this.letters.lag(await this.named(destination), limit, atMost);
  }

  /** Channels that are blocked, parked, or have requeued events on their way, by name. */
  async standing({ destination, limit = LIMIT }: OperationsQuery = {}): Promise<StandingChannel[]> {
    checkCount(limit, 'limit');
    return this.letters.standing(await this.named(destination), limit);
  }

  /** Events that were put aside, by number. */
  async deadLetters({ destination, limit = LIMIT, ...query }: DeadLettersQuery = {}): Promise<DeadEvent[]> {
    checkCount(limit, 'limit');
    return this.letters.list({ ...query, destination: await this.named(destination), limit });
  }

  /**
   * Gives events back that were put aside, all of a channel or these numbers alone: they are delivered in their order
   * before anything else of the channel. Resolves to how many.
   */
  async requeue(
    channel: string,
    { destination, sequenceIds }: { destination?: string; sequenceIds?: readonly string[] } = {},
  ): Promise<number> {
    return this.told(await this.letters.requeue(await this.named(destination), channel, sequenceIds));
  }

  /** Puts the first event of a blocked channel aside, so that the channel goes on. False: it is not blocked. */
  async skip(channel: string, { destination }: { destination?: string } = {}): Promise<boolean> {
    return this.told(await this.letters.skip(await this.named(destination), channel));
  }

  /** Lets a blocked channel try again at once, its attempts forgotten. False: it is not blocked. */
  async retry(channel: string, { destination }: { destination?: string } = {}): Promise<boolean> {
    return this.told(await this.letters.retry(await this.named(destination), channel));
  }

  /** The same for all blocked channels, as after a broker was away for longer than the attempts last. Resolves to how many. */
  async retryAll({ destination }: { destination?: string } = {}): Promise<number> {
    return this.told(await this.letters.retryAll(await this.named(destination)));
  }

  private told<Done extends boolean | number>(done: Done): Done {
    if (done) this.wake();
    return done;
  }

  /** @throws InvalidArgumentError for a name nobody has; ConfigurationError without a name where there is not just one. */
  private async named(destination: string | undefined): Promise<string> {
    const known = (await this.roster.known()).map(({ name }) => name);
    const listed = known.map((name) => JSON.stringify(name)).join(', ') || 'none has started yet';
    if (destination !== undefined) {
      if (known.includes(destination)) return destination;
      throw new InvalidArgumentError('destination', destination, `a publisher or consumer of the outbox: ${listed}`);
    }
    const [only, another] = known;
    if (only !== undefined && another === undefined) return only;
    throw new ConfigurationError(`Which destination of the outbox? Pass { destination }, one of: ${listed}`);
  }
}

function checkCount(count: unknown, what: string): void {
  if (Number.isInteger(count) && (count as number) > 0) return;
  throw new InvalidArgumentError(what, count, 'a whole number above 0');
}
