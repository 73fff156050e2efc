import { Injectable, Scope, type Provider } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { systemClock } from '../../../lib/core/time.js';
import { OnOutboxMessage, OutboxPublisher } from '../../../lib/nest/decorators.js';
import { ConfigurationError } from '../../../lib/core/errors.js';
import { EnhancedMethods } from '../../../lib/nest/enhanced-methods.js';
import { OutboxDestinationExplorer } from '../../../lib/nest/explorers.js';
import { DurableLog, NestLogTarget } from '../../../lib/nest/log.js';
import { DURABLE_SETTINGS, settingsOf } from '../../../lib/nest/options.js';
import type { DeliveryContext, Destination } from '../../../lib/outbox/destinations.js';
import { InMemoryInbox } from '../../../lib/outbox/storage.memory.js';
import type { OutboxEvent } from '../../../lib/outbox/events.js';
import { anEvent, delivery } from '../../support/outbox-events.js';

const ENHANCED: Provider[] = [
  EnhancedMethods,
  { provide: DURABLE_SETTINGS, useValue: settingsOf({}) },
  { provide: DurableLog, useFactory: () => new DurableLog(new NestLogTarget('Durable'), systemClock) },
];

const explore = async (...providers: Provider[]): Promise<Map<string, Destination>> => {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [OutboxDestinationExplorer, ...ENHANCED, ...providers],
  }).compile();
  const found = module.get(OutboxDestinationExplorer).explore(new InMemoryInbox());
  return new Map(found.map(({ destination }) => [destination.name, destination]));
};

@OutboxPublisher({ batchSize: 7 })
class Index {
  readonly seen: [readonly OutboxEvent[], DeliveryContext][] = [];

  publish(events: readonly OutboxEvent[], context: DeliveryContext): void {
    this.seen.push([events, context]);
  }
}

@Injectable()
class Counts {
  readonly seen: string[] = [];

  @OnOutboxMessage('posts:*', { consumer: 'counts' })
  all({ sequenceId }: OutboxEvent<never>): void {
    this.seen.push(`all ${sequenceId}`);
  }

  @OnOutboxMessage('posts:1', { consumer: 'counts' })
  async one({ sequenceId }: OutboxEvent<never>, tx: object): Promise<void> {
    this.seen.push(`one ${sequenceId} ${typeof tx}`);
  }

  @OnOutboxMessage('mails')
  mails({ sequenceId }: OutboxEvent<never>): void {
    this.seen.push(`mails ${sequenceId}`);
  }
}

describe('destinations of an app', () => {
  it('are its publishers', async () => {
    const index = new Index();
    const found = await explore({ provide: Index, useValue: index });
    expect([...found.values()].map(({ name, batchSize }) => [name, batchSize])).toEqual([['Index', 7]]);
    const [events, context] = [[anEvent('1')], delivery()];
    await found.get('Index')?.deliver(events, context);
    expect(index.seen).toEqual([[events, context]]);
  });

  it('are its consumers, whose methods run one after another in one transaction', async () => {
    const counts = new Counts();
    const found = await explore({ provide: Counts, useValue: counts });
    expect([...found.keys()].sort()).toEqual(['Counts.mails', 'counts']);
    for (const channel of ['posts:1', 'posts:2', 'mails', 'post', 'posts'])
      for (const destination of found.values()) await destination.deliver([anEvent('7', { channel })], delivery());
    expect(counts.seen).toEqual(['all 7', 'one 7 object', 'all 7', 'mails 7']);
  });

  it('are what a test has put in their place', async () => {
    const found = await explore(
      { provide: Index, useValue: { publish: () => Promise.reject(new Error('refused')) } },
      { provide: Counts, useValue: { mails: () => undefined } },
    );
    expect([...found.keys()].sort()).toEqual(['Counts.mails', 'Index']);
    await expect(found.get('Index')?.deliver([anEvent('1')], delivery())).rejects.toThrow('refused');
  });

  it('have different names', async () => {
    @OutboxPublisher({ name: 'counts' })
    class Other extends Index {}
    await expect(explore(Other, Counts)).rejects.toThrow(
      /called "counts".*Other and by Counts.all, Counts.one: rename/,
    );
    await expect(explore(Counts, { provide: 'again', useClass: Counts })).rejects.toThrow(/Counts.all exists twice/);
    await expect(explore(Index, { provide: 'again', useClass: Index })).rejects.toThrow(/Index exists twice/);
  });

  it('are singletons, with the methods that were declared', async () => {
    @OutboxPublisher()
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient extends Index {}
    await expect(explore(Transient)).rejects.toThrow(ConfigurationError);
    await expect(explore({ provide: Index, useValue: {} })).rejects.toThrow(/Index.*no method publish/);
  });
});
