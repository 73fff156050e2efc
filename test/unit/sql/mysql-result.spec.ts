import { affectedRows, keepMark, mysql, plainInteger } from '../../../lib/sql/dialects.js';
import { id, render } from '../../../lib/sql/statement.js';

/** What the server counts up: the value that the first kept row sets, and one more for each other. */
const lastInsertId = (kept: number): number => Number(render(keepMark(id('id')), mysql).params.at(-1)) + kept - 1;

describe('rows that were kept', () => {
  it('do not count as affected, whatever the mark', () => {
    for (let round = 0; round < 1_000; round++) {
      const mark = lastInsertId(3);
      expect(Number.isSafeInteger(mark)).toBe(true);
      expect(affectedRows(10, mark)).toBe(7);
    }
  });

  it('are not confused with ids that a table made', () => {
    expect([0, 1, 2 ** 31, undefined, '7', 7n].map((made) => affectedRows(2, made))).toEqual([2, 2, 2, 2, 2, 2]);
  });

  it('have another mark in each statement', () => {
    expect(new Set(Array.from({ length: 100 }, () => lastInsertId(1))).size).toBeGreaterThan(95);
  });
});

it('integers are numbers while they fit', () => {
  expect([7n, '7', 7, 2n ** 60n, `${2n ** 60n}`, null].map(plainInteger)).toEqual([
    7,
    7,
    7,
    `${2n ** 60n}`,
    `${2n ** 60n}`,
    null,
  ]);
});
