import type { Clock } from '@sinonjs/fake-timers';
import { EventEmitter } from 'node:events';
import { mysql2Session } from '../../../lib/sql/mysql2.js';
import { pgSession } from '../../../lib/sql/pg.js';
import { type LeftOpen, STATEMENT_MS, textOf, withoutLiterals } from '../../../lib/sql/pools.js';
import { fakeTime } from '../../support/fake-time.js';

describe('a statement as it is shown', () => {
  it.each([
    [`INSERT INTO users VALUES ('it''s', 4711, 'a\\'b')`, 'INSERT INTO users VALUES (…, …, …)'],
    [`UPDATE "users" SET name = $1\n  WHERE id2 = $12`, 'UPDATE "users" SET name = $1 WHERE id2 = $12'],
    [`SELECT 'never closed`, 'SELECT …'],
    ['SELECT $$it is 4711$$, $a$b $$ c$a$, $1', 'SELECT …, …, $1'],
    ['DO $do$ secret', 'DO …'],
    [
      `SELECT 1 -- of 'Ann'\n FROM /* secret\n */ "a--b" WHERE c = '--' AND d = '/*'`,
      'SELECT … FROM "a--b" WHERE c = … AND d = …',
    ],
  ])('hides the values of %s', (text, shown) => expect(withoutLiterals(text)).toBe(shown));

  it('hides what is in double quotes where those hold texts', () => {
    expect(withoutLiterals('SELECT "a ""b" FROM `t`', { quoted: true })).toBe('SELECT … FROM `t`');
  });

  it('is short', () => expect(withoutLiterals('x'.repeat(1_000))).toHaveLength(201));

  it('is found however a driver takes it', () => {
    expect([textOf('a'), textOf({ text: 'b' }), textOf({ sql: 'c' }), textOf({}), textOf(undefined)]).toEqual([
      ...['a', 'b', 'c'],
      ...[undefined, undefined],
    ]);
  });
});

/** A client of `pg` before it told the state of its transaction. */
class OldClient {
  readonly connection = new EventEmitter();
  readonly sent: string[] = [];
  readyForQuery = true;

  async query({ text }: { text: string }) {
    this.sent.push(text);
    if (text === 'ROLLBACK') this.answer('I');
    return { rows: [], rowCount: 0 };
  }

  answer(status: string): void {
    this.readyForQuery = true;
    this.connection.emit('readyForQuery', { status });
  }
}

describe('a session of an older pg', () => {
  it('is rolled back before anything was heard of it, and after that only when it stands in a transaction', async () => {
    const client = new OldClient();
    const left: LeftOpen[] = [];
    const session = pgSession(client).watchedBy((each) => void left.push(each));
    await session.end();
    expect(session.end()).toBeUndefined();
    await client.query({ text: 'SELECT 1 / 0' });
    client.answer('E');
    await session.end();
    expect(session.end()).toBeUndefined();
    expect(client.sent).toEqual(['ROLLBACK', 'SELECT 1 / 0', 'ROLLBACK']);
    expect(left).toEqual([{ statement: 'SELECT … / …' }]);
  });

  it('tells of a transaction that shows only once the answer under way has come', async () => {
    const client = new OldClient();
    const left: LeftOpen[] = [];
    const session = pgSession(client).watchedBy((each) => void left.push(each));
    await client.query({ text: 'BEGIN' });
    client.readyForQuery = false;
    expect(session.endLeft()).toBeUndefined();
    const ending = session.end();
    expect(left).toEqual([]);
    client.answer('T');
    client.answer('I');
    await ending;
    expect(left).toEqual([{ statement: 'BEGIN' }]);
  });

  it('is in no transaction when it has just been opened', () => {
    expect(pgSession(new OldClient(), { fresh: true }).end()).toBeUndefined();
  });
});

describe('a connection of mysql2 that went silent', () => {
  let clock: Clock;
  beforeEach(() => void (clock = fakeTime()));
  afterEach(() => clock.uninstall());

  it('takes no place in its pool for ever when it is given back in a transaction', async () => {
    const did: string[] = [];
    const command = new EventEmitter();
    const connection = {
      query: ({ sql }: { sql: string }) => (did.push(sql), command),
      release: () => void did.push('given back'),
      destroy: () => void did.push('destroyed'),
    };
    const left: LeftOpen[] = [];
    mysql2Session(connection, { fresh: true }).watchedBy((each) => void left.push(each));
    connection.query({ sql: 'BEGIN' });
    command.emit('result', { serverStatus: 3, affectedRows: 0 });
    connection.release();
    await clock.tickAsync(STATEMENT_MS + 1);
    expect(did).toEqual(['BEGIN', 'ROLLBACK', 'destroyed']);
    expect(left).toEqual([]);
  });
});
