import { differencesOf, MOST_DIFFERENCES } from '../../../lib/operate/run-comparison.js';

describe('differencesOf', () => {
  it.each([
    ['equal values', { a: [1, { b: 2n }], d: new Date(0) }, { d: new Date(0), a: [1, { b: 2n }] }, []],
    ['undefined', undefined, undefined, []],
    ['other values', 1, 2, [{ path: [], a: 1, b: 2 }]],
    ['a missing key', { a: 1 }, {}, [{ path: ['a'], a: 1, b: undefined }]],
    ['a value in a list', { a: [1, 2] }, { a: [1, 3] }, [{ path: ['a', '1'], a: 2, b: 3 }]],
    ['a list and an object', [], {}, [{ path: [], a: [], b: {} }]],
    ['null and an object', null, { a: 1 }, [{ path: [], a: null, b: { a: 1 } }]],
  ])('tells of %s', (_, a, b, expected) => {
    expect(differencesOf(a, b)).toEqual(expected);
  });

  it('tells of at most 100', () => {
    const [ones, twos] = [Array<number>(1_000).fill(1), Array<number>(1_000).fill(2)];
    expect(differencesOf(ones, twos)).toHaveLength(MOST_DIFFERENCES);
  });
});
