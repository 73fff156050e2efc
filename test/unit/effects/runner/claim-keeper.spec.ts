import type { HeldClaim } from '../../../../lib/effects/effect-claims.js';
import { ClaimKeeper } from '../../../../lib/effects/runner/claim-keeper.js';
import { ManualClock } from '../../../../lib/time/manual-clock.js';
import { until } from '../../../support/until.js';

const LEASE_MS = 60;

describe('renewals of claims', () => {
  const clock = new ManualClock();
  const claim = { entryId: 'a', token: 't' };
  let beats: number;
  let isLocked: boolean;
  let keeper: ClaimKeeper;
  let lost: string[];
  const keep = () => keeper.keep(claim, LEASE_MS, clock.now(), () => lost.push(claim.entryId));
  const beaten = async (times = 2) => {
    const before = beats;
    await until(`${times} beats`, () => beats >= before + times);
  };

  beforeEach(() => {
    [beats, isLocked, lost] = [0, false, []];
    const extend = async (): Promise<HeldClaim[]> => {
      beats++;
      return [{ ...claim, renewed: !isLocked }];
    };
    keeper = new ClaimKeeper(extend, () => undefined, clock);
  });
  afterEach(() => keeper.stop());

  it('hold a claim for as long as they succeed', async () => {
    const kept = keep();
    for (let n = 0; n < 4; n++) {
      clock.advance(LEASE_MS / 2);
      await beaten();
    }
    expect([kept.heldUntil, lost]).toEqual([clock.now() + LEASE_MS, []]);
  });

  it('give a claim up at the end of its lease when its row was locked at each of them', async () => {
    isLocked = true;
    const kept = keep();
    const before = kept.heldUntil;
    await beaten();
    expect([kept.heldUntil, kept.lost]).toEqual([before, false]);
    clock.advance(LEASE_MS);
    await until('it is given up', () => lost.length > 0);
    expect([kept.lost, lost]).toEqual([true, ['a']]);
  });

  it('hold a claim again once its row is free', async () => {
    isLocked = true;
    const kept = keep();
    clock.advance(LEASE_MS - 1);
    await beaten();
    isLocked = false;
    await beaten();
    expect([kept.heldUntil, lost]).toEqual([clock.now() + LEASE_MS, []]);
  });

  it('that are overdue when claims come are made once for all of them', async () => {
    const asked: number[] = [];
    const extend = async (claims: readonly { entryId: string; token: string }[]): Promise<HeldClaim[]> => {
      asked.push(claims.length);
      return claims.map((one) => ({ ...one, renewed: true }));
    };
    const many = new ClaimKeeper(extend, () => undefined, clock);
    const claimedAt = clock.now();
    clock.advance(40_000);
    for (let n = 0; n < 100; n++) many.keep({ entryId: `e${n}`, token: 't' }, 60_000, claimedAt, () => undefined);
    await until('they are renewed', () => asked.length > 0);
    await many.stop();
    expect(asked).toEqual([100]);
  });
});
