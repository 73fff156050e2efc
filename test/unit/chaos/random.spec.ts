import { KINDS } from '../../full/chaos/kinds/all-kinds.js';
import { Random } from '../../full/chaos/random.js';

const plans = (seed: string) => {
  const random = new Random(seed);
  return KINDS.map((kind, n) => kind.plan(random.branch(n), `run-${n}`));
};

describe('the seed of the chaos suite', () => {
  it('says what is begun, and another one says something else', () => {
    expect(plans('1')).toEqual(plans('1'));
    expect(plans('1')).not.toEqual(plans('2'));
  });

  it('says it whatever was drawn elsewhere', () => {
    const [one, other] = [new Random('1'), new Random('1')];
    other.next();
    expect(other.branch('a').next()).toBe(one.branch('a').next());
  });

  it('draws each number as often as others', () => {
    const random = new Random('even');
    const counts = [0, 0, 0, 0];
    for (let n = 0; n < 10_000; n++) counts[random.whole(0, 3)]!++;
    for (const count of counts) expect(Math.abs(count - 2_500)).toBeLessThan(200);
  });
});
