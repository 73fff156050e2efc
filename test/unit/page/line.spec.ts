import { inLine } from '../../../page/src/line.js';
import { gate } from '../../support/gate.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('looks of a page', () => {
  it('are under way two at a time, in the order in which they were asked for, also when some fail', async () => {
    const gates = [gate(), gate(), gate(), gate(), gate()];
    const begun: number[] = [];
    const looks = gates.map(({ opened }, n) =>
      inLine(async () => {
        begun.push(n);
        await opened;
        if (n === 1) throw new Error('away');
        return n;
      }).catch(() => 'failed'),
    );
    await settled();
    expect(begun).toEqual([0, 1]);
    gates[1]!.open();
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    gates[0]!.open();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const { open } of gates) open();
    expect(await Promise.all(looks)).toEqual([0, 'failed', 2, 3, 4]);
    expect(await inLine(async () => 'free')).toBe('free');
  });
});
