import { SHARDS, shardOf } from '../../../lib/outbox/events.js';

describe('shards of channels', () => {
  it('are those that PostgreSQL and MySQL compute', () => {
    // md5('a') = 0cc1…, md5('b') = 92eb…; CRC32('a') = 3904355907, CRC32('b') = 1908338681.
    expect([shardOf('a', 'postgres'), shardOf('b', 'postgres')]).toEqual([0x0c, 0x92 & 63]);
    expect([shardOf('a', 'mysql'), shardOf('b', 'mysql')]).toEqual([3904355907 % 64, 1908338681 % 64]);
  });

  it.each(['postgres', 'mysql'] as const)('spread channels over all shards of %s', (family) => {
    const used = new Set(Array.from({ length: 2_000 }, (_, i) => shardOf(`channel:${i}`, family)));
    expect(used.size).toBe(SHARDS);
    expect(Math.min(...used)).toBe(0);
    expect(Math.max(...used)).toBe(SHARDS - 1);
  });
});
