import { EntryIds } from '../../../lib/effects/entries.js';
import { ManualClock } from '../../../lib/core/time.js';

const take = (ids: EntryIds, count: number) => Array.from({ length: count }, () => ids.next());

describe('ids of entries', () => {
  it('are UUIDs of version 7 with the time in front', () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const id = new EntryIds(clock).next();
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(clock.now());
  });

  it('are in order, also more than a millisecond has room for', () => {
    const ids = take(new EntryIds(new ManualClock()), 20_000);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(20_000);
  });

  it('go on when the clock goes on, and when it goes back', () => {
    const clock = new ManualClock();
    const ids = new EntryIds(clock);
    const taken = take(ids, 3);
    clock.advance(10);
    taken.push(...take(ids, 3));
    clock.advance(-60_000);
    taken.push(...take(ids, 3));
    expect(taken).toEqual([...taken].sort());
  });

  it('of two processes are not the same', () => {
    const clock = new ManualClock();
    expect(new EntryIds(clock).next()).not.toBe(new EntryIds(clock).next());
  });
});
