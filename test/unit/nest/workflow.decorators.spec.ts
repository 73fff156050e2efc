import { Inject, Injectable, Scope } from '@nestjs/common';
import { remoteStepsOf, workerOf, workflowOf } from '../../../lib/nest/decorators.js';
import {
  ConfigurationError,
  InvalidArgumentError,
  RemoteStep,
  type Retry,
  Worker,
  Workflow,
} from '../../../lib/index.js';

class Runner {
  async run(): Promise<void> {}
}

abstract class Inherited {
  @RemoteStep('first', { timeout: '1s' })
  first(): void {}

  @RemoteStep('second')
  second(): void {}
}

class Steps extends Inherited {
  /** Overridden without a decorator: still the handler. */
  override first(): void {}

  @RemoteStep('second.renamed', { retry: 2 })
  override second(): void {}

  @RemoteStep('third')
  async third(): Promise<void> {}

  plain(): void {}
}

describe('what decorators write down', () => {
  it('@Workflow: name, version and retry, also of a class that extends it', () => {
    @Workflow('checkout', { version: 2, retry: 5 })
    class Checkout extends Runner {}
    class Faked extends Checkout {}
    expect(workflowOf(Checkout)).toEqual({ name: 'checkout', version: 2, retry: 5 });
    expect(workflowOf(Faked)).toEqual({ name: 'checkout', version: 2, retry: 5 });
    expect(workflowOf(Runner)).toBeUndefined();
  });

  it('limits that are of one line have one key', () => {
    const key = (input: { id: string }) => input.id;
    const rateLimit = { max: 1, duration: '1s' } as const;
    const limits = { concurrency: { limit: 1, key }, rateLimit };
    expect(() => Workflow('a', limits)).toThrow(InvalidArgumentError);
    expect(() => RemoteStep('a', limits)).toThrow('rateLimit.key');
    expect(() => RemoteStep('a', { ...limits, rateLimit: { ...rateLimit, key } })).not.toThrow();
  });

  it('@Worker: its options', () => {
    @Worker({ concurrency: 3, group: 'gpu' })
    class Gpu {
      readonly cards = 1;
    }
    expect(workerOf(Gpu)).toEqual({ concurrency: 3, group: 'gpu' });
    expect(workerOf(Steps)).toEqual({});
  });

  it('@RemoteStep: on methods, inherited and overridden ones included', () => {
    expect(Object.fromEntries(remoteStepsOf(Steps))).toEqual({
      first: { name: 'first', timeout: '1s' },
      second: { name: 'second.renamed', retry: 2 },
      third: { name: 'third' },
    });
    expect([...remoteStepsOf(Inherited).keys()]).toEqual(['first', 'second']);
    expect(remoteStepsOf(Runner).size).toBe(0);
  });

  it.each([
    ['@Workflow', Workflow('injected') as ClassDecorator],
    ['@Worker', Worker()],
  ])('%s makes a class injectable, and leaves what @Injectable says of it', (_, decorator) => {
    class Dependency {
      readonly value = 1;
    }
    class Alone extends Runner {
      constructor(@Inject(Dependency) readonly dependency: Dependency) {
        super();
      }
    }
    decorator(Alone);
    expect(Reflect.getMetadata('__injectable__', Alone)).toBe(true);

    class Below extends Runner {}
    Injectable({ scope: Scope.REQUEST })(Below);
    decorator(Below);
    expect(Reflect.getMetadata('scope:options', Below)).toEqual({ scope: Scope.REQUEST });
  });
});

describe('what decorators refuse', () => {
  it('@RemoteStep on a static method, an accessor, a symbol', () => {
    const step = RemoteStep('x') as unknown as (target: object, key: string | symbol, descriptor?: object) => void;
    class Wrong {
      readonly nothing = 0;
    }
    expect(() => step(Wrong, 'charge', { value: () => 1 })).toThrow(/static member Wrong.charge.*instance method/);
    expect(() => step(Wrong.prototype, 'charge', { get: () => 1 })).toThrow(/Wrong.charge, which is not a method/);
    expect(() => step(Wrong.prototype, 'charge')).toThrow(ConfigurationError);
    expect(() => step(Wrong.prototype, Symbol('s'), { value: () => 1 })).toThrow(ConfigurationError);
  });

  it.each<[string, () => unknown]>([
    ['an empty workflow name', () => Workflow('')],
    ['a name too long', () => Workflow('x'.repeat(192))],
    ['version 0', () => Workflow('x', { version: 0 })],
    ['a version between', () => Workflow('x', { version: 1.5 })],
    ['a version that no column holds', () => Workflow('x', { version: 202_511_271_530 })],
    ['a step name with a line break', () => RemoteStep('a\nb')],
    ['a timeout of nothing', () => RemoteStep('x', { timeout: 0 })],
    ['a timeout in words', () => RemoteStep('x', { timeout: 'soon' as never })],
    ['no attempts', () => RemoteStep('x', { retry: 0 })],
    ['retry: true', () => RemoteStep('x', { retry: true as unknown as Retry })],
    ['attempts in words', () => RemoteStep('x', { retry: { attempts: '3' as never } })],
    ['a backoff in words', () => RemoteStep('x', { retry: { backoff: { delay: 'long' as never } } })],
    ['a shrinking backoff', () => RemoteStep('x', { retry: { backoff: { factor: 0.5 } } })],
    ['retryIf that is no function', () => RemoteStep('x', { retry: { retryIf: 'never' as never } })],
    ['no concurrency', () => Worker({ concurrency: 0 })(Runner)],
    ['an empty group', () => Worker({ group: '' })(Runner)],
    ['a lease in words', () => Worker({ leaseDuration: 'long' as never })(Runner)],
  ])('%s', (_, declare) => {
    expect(declare).toThrow(InvalidArgumentError);
  });
});
