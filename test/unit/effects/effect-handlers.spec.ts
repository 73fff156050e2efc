import { ConfigurationError, InvalidArgumentError, UnknownEffectHandlerError } from '../../../lib/core/errors.js';
import { EffectHandlers, EffectListeners, type EffectPolicy } from '../../../lib/effects/handlers.js';

const POLICY: EffectPolicy = {
  attempts: 8,
  timeoutMs: 20_000,
  leaseMs: 300_000,
  backoff: { delay: '30s', maxDelay: '1h' },
};
const handler = (name: string, policy: Partial<EffectPolicy> = {}) => ({
  name,
  policy: { ...POLICY, ...policy },
  call: () => undefined,
});

describe('handlers of effects', () => {
  it('are found by name', () => {
    const handlers = new EffectHandlers();
    handlers.register(handler('stripe'));
    handlers.register(handler('mail'));
    expect(handlers.all().map(({ name }) => name)).toEqual(['stripe', 'mail']);
    expect([handlers.has('mail'), handlers.has('fax'), handlers.get('mail').name]).toEqual([true, false, 'mail']);
    expect(() => handlers.get('fax')).toThrow(UnknownEffectHandlerError);
    expect(() => handlers.get('fax')).toThrow(/"fax".*effects\.remoteHandlers if another process has it/);
  });

  it('have each a name of its own', () => {
    const handlers = new EffectHandlers();
    handlers.register(handler('stripe'));
    expect(() => handlers.register(handler('stripe'))).toThrow(ConfigurationError);
  });

  it.each<[Partial<EffectPolicy>, string]>([
    [{ attempts: 0 }, 'attempts'],
    [{ attempts: 1.5 }, 'attempts'],
    [{ timeoutMs: 0 }, 'timeout'],
    [{ leaseMs: 0 }, 'leaseDuration'],
    [{ leaseMs: Number.NaN }, 'leaseDuration'],
    [{ backoff: { delay: 0 } }, 'backoff.delay'],
    [{ backoff: { delay: '2h', maxDelay: '1h' } }, 'backoff.maxDelay'],
    [{ backoff: { factor: 0.5 } }, 'backoff'],
    [{ backoff: { delay: 'soon' as never } }, 'backoff'],
  ])('whose policy is %j are refused for %s', (policy, field) => {
    const register = () => new EffectHandlers().register(handler('stripe', policy));
    expect(register).toThrow(InvalidArgumentError);
    expect(register).toThrow(`effect "stripe": ${field} is`);
  });
});

describe('listeners of effects', () => {
  it('hear of their operation alone, in the order of registration', () => {
    const listeners = new EffectListeners();
    const [a, b, c] = ['erase', 'rectify', 'erase'].map((operation) => ({
      operation,
      onComplete: () => undefined,
      onAbandoned: () => undefined,
    }));
    for (const each of [a!, b!, c!]) {
      listeners.onComplete(each);
      listeners.onAbandoned(each);
    }
    expect(listeners.completionOf('erase')).toEqual([a, c]);
    expect(listeners.abandonmentOf('rectify')).toEqual([b]);
    expect(listeners.completionOf('Erase')).toEqual([]);
  });
});
