import { attributesOf } from '../../../lib/engine/listing.js';

describe('filters of attributes as texts', () => {
  it('are equal to a number, true, false or a text', () => {
    expect(attributesOf(['customer=acme', 'amount=-1.5', 'big=true', 'note=a=b>c', 'empty='])).toEqual({
      customer: 'acme',
      amount: -1.5,
      big: true,
      note: 'a=b>c',
      empty: '',
    });
  });

  it('are ranges of numbers or of times, with one or two bounds', () => {
    expect(
      attributesOf(['amount>=10', 'amount<20', 'day>2026-01-02', 'day<=2026-01-03T04:05:06Z', 'n>1', 'm<2']),
    ).toEqual({
      amount: { gte: 10, lt: 20 },
      day: { gt: new Date('2026-01-02'), lte: new Date('2026-01-03T04:05:06Z') },
      n: { gt: 1 },
      m: { lt: 2 },
    });
  });

  it.each(['amount', '=1', '>1', 'amount>acme', 'amount>=', 'amount<20x'])('refuse %j', (text) => {
    expect(() => attributesOf([text])).toThrow(/attribute/);
  });
});
