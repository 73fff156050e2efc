import { HeldNames } from '../../../lib/acts/holds.js';
import { InMemoryHoldStore } from '../../../lib/acts/holds.memory.js';
import { inMemoryTransaction } from '../../../lib/core/transaction.js';
import { ManualClock } from '../../../lib/core/time.js';
import { until } from '../../support/until.js';

const BY = { actor: 'ada', reason: 'a test' };
const ORDER = { kind: 'workflow', name: 'order' } as const;

describe('what a process knows to be held', () => {
  const clock = new ManualClock();
  const store = new InMemoryHoldStore(clock);
  const errors: unknown[] = [];
  let live = true;
  let reads = 0;
  let away: Error | undefined;
  const watched = {
    list: (namespace: string) => {
      reads++;
      return away ? Promise.reject(away) : store.list(namespace);
    },
    onChanged: (listener: () => void) => store.onChanged(listener),
  };
  const held = new HeldNames(watched, { namespace: 'a', notified: () => live, onError: (error) => errors.push(error) });
  const changes: boolean[] = [];
  held.onChanged(() => changes.push(held.isHeld('workflow', 'order')));
  const put = (end?: Date) =>
    inMemoryTransaction(undefined, (tx) => store.put('a', { ...ORDER, ...BY, until: end }, tx));

  beforeAll(() => put());
  afterAll(() => held.stop());

  it('is known when the start has returned', async () => {
    await held.start();
    expect(held.isHeld('workflow', 'order')).toBe(true);
    expect(held.isHeld('group', 'order')).toBe(false);
    expect(held.isHeld('workflow', 'orders')).toBe(false);
  });

  it('changes with a notification, and listeners hear of it once', async () => {
    changes.length = 0;
    await inMemoryTransaction(undefined, (tx) => store.lift('a', ORDER, tx));
    await until('it is lifted', () => !held.isHeld('workflow', 'order'));
    await held.look();
    expect(changes).toEqual([false]);
  });

  it('is read again and again while something is held, since a hold may end by itself', async () => {
    await put(new Date(clock.now() + 1_000));
    await until('it is held', () => held.isHeld('workflow', 'order'));
    clock.advance(1_000);
    await until('it is held no longer', () => !held.isHeld('workflow', 'order'));
  });

  it('is read every second without notifications', async () => {
    live = false;
    await inMemoryTransaction(undefined, (tx) => store.put('b', { ...ORDER, ...BY, until: undefined }, tx));
    reads = 0;
    await until('two reads', () => reads >= 3);
  });

  it('stays as it was while it cannot be read', async () => {
    await put();
    await until('it is held', () => held.isHeld('workflow', 'order'));
    away = new Error('away');
    await until('a read has failed', () => errors.length > 0);
    expect(held.isHeld('workflow', 'order')).toBe(true);
  });
});
