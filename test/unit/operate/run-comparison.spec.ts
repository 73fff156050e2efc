import { type ComparableRun, compared } from '../../../lib/operate/run-comparison.js';

const at = new Date(0);

/** A run with steps of these names. */
const run = (id: string, names: readonly string[]): ComparableRun =>
  ({
    run: { id, workflow: 'order', createdAt: at, startedAt: at, finishedAt: null },
    steps: names.map((name, seq) => ({
      record: { seq, kind: 'step', name, output: id, createdAt: 0, finishedAt: 0 },
      look: () => ({ output: id }),
    })),
  }) as unknown as ComparableRun;

describe('compared', () => {
  it('joins the n-th steps of a name, and keeps those of one run where it took them', () => {
    const { steps } = compared(run('x', ['a', 'b', 'b', 'd']), run('y', ['z', 'a', 'b', 'c', 'd', 'e']), (one) => one);
    const rows = steps.map(({ name, nth, a, b }) => [name, nth, a?.seq ?? null, b?.seq ?? null]);
    expect(rows).toEqual([
      ['z', 1, null, 0],
      ['a', 1, 0, 1],
      ['b', 1, 1, 2],
      ['c', 1, null, 3],
      ['b', 2, 2, null],
      ['d', 1, 3, 4],
      ['e', 1, null, 5],
    ]);
    expect(steps.map(({ output }) => output.length)).toEqual([0, 1, 1, 0, 0, 1, 0]);
  });

  it('compares at most 2,000 steps of each', () => {
    const names = Array.from({ length: 2_001 }, () => 'n');
    const { steps, complete } = compared(run('x', names), run('y', names), () => null);
    expect([steps.length, complete]).toEqual([2_000, false]);
  });
});
