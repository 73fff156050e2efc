import { InvalidTransactionError } from '../../../lib/core/errors.js';
import { leanConnection } from '../../../lib/sql/pg-sessions.js';
import { pgSession, PoolStatements } from '../../../lib/sql/pg.js';
import { Within } from '../../../lib/sql/transaction-parts.js';

interface Sent {
  submit(wire: object): Error | null;
  handleRowDescription(message: object): void;
  handleDataRow(message: object): void;
  handleCommandComplete(message: object): void;
  handleReadyForQuery(): void;
  handleError(error: unknown): void;
}

/** What `pg` does with an execution, and what the server would answer. */
class Wire {
  readonly written: string[] = [];
  readonly parsed: string[] = [];
  readonly usual: unknown[] = [];
  fails: unknown;
  readonly connection = {
    on: () => undefined,
    stream: { write: (bytes: Buffer) => this.written.push(bytes.toString('latin1')), destroy: () => undefined },
    parsedStatements: {} as Record<string, string>,
    parse: ({ name, text }: { name: string; text: string }) => {
      this.parsed.push(text);
      this.connection.parsedStatements[name] = text;
    },
  };
  readonly pipeline: boolean = false;

  query(query: Sent | object): unknown {
    if (!('submit' in query)) {
      this.usual.push(query);
      return Promise.resolve({ rows: [{ by: 'pg' }], rowCount: 1 });
    }
    const unsent = query.submit(this.connection);
    if (unsent) return query.handleError(unsent);
    const { fails } = this;
    this.fails = undefined;
    if (fails) return query.handleError(fails);
    if (this.written.at(-1)!.includes('D\0\0\0\x06P\0')) query.handleRowDescription({ fields: FIELDS });
    query.handleDataRow({ fields: ['1', null, 't'] });
    query.handleCommandComplete({ text: 'UPDATE 1' });
    return query.handleReadyForQuery();
  }
}

const FIELDS = [
  { name: 'n', dataTypeID: 20 },
  { name: 'nothing', dataTypeID: 25 },
  { name: 'yes', dataTypeID: 16 },
];

const STATEMENT = { text: 'UPDATE t SET a = $1 WHERE b = $2 RETURNING *', params: ['ä', null] };
const UNNAMED = expect.not.objectContaining({ name: expect.anything() as unknown }) as unknown;
const ANSWER = { rows: [{ n: 1, nothing: null, yes: true }], affected: 1 };

describe('a connection that sends the least', () => {
  const open = (wire: Wire) => leanConnection(wire as never, new PoolStatements({ plansKept: true }));

  it('has a statement prepared and described once, and sends each execution as one write', async () => {
    const wire = new Wire();
    const connection = open(wire);
    for (let n = 0; n < 3; n++) expect(await connection.execute(STATEMENT)).toEqual(ANSWER);
    expect(wire.parsed).toEqual([STATEMENT.text]);
    expect(wire.written).toHaveLength(3);
    const [name] = Object.keys(wire.connection.parsedStatements) as [string];
    const values = '\0\0\0\x02\0\0\0\x02\xc3\xa4\xff\xff\xff\xff\0\0';
    const bind = `B\0\0\0${String.fromCharCode(22 + name.length)}\0${name}\0${values}`;
    const execute = 'E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04';
    expect(wire.written[0]).toBe(`${bind}D\0\0\0\x06P\0${execute}`);
    expect(wire.written[1]).toBe(`${bind}${execute}`);
  });

  it('rejects with the error of the server, and goes on', async () => {
    const wire = new Wire();
    const connection = open(wire);
    wire.fails = Object.assign(new Error('duplicate'), { code: '23505' });
    await expect(connection.execute(STATEMENT)).rejects.toMatchObject({ code: '23505' });
    expect(await connection.execute(STATEMENT)).toEqual(ANSWER);
  });

  it('prepares nothing more once a pooler has mixed up what is prepared', async () => {
    const wire = new Wire();
    const connection = open(wire);
    wire.fails = Object.assign(new Error('does not exist'), { code: '26000' });
    for (let n = 0; n < 2; n++)
      expect(await connection.execute(STATEMENT)).toEqual({ rows: [{ by: 'pg' }], affected: 1 });
    expect(wire.written).toHaveLength(1);
    expect(wire.usual).toEqual([UNNAMED, UNNAMED]);
  });

  it('rejects what comes after the end of its transaction, once', async () => {
    const wire = new Wire();
    pgSession(wire as never);
    const connection = open(wire);
    const within = new Within({ isOver: true });
    await connection.command('ROLLBACK');
    await expect(connection.execute({ ...STATEMENT, within })).rejects.toThrow(InvalidTransactionError);
    expect(wire.written).toEqual([]);
  });

  it('rejects what is too much for one message, and goes on', async () => {
    const wire = new Wire();
    const connection = open(wire);
    await expect(connection.execute({ ...STATEMENT, params: Array<number>(70_000).fill(1) })).rejects.toThrow(
      RangeError,
    );
    expect([wire.parsed, wire.written]).toEqual([[], []]);
    expect(await connection.execute(STATEMENT)).toEqual(ANSWER);
  });

  it('is the usual one in a pipeline, and for statements that are not prepared', async () => {
    const wire = Object.assign(new Wire(), { pipeline: true });
    expect(await open(wire).execute(STATEMENT)).toEqual({ rows: [{ by: 'pg' }], affected: 1 });
    const other = new Wire();
    await open(other).execute({ text: 'CREATE TABLE t (a int)', params: [] });
    expect([other.written, other.usual]).toEqual([[], [expect.objectContaining({ text: 'CREATE TABLE t (a int)' })]]);
  });
});
