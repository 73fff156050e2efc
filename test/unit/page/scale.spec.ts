import { chosen, moved, scaleOf, WHOLE, zoomed } from '../../../page/src/scale.js';

const near = (value: number) => Math.round(value * 1_000) / 1_000;

describe('the scale of a timeline', () => {
  it('is even where nothing is idle for long', () => {
    const { at, gaps } = scaleOf(
      [
        { from: 0, to: 40 },
        { from: 60, to: 100 },
      ],
      0,
      100,
    );
    expect(gaps).toEqual([]);
    expect([0, 25, 50, 100].map(at)).toEqual([0, 0.25, 0.5, 1]);
  });

  it('has little room for a gap of more than 30 %', () => {
    const { at, gaps } = scaleOf(
      [
        { from: 0, to: 10 },
        { from: 990, to: 1_000 },
      ],
      0,
      1_000,
    );
    expect(gaps).toEqual([{ from: 10, to: 990 }]);
    expect([0, 10, 500, 990, 1_000].map((ms) => near(at(ms)))).toEqual([0, 0.48, 0.5, 0.52, 1]);
  });

  it('has little room for gaps that are long once another one has collapsed', () => {
    const busy = [
      { from: 0, to: 10 },
      { from: 60, to: 70 },
      { from: 1_000, to: 1_010 },
    ];
    expect(scaleOf(busy, 0, 1_010).gaps).toEqual([
      { from: 10, to: 60 },
      { from: 70, to: 1_000 },
    ]);
  });

  it('minds what overlaps, and what lies at the edges', () => {
    const busy = [
      { from: 500, to: 510 },
      { from: 490, to: 505 },
    ];
    const { at, gaps } = scaleOf(busy, 0, 1_000);
    expect(gaps).toEqual([
      { from: 0, to: 490 },
      { from: 510, to: 1_000 },
    ]);
    expect([-5, 0, 490, 510, 1_000, 2_000].map((ms) => near(at(ms)))).toEqual([0, 0, 0.04, 0.96, 1, 1]);
  });

  it('never goes back', () => {
    const { at } = scaleOf(
      [
        { from: 3, to: 4 },
        { from: 700, to: 710 },
      ],
      0,
      1_000,
    );
    const times = Array.from({ length: 1_001 }, (_, n) => at(n));
    expect(times.every((time, n) => n === 0 || time >= times[n - 1]!)).toBe(true);
  });

  it('is even for a run that only waits', () => {
    const { at, gaps } = scaleOf([], 0, 100);
    expect({ gaps, half: at(50) }).toEqual({ gaps: [], half: 0.5 });
  });
});

describe('a look at a part of the timeline', () => {
  it('goes nearer and farther, and not beyond the edges', () => {
    const half = zoomed(WHOLE, 2);
    expect(half).toEqual({ left: 0.25, right: 0.75 });
    expect(zoomed(half, 0.5)).toEqual(WHOLE);
    expect(zoomed(WHOLE, 0.5)).toEqual(WHOLE);
    expect(moved(half, 1)).toEqual({ left: 0.5, right: 1 });
    expect(moved(half, -9)).toEqual({ left: 0, right: 0.5 });
  });

  it('takes what was dragged over, in either direction', () => {
    const half = { left: 0.5, right: 1 };
    expect(chosen(half, 0.5, 0)).toEqual({ left: 0.5, right: 0.75 });
    expect(chosen(half, 0.5, 0.5)).toEqual(half);
    expect(chosen(half, 0.5, 7)).toEqual({ left: 0.75, right: 1 });
  });
});
