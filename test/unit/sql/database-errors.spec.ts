import { DatabaseError, MissingTableError } from '../../../lib/core/errors.js';
import { isConflict, isConnectionLost, isTransient, toDatabaseError } from '../../../lib/sql/database-errors.js';

const failure = (fields: object, message = 'it failed') => Object.assign(new Error(message), fields);

describe('an error of a driver', () => {
  it.each([
    ['a deadlock of PostgreSQL', { code: '40P01' }],
    ['a serialization failure', { code: '40001' }],
    ['a lock timeout of PostgreSQL', { code: '55P03' }],
    ['a deadlock of MySQL', { code: 'ER_LOCK_DEADLOCK', errno: 1213 }],
    ['a lock timeout of MySQL', { code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 }],
    ['a changed record of MariaDB', { code: 'ER_CHECKREAD', errno: 1020 }],
    ['a rollback by the cluster, in MySQL', { code: 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT', errno: 3101 }],
    ['a code that is not listed, of class 40', { errno: 65_000, sqlState: '40001' }],
    ['a table that was changed meanwhile', { code: 'ER_TABLE_DEF_CHANGED', errno: 1412, sqlState: 'HY000' }],
    ['a deadlock that TypeORM wrapped', { driverError: { code: '40P01' } }],
    ['a deadlock that we wrapped', { cause: { driverError: { errno: 1213 } } }],
  ])('may be %s, which may run again on the same connection', (_, fields) => {
    const error = failure(fields);
    expect([isConflict(error), isTransient(error), isConnectionLost(error)]).toEqual([true, true, false]);
    expect(isConflict(toDatabaseError(error))).toBe(true);
  });

  it.each([
    ['a server that shuts down', { code: '57P01' }],
    ['a server that crashed', { code: '57P02' }],
    ['a server that starts', { code: '57P03' }],
    ['a connection failure', { code: '08006' }],
    ['too many clients of PostgreSQL', { code: '53300' }],
    ['a standby', { code: '25006' }],
    ['nobody listening', { code: 'ECONNREFUSED' }],
    ['a reset', { code: 'ECONNRESET' }],
    ['a name that is not known yet', { code: 'ENOTFOUND' }],
    ['a connection that mysql2 lost', { code: 'PROTOCOL_CONNECTION_LOST' }],
    ['a connection that the mariadb connector lost', { code: 'ER_SOCKET_UNEXPECTED_CLOSE', errno: 45009 }],
    ['too many clients of MySQL', { errno: 1040 }],
    ['a read-only server of MySQL', { errno: 1290 }],
    ['a server of MySQL that shuts down', { errno: 1053 }],
    ['a node of Galera without a quorum', { code: 'ER_UNKNOWN_COM_ERROR', errno: 1047, sqlState: '08S01' }],
    ['a code of MySQL that is not listed, of class 08', { errno: 65_000, sqlState: '08S01' }],
    ['a transaction of somebody else, in MySQL', { errno: 1568, sqlState: '25001' }],
    ['a transaction of somebody else, in PostgreSQL', { code: '25001' }],
    ['a commit of which nobody knows', { code: '40003' }],
    ['a transaction that was idle for too long', { code: '25P03' }],
  ])('may be %s, which ends the connection', (_, fields) => {
    const error = failure(fields);
    expect([isConflict(error), isTransient(error), isConnectionLost(error)]).toEqual([false, true, true]);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'timeout exceeded when trying to connect',
    "Can't add new command when connection is in closed state",
    'Knex: Timeout acquiring a connection. The pool is probably full. Are you missing a .transacting(trx) call?',
    'Cannot use a pool after calling end on the pool',
    'Pool is closed.',
    'Query read timeout',
    'cached plan must not change result type',
  ])('without a code may be a loss by its words: %s', (message) => {
    expect([isTransient(new Error(message)), isConnectionLost(new Error(message))]).toEqual([true, true]);
  });

  it.each([
    ...[{ code: '53100' }, { code: '57014' }, { errno: 1114 }, { code: '55006' }, { code: '58P01' }, { code: 'XX000' }],
    ...[{ errno: 1180 }, { errno: 1206 }, { errno: 1297 }, { errno: 1637 }, { errno: 1030, sqlState: 'HY000' }],
  ])('may be a shortage: %p', (fields) => {
    expect([isTransient(failure(fields)), isConnectionLost(failure(fields))]).toEqual([true, false]);
  });

  it('is no loss when PostgreSQL wants the end of a transaction first', () => {
    const error = failure({ code: '25P02' }, 'current transaction is aborted, commands ignored until end of block');
    expect([isTransient(error), isConnectionLost(error)]).toEqual([false, false]);
  });

  it.each([{ code: '23505' }, { code: '22001' }, { errno: 1062 }, { errno: 1406 }, { code: '42601' }, {}])(
    'may be final: %p',
    (fields) => expect(toDatabaseError(failure(fields)).transient).toBe(false),
  );

  it.each([
    ...[{ code: '22021' }, { code: '22P02' }, { code: '54000' }, { errno: 1406, sqlState: '22001' }, { errno: 1366 }],
    ...[
      { errno: 3140, sqlState: '22032' },
      { errno: 1300, sqlState: 'HY000' },
      { errno: 4038, sqlState: 'HY000' },
    ],
    ...[{ errno: 45_046, code: 'ER_MAX_ALLOWED_PACKET', sqlState: 'HY000' }],
    { driverError: { code: '22021' } },
  ])('may be about the values: %p', (fields) => {
    expect(toDatabaseError(failure(fields))).toMatchObject({ aboutData: true, transient: false });
  });

  it.each([
    [{ code: '54000' }, 'database is not accepting commands that assign new transaction IDs to avoid wraparound'],
    [{ code: '54000' }, 'database is not accepting commands that generate new MultiXactIds to avoid wraparound'],
    [{ code: '2200H' }, 'nextval: reached maximum value of sequence'],
  ])('is waited for when the database has run out of what it counts with: %p', (fields, message) => {
    const error = failure(fields, message);
    expect(toDatabaseError(error)).toMatchObject({ aboutData: false, transient: true, elsewhere: true });
    expect(isConnectionLost(error)).toBe(false);
  });

  it('is about the values when a statement is too long, though the server ends the connection', () => {
    const error = failure({ code: 'ER_NET_PACKET_TOO_LARGE', errno: 1153, sqlState: '08S01' });
    expect(toDatabaseError(error)).toMatchObject({ aboutData: true, transient: false });
    expect(isConnectionLost(error)).toBe(true);
  });

  it.each([
    ...[
      { code: '42601' },
      { code: '42P01' },
      { code: '42501' },
      { code: '23505' },
      { code: 'P0001' },
      { code: '25P02' },
    ],
    ...[
      { errno: 1064, sqlState: '42000' },
      { errno: 1062, sqlState: '23000' },
      { errno: 1644, sqlState: '45000' },
    ],
    ...[{ code: 'XX000' }, { code: '40P01' }, { code: 'ECONNRESET' }, { errno: 1180, sqlState: 'HY000' }, {}],
  ])('says nothing of the values otherwise: %p', (fields) => {
    expect(toDatabaseError(failure(fields)).aboutData).toBe(false);
  });

  it.each([{ code: '42P01' }, { code: 'ER_NO_SUCH_TABLE', errno: 1146 }])('may be a missing table: %p', (fields) => {
    const cause = failure(fields);
    const error = toDatabaseError(cause);
    expect(error).toBeInstanceOf(MissingTableError);
    expect(error.cause).toBe(cause);
  });

  it('stays what it is when it is ours already', () => {
    const error = new DatabaseError('mine', true);
    expect(toDatabaseError(error)).toBe(error);
  });

  it.each([undefined, null, 'text', 7, {}])('may be anything: %p', (thrown) => {
    expect(toDatabaseError(thrown)).toMatchObject({ transient: false });
  });

  it.each([
    [failure({ code: '22P02' }, 'invalid input syntax for type bigint: "secret"')],
    [failure({ code: '22P02' }, 'invalid input syntax for type json: "a "quoted" secret"')],
    [failure({ errno: 1062 }, "Duplicate entry 'it's a secret' for key 'PRIMARY'")],
    [failure({ errno: 1366, sqlMessage: "Incorrect string value: 'secret' for column" }, 'sql: INSERT secret')],
    [
      failure(
        { errno: 1062, sqlMessage: 'Duplicate entry' },
        "(conn:1) Duplicate\nsql: INSERT - parameters:['secret']",
      ),
    ],
    [failure({ errno: 1062, sqlState: '23000', sqlMessage: "Duplicate entry 'secret' for key 'PRIMARY'" })],
  ])('has a message without values: %p', (error) => {
    const { message } = toDatabaseError(error);
    expect(message).not.toContain('secret');
    expect(message).toMatch(/\((22P02|1062|1366)\)/);
  });

  it('keeps the names that PostgreSQL quotes', () => {
    const error = failure({ code: '42703' }, 'column "wake_at" of relation "durable_runs" does not exist');
    expect(toDatabaseError(error).message).toContain('"wake_at"');
  });
});
