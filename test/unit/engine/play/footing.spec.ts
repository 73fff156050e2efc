import { Footing } from '../../../../lib/engine/play/recorder.js';
import type { StepRecord } from '../../../../lib/engine/step.js';

const record = (seq: number, settled: number | null) => ({ seq, settled }) as StepRecord;

describe('what a claim builds upon', () => {
  it('is the newest settled record, also when a position that the same commit opened is written again', () => {
    const footing = new Footing();

    footing.stepOnto([record(0, 0), record(1, null)], []);
    footing.stepOnto([record(2, 1)], footing.known);
    footing.stepOnto([record(1, null)], footing.known);

    expect(footing.known).toEqual([{ seq: 2, settled: 1 }]);
  });

  it('is a position without an outcome where nothing newer is settled', () => {
    const footing = new Footing([record(0, 0)]);

    footing.stepOnto([record(0, null)], footing.known);
    expect(footing.known).toEqual([]);
    footing.stepOnto([record(1, null)], footing.known);
    expect(footing.known).toEqual([{ seq: 1, settled: null }]);
  });
});
