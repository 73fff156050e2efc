import { commitIn, type Position, positionAfter, Within } from '../../../lib/sql/transaction-parts.js';

const after = (texts: readonly string[], from: Position = null): Position =>
  texts.reduce<Position>((position, text) => positionAfter(text, position), from);

const OPEN = expect.any(Object) as object;

describe('what a text does to the transaction of its connection', () => {
  it.each<[string, Position]>([
    ['BEGIN', OPEN],
    ['  begin isolation level read committed; SET LOCAL a = 1', OPEN],
    ['START TRANSACTION READ ONLY', OPEN],
    ['/* of an app */ BEGIN', OPEN],
    ['-- of an app\nBEGIN;', OPEN],
    ['SELECT 1', null],
    ['SAVEPOINT a', null],
    ['ROLLBACK', null],
    ['BEGINNING', null],
  ])('begins one or not: %s', (text, expected) => expect(after([text])).toEqual(expected));

  it.each<[string, Position]>([
    ['COMMIT', null],
    ['commit;', null],
    ['END', null],
    ['ABORT', null],
    ['ROLLBACK WORK', null],
    ["PREPARE TRANSACTION 'a'", null],
    ['COMMIT AND CHAIN', OPEN],
    ['COMMIT; BEGIN', undefined],
    ["COMMIT PREPARED 'a'", OPEN],
    ['INSERT INTO commits VALUES (1)', OPEN],
  ])('ends it or not: %s', (text, expected) => expect(after(['BEGIN', text])).toEqual(expected));

  it('says nothing where nobody has heard of one', () => {
    for (const text of ['SELECT 1', 'SAVEPOINT a', 'ROLLBACK TO a', 'RELEASE a'])
      expect(positionAfter(text, undefined)).toBeUndefined();
  });
});

describe('a BEGIN inside of a transaction', () => {
  it('changes nothing on PostgreSQL', () => {
    const position = after(['BEGIN', 'SAVEPOINT a']);
    expect(positionAfter('BEGIN', position, true)).toBe(position);
    expect(new Within(position).isOver).toBe(false);
  });

  it('begins another one where that is over, and ends it elsewhere', () => {
    const first = after(['BEGIN', 'SAVEPOINT a']);
    const second = positionAfter('START TRANSACTION', first);
    expect([new Within(first).isOver, new Within(second).isOver]).toEqual([true, false]);
    positionAfter('ROLLBACK', second);
    expect(new Within(positionAfter('BEGIN', second, true)).isOver).toBe(false);
  });
});

describe('the commit in a text', () => {
  it.each<[string, 'plain' | 'hidden' | undefined, ('plain' | 'hidden')?]>([
    ['COMMIT', 'plain'],
    ['-- of an app\n commit work;', 'plain'],
    ['/* a */ END', 'plain'],
    ['COMMIT AND CHAIN', 'plain'],
    ["COMMIT PREPARED 'a'", undefined],
    ["PREPARE TRANSACTION 'a'", 'hidden'],
    ['UPDATE a SET b = 1; COMMIT', 'hidden'],
    ['SELECT 1; commit transaction ;', 'hidden'],
    ["INSERT INTO a VALUES ('; COMMIT, he said')", undefined],
    ["INSERT INTO a VALUES ('it''s; ') -- ; commit", undefined],
    ['UPDATE a SET b = 1; COMMIT; SELECT 1', 'hidden'],
    ['UPDATE a SET b = 1; /* c */ COMMIT AND CHAIN', 'hidden'],
    ['CREATE FUNCTION f() RETURNS int BEGIN ATOMIC; SELECT 1; END', undefined, 'plain'],
    ['# c\nCOMMIT', 'plain'],
    ['LOCK TABLE a WRITE', undefined, 'plain'],
    ['CREATE OR REPLACE TEMPORARY TABLE a (b integer)', undefined],
    ['DROP PREPARE a', undefined],
    ['ROLLBACK', undefined],
    ['SAVEPOINT a', undefined],
    ['BEGIN', undefined, 'plain'],
    ['/* a */ start  transaction', undefined, 'plain'],
    ['CREATE TABLE a (b integer)', undefined, 'plain'],
    ['CREATE TEMPORARY TABLE a (b integer)', undefined],
    ['drop  temporary table a', undefined],
    ['TRUNCATE a', undefined, 'plain'],
    ['LOCK TABLES a WRITE', undefined, 'plain'],
    ['UPDATE created SET truncate = 1', undefined],
  ])('is found: %s', (text, expected, first = expected) => {
    expect([commitIn(text, false), commitIn(text, true)]).toEqual([expected, first]);
  });
});

describe('statements that are bound', () => {
  /** Whether one that is bound after `texts` may be sent after `more`. */
  const isSent = (texts: readonly string[], more: readonly string[]): boolean => {
    const position = after(['BEGIN', ...texts]);
    const within = new Within(position);
    return within.refusal({ position: after(more, position) }) === undefined;
  };

  it.each([
    [[], []],
    [[], ['SAVEPOINT a', 'ROLLBACK TO SAVEPOINT a']],
    [['SAVEPOINT a'], ['SAVEPOINT b', 'ROLLBACK TO b']],
    [['SAVEPOINT a'], ['RELEASE SAVEPOINT a']],
    [
      ['SAVEPOINT a', 'ROLLBACK WORK TO a'],
      ['SAVEPOINT a', 'ROLLBACK TO a'],
    ],
  ])('go on: %j, then %j', (texts, more) => expect(isSent(texts, more)).toBe(true));

  it.each([
    [[], ['COMMIT']],
    [[], ['ROLLBACK', 'BEGIN']],
    [['SAVEPOINT a'], ['ROLLBACK TO SAVEPOINT a']],
    [
      ['SAVEPOINT a', 'SAVEPOINT b'],
      ['RELEASE b', 'ROLLBACK TO a'],
    ],
    [['SAVEPOINT a', 'RELEASE a'], ['COMMIT']],
  ])('are refused: %j, then %j', (texts, more) => expect(isSent(texts, more)).toBe(false));

  it('remember no savepoint that another one of its name has replaced', () => {
    let position = after(['BEGIN']);
    for (let n = 0; n < 20_000; n++) position = after(['SAVEPOINT a', 'ROLLBACK TO SAVEPOINT a'], position);
    expect(new Within(position).refusal({ position })).toBeUndefined();
    expect(position?.outer?.outer).toBeUndefined();
  });
});
