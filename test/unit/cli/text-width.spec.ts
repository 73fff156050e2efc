import { tableOf, widthOf } from '../../../lib/cli/print.js';

describe('the width of a text on a terminal', () => {
  it.each([
    ['', 0],
    ['order-7', 7],
    ['café', 4],
    ['cafe\u0301', 4],
    ['日本', 4],
    ['한국어', 6],
    ['👩‍👩‍👧', 2],
    ['✅ ok', 5],
    ['a…', 2],
  ])('%s takes %d columns', (text, width) => expect(widthOf(text)).toBe(width));

  it('aligns the columns of a table', () => {
    const rows = [
      ['日本', 'x'],
      ['abcd', 'y'],
    ] as const;
    expect(tableOf(rows, { a: ([a]) => a, b: ([, b]) => b })).toEqual(['A     B', '日本  x', 'abcd  y']);
  });
});
