import { mariadb, mysql, postgres, render } from '../../../lib/sql/dialects.js';
import { id, join, list, raw, sql } from '../../../lib/sql/statement.js';

describe('a statement', () => {
  const nested = sql`SELECT ${raw('1')} FROM ${id('a"b`c')} WHERE x = ${"it's"} AND ${sql`y IN ${list([1, 2n])}`} AND z = ${null}`;

  it('keeps values apart from its text', () => {
    expect(render(nested, postgres)).toEqual({
      text: 'SELECT 1 FROM "a""b`c" WHERE x = $1 AND y IN ($2, $3) AND z = $4',
      params: ["it's", 1, 2n, null],
    });
    expect(render(nested, mysql).text).toBe('SELECT 1 FROM `a"b``c` WHERE x = ? AND y IN (?, ?) AND z = ?');
  });

  it('may be empty, joined or a list', () => {
    expect(render(sql``, postgres)).toEqual({ text: '', params: [] });
    expect(render(join([]), postgres).text).toBe('');
    expect(render(list([]), postgres).text).toBe('(NULL)');
    expect(render(join([id('a'), id('b')], ' AND '), postgres).text).toBe('"a" AND "b"');
  });

  it('writes nothing where an empty text stands', () => {
    expect(render(sql`${''}${0}${false}`, postgres)).toEqual({ text: '$1$2$3', params: ['', 0, false] });
  });
});

describe('a dialect', () => {
  it.each([postgres, mysql, mariadb])('has one text for rows, however many: %p', (dialect) => {
    const text = (json: string) => render(sql`SELECT * FROM ${dialect.rows(json, { id: 'key' })} AS r`, dialect).text;
    expect(text('[]')).toBe(text('[{"id":"a"},{"id":"b"}]'));
    const keep = () => render(dialect.insertOrKeep(sql`INSERT INTO t (id) VALUES (${'a'})`, id('id')), dialect).text;
    expect(keep()).toBe(keep());
  });

  it('refuses column names that would end its JSON path', () => {
    expect(() => mysql.rows('[]', { "a') --": 'key' })).toThrow(TypeError);
  });

  it('keeps or updates by all columns of a key', () => {
    const insert = sql`INSERT INTO t (a, b) VALUES (1, 2)`;
    expect(render(postgres.insertOrKeep(insert, [id('a'), id('b')]), postgres).text).toContain(
      'ON CONFLICT ("a", "b") DO NOTHING',
    );
    const update = postgres.onConflictUpdate([id('a'), id('b')], (incoming) => sql`c = ${incoming('c')}`);
    expect(render(update, postgres).text).toBe('ON CONFLICT ("a", "b") DO UPDATE SET c = EXCLUDED."c"');
    expect(render(mysql.insertOrKeep(insert, [id('a'), id('b')]), mysql).text).toContain(
      'ON DUPLICATE KEY UPDATE `a` = ',
    );
  });
});
