import { Journal } from '../../../../lib/engine/play/journal.js';
import type { StepRecord } from '../../../../lib/engine/step.js';
import { stepOf } from '../../../contract/conformance/fixtures.js';

const open = () =>
  new Journal([], { runId: 'run', firstSeq: 0, read: () => ({ status: 'completed', value: null }), onRest: () => {} });

describe('places in the order of outcomes', () => {
  it('are given behind one that is reserved, once that is confirmed', async () => {
    const journal = open();
    const settled: StepRecord[] = [];
    const place = await journal.reserve();
    journal.settle(stepOf('run', 1), (step) => settled.push(step));
    expect(settled).toEqual([]);
    journal.release(stepOf('run', 0, { settled: place }));
    expect(settled.map((step) => step.settled)).toEqual([place + 1]);
    expect(journal.settledCount).toBe(2);
  });

  it('are the one that was reserved and is given back', async () => {
    const journal = open();
    const settled: StepRecord[] = [];
    const place = await journal.reserve();
    journal.settle(stepOf('run', 1), (step) => settled.push(step));
    journal.release();
    expect(settled.map((step) => step.settled)).toEqual([place]);
  });

  it('are reserved one at a time', async () => {
    const journal = open();
    const first = await journal.reserve();
    const second = journal.reserve();
    journal.release(stepOf('run', 0, { settled: first }));
    expect(await second).toBe(first + 1);
  });
});

describe('what was played before', () => {
  const journalOf = (history: readonly StepRecord[]) =>
    new Journal(history, {
      runId: 'run',
      firstSeq: 0,
      read: () => ({ status: 'completed', value: null }),
      onRest: () => {},
    });
  const first = stepOf('run', 0, { status: 'completed', settled: 1 });

  /** Plays the first step, and says whether the code before and behind its outcome was played before. */
  const played = async (journal: Journal) => {
    const { kind, name } = first;
    journal.ask(kind, name);
    const before = journal.isReplaying;
    const outcome = journal.outcome(0);
    await journal.begin(() => {});
    await outcome;
    return [before, journal.isReplaying];
  };

  it('ends with the last outcome if nothing is waited for: nobody knows who went on from there', async () => {
    expect(await played(journalOf([first]))).toEqual([true, false]);
  });

  it('goes on behind it while something else is recorded', async () => {
    const waits = stepOf('run', 1, { status: 'pending', settled: null });
    expect(await played(journalOf([first, waits]))).toEqual([true, true]);
  });
});
