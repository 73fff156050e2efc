import { InvalidArgumentError } from '../../../lib/index.js';
import { type OutboxModuleOptions, outboxSettings } from '../../../lib/nest/slice-options.js';

const settings = (options: OutboxModuleOptions = {}, env: Record<string, string> = {}) =>
  outboxSettings(options, 'durable', env);

describe('the options of the outbox', () => {
  it('have the documented defaults', () => {
    expect(settings()).toEqual({
      table: 'durable_outbox',
      nodesTable: 'durable_outbox_nodes',
      schema: undefined,
      ordering: 'commit',
      leaseMs: 30_000,
      heartbeatTimeoutMs: 30_000,
      publishTimeoutMs: 10_000,
      fixedRate: false,
      pollMs: 1_000,
      debounceMs: 50,
      onPoison: 'block',
      destinations: {},
      attempts: 10,
      createdByOthers: [],
      retainMs: 0,
      relay: true,
    });
  });

  const connector = {
    ADBC_OUTBOX_TABLE_TABLE_SCHEMA: 'events',
    ADBC_OUTBOX_TABLE_TABLE_NAME: 'outbox',
    ADBC_NODES_TABLE_TABLE_SCHEMA: 'events',
    ADBC_NODES_TABLE_TABLE_NAME: 'nodes',
    ADBC_HEARTBEAT_TIMEOUT: '5s',
    ADBC_POLL_INTERVAL: '2s',
  };

  it("take the connector's variables where they are left out", () => {
    const named = { table: 'outbox', nodesTable: 'nodes', schema: 'events', heartbeatTimeoutMs: 5_000 };
    expect(settings({}, connector)).toMatchObject({ ...named, fixedRate: false, pollMs: 1_000, debounceMs: 2_000 });
    const fixed = { ...connector, ADBC_POLL_FIXED_RATE: 'true' };
    expect(settings({}, fixed)).toMatchObject({ ...named, fixedRate: true, pollMs: 2_000, debounceMs: 50 });
    const own = { table: 'mine', fixedRate: false, debounce: 10, heartbeatTimeout: '1m' } as const;
    expect(settings(own, fixed)).toMatchObject({
      table: 'mine',
      fixedRate: false,
      debounceMs: 10,
      heartbeatTimeoutMs: 60_000,
    });
  });

  it('create what the connector would create', () => {
    expect(settings({}, { ADBC_OUTBOX_TABLE_AUTO_CREATE: 'true' })).toMatchObject({ createdByOthers: [] });
    const env = { ADBC_OUTBOX_TABLE_AUTO_CREATE: 'false', ADBC_NODES_TABLE_AUTO_CREATE: '0' };
    expect(settings({}, env)).toMatchObject({ createdByOthers: ['table', 'nodesTable'] });
  });

  it('take the name of any table that can be adopted', () => {
    expect(settings({ table: 'x'.repeat(63) })).toMatchObject({ table: 'x'.repeat(63) });
    expect(settings({ table: 'an "odd" one', schema: 'a`b' })).toMatchObject({ table: 'an "odd" one', schema: 'a`b' });
  });

  it('understand them as the connector does', () => {
    const env = { ADBC_HEARTBEAT_TIMEOUT: '1m0s', ADBC_POLL_INTERVAL: '1.5s', ADBC_POLL_FIXED_RATE: '1' };
    expect(settings({}, env)).toMatchObject({ heartbeatTimeoutMs: 60_000, pollMs: 1_500, fixedRate: true });
    expect(settings({}, { ADBC_NODES_TABLE_TABLE_SCHEMA: 'public' })).toMatchObject({ schema: undefined });
  });

  it.each<[string, OutboxModuleOptions, Record<string, string>?]>([
    ['outbox.table', { table: '' }],
    ['outbox.table', { table: 'a\0b' }],
    ['outbox.schema', { schema: 'x'.repeat(64) }],
    ['outbox.nodesTable', { table: 'events', nodesTable: 'events' }],
    ['outbox.ordering', { ordering: 'strict' as never }],
    ['outbox.shards', { shards: 32 as never }],
    ['outbox.onPoison', { onPoison: 'drop' as never }],
    ['outbox.attempts', { attempts: 0 }],
    ['outbox.retain', { retain: 'long' as never }],
    ['outbox.publishTimeout', { publishTimeout: '30s' }],
    ['outbox.relay', { relay: 'yes' as never }],
    ['ADBC_POLL_FIXED_RATE', {}, { ADBC_POLL_FIXED_RATE: 'perhaps' }],
    ['ADBC_POLL_INTERVAL', {}, { ADBC_POLL_INTERVAL: 'soon' }],
    ['ADBC_HEARTBEAT_TIMEOUT', {}, { ADBC_HEARTBEAT_TIMEOUT: '1m soon' }],
    ['ADBC_NODES_TABLE_TABLE_SCHEMA', {}, { ADBC_NODES_TABLE_TABLE_SCHEMA: 'other' }],
    ['ADBC_NODES_TABLE_TABLE_SCHEMA', {}, { ...connector, ADBC_NODES_TABLE_TABLE_SCHEMA: 'other' }],
  ])('are refused by name: %s', (name, options, env = {}) => {
    expect(() => settings(options, env)).toThrow(InvalidArgumentError);
    expect(() => settings(options, env)).toThrow(name);
  });
});
