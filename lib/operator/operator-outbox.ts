import { type ActedBy, requiredOperator } from '../acts/act.js';
import type {
  DeadLettersQuery,
  LagQuery,
  OperationOptions,
  OperationsQuery,
  OutboxOperations,
  PurgeDeadLetters,
} from '../outbox/client/outbox-operations.js';
import type { ChannelLag, DeadEvent, StandingChannel } from '../outbox/relay/dead-letters.js';
import type { RelayInsight, ShardsOfOwner } from '../outbox/relay/relay-insight.js';
import { type Count, dateOf, MOST_COUNTED, type Questions, upTo } from './questions.js';

/** A publisher or consumer of the outbox, and how its deliveries stand. */
export interface DestinationInSight {
  name: string;
  /** When a process with it last started. */
  seenAt: Date;
  /** Channels that stand still. */
  blocked: Count;
  /** Since when the first of them does. */
  blockedSince: Date | null;
  /** Channels behind a dead letter. */
  parked: Count;
  /** Channels with requeued events under way. */
  requeued: Count;
  /** Dead letters. */
  dead: Count;
  /** Who publishes how many of its 64 shards. */
  owners: Pick<ShardsOfOwner, 'owner' | 'shards' | 'lapsed'>[];
}

/** Which publisher or consumer; needed if there is more than one. */
export type OnDestination = ActedBy & Pick<OperationOptions, 'destination'>;

/** The channels of each shard whose first event is looked at. */
const MOST_HEADS = 20;

interface Ports {
  operations: OutboxOperations;
  insight: RelayInsight;
  questions: Questions;
}

/** What operators see of the outbox, and do to it. In an app without outbox, everything throws a ConfigurationError. */
export class OperatorOutbox {
  constructor(private readonly ports: Ports) {}

  /** All publishers and consumers, by name. @throws QuestionTimeoutError */
  destinations(): Promise<DestinationInSight[]> {
    const { operations, insight } = this.ports;
    return this.ask('destinations', async () => {
      const known = await operations.destinations();
      const names = known.map(({ name }) => name);
      const [troubles, owners] = [await insight.troubles(names, MOST_COUNTED), await insight.shards()];
      return known.map(({ name, seenAt }) => {
        const found = troubles.find(({ destination }) => destination === name);
        return {
          name,
          seenAt: new Date(seenAt),
          blocked: upTo(MOST_COUNTED, found?.blocked ?? 0),
          blockedSince: dateOf(found?.since ?? null),
          parked: upTo(MOST_COUNTED, found?.parked ?? 0),
          requeued: upTo(MOST_COUNTED, found?.requeued ?? 0),
          dead: upTo(MOST_COUNTED, found?.dead ?? 0),
          owners: owners
            .filter(({ destination }) => destination === name)
            .map(({ owner, shards, lapsed }) => ({ owner, shards, lapsed })),
        };
      });
    });
  }

  /**
   * For how many ms the oldest undelivered event of each publisher or consumer waits; 0 if none does. Looks at the first
   * undelivered event of 20 channels of each shard. @throws QuestionTimeoutError
   */
  waits(): Promise<Record<string, number>> {
    const { operations, insight } = this.ports;
    return this.ask('waits', async () => {
      const waits: [string, number][] = [];
      for (const { name } of await operations.destinations())
        waits.push([name, (await insight.waitsMs(name, MOST_HEADS)) ?? 0]);
      return Object.fromEntries(waits);
    });
  }

  /** Channels with undelivered events, most first. @throws InvalidArgumentError, QuestionTimeoutError */
  lag(query: LagQuery = {}): Promise<ChannelLag[]> {
    return this.ask('lag', () => this.ports.operations.lag(query));
  }

  /** Channels that are blocked, parked or have requeued events. @throws InvalidArgumentError, QuestionTimeoutError */
  standing(query: OperationsQuery = {}): Promise<StandingChannel[]> {
    return this.ask('standing', () => this.ports.operations.standing(query));
  }

  /** Dead letters by number, page by page. @throws InvalidArgumentError, QuestionTimeoutError */
  deadLetters(query: DeadLettersQuery = {}): Promise<DeadEvent[]> {
    return this.ask('deadLetters', () => this.ports.operations.deadLetters(query));
  }

  /** Retries a blocked channel at once. Returns false if it is not blocked. @throws InvalidArgumentError */
  async retry(channel: string, on: OnDestination): Promise<boolean> {
    return this.ports.operations.retry(channel, checked(on));
  }

  /** Retries all blocked channels and returns how many. @throws InvalidArgumentError */
  async retryAll(on: OnDestination): Promise<number> {
    return this.ports.operations.retryAll(checked(on));
  }

  /** Sets the first event of a blocked channel aside. Returns false if it is not blocked. @throws InvalidArgumentError */
  async skip(channel: string, on: OnDestination): Promise<boolean> {
    return this.ports.operations.skip(channel, checked(on));
  }

  /** Requeues dead letters of a channel and returns how many. @throws InvalidArgumentError */
  async requeue(channel: string, on: OnDestination & { sequenceIds?: readonly string[] }): Promise<number> {
    return this.ports.operations.requeue(channel, checked(on));
  }

  /** Removes a publisher or consumer that no longer exists. @throws InvalidArgumentError */
  async forget(destination: string, by: ActedBy): Promise<void> {
    return this.ports.operations.forget(destination, requiredOperator(by ?? {}));
  }

  /** Deletes old dead letters, as `OutboxOperations.purgeDeadLetters`; with acts as `runs.purge`. @throws InvalidArgumentError */
  async purgeDeadLetters(options: ActedBy & PurgeDeadLetters): Promise<number> {
    return this.ports.operations.purgeDeadLetters({ ...options, ...requiredOperator(options ?? {}) });
  }

  private ask<T>(question: string, look: () => Promise<T>): Promise<T> {
    return this.ports.questions.ask(`outbox.${question}`, look);
  }
}

const checked = <T extends OnDestination>(given: T): T => ({ ...given, ...requiredOperator(given ?? {}) });
