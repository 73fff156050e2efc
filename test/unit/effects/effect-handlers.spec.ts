import { ConfigurationError, UnknownEffectHandlerError } from '../../../lib/core/errors.js';
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
