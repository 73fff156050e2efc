import { type Lease, LeaseKeeper, type StillHeld } from '../../../lib/core/leasing.js';
import { macrotask, ManualClock } from '../../../lib/core/time.js';
import { until } from '../../support/until.js';

interface Claim {
  id: string;
  stamp: number;
}

const LEASE_MS = 60_000;
const claimOf = (id: string, stamp = 1): Claim => ({ id, stamp });
const renewed = (leases: readonly Lease<Claim>[]): StillHeld<Claim>[] =>
  leases.map(({ claim }) => ({ claim: { ...claim, stamp: claim.stamp + 1 } }));

describe('a keeper of leases', () => {
  let clock: ManualClock;
  let keeper: LeaseKeeper<Claim>;
  let lost: string[];
  let errors: unknown[];
  /** What each renewal was about. */
  let asked: string[][];
  let extend: (leases: readonly Lease<Claim>[]) => Promise<readonly StillHeld<Claim>[]>;

  beforeEach(() => {
    [clock, lost, errors, asked] = [new ManualClock(), [], [], []];
    extend = (leases) => Promise.resolve(renewed(leases));
    keeper = new LeaseKeeper<Claim>({
      keyOf: ({ id }) => id,
      extend: (leases) => {
        asked.push(leases.map(({ key }) => key));
        return extend(leases);
      },
      onError: (error) => errors.push(error),
      clock,
    });
  });
  afterEach(() => keeper.stop());

  const keep = (id: string, { leaseMs = LEASE_MS, askedAt = clock.now(), stamp = 1 } = {}) =>
    keeper.keep(claimOf(id, stamp), leaseMs, askedAt, () => lost.push(id));

  /** Holds renewals back; the answer to each is given by hand. */
  const slowly = () => {
    const answers: ((still: readonly StillHeld<Claim>[]) => void)[] = [];
    extend = () => new Promise((resolve) => answers.push(resolve));
    return answers;
  };

  describe('renewing', () => {
    it('holds all for as long as the storage renews them, each from when that was asked for', async () => {
      const leases = [keep('a'), keep('b', { leaseMs: LEASE_MS / 2 })];
      extend = (held) => {
        clock.advance(50);
        return Promise.resolve(renewed(held));
      };
      for (let beat = 0; beat < 5; beat++) {
        clock.advance(20_000);
        await keeper.beat();
      }
      const askedAt = clock.now() - 50;
      expect(leases.map(({ heldUntil }) => heldUntil)).toEqual([askedAt + LEASE_MS, askedAt + LEASE_MS / 2]);
      expect([lost, asked]).toEqual([[], Array.from({ length: 5 }, () => ['a', 'b'])]);
      expect(await keeper.settle(leases[0]!)).toEqual(claimOf('a', 6));
    });

    it('beats by itself every third of the shortest lease, also of one that comes later, and of none once all are done', async () => {
      const slow = keep('slow');
      const quick = keep('quick', { leaseMs: 30 });
      await until('two beats', () => asked.length >= 2);
      keeper.drop(quick);
      keeper.drop(slow);
      asked = [];
      await keeper.beat();
      expect(asked).toEqual([]);
      const again = keep('again', { leaseMs: 30 });
      await until('it beats again', () => asked.length >= 2);
      keeper.drop(again);
    });

    it('leaves out what something else is ending, until its own renewal is due', async () => {
      const resting = keep('a', { askedAt: clock.now() - 1_000 });
      keep('b');
      void keeper.rest(resting);
      await keeper.beat();
      clock.advance(LEASE_MS / 3 - 1_000);
      await keeper.beat();
      await keeper.beat();
      expect(asked).toEqual([['b'], ['a', 'b'], ['b']]);
      expect([keeper.drop(resting), lost]).toEqual([true, []]);
    });

    it('says so at once of what the storage leaves out, and keeps the rest', async () => {
      const [a, b] = [keep('a'), keep('b')];
      extend = (leases) => Promise.resolve(renewed(leases).slice(1));
      await keeper.beat();
      expect([lost, a.lost, b.lost]).toEqual([['a'], true, false]);
      expect([await keeper.settle(a), await keeper.settle(b)]).toEqual([undefined, claimOf('b', 2)]);
    });

    it('is shared by all who ask before it begins', async () => {
      const answers = slowly();
      keep('a');
      const first = keeper.beat();
      await macrotask();
      const others = [keeper.beat(), keeper.beat()];
      keep('b');
      answers[0]!([{ claim: claimOf('a', 2) }]);
      await first;
      await until('the next is asked', () => answers.length === 2);
      answers[1]!([{ claim: claimOf('a', 3) }, { claim: claimOf('b', 2) }]);
      await Promise.all(others);
      expect(asked).toEqual([['a'], ['a', 'b']]);
    });

    it('is done for what may be held in vain, only if it is held here', async () => {
      keep('a');
      await keeper.beatIfHeld(['b']);
      expect(asked).toEqual([]);
      await keeper.beatIfHeld(['b', 'a']);
      await keeper.beatIfHeld(undefined);
      expect(asked).toEqual([['a'], ['a']]);
    });

    it('is done when a beat is overdue, and not before', async () => {
      keep('a');
      clock.advance(9_999);
      await keeper.beatIfDue(claimOf('a'));
      expect(asked).toEqual([]);
      clock.advance(1);
      await keeper.beatIfDue(claimOf('b'));
      await keeper.beatIfDue(claimOf('a'));
      await keeper.beatIfDue(claimOf('a'));
      expect(asked).toEqual([['a']]);
    });
  });

  describe('a renewal that cannot be done', () => {
    it('is told, tried again within a second, and gives up what may be somebody else’s by then', async () => {
      const lease = keep('a', { leaseMs: 30 });
      const [young] = [keep('b')];
      extend = () => Promise.reject(new Error('away'));
      await until('two tries', () => errors.length >= 2);
      expect([lost, lease.lost]).toEqual([[], false]);
      clock.advance(30);
      await until('it is given up', () => lost.length > 0);
      expect([lost, young.lost]).toEqual([['a'], false]);
    });

    it('of a row that is locked leaves the lease as it was, and counts once the row is free', async () => {
      const leases = [keep('a'), keep('b')];
      const before = clock.now() + LEASE_MS;
      const locked = (leases: readonly Lease<Claim>[]) =>
        leases.map(({ claim }) => ({ claim, renewed: claim.id === 'b' }));
      extend = (held) => Promise.resolve(locked(held));
      clock.advance(LEASE_MS - 1);
      await keeper.beat();
      expect(leases.map(({ heldUntil }) => heldUntil)).toEqual([before, clock.now() + LEASE_MS]);
      extend = (held) => Promise.resolve(renewed(held));
      await until('it is tried again within a second', () => asked.length >= 2);
      expect(leases.map(({ heldUntil }) => heldUntil)).toEqual([clock.now() + LEASE_MS, clock.now() + LEASE_MS]);
      extend = (held) => Promise.resolve(locked(held));
      clock.advance(LEASE_MS);
      await keeper.beat();
      expect([lost, leases.map((lease) => lease.lost)]).toEqual([['a'], [true, false]]);
    });

    it('because the storage is silent gives up at the end of the lease, and whoever settles does not wait for it', async () => {
      const answers = slowly();
      const lease = keep('a', { leaseMs: 30 });
      await until('it is asked', () => answers.length === 1);
      const settled = keeper.settle(lease);
      clock.advance(30);
      await until('it is given up', () => lost.length > 0);
      expect(await settled).toBeUndefined();
      answers[0]!([{ claim: claimOf('a', 2) }]);
      await macrotask();
      expect([lost, lease.claim]).toEqual([['a'], claimOf('a')]);
    });
  });

  describe('the end of the keeping', () => {
    it('waits for the renewal under way, which may change the claim', async () => {
      const answers = slowly();
      const lease = keep('a');
      void keeper.beat();
      await macrotask();
      const settled = keeper.settle(lease);
      const other = keeper.settle(keep('b'));
      expect(other).toEqual(claimOf('b'));
      answers[0]!([{ claim: claimOf('a', 2) }]);
      expect(await settled).toEqual(claimOf('a', 2));
    });

    it('waits for no renewal that comes behind that', async () => {
      const answers = slowly();
      const leases = [keep('a'), keep('b')];
      void keeper.beat();
      await macrotask();
      void keeper.beat();
      const settled = Promise.all([keeper.settle(leases[0]!), keeper.settle(leases[0]!)]);
      answers[0]!([{ claim: claimOf('a', 2) }, { claim: claimOf('b', 2) }]);
      expect(await settled).toEqual([claimOf('a', 2), undefined]);
      await until('the next is asked', () => answers.length === 2);
      expect(asked).toEqual([['a', 'b'], ['b']]);
      answers[1]!([{ claim: claimOf('b', 3) }]);
    });

    it('comes also where the renewal that it waits for cannot be done', async () => {
      const lease = keep('a');
      let fail: (error: Error) => void = () => {};
      extend = () => new Promise((_, reject) => (fail = reject));
      void keeper.beat();
      await macrotask();
      const settled = keeper.settle(lease);
      fail(new Error('away'));
      expect([await settled, errors.length]).toEqual([claimOf('a'), 1]);
    });

    it('comes once: what was dropped is neither settled nor lost', async () => {
      const [a, b] = [keep('a'), keep('b')];
      expect([keeper.drop(a), keeper.drop(a), keeper.settle(a)]).toEqual([true, false, undefined]);
      extend = () => Promise.resolve([]);
      const beating = keeper.beat();
      keeper.drop(b);
      await beating;
      expect(lost).toEqual([]);
    });

    it('comes to an older claim when the same is claimed again', async () => {
      const older = keep('a');
      const newer = keep('a', { stamp: 5 });
      expect([lost, older.lost, newer.lost]).toEqual([['a'], true, false]);
      expect([keeper.settle(older), keeper.settle(newer)]).toEqual([undefined, claimOf('a', 5)]);
    });
  });

  describe('comparing what is held with what the storage says', () => {
    it('asks nothing while nothing is held', async () => {
      let asks = 0;
      const ask = async () => (asks++, []);
      await keeper.compare(ask);
      await keeper.settle(keep('a'));
      await keeper.compare(ask);
      expect(asks).toBe(0);
    });

    it('says so of those that are lost, keeps the others, and renews nothing', async () => {
      const [a, b] = ['a', 'b', 'c'].map((id) => keep(id));
      await keeper.compare(async (claims) => claims.filter(({ id }) => id !== 'b'));
      expect([lost, asked]).toEqual([['a', 'c'], []]);
      expect(await keeper.settle(b!)).toEqual(claimOf('b'));
      expect(await keeper.settle(a!)).toBeUndefined();
    });

    it('says nothing of what was settled, or claimed again, while it asked', async () => {
      const [a] = ['a', 'b'].map((id) => keep(id));
      await keeper.compare(async (claims) => {
        await keeper.settle(a!);
        keep('b');
        lost = [];
        return [...claims];
      });
      expect(lost).toEqual([]);
    });
  });

  describe('a lease whose claim was answered late', () => {
    it('is renewed at once when a beat is overdue, and lost when nobody can do that in its time', async () => {
      const answers = slowly();
      const askedAt = clock.now();
      clock.advance(9_000);
      keep('a', { askedAt });
      await macrotask();
      expect(asked).toEqual([]);
      clock.advance(2_000);
      expect(keeper.isOver(askedAt, LEASE_MS)).toBe(false);
      keep('b', { askedAt });
      await until('they are renewed', () => asked.length === 1);
      answers[0]!([{ claim: claimOf('a') }, { claim: claimOf('b') }]);
      clock.advance(LEASE_MS - 11_000);
      expect(keeper.isOver(askedAt, LEASE_MS)).toBe(true);
    });

    it('is renewed together with all that were claimed with it, and with what is kept meanwhile', async () => {
      const answers = slowly();
      const askedAt = clock.now();
      clock.advance(20_000);
      const some = (from: number) => Array.from({ length: 100 }, (_, n) => `s${from + n}`);
      const all = [...some(0), ...some(100)].map((id) => ({ claim: claimOf(id) }));
      for (const id of some(0)) keep(id, { askedAt });
      await until('the first are renewed', () => asked.length === 1);
      for (const id of some(100)) keep(id, { askedAt });
      answers[0]!(all.slice(0, 100));
      await until('so are the others', () => asked.length === 2);
      answers[1]!(all);
      await keeper.stop();
      expect(asked.map(({ length }) => length)).toEqual([100, 200]);
    });
  });
});
