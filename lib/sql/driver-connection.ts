import type { Dialect, RenderedStatement } from './dialects/dialect.js';
import type { PoolCounts } from './pool-counts.js';
import type { Report, Session } from './session.js';
import type { SqlConnection, SqlResult } from './sql-executor.js';
import { DatabaseError } from '../errors/database-errors.js';
import type { Statement } from './dialects/statement.js';

/** One connection of a driver. Throws the driver's errors. */
export interface DriverConnection {
  /** With bound values; prepared once per connection and text if the driver can. */
  execute(statement: RenderedStatement): Promise<SqlResult<Record<string, unknown>>>;
  /** As plain text without values: transaction control, session settings and DDL. */
  command(text: string): Promise<void>;
  /** Whether its session's own level is READ COMMITTED; undefined until it was checked. */
  readCommitted?: boolean;
  /** Whether values are inserted into the text, where quotes and backslashes take twice their length. */
  readonly interpolates?: boolean;
  /** The maximum statement size of its server, in bytes; undefined until it was read. */
  largest?: number;
}

/** A connection that is ours until it is released. */
export interface LeasedConnection {
  readonly connection: DriverConnection;
  /** The driver's own object. */
  readonly raw: object;
  readonly session: Session;
  /** `broken` destroys it instead of returning it to the pool. Never throws. */
  release(broken: boolean): void;
}

/** Provides connections to an executor: the pool of the app's ORM. */
export interface ConnectionPool {
  readonly dialect: Dialect;
  /** `report` is called for transactions that were left open on its connections. */
  acquire(report: Report): Promise<LeasedConnection>;
  /** Undefined if it does not tell. */
  counts?(): PoolCounts | undefined;
  /** The option that sets the most connections that it opens, for people. */
  readonly setting?: string | undefined;
}

/** Wraps each raw connection once, so that cached knowledge about it is kept. */
export class DriverConnections<Raw extends object> {
  private readonly known = new WeakMap<Raw, DriverConnection>();

  constructor(private readonly wrap: (raw: Raw) => DriverConnection) {}

  of(raw: Raw): DriverConnection {
    const known = this.known.get(raw) ?? this.wrap(raw);
    this.known.set(raw, known);
    return known;
  }
}

/** For errors that a driver also emits as events: without a listener they would end the process. */
export const ignoreError = (): void => undefined;

/**
 * Code that catches a statement's error may continue in an aborted transaction whose COMMIT gives no error: PostgreSQL
 * then rolls back everything, and so do the others after a deadlock. So after app code, `written` reads a row that the
 * transaction itself wrote before it.
 *
 * @throws DatabaseError when the row no longer exists.
 */
export async function checkStillStands(tx: SqlConnection, written: Statement): Promise<void> {
  const { rows } = await tx.run(written);
  if (rows.length === 0) throw new DatabaseError(UNDONE, false);
}

const UNDONE =
  'The database rolled back the transaction of a handler or listener, but the code continued: do not catch errors of its statements';

/** A plain read sees committed data at any isolation level; others would take gap locks at REPEATABLE READ. */
export const isPlainRead = (text: string): boolean =>
  /^\s*(select|show|explain|values)\b/i.test(text) &&
  !/\b(for\s+update|for\s+share|lock\s+in\s+share\s+mode)\b/i.test(text);

/**
 * MySQL family: runs `next`, which begins a transaction, at READ COMMITTED. Only for that transaction: the session's
 * own setting belongs to the app.
 */
export async function atReadCommitted<T>(
  connection: DriverConnection,
  dialect: Dialect,
  next: () => Promise<T>,
): Promise<T> {
  connection.readCommitted ??= await isReadCommitted(connection, dialect);
  if (connection.readCommitted) return next();
  // Sent together: a connection runs statements in order.
  const set = connection.command('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  const [, answer] = await Promise.all([set, next()]);
  return answer;
}

/** PostgreSQL is not asked. */
const LEVEL: Record<Dialect['name'], string> = {
  postgres: `current_setting('transaction_isolation')`,
  mysql: '@@transaction_isolation',
  mariadb: '@@tx_isolation',
};

async function isReadCommitted(connection: DriverConnection, { name }: Dialect): Promise<boolean> {
  const { rows } = await connection.execute({ text: `SELECT ${LEVEL[name]} AS level`, params: [] });
  return rows[0]?.level === 'READ-COMMITTED';
}
