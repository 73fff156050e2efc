import { Injectable, Scope } from '@nestjs/common';
import { ConfigurationError, InvalidArgumentError } from '../../../lib/core/errors.js';
import { messageHandlersOf, OnOutboxMessage, OutboxPublisher, publisherOf } from '../../../lib/nest/decorators.js';

class Publishes {
  publish(): void {}
}

abstract class Inherited {
  @OnOutboxMessage('posts:*')
  first(): void {}

  @OnOutboxMessage('posts:1', { consumer: 'second' })
  second(): void {}
}

class Handlers extends Inherited {
  /** Overridden without a decorator: still a handler. */
  override first(): void {}

  @OnOutboxMessage(['posts:2', '*'], { consumer: 'renamed' })
  override second(): void {}

  plain(): void {}
}

describe('what decorators of the outbox write down', () => {
  it('@OutboxPublisher: its name, which is the class by default, also of a class that extends it', () => {
    @OutboxPublisher()
    class Index extends Publishes {}
    class Faked extends Index {}
    @OutboxPublisher({ name: 'search', batchSize: 1 })
    class Named extends Publishes {}
    expect(publisherOf(Index)).toEqual({ name: 'Index', isUnnamed: true });
    expect(publisherOf(Faked)).toEqual({ name: 'Index', isUnnamed: true });
    expect(publisherOf(Named)).toEqual({ name: 'search', batchSize: 1, isUnnamed: false });
    expect(publisherOf(Publishes)).toBeUndefined();
  });

  it('@OnOutboxMessage: on methods, inherited and overridden ones included', () => {
    expect(Object.fromEntries(messageHandlersOf(Handlers))).toEqual({
      first: { patterns: ['posts:*'] },
      second: { patterns: ['posts:2', '*'], consumer: 'renamed' },
    });
    expect(messageHandlersOf(Publishes).size).toBe(0);
  });

  it('@OutboxPublisher makes a class injectable, and leaves what @Injectable says of it', () => {
    @OutboxPublisher()
    class Alone extends Publishes {}
    expect(Reflect.getMetadata('__injectable__', Alone)).toBe(true);

    @OutboxPublisher()
    @Injectable({ scope: Scope.REQUEST })
    class Below extends Publishes {}
    expect(Reflect.getMetadata('scope:options', Below)).toEqual({ scope: Scope.REQUEST });
  });
});

describe('what decorators of the outbox refuse', () => {
  it('@OnOutboxMessage on a static method, an accessor, a symbol, and twice on a method', () => {
    const on = OnOutboxMessage('x') as unknown as (target: object, key: string | symbol, descriptor?: object) => void;
    class Wrong {
      readonly nothing = 0;
    }
    expect(() => on(Wrong, 'handle', { value: () => 1 })).toThrow(/static member Wrong.handle.*instance method/);
    expect(() => on(Wrong.prototype, 'handle', { get: () => 1 })).toThrow(/Wrong.handle, which is not a method/);
    expect(() => on(Wrong.prototype, Symbol('s'), { value: () => 1 })).toThrow(ConfigurationError);
    on(Wrong.prototype, 'handle', { value: () => 1 });
    expect(() => on(Wrong.prototype, 'handle', { value: () => 1 })).toThrow(/Wrong.handle has .*twice/);
  });

  it.each<[string, () => unknown]>([
    ['an empty name', () => OutboxPublisher({ name: '' })(Publishes)],
    ['a name too long', () => OutboxPublisher({ name: 'x'.repeat(192) })(Publishes)],
    ['batches of nothing', () => OutboxPublisher({ batchSize: 0 })(Publishes)],
    ['batches in words', () => OutboxPublisher({ batchSize: '5' as never })(Publishes)],
    ['no channel', () => OnOutboxMessage('')],
    ['no channels', () => OnOutboxMessage([])],
    ['a star in the middle', () => OnOutboxMessage('posts:*:new')],
    ['two stars', () => OnOutboxMessage('posts:**')],
    ['a channel too long', () => OnOutboxMessage('x'.repeat(256))],
    ['a channel that is no text', () => OnOutboxMessage([1 as never])],
    ['a constant of a file that is not loaded yet', () => OnOutboxMessage(undefined as never)],
    ['an empty consumer', () => OnOutboxMessage('a', { consumer: '' })],
    ['a consumer too long', () => OnOutboxMessage('a', { consumer: 'x'.repeat(192) })],
  ])('%s', (_, declare) => {
    expect(declare).toThrow(InvalidArgumentError);
  });

  it.each(['a', '*', 'posts:*', 'x'.repeat(255), `${'😀'.repeat(255)}*`])('not: %s', (channel) => {
    expect(() => OnOutboxMessage(channel, { consumer: 'c'.repeat(191) })).not.toThrow();
  });
});
