import { LookBack } from '../../../../lib/engine/play/claims.js';
import { ManualClock } from '../../../../lib/core/time.js';

const LIMIT = 10;

describe('how far back a claim looks', () => {
  let clock: ManualClock;
  let other: ManualClock;
  let lookBack: LookBack;

  beforeEach(() => {
    clock = new ManualClock();
    other = new ManualClock();
    lookBack = new LookBack([clock, other]);
  });

  /** One look; returns whether it was at everything, and whether the next should follow at once. */
  const look = (taken: number, served = 1): ['all' | 'recent', boolean] => {
    const dueWithinMs = lookBack.next(served);
    if (dueWithinMs !== undefined) expect(dueWithinMs).toBeGreaterThan(1_500);
    return [dueWithinMs === undefined ? 'all' : 'recent', lookBack.learn(taken, LIMIT)];
  };
  const looks = (...taken: number[]) => taken.map((count) => look(count)[0]);

  it('at everything first, and then at the recent for a second at the most', () => {
    expect(looks(3, 3, 3)).toEqual(['all', 'recent', 'recent']);
    clock.advance(999);
    expect(looks(3)).toEqual(['recent']);
    clock.advance(1);
    expect(looks(3, 3)).toEqual(['all', 'recent']);
  });

  it('a second counts from the beginning of the look', () => {
    lookBack.next(1);
    clock.advance(600);
    lookBack.learn(3, LIMIT);
    clock.advance(400);
    expect(looks(3)).toEqual(['all']);
  });

  it('whatever clock it goes by on, forward or back', () => {
    look(3);
    other.advance(1_000);
    expect(looks(3, 3)).toEqual(['all', 'recent']);
    clock.advance(-1_000);
    expect(looks(3, 3)).toEqual(['all', 'recent']);
  });

  it('at everything again as long as that fills the limit; not because a look at the recent did', () => {
    expect(looks(LIMIT, LIMIT, 9, LIMIT, LIMIT)).toEqual(['all', 'all', 'all', 'recent', 'recent']);
  });

  it('at everything where nothing was found, each time if there is time for it', () => {
    expect(look(0)).toEqual(['all', false]);
    expect(look(0)).toEqual(['all', false]);
    expect(look(3)).toEqual(['all', false]);
    expect(look(0)).toEqual(['recent', false]);
    expect(look(0)).toEqual(['recent', false]);
    clock.advance(100);
    expect(look(0)).toEqual(['all', false]);
    expect(look(0)).toEqual(['all', false]);
  });

  it('at everything at once when the recent holds nothing', () => {
    expect(look(3)).toEqual(['all', false]);
    clock.advance(100);
    expect(look(3)).toEqual(['recent', false]);
    expect(look(0)).toEqual(['recent', true]);
    expect(look(0)).toEqual(['all', false]);
  });

  it('again soon after a look at the recent, sooner when that found nothing', () => {
    look(3);
    expect(lookBack.nextWithinMs).toBe(Infinity);
    look(3);
    expect(lookBack.nextWithinMs).toBe(1_000);
    look(0);
    expect(lookBack.nextWithinMs).toBe(100);
    clock.advance(100);
    look(0);
    expect(lookBack.nextWithinMs).toBe(Infinity);
  });

  it('at everything when there is another workflow to serve', () => {
    expect(look(3, 1)[0]).toBe('all');
    expect(look(3, 2)[0]).toBe('all');
    expect(look(3, 2)[0]).toBe('recent');
  });
});
