import { AsideWrites } from '../../../lib/engine/play/aside-writes.js';
import type { RunWrite } from '../../../lib/engine/runs/run-store.js';
import { DatabaseError, WriteRefusedError } from '../../../lib/errors.js';
import { thrownBy } from '../../support/thrown-by.js';

const writeOf = (runId: string, name: string): RunWrite & { name: string } => ({
  ...{ runId, epoch: 1, steps: [], tasks: [], takes: [], withdraws: [], name },
});
const lost = () => new DatabaseError('The connection was lost', true);

describe('writes that stand aside', () => {
  let committed: string[];
  let stopped: AbortController;
  /** How often the writes of a name still fail, and with what. */
  let failing: Map<string, { times: number; error: () => Error }>;
  let others: number;
  let probes: number;
  let aside: AsideWrites<'written'>;

  beforeEach(() => {
    [committed, others, probes] = [[], 0, 0];
    failing = new Map();
    stopped = new AbortController();
    aside = new AsideWrites<'written'>({
      commit: async (write) => {
        const { name } = write as RunWrite & { name: string };
        const left = failing.get(name);
        if (left && left.times-- > 0) throw left.error();
        committed.push(name);
        return 'written';
      },
      committed: () => others,
      probe: async () => {
        probes++;
        return false;
      },
      onError: () => undefined,
      stopped: stopped.signal,
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

  it('are never at fault while nothing else is written either', async () => {
    failing.set('a1', { times: 7, error: lost });
    expect(await aside.add(writeOf('a', 'a1'))).toBe('written');
    expect(probes).toBe(7);
  }, 20_000);

  it('nor for what is elsewhere, as a full disk, whoever else writes', async () => {
    failing.set('a1', {
      times: 7,
      error: () => (others++, new DatabaseError('The disk is full', true, { elsewhere: true })),
    });
    expect(await aside.add(writeOf('a', 'a1'))).toBe('written');
  }, 20_000);

  it('are at fault when others go on, and so is what their run wrote behind them', async () => {
    failing.set('a1', { times: Infinity, error: () => (others++, lost()) });
    const [first, second] = [aside.add(writeOf('a', 'a1')), aside.add(writeOf('a', 'a2'))];
    expect(await thrownBy(first)).toBeInstanceOf(WriteRefusedError);
    expect(await thrownBy(first)).toMatchObject({ code: 'WRITE_REFUSED', workflowId: 'a' });
    expect(await second).toBe('lost');
    expect(committed).toEqual([]);
  }, 20_000);

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
