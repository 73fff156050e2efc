import { ManualClock } from '../../../lib/time/manual-clock.js';
import { LeaseKeeper } from '../../../lib/worker/lease-keeper.js';
import { until } from '../../support/until.js';
import type { Claim } from '../../../lib/worker/task-source.js';

const claimOf = (stepId: string): Claim => ({ stepId, claimedBy: `w1#${stepId}`, claimedAt: 1 });

describe('comparing what is held with what the storage says', () => {
  let keeper: LeaseKeeper;
  let lost: string[];
  let extended: number;

  beforeEach(() => {
    lost = [];
    extended = 0;
    const extend = async (claims: readonly Claim[]) => (
      extended++,
      claims.map((claim) => ({ ...claim, claimedAt: 2 }))
    );
    keeper = new LeaseKeeper(extend, { leaseMs: 60_000, clock: new ManualClock(), onError: () => undefined });
  });
  afterEach(() => keeper.stop());

  const keep = (stepId: string): void => keeper.keep(claimOf(stepId), () => lost.push(stepId));

  it('asks nothing while nothing is held', async () => {
    let asked = 0;
    const ask = async () => (asked++, []);
    await keeper.compare(ask);
    keep('a');
    await keeper.settle(claimOf('a'));
    await keeper.compare(ask);
    expect(asked).toBe(0);
  });

  it('says so of those that are lost, keeps the others, and renews nothing', async () => {
    for (const stepId of ['a', 'b', 'c']) keep(stepId);
    await keeper.compare(async (claims) => claims.filter(({ stepId }) => stepId !== 'b'));
    expect(lost).toEqual(['a', 'c']);
    expect(extended).toBe(0);
    expect(await keeper.settle(claimOf('b'))).toEqual(claimOf('b'));
    expect(await keeper.settle(claimOf('a'))).toBeUndefined();
  });

  it('says nothing of what was settled, or claimed again, while it asked', async () => {
    for (const stepId of ['a', 'b']) keep(stepId);
    await keeper.compare(async (claims) => {
      await keeper.settle(claimOf('a'));
      keep('b');
      lost = [];
      return [...claims];
    });
    expect(lost).toEqual([]);
  });
});

describe('a lease whose claim was answered late', () => {
  const LEASE_MS = 60_000;

  it('is renewed at once when a beat is overdue, and lost when nobody can do that in its time', async () => {
    const clock = new ManualClock();
    const asked: Claim[][] = [];
    let answer = (_: Claim[]): void => {};
    const extend = (claims: readonly Claim[]) => {
      asked.push([...claims]);
      return new Promise<Claim[]>((resolve) => (answer = resolve));
    };
    const keeper = new LeaseKeeper(extend, { leaseMs: LEASE_MS, clock, onError: () => undefined });
    const claimedAt = clock.now();
    clock.advance(9_000);
    keeper.keep(claimOf('a'), () => undefined, claimedAt);
    await until('nothing is asked', () => asked.length === 0);
    clock.advance(2_000);
    expect(keeper.isOver(claimedAt)).toBe(false);
    keeper.keep(claimOf('b'), () => undefined, claimedAt);
    await until('they are renewed', () => asked.length === 1);
    answer([claimOf('a'), claimOf('b')]);
    clock.advance(LEASE_MS);
    expect(keeper.isOver(claimedAt)).toBe(true);
    await keeper.stop();
  });

  it('is renewed together with all that were claimed with it, and with what is kept meanwhile', async () => {
    const clock = new ManualClock();
    const asked: number[] = [];
    const answers: (() => void)[] = [];
    const extend = (claims: readonly Claim[]) => {
      asked.push(claims.length);
      return new Promise<Claim[]>((resolve) => answers.push(() => resolve([...claims])));
    };
    const keeper = new LeaseKeeper(extend, { leaseMs: LEASE_MS, clock, onError: () => undefined });
    const claimedAt = clock.now();
    clock.advance(20_000);
    const keep = (from: number) => {
      for (let n = from; n < from + 100; n++) keeper.keep(claimOf(`s${n}`), () => undefined, claimedAt);
    };
    keep(0);
    await until('the first are renewed', () => asked.length === 1);
    keep(100);
    answers[0]!();
    await until('so are the others', () => asked.length === 2);
    answers[1]!();
    await keeper.stop();
    expect(asked).toEqual([100, 200]);
  });
});
