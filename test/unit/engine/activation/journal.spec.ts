import { Journal } from '../../../../lib/engine/activation/journal.js';
import type { StepRecord } from '../../../../lib/engine/model/step-record.js';
import { stepOf } from '../../../../lib/conformance/run-store.js';

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
