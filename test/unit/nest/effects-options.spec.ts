import { effectsSettings, type EffectsModuleOptions } from '../../../lib/nest/slice-options.js';
import { InvalidArgumentError } from '../../../lib/core/errors.js';

describe('the options of effects', () => {
  it('have the documented defaults', () => {
    expect(effectsSettings({})).toEqual({
      run: true,
      concurrency: 50,
      batchSize: 50,
      pollMs: 1_000,
      shutdownTimeoutMs: 1_000,
      handlers: {},
      remoteHandlers: new Set(),
      audit: undefined,
      errors: 'class',
      requeue: true,
    });
  });

  it('know handlers of other processes', () => {
    expect(effectsSettings({ remoteHandlers: ['crm'] }).remoteHandlers).toEqual(new Set(['crm']));
    expect(effectsSettings({ remoteHandlers: 'any' }).remoteHandlers).toBe('any');
  });

  it.each<[string, EffectsModuleOptions]>([
    ['run', { run: 1 as never }],
    ['concurrency', { concurrency: 0 }],
    ['batchSize', { batchSize: 1.5 }],
    ['pollInterval', { pollInterval: 0 }],
    ['shutdownTimeout', { shutdownTimeout: 'soon' as never }],
    ["handlers['crm']: attempts", { handlers: { crm: { attempts: 0 } } }],
    ['remoteHandlers', { remoteHandlers: 'all' as never }],
    ['remoteHandlers', { remoteHandlers: [''] }],
    ['audit', { audit: {} as never }],
    ['errors', { errors: 'all' as never }],
  ])('refuse %s', (name, options) => {
    expect(() => effectsSettings(options)).toThrow(InvalidArgumentError);
    expect(() => effectsSettings(options)).toThrow(`effects.${name}`);
  });
});
