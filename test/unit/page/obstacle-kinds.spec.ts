import type { Obstacle } from '../../../lib/engine/play/replay.js';
import { quantile } from '../../../page/src/graph-points.js';
import { isoOf, localOf } from '../../../page/src/local-time.js';
import { kindsOf } from '../../../page/src/obstacle-kinds.js';

const parted = (runId: string, position: number): Obstacle => ({
  ...{ runId, workflow: 'order', version: 1, reason: 'non_determinism', position },
  ...{ recorded: 'a step', asked: 'a timer', detail: `run ${runId}` },
});

describe('the pages of the dashboard', () => {
  it('tell runs apart by why a build would block them, most first', () => {
    const unknown: Obstacle = { runId: 'd', workflow: 'gone', version: 2, reason: 'unknown_workflow', known: [] };
    const kinds = kindsOf([unknown, parted('a', 1), parted('b', 1), parted('c', 2)]);
    expect(kinds.map(({ runIds }) => runIds)).toEqual([['a', 'b'], ['d'], ['c']]);
  });

  it('say what half of the minutes, and all but a few, do not exceed', () => {
    const minutes = Array.from({ length: 60 }, (_, n) => 59 - n);
    expect([quantile(minutes, 0.5), quantile(minutes, 0.95), quantile([], 0.5)]).toEqual([30, 57, 0]);
  });

  it('show a time of the address in the zone of the browser, and take it back', () => {
    expect(isoOf(localOf('2026-11-25T20:52:00.000Z'))).toBe('2026-11-25T20:52:00.000Z');
    expect([localOf(undefined), localOf('nonsense'), isoOf('')]).toEqual(['', '', undefined]);
  });
});
