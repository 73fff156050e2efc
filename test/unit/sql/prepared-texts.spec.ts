import { PreparedTexts } from '../../../lib/sql/pg.js';

describe('prepared texts', () => {
  it('have names of their own that a server takes', () => {
    const texts = new PreparedTexts();
    const names = ['SELECT 1', 'SELECT 2', ' with x AS (SELECT 1) SELECT * FROM x'].map((text) => texts.nameOf(text));
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^[a-z_0-9]{1,63}$/);
    expect(texts.nameOf('SELECT 1')).toBe(names[0]);
  });

  it('are only those that come again', () => {
    const texts = new PreparedTexts();
    for (const text of ['CREATE TABLE x (id int)', 'LISTEN x', 'BEGIN']) expect(texts.nameOf(text)).toBeUndefined();
  });

  it('are not more than the limit', () => {
    const texts = new PreparedTexts(2);
    expect(['SELECT 1', 'SELECT 2', 'SELECT 3', 'SELECT 1'].map((text) => texts.nameOf(text) !== undefined)).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });

  it('are none once it was forgone', () => {
    const texts = new PreparedTexts();
    texts.nameOf('SELECT 1');
    texts.forgo();
    expect(texts.nameOf('SELECT 1')).toBeUndefined();
  });
});
