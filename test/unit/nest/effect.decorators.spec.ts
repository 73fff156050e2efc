import { ConfigurationError, InvalidArgumentError } from '../../../lib/core/errors.js';
import type { EffectOptions } from '../../../lib/nest/decorator-options.js';
import {
  abandonmentsOf,
  completionsOf,
  Effect,
  effectsOf,
  OnAbandoned,
  OnOperationComplete,
} from '../../../lib/nest/decorators.js';

abstract class Inherited {
  @Effect('crm', { attempts: 2 })
  crm(): void {}

  @Effect('mail')
  mail(): void {}
}

class Handlers extends Inherited {
  /** Overridden without a decorator: still a handler. */
  override crm(): void {}

  @Effect('mail', { timeout: '1m', leaseDuration: '2m', backoff: { delay: 5, jitter: 'full' } })
  override mail(): void {}

  @OnOperationComplete('erase')
  completed(): void {}

  @OnAbandoned(['erase', 'rectify'])
  abandoned(): void {}

  plain(): void {}
}

describe('what decorators of effects write down', () => {
  it('@Effect: on methods, inherited and overridden ones included', () => {
    expect(Object.fromEntries(effectsOf(Handlers))).toEqual({
      crm: { name: 'crm', attempts: 2 },
      mail: { name: 'mail', timeout: '1m', leaseDuration: '2m', backoff: { delay: 5, jitter: 'full' } },
    });
  });

  it('listeners: their operations', () => {
    expect(Object.fromEntries(completionsOf(Handlers))).toEqual({ completed: ['erase'] });
    expect(Object.fromEntries(abandonmentsOf(Handlers))).toEqual({ abandoned: ['erase', 'rectify'] });
    class Repeated {
      @OnAbandoned(['erase', 'erase'])
      told(): void {}
    }
    expect([...abandonmentsOf(Repeated)]).toEqual([['told', ['erase']]]);
  });
});

describe('what decorators of effects refuse', () => {
  it.each<[string, EffectOptions]>([
    ['attempts', { attempts: 0 }],
    ['attempts', { attempts: 1.5 }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: 'soon' as never }],
    ['leaseDuration', { leaseDuration: -1 }],
    ['backoff', { backoff: true as never }],
    ['backoff.delay', { backoff: { delay: 0 } }],
    ['backoff.maxDelay', { backoff: { delay: '2s', maxDelay: '1s' } }],
    ['backoff.jitter', { backoff: { jitter: 'some' as never } }],
    ['backoff', { backoff: { factor: 0.5 } }],
  ])('%s', (field, options) => {
    expect(() => Effect('crm', options)).toThrow(InvalidArgumentError);
    expect(() => Effect('crm', options)).toThrow(`@Effect('crm'): ${field}`);
  });

  it('names that are none', () => {
    for (const name of ['', 'x'.repeat(192), 'a\nb', 7 as never]) {
      expect(() => Effect(name)).toThrow(InvalidArgumentError);
      expect(() => OnOperationComplete(name)).toThrow(InvalidArgumentError);
      expect(() => OnAbandoned([name])).toThrow(InvalidArgumentError);
    }
    expect(() => OnAbandoned([])).toThrow(/at least one/);
  });

  type Decorate = (target: object, key: string, descriptor: TypedPropertyDescriptor<() => void>) => void;

  it.each<[string, Decorate]>([
    ['@Effect', Effect('crm')],
    ['@OnOperationComplete', OnOperationComplete('erase')],
    ['@OnAbandoned', OnAbandoned('erase')],
  ])('%s on anything but an instance method, and twice on one', (name, decorate) => {
    class Somewhere {
      static still(): void {}
      method(): void {}
    }
    const at = (target: object, key: string) => Object.getOwnPropertyDescriptor(target, key) as never;
    expect(() => decorate(Somewhere, 'still', at(Somewhere, 'still'))).toThrow(ConfigurationError);
    const field = { value: 7 } as never;
    expect(() => decorate(Somewhere.prototype, 'field', field)).toThrow(/instance method/);
    decorate(Somewhere.prototype, 'method', at(Somewhere.prototype, 'method'));
    expect(() => decorate(Somewhere.prototype, 'method', at(Somewhere.prototype, 'method'))).toThrow(`${name} twice`);
  });
});
