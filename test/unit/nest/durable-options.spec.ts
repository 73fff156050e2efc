import { settingsOf } from '../../../lib/nest/options.js';
import { DurableModule, type DurableModuleOptions, InvalidArgumentError } from '../../../lib/index.js';
import { InMemoryTransport } from '../../../lib/worker/transport.memory.js';

describe('the options of the module', () => {
  const { NODE_ENV } = process.env;
  afterEach(() => {
    process.env['NODE_ENV'] = NODE_ENV;
  });

  it('have the documented defaults', () => {
    expect(settingsOf({})).toMatchObject({
      prefix: 'durable',
      namespace: 'default',
      migrate: true,
      autoStart: true,
      transport: 'db',
      engine: {
        residencyMs: 30_000,
        maxResident: 10_000,
        nodeLeaseMs: 10_000,
        pollMs: 1_000,
        crashCap: 10,
        onHistoryLost: 'replay',
      },
      worker: {
        groups: undefined,
        concurrency: 50,
        leaseMs: 30_000,
        pollMs: 500,
        batchSize: 50,
        shutdownTimeoutMs: 1_000,
      },
      limits: { payloadBytes: 1_048_576, steps: 10_000 },
    });
  });

  it('turn roles off', () => {
    expect(settingsOf({ engine: false, worker: false })).toMatchObject({ engine: false, worker: false });
  });

  it('do not migrate in production by themselves', () => {
    process.env['NODE_ENV'] = 'production';
    expect([settingsOf({}).migrate, settingsOf({ migrate: true }).migrate]).toEqual([false, true]);
  });

  it('wait longer for running work in production', () => {
    const waits = () => {
      const { engine, worker, effects } = settingsOf({});
      return [engine && engine.shutdownMs, worker && worker.shutdownTimeoutMs, effects && effects.shutdownTimeoutMs];
    };
    expect(waits()).toEqual([1_000, 1_000, 1_000]);
    process.env['NODE_ENV'] = 'production';
    expect(waits()).toEqual([10_000, 10_000, 10_000]);
  });

  it.each<[string, DurableModuleOptions]>([
    ['prefix', { prefix: 'a-b' }],
    ['prefix', { prefix: 'x'.repeat(32) }],
    ['orm', { orm: 'prisma' as never }],
    ['connection', { connection: '' }],
    ['namespace', { namespace: 'n'.repeat(65) }],
    ['enhancers', { enhancers: 'all' as never }],
    ['engine.residency', { engine: { residency: 'long' as never } }],
    ['engine.nodeLease', { engine: { nodeLease: 0 } }],
    ['engine.maxResident', { engine: { maxResident: 0 } }],
    ['engine.crashCap', { engine: { crashCap: 1.5 } }],
    ['engine.onHistoryLost', { engine: { onHistoryLost: 'ignore' as never } }],
    ['worker.concurrency', { worker: { concurrency: -1 } }],
    ['worker.pollInterval', { worker: { pollInterval: '0ms' } }],
    ['worker.groups', { worker: { groups: [] } }],
    ['worker.groups', { worker: { groups: [''] } }],
    ['retry.attempts', { retry: { attempts: 0 } }],
    ["workflows['a']: retry", { workflows: { a: { retry: 0 } } }],
    ["workers['A']: concurrency", { workers: { A: { concurrency: 0 } } }],
    ['workflows', { workflows: null as never }],
    ['workers', { workers: [] as never }],
    ["steps['s']", { steps: { s: null as never } }],
    ['effects.handlers', { effects: { handlers: null as never } }],
    ["effects.handlers['h']", { effects: { handlers: { h: 3 as never } } }],
    ['outbox.destinations', { outbox: { destinations: 'all' as never } }],
    ["steps['s']: timeout", { steps: { s: { timeout: 'x' as never } } }],
    ['transport', { transport: 'kafka' as never }],
    ['transport', { transport: { dispatch: () => undefined } as never }],
    ['limits.payload', { limits: { payload: 0 } }],
    ['limits.steps', { limits: { steps: Number.NaN } }],
  ])('are refused at the door, by name: %s', (argument, options) => {
    const make = () => DurableModule.forRoot(options);
    expect(make).toThrow(InvalidArgumentError);
    expect(make).toThrow(expect.objectContaining({ argument }) as Error);
  });

  it('take a transport that implements both ports', () => {
    const transport = new InMemoryTransport({ now: () => 0 });
    expect(settingsOf({ transport }).transport).toBe(transport);
  });
});
