import { SLOTS, slotOf } from '../../../../lib/outbox/model/slots.js';

describe('slots of channels', () => {
  it('are those that PostgreSQL and MySQL compute', () => {
    // md5('a') = 0cc1…, md5('b') = 92eb…; CRC32('a') = 3904355907, CRC32('b') = 1908338681.
    expect([slotOf('a', 'postgres'), slotOf('b', 'postgres')]).toEqual([0x0c, 0x92 & 63]);
    expect([slotOf('a', 'mysql'), slotOf('b', 'mysql')]).toEqual([3904355907 % 64, 1908338681 % 64]);
  });

  it.each(['postgres', 'mysql'] as const)('spread channels over all slots of %s', (family) => {
    const used = new Set(Array.from({ length: 2_000 }, (_, i) => slotOf(`channel:${i}`, family)));
    expect(used.size).toBe(SLOTS);
    expect(Math.min(...used)).toBe(0);
    expect(Math.max(...used)).toBe(SLOTS - 1);
  });
});
