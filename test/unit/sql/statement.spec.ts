import { mariadb, mysql, postgres } from '../../../lib/sql/dialects.js';
import { id, inline, int, join, list, raw, render, sql, type SqlPart, Statement } from '../../../lib/sql/statement.js';

describe('a statement', () => {
  const nested = sql`SELECT ${raw('1')} FROM ${id('a"b`c')} WHERE x = ${"it's"} AND ${sql`y IN ${list([1, 2n])}`} AND z = ${null}`;

  it('keeps values apart from its text', () => {
    expect(render(nested, postgres)).toEqual({
      text: 'SELECT 1 FROM "a""b`c" WHERE x = $1 AND y IN ($2, $3) AND z = $4',
      params: ["it's", 1, 2n, null],
    });
    expect(render(nested, mysql).text).toBe('SELECT 1 FROM `a"b``c` WHERE x = ? AND y IN (?, ?) AND z = ?');
  });

  it('is written once for each shape, whatever its values are', () => {
    const at = (home: { schema: string | undefined }, table: string, ...among: SqlPart[]) =>
      render(
        sql`SELECT 1 FROM ${id(table, home)} WHERE ${raw('a')} IN ${list(among)} LIMIT ${int(among.length)}`,
        postgres,
      );
    const home: { schema: string | undefined } = { schema: undefined };
    const text = (of: string, among: string) => `SELECT 1 FROM ${of} WHERE a IN ${among}`;
    for (let round = 0; round < 2; round++) {
      expect(at(home, 't', 1, 2)).toEqual({ text: text('"t"', '($1, $2) LIMIT 2'), params: [1, 2] });
      expect(at(home, 't', 3, 4)).toEqual({ text: text('"t"', '($1, $2) LIMIT 2'), params: [3, 4] });
      expect(at(home, 't', 3).text).toBe(text('"t"', '($1) LIMIT 1'));
      expect(at(home, 't', 3, sql`${4}`).text).toBe(text('"t"', '($1, $2) LIMIT 2'));
      expect(at(home, 't', id('b'), 4)).toEqual({ text: text('"t"', '("b", $1) LIMIT 2'), params: [4] });
      expect(at(home, 't', inline('7')).text).toBe(text('"t"', '(7) LIMIT 1'));
      expect(at(home, 't', inline('8')).text).toBe(text('"t"', '(8) LIMIT 1'));
      expect(at({ schema: 's' }, 't', 3).text).toBe(text('"s"."t"', '($1) LIMIT 1'));
      expect(at({ schema: 's.t' }, 't', 3).text).toBe(text('"s.t"."t"', '($1) LIMIT 1'));
    }
    // Looked up later, as that of the tables is.
    home.schema = 's';
    expect(at(home, 't', 3).text).toBe(text('"s"."t"', '($1) LIMIT 1'));
  });

  it('is told from others by its shape alone', () => {
    const two = [1, 2];
    const many = Array.from({ length: 21 }, (_, n) => n);
    expect(render(join(two, '1'), mysql).text).toBe('?1?');
    expect(render(join(many, ''), mysql)).toEqual({ text: '?'.repeat(21), params: many });
    const strings = Object.freeze(['a = ', ', b = ', '']);
    expect(render(new Statement(strings, [1, 2]), postgres)).toEqual({ text: 'a = $1, b = $2', params: [1, 2] });
    expect(render(new Statement(strings, [1]), postgres)).toEqual({ text: 'a = $1, b = $2', params: [1, null] });
  });

  it('is written right, however many there are', () => {
    for (let n = 0; n < 5_000; n++)
      expect(render(sql`SELECT ${int(n)}, ${n}`, mysql)).toEqual({ text: `SELECT ${n}, ?`, params: [n] });
    expect(render(sql`SELECT ${int(7)}, ${8}`, mysql)).toEqual({ text: 'SELECT 7, ?', params: [8] });
    expect(render(sql`SELECT ${int(4_999)}, ${8}`, mysql)).toEqual({ text: 'SELECT 4999, ?', params: [8] });
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
    const text = (rows: object[]) => render(sql`SELECT * FROM ${dialect.rows(rows, { id: 'key' })} AS r`, dialect).text;
    expect(text([])).toBe(text([{ id: 'a' }, { id: 'b' }]));
    const keep = () => render(dialect.insertOrKeep(sql`INSERT INTO t (id) VALUES (${'a'})`, id('id')), dialect).text;
    expect(keep()).toBe(keep());
  });

  it('refuses column names that would end its JSON path', () => {
    expect(() => mysql.rows([], { "a') --": 'key' })).toThrow(TypeError);
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
