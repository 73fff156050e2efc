import { GiveBacks, HISTORY_LOST } from '../../../../lib/engine/play/residency.js';
import type { RunClaim } from '../../../../lib/engine/runs.js';
import { DatabaseError } from '../../../../lib/core/errors.js';
import { type Gate, gate } from '../../../support/gate.js';
import { until } from '../../../support/until.js';

const away = () => new DatabaseError('The server is not there', true);
const claimOf = (runId: string): RunClaim => ({ runId, epoch: 1, owner: 'me' });
/** Longer than any of these tests takes. */
const LONG_MS = 60_000;

describe('runs that are given back', () => {
  let tries: string[];
  let released: string[];
  let errors: number;
  /** How many tries fail from now on. */
  let failures: number;
  /** Where set, a release hangs until it is open. */
  let hang: Gate | undefined;
  let giveBacks: GiveBacks;

  beforeEach(() => {
    [tries, released, errors, failures, hang] = [[], [], 0, 0, undefined];
    const release = async ([claim]: readonly RunClaim[], crashed: boolean, standstill?: { reason: string }) => {
      tries.push(claim!.runId);
      await hang?.opened;
      if (failures-- > 0) throw away();
      released.push(`${claim!.runId} ${crashed} ${standstill?.reason}`);
    };
    giveBacks = new GiveBacks({ release }, () => errors++);
  });

  it('are tried once more when the process stops, which waits for that', async () => {
    failures = Infinity;
    const given = ['a', 'b'].map((runId) => giveBacks.giveBack(claimOf(runId), { standstill: HISTORY_LOST }));
    await until('the pauses are long', () => tries.length >= 10);
    failures = 0;
    await giveBacks.stop(LONG_MS);
    expect(released.sort()).toEqual(['a false history_lost', 'b false history_lost']);
    await Promise.all(given);
    expect(giveBacks.isUnderWay(claimOf('a'))).toBe(false);
  });

  it('are tried once more also where the try that was under way then fails', async () => {
    [failures, hang] = [1, gate()];
    const given = giveBacks.giveBack(claimOf('a'), { crashed: true });
    const stopped = giveBacks.stop(LONG_MS);
    hang.open();
    await Promise.all([given, stopped]);
    expect([tries, released]).toEqual([['a', 'a'], ['a true undefined']]);
  });

  it('are given up where the last try fails too', async () => {
    failures = Infinity;
    const given = giveBacks.giveBack(claimOf('a'), {});
    await until('it has failed', () => errors >= 1);
    const before = tries.length;
    await giveBacks.stop(LONG_MS);
    await given;
    expect([tries.length - before, released, giveBacks.isUnderWay(claimOf('a'))]).toEqual([1, [], false]);
  });

  it('hold up the end of the process for so long at most, and are not tried after it', async () => {
    [failures, hang] = [Infinity, gate()];
    const given = giveBacks.giveBack(claimOf('a'), {});
    await giveBacks.stop(1);
    hang.open();
    await given;
    await giveBacks.giveBack(claimOf('b'), {});
    expect([tries, released]).toEqual([['a'], []]);
  });

  it('are waited for also where they come while the process stops', async () => {
    hang = gate();
    const first = giveBacks.giveBack(claimOf('a'), {});
    const stopped = giveBacks.stop(LONG_MS);
    const second = giveBacks.giveBack(claimOf('b'), {});
    hang.open();
    await stopped;
    expect(released).toEqual(['a false undefined', 'b false undefined']);
    await Promise.all([first, second]);
  });
});
