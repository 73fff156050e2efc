import { durableSkipTables } from 'nest-durable';

describe('durableSkipTables', () => {
  it('returns every table of ours, and no other that begins with the prefix', () => {
    const names = durableSkipTables('shop');
    expect(names).toEqual(
      expect.arrayContaining(['shop_runs', 'shop_transport_tasks', 'shop_outbox', 'shop_outbox_era']),
    );
    expect(names).toEqual(
      expect.arrayContaining(['shop_outbox_locks', 'shop_outbox_nodes', 'shop_effects', 'shop_acts']),
    );
    expect(names).not.toContain('shop_orders');
    expect(new Set(names).size).toBe(names.length);
    expect(durableSkipTables()).toHaveLength(names.length);
    expect(durableSkipTables()[0]).toMatch(/^durable_/);
  });

  it('takes the names of an outbox', () => {
    const names = durableSkipTables('shop', { table: 'events', nodesTable: 'event_nodes' });
    expect(names).toEqual(expect.arrayContaining(['events', 'events_era', 'event_nodes', 'shop_outbox_channels']));
    expect(names).not.toContain('shop_outbox');
  });

  it('refuses what is no prefix', () => {
    expect(() => durableSkipTables('a b')).toThrow(/prefix/);
  });
});
