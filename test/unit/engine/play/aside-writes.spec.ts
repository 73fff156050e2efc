import type { Clock } from '@sinonjs/fake-timers';
import { AsideWrites, BLAME_LIMITS } from '../../../../lib/engine/play/recorder.js';
import type { RunWrite } from '../../../../lib/engine/runs.js';
import { DatabaseError, WriteRefusedError } from '../../../../lib/core/errors.js';
import { ManualClock } from '../../../../lib/core/time.js';
import { type Gate, gate } from '../../../support/gate.js';
import { thrownBy } from '../../../support/thrown-by.js';
import { until } from '../../../support/until.js';
import { fakeTime } from '../../../support/fake-time.js';

const writeOf = (runId: string, name: string): RunWrite & { name: string } => ({
  runId,
  epoch: 1,
  steps: [],
  tasks: [],
  takes: [],
  withdraws: [],
  name,
});
const lost = () => new DatabaseError('The connection was lost', true);
/** Those of a process, tried without a pause. */
const limits = { ...BLAME_LIMITS, retry: { delay: 0 } };
/** More than enough for a write to be at fault. */
const MANY = 3 * limits.failures;

describe('writes that stand aside', () => {
  let committed: string[];
  let stopped: AbortController;
  /** How often the writes of a name still fail, and with what. */
  let failing: Map<string, { times: number; error: () => Error | Promise<Error> }>;
  let others: number;
  let probes: number;
  let probed: boolean;
  let elapsed: ManualClock;
  let aside: AsideWrites<'written'>;

  beforeEach(() => {
    [committed, others, probes, probed] = [[], 0, 0, false];
    elapsed = new ManualClock();
    failing = new Map();
    stopped = new AbortController();
    aside = new AsideWrites<'written'>({
      commit: async (write) => {
        const { name } = write as RunWrite & { name: string };
        const left = failing.get(name);
        if (left && left.times-- > 0) throw await left.error();
        committed.push(name);
        return 'written';
      },
      committed: () => others,
      probe: async () => {
        probes++;
        return probed;
      },
      onError: () => undefined,
      stopped: stopped.signal,
      elapsed,
      limits,
    });
  });
  afterEach(() => stopped.abort());

  it('go on beside each other, and those of one run in their order', async () => {
    failing.set('a1', { times: 2, error: lost });
    const recorded = ['a1', 'a2', 'b1', 'a3'].map((name) => aside.add(writeOf(name[0]!, name)));
    expect(aside.has(writeOf('a', ''))).toBe(true);
    expect(await Promise.all(recorded)).toEqual(['written', 'written', 'written', 'written']);
    expect(committed).toEqual(['b1', 'a1', 'a2', 'a3']);
    await aside.idle();
    expect([aside.size, aside.has(writeOf('a', ''))]).toEqual([0, false]);
  });

  /** Others commit, and the time of a longest pause passes. */
  const whileOthersGoOn = () => {
    others++;
    elapsed.advance(2_000);
    return lost();
  };

  it('are never at fault while nothing else is written either', async () => {
    failing.set('a1', { times: MANY, error: () => (elapsed.advance(2_000), lost()) });
    expect(await aside.add(writeOf('a', 'a1'))).toBe('written');
    expect(probes).toBe(MANY);
  });

  it('nor for what is elsewhere, as a full disk, whoever else writes', async () => {
    const full = () => new DatabaseError('The disk is full', true, { elsewhere: true });
    failing.set('a1', { times: MANY, error: () => (whileOthersGoOn(), full()) });
    expect(await aside.add(writeOf('a', 'a1'))).toBe('written');
    expect(probes).toBe(0);
  });

  it('nor for eleven lost connections, however long that takes, while others commit each time', async () => {
    failing.set('a1', { times: 11, error: whileOthersGoOn });
    expect(await aside.add(writeOf('a', 'a1'))).toBe('written');
  });

  it('nor for any number within less than ten seconds, whatever the outage before them', async () => {
    let failures = 0;
    failing.set('a1', {
      times: MANY,
      error: () => {
        if (++failures === 1) elapsed.advance(60_000);
        else others++;
        elapsed.advance(9_900 / MANY);
        return lost();
      },
    });
    expect(await aside.add(writeOf('a', 'a1'))).toBe('written');
  });

  it.each(['when others go on', 'when something else of the same run is written'])(
    'are at fault %s, and so is what their run wrote behind them',
    async (when) => {
      const otherwise = when === 'when others go on';
      probed = !otherwise;
      failing.set('a1', {
        times: Infinity,
        error: () => (otherwise ? whileOthersGoOn() : (elapsed.advance(2_000), lost())),
      });
      const [first, second] = [aside.add(writeOf('a', 'a1')), aside.add(writeOf('a', 'a2'))];
      expect(await thrownBy(first)).toBeInstanceOf(WriteRefusedError);
      expect(await thrownBy(first)).toMatchObject({ code: 'WRITE_REFUSED', workflowId: 'a', attempts: 12 });
      expect(await second).toBe('lost');
      expect(committed).toEqual([]);
      expect(probes).toBe(otherwise ? 0 : 12);
    },
  );

  it('let their neighbours go on at once while further tries of those that fail by themselves hang', async () => {
    const hang = gate();
    const hanging = ['a1', 'b1', 'c1'];
    let tries = 0;
    for (const name of hanging)
      failing.set(name, { times: 2, error: async () => (++tries > hanging.length && (await hang.opened), lost()) });
    const held = hanging.map((name) => aside.add(writeOf(name[0]!, name)));
    await until('as many hang as may be tried', () => tries === hanging.length + 2);
    expect(await Promise.all(['d1', 'e1'].map((name) => aside.add(writeOf(name[0]!, name))))).toEqual([
      'written',
      'written',
    ]);
    expect(committed).toEqual(['d1', 'e1']);
    hang.open();
    expect(await Promise.all(held)).toEqual(hanging.map(() => 'written'));
  });

  describe('of which the first tries hang', () => {
    let clock: Clock;
    beforeEach(() => void (clock = fakeTime()));
    afterEach(() => clock.uninstall());

    /** Adds `names`, of which those that are in `hangs` hang until their gate opens, and are lost then. */
    const addAll = (names: readonly string[], hangs: ReadonlyMap<string, Gate>) => {
      for (const [name, { opened }] of hangs)
        failing.set(name, { times: 1, error: async () => (await opened, lost()) });
      return names.map((name) => aside.add(writeOf(name[0]!, name)));
    };
    const hanging = (names: readonly string[]) => new Map(names.map((name) => [name, gate()]));
    const neighbours = ['x1', 'y1', 'z1'];

    it.each([[['a1', 'b1']], [['a1', 'b1', 'c1']]])('%j: let their neighbours go on after a second', async (names) => {
      const hangs = hanging(names);
      const recorded = addAll([...names, ...neighbours], hangs);
      await clock.tickAsync(999);
      expect(committed).toEqual([]);
      await clock.tickAsync(1);
      expect(committed).toEqual(neighbours);
      for (const hang of hangs.values()) hang.open();
      await clock.tickAsync(100);
      expect(await Promise.all(recorded)).toEqual(recorded.map(() => 'written'));
    });

    it('hold up their neighbours where six hang at once, until one of them ends', async () => {
      const names = ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'];
      const hangs = hanging(names);
      const recorded = addAll([...names, ...neighbours], hangs);
      await clock.tickAsync(60_000);
      expect(committed).toEqual([]);
      hangs.get('c1')!.open();
      await clock.tickAsync(100);
      expect(committed.toSorted()).toEqual(['c1', ...neighbours]);
      for (const hang of hangs.values()) hang.open();
      await clock.tickAsync(100);
      expect(await Promise.all(recorded)).toEqual(recorded.map(() => 'written'));
    });

    it('go on two at once, and so do those behind them', async () => {
      const hangs = hanging(['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1']);
      const recorded = addAll([...hangs.keys()], hangs);
      await clock.tickAsync(10_000);
      for (const hang of hangs.values()) hang.open();
      await clock.tickAsync(100);
      expect(await Promise.all(recorded)).toEqual(recorded.map(() => 'written'));
      const again = hanging(['k1', 'l1']);
      void addAll([...again.keys(), 'm1'], again);
      await clock.tickAsync(900);
      expect(committed).not.toContain('m1');
      for (const hang of again.values()) hang.open();
      await clock.tickAsync(100);
      expect(committed).toEqual(expect.arrayContaining(['k1', 'l1', 'm1']));
    });
  });

  it('are at fault at once for their values', async () => {
    failing.set('a1', { times: 1, error: () => new DatabaseError('too long', false, { aboutData: true }) });
    expect(await thrownBy(aside.add(writeOf('a', 'a1')))).toMatchObject({ code: 'WRITE_REFUSED', attempts: 1 });
  });

  it('are given up when the process stops', async () => {
    failing.set('a1', { times: Infinity, error: lost });
    const recorded = aside.add(writeOf('a', 'a1'));
    stopped.abort();
    expect(await thrownBy(recorded)).not.toBeInstanceOf(WriteRefusedError);
  });
});
