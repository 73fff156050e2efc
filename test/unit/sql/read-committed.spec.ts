import { isPlainRead } from '../../../lib/sql/connections.js';

describe('a plain read', () => {
  it.each(['SELECT 1', '\n  select * from t', 'SHOW x', 'EXPLAIN SELECT 1'])('is %p', (text) => {
    expect(isPlainRead(text)).toBe(true);
  });
  it.each([
    'SELECT * FROM t FOR UPDATE SKIP LOCKED',
    'SELECT * FROM t LOCK IN SHARE MODE',
    'SELECT * FROM t\nFOR\nSHARE',
    'INSERT INTO t SELECT 1',
    'UPDATE t SET n = 1',
    'DELETE FROM t',
    'WITH x AS (SELECT 1) SELECT * FROM x',
  ])('is not %p', (text) => expect(isPlainRead(text)).toBe(false));
});
