import {
  DatabaseError,
  InvalidTransactionError,
  StatementTooLargeError,
  TransactionLostError,
} from '../core/errors.js';
import { stopwatch } from '../core/time.js';
import { CommitListeners } from '../core/transaction.js';
import {
  isConflict,
  isConnectionLost,
  isDenied,
  isLockTimeout,
  isReadOnly,
  isReleased,
  isTransient,
  toDatabaseError,
} from './database-errors.js';
import { byFamily, type Dialect } from './dialects.js';
import {
  giveSessions,
  type OrmTransactionOptions,
  refuseTooLarge,
  retryTransaction,
  type SqlConnection,
  type SqlResult,
  type SqlTransaction,
} from './executor.js';
import {
  answerWithin,
  type GoneSession,
  Heard,
  ignoreError,
  isOfProcess,
  type LeftOpen,
  type LockHolder,
  type LockListener,
  OWN_WORK_MS,
  type PoolCounts,
  type PoolWait,
  PoolWaits,
  type Report,
  rolledBack,
  type Session,
  STATEMENT_MS,
  withoutLiterals,
} from './pools.js';
import { selectGone, selectLockHolders } from './servers.js';
import { int, render, type RenderedStatement, sql, type Statement } from './statement.js';
import { isOverError, Within } from './transaction-parts.js';

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
  readonly release: (broken: boolean) => void;
}

/** Provides connections to an executor: the pool of the app's ORM. */
export interface ConnectionPool {
  readonly dialect: Dialect;
  /** One that is free at this moment, if it has such. */
  free?(report: Report): LeasedConnection | undefined;
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

/** A plain read sees committed data at any isolation level; others would take gap locks at REPEATABLE READ. */
export const isPlainRead = (text: string): boolean =>
  /^\s*(select|show|explain|values)\b/i.test(text) &&
  !/\b(for\s+update|for\s+share|lock\s+in\s+share\s+mode)\b/i.test(text);

/**
 * MySQL family: runs `next`, which begins a transaction, at READ COMMITTED. Only for that transaction: the session's
 * own setting belongs to the app.
 */
async function atReadCommitted<T>(connection: DriverConnection, dialect: Dialect, next: () => Promise<T>): Promise<T> {
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

/** Some pools queue without a limit, and some drivers connect without a timeout. */
const ACQUIRE_MS = 30_000;

/** Statements without a timeout: building an index, or waiting for another process that migrates. */
const TAKES_ITS_TIME = /^\s*(create|alter|drop|select (get_lock|pg_advisory))\b/i;

/** One of our own transactions on one connection. A failed statement dooms it, as on PostgreSQL. */
export class OpenTransaction implements SqlTransaction {
  /** Whether the connection must not be used again. */
  broken = false;
  private ended = false;
  private failure: DatabaseError | undefined;
  private readonly within = new Within();
  private readonly listeners = new CommitListeners();
  readonly afterCommit = this.listeners.afterCommit;
  /** Whether the server has confirmed its COMMIT. */
  private committed = false;

  constructor(
    protected readonly connection: DriverConnection,
    readonly dialect: Dialect,
    private readonly patienceMs: number,
  ) {}

  async run<Row>(statement: Statement): Promise<SqlResult<Row>> {
    if (this.ended)
      throw new InvalidTransactionError('The transaction has ended: await every statement inside its callback');
    const rendered = render(statement, this.dialect);
    const checked = refuseTooLarge(this.connection, this.dialect, rendered);
    if (checked) await checked.catch((error: unknown) => this.failed(error));
    const answer = this.connection.execute({ ...rendered, within: this.within });
    return (await this.guard(
      TAKES_ITS_TIME.test(rendered.text) ? answer : answerWithin(this.patienceMs, answer),
    )) as SqlResult<Row>;
  }

  /** `snapshot`: at REPEATABLE READ, where all reads see one snapshot. */
  begin({ snapshot = false } = {}): Promise<void> {
    return byFamily(this.dialect, {
      postgres: () => this.command(`BEGIN ISOLATION LEVEL ${snapshot ? 'REPEATABLE READ' : 'READ COMMITTED'}`),
      mysql: () => (snapshot ? this.beginSnapshot() : this.beginReadCommitted()),
    });
  }

  private async beginSnapshot(): Promise<void> {
    await this.command('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await this.command('START TRANSACTION');
  }

  private beginReadCommitted(): Promise<void> {
    return this.guard(
      answerWithin(
        this.patienceMs,
        atReadCommitted(this.connection, this.dialect, () => this.connection.command('START TRANSACTION')),
      ),
    );
  }

  /** The error of the statement that lacked a right. */
  get denial(): DatabaseError | undefined {
    return isDenied(this.failure) ? this.failure : undefined;
  }

  /** @throws the error of a failed statement, even if its caller caught it. */
  async commit(): Promise<void> {
    if (this.failure) throw this.failure;
    this.ended = true;
    await this.command('COMMIT');
    this.committed = true;
  }

  /**
   * Calls after-commit listeners, once the connection is free for them. Not if the reply to COMMIT was lost: a hint may
   * carry an answer, which must not be used before it is committed. Polling finds what was.
   */
  tell(): void {
    if (this.committed) this.listeners.tell();
  }

  /** Always sent: on the MySQL family a lock timeout rolls back only its statement. Never throws. */
  async rollback(): Promise<void> {
    this.ended = true;
    if (!this.broken) await rolledBack(this.connection.command('ROLLBACK')).catch(() => (this.broken = true));
  }

  protected command(text: string): Promise<void> {
    return this.guard(answerWithin(this.patienceMs, this.connection.command(text)));
  }

  protected async guard<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      return this.failed(error);
    }
  }

  /** A statement that was not sent does not affect the transaction. */
  private failed(error: unknown): never {
    if (error instanceof StatementTooLargeError || error instanceof InvalidTransactionError) throw error;
    this.broken ||= isConnectionLost(error);
    this.failure ??= toDatabaseError(error);
    throw this.failure;
  }
}

/** A bit of `wsrep_sync_wait`: wait before reads and before a transaction begins. */
const BEFORE_READS = 1;
const SHOW = `SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_sync_wait')`;
const set = (syncWait: number): string => `SET SESSION wsrep_sync_wait = ${syncWait}`;

/**
 * MySQL family: a transaction that sees all earlier commits of every server of a cluster. A Galera node may lag behind
 * the one that confirmed a COMMIT or crashed in it. It waits only where a transaction begins, so the session must be
 * set before.
 */
export class TransactionInStep extends OpenTransaction {
  /** The app's own setting; undefined outside such clusters. */
  private syncWait: number | undefined;

  override async begin(): Promise<void> {
    const syncWait = await this.ownSyncWait();
    if (syncWait !== undefined) {
      this.syncWait = syncWait;
      await this.command(set(syncWait | BEFORE_READS));
    }
    await super.begin();
  }

  override async commit(): Promise<void> {
    await super.commit();
    await this.putBack();
  }

  override async rollback(): Promise<void> {
    await super.rollback();
    await this.putBack();
  }

  private async ownSyncWait(): Promise<number | undefined> {
    const { rows } = await this.guard(answerWithin(STATEMENT_MS, this.connection.execute({ text: SHOW, params: [] })));
    const variables = new Map(rows.map((row) => [row['Variable_name'], row['Value']]));
    return variables.get('wsrep_on') === 'ON' ? Number(variables.get('wsrep_sync_wait')) : undefined;
  }

  private async putBack(): Promise<void> {
    const { syncWait } = this;
    this.syncWait = undefined;
    if (syncWait === undefined || this.broken) return;
    await answerWithin(STATEMENT_MS, this.connection.command(set(syncWait))).catch(() => (this.broken = true));
  }
}

export interface TransactionOptions extends OrmTransactionOptions {
  /** At REPEATABLE READ. */
  snapshot?: boolean;
  /** Sees all earlier commits of every server of a cluster. */
  latest?: boolean;
}

interface HolderRow {
  session: number | string;
  /** No number for a socket in the file system. */
  port: number | string | null;
  process: string;
  statement: string | null;
  open_ms: number | string;
  waited_ms: number | string;
}

/** Whoever waits for less is not told of. */
const LOCK_WAIT_MS = 5_000;

/** `run` and `transaction` over any pool. Holds a connection only during a statement or transaction. */
export class PooledConnection implements SqlConnection {
  readonly dialect: Dialect;
  private readonly listeners: ((left: LeftOpen) => void)[] = [];
  private readonly lockListeners: LockListener[] = [];
  private askedForLocks: Promise<void> | undefined;
  private readonly committed = new WeakMap<object, SqlConnection>();
  protected readonly waits: PoolWaits;
  private readonly heard = new Heard();
  /** For one statement. */
  private readonly patienceMs: number = STATEMENT_MS;

  /** `own`: connections for what engine and workers do by themselves. */
  constructor(
    private readonly pool: ConnectionPool,
    own = pool,
  ) {
    this.dialect = pool.dialect;
    this.waits = new PoolWaits(pool);
    const working = (in_: ConnectionPool) =>
      Object.create(this, { pool: { value: in_ }, patienceMs: { value: OWN_WORK_MS } }) as this;
    giveSessions(this, working(own), working(pool));
  }

  onPoolWait(listener: (wait: PoolWait) => void, afterMs?: number): void {
    this.waits.onWait(listener, afterMs);
  }

  poolCounts(): PoolCounts | undefined {
    return this.pool.counts?.();
  }

  onLeftOpen(listener: (left: LeftOpen) => void): void {
    this.listeners.push(listener);
  }

  onLockWait(listener: LockListener): void {
    this.lockListeners.push(listener);
  }

  endSession(gone: GoneSession): Promise<boolean> {
    const find = selectGone(this.dialect, gone);
    return byFamily(this.dialect, {
      postgres: async () => (await this.run<{ ended: boolean }>(find)).rows[0]?.ended === true,
      mysql: () =>
        this.transaction(async (tx) => {
          const [found] = (await tx.run<{ own: number | string; own_port: string | null }>(find)).rows;
          const own = { session: Number(found?.own), port: Number(found?.own_port) };
          // A proxy that gives clients numbers of its own would take the number for that of another client.
          if (!isOfProcess(own)) return false;
          await tx.run(sql`KILL ${int(gone.session)}`);
          return true;
        }),
    });
  }

  protected readonly report = (left: LeftOpen): void => {
    for (const listener of this.listeners) listener(left);
  };

  /** A statement of ours takes long: tells whose lock it may wait for. Never throws, and asks once for many of them. */
  protected readonly onSlow = (): void => {
    if (this.lockListeners.length === 0 || this.askedForLocks) return;
    this.askedForLocks = this.tellOfLocks()
      .catch(ignoreError)
      .finally(() => (this.askedForLocks = undefined));
  };

  private async tellOfLocks(): Promise<void> {
    const { rows } = await this.run<HolderRow>(selectLockHolders(this.dialect, LOCK_WAIT_MS));
    const quoted = byFamily(this.dialect, { postgres: () => false, mysql: () => true });
    const holders = rows.map(({ session, port, process, statement, open_ms, waited_ms }): LockHolder => {
      const shown = statement ? { statement: withoutLiterals(statement, { quoted }) } : {};
      const from = Number(port) > 0 ? { port: Number(port) } : {};
      const times = { openMs: Number(open_ms), waitedMs: Number(waited_ms) };
      return { session: Number(session), ...from, process, ...shown, ...times };
    });
    if (holders.length > 0) await Promise.all(this.lockListeners.map(async (listener) => listener(holders)));
  }

  /** The same for all works before one commit, which find out by it that they belong together. */
  protected committing(transaction: object, make: () => SqlConnection): SqlConnection {
    const known = this.committed.get(transaction) ?? make();
    this.committed.set(transaction, known);
    return known;
  }

  /** A single statement is a transaction too: it is retried after a deadlock. */
  run<Row>(statement: Statement): Promise<SqlResult<Row>> {
    const rendered = render(statement, this.dialect);
    return retryTransaction(() => this.runOnce<Row>(rendered));
  }

  /** In a transaction, because a proxy may route a single read to any server. */
  readLatest<Row>(read: Statement): Promise<SqlResult<Row>> {
    return byFamily(this.dialect, {
      postgres: () => this.run<Row>(read),
      mysql: () => this.rawTransaction((_raw, tx) => tx.run<Row>(read), { latest: true }),
    });
  }

  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T> {
    return this.rawTransaction((_raw, tx) => work(tx));
  }

  /** Like `transaction`, with the driver's own connection. */
  protected rawTransaction<T>(
    work: (raw: object, tx: SqlTransaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const attempt = () => this.attempt(work, options);
    return options.once ? attempt() : retryTransaction(attempt);
  }

  private async runOnce<Row>(rendered: RenderedStatement): Promise<SqlResult<Row>> {
    const leased = await this.acquire();
    let broken = false;
    try {
      const checked = refuseTooLarge(leased.connection, this.dialect, rendered);
      if (checked) await checked;
      const answer = (await this.execute(leased.connection, rendered)) as SqlResult<Row>;
      if (this.isUncommitted(leased)) await answerWithin(this.patienceMs, leased.connection.command('COMMIT'));
      return answer;
    } catch (error) {
      broken = isConnectionLost(error);
      if (broken) this.heard.lost();
      // Otherwise the unused isolation level would apply to the app's next transaction.
      if (!broken && this.setsIsolation(rendered)) broken = await cannotRollBack(leased.connection);
      const thrown = toDatabaseError(error);
      if (broken || !isDenied(error)) throw thrown;
      const role = await leftRole(leased.connection, this.dialect);
      broken = role !== undefined;
      throw role === undefined ? thrown : refusedAs(role, thrown);
    } finally {
      leased.release(broken);
    }
  }

  private async execute(connection: DriverConnection, rendered: RenderedStatement): Promise<SqlResult<unknown>> {
    if (!this.setsIsolation(rendered)) return answerWithin(this.patienceMs, connection.execute(rendered));
    const answer = atReadCommitted(connection, this.dialect, () => connection.execute(rendered));
    return answerWithin(this.patienceMs, answer);
  }

  /** Whether a transaction is still open, because the app's sessions run without autocommit. */
  private isUncommitted({ session }: LeasedConnection): boolean {
    return byFamily(this.dialect, { postgres: () => false, mysql: () => session.state !== 'none' });
  }

  private setsIsolation({ text }: RenderedStatement): boolean {
    return byFamily(this.dialect, { postgres: () => false, mysql: () => !isPlainRead(text) });
  }

  private async attempt<T>(
    work: (raw: object, tx: SqlTransaction) => Promise<T>,
    options: TransactionOptions,
  ): Promise<T> {
    const leased = await this.acquire();
    const TransactionClass = options.latest ? TransactionInStep : OpenTransaction;
    const tx = new TransactionClass(leased.connection, this.dialect, this.patienceMs);
    try {
      await tx.begin(options);
      const answer = await work(leased.raw, tx);
      await tx.commit();
      return answer;
    } catch (error) {
      await tx.rollback();
      if (tx.broken) this.heard.lost();
      const { denial } = tx;
      const role = tx.broken || !denial ? undefined : await leftRole(leased.connection, this.dialect);
      tx.broken ||= role !== undefined;
      throw role !== undefined && denial && error === denial ? refusedAs(role, denial) : error;
    } finally {
      leased.release(tx.broken);
      tx.tell();
    }
  }

  /** Returns a connection without an open transaction, and where one was lost, one that answers. */
  private async acquire(since = stopwatch.now()): Promise<LeasedConnection> {
    const leased = checkedOut(this.pool.free?.(this.report) ?? (await this.lease()), this.onSlow, this.heard);
    const { connection, session, raw } = leased;
    const answers = this.heard.answers(raw, () => connection.execute({ text: 'SELECT 1', params: [] }));
    if (answers && !(await answers)) {
      leased.release(true);
      if (stopwatch.now() - since < ACQUIRE_MS) return this.acquire(since);
      throw new DatabaseError('No connection of the pool responds', true, { elsewhere: true });
    }
    const ending = session.end();
    if (!ending) return leased;
    try {
      await answerWithin(STATEMENT_MS, ending);
      return leased;
    } catch (error) {
      leased.release(true);
      throw toDatabaseError(error);
    }
  }

  private async lease(): Promise<LeasedConnection> {
    const acquired = this.pool.acquire(this.report);
    const arrived = this.waits.begin();
    try {
      return await answerWithin(ACQUIRE_MS, acquired);
    } catch (error) {
      arrived(error);
      // A connection that arrives too late is released at once.
      acquired.then((leased) => leased.release(false), ignoreError);
      throw toDatabaseError(error);
    } finally {
      arrived();
    }
  }
}

/** Its checkout ends with the release. A broken connection takes its socket with it: no pool waits for a goodbye. */
function checkedOut(
  { connection, raw, session, release }: LeasedConnection,
  onSlow: () => void,
  heard: Heard,
): LeasedConnection {
  const checkout = session.checkout(onSlow);
  return {
    connection,
    raw,
    session,
    release: (broken) => {
      checkout.end();
      if (broken) session.destroy();
      else heard.of(raw);
      release(broken);
    },
  };
}

/**
 * The role on this connection, where it is another one than at the login and may be the reason why a right is missing: code
 * of the app has left it there, and whoever gets the connection next would be refused, too. On MySQL and MariaDB a role
 * that the login had by default is missing.
 */
async function leftRole(connection: DriverConnection, dialect: Dialect): Promise<string | undefined> {
  const text = byFamily(dialect, {
    postgres: () => 'SELECT current_user AS role WHERE current_user <> session_user',
    mysql: () => `SELECT COALESCE(CURRENT_ROLE(), 'NONE') AS role FROM information_schema.APPLICABLE_ROLES
      WHERE IS_DEFAULT = 'YES' AND LOCATE(ROLE_NAME, COALESCE(CURRENT_ROLE(), '')) = 0 LIMIT 1`,
  });
  const asked = answerWithin(STATEMENT_MS, connection.execute({ text, params: [] }));
  const { rows } = await asked.catch(() => ({ rows: [] }));
  return rows[0] && String(rows[0]['role']);
}

const refusedAs = (role: string, { message, transient, cause }: DatabaseError): DatabaseError =>
  new DatabaseError(
    `${message}. Code of the app has set the role ${role} on this connection, which is not used again`,
    transient,
    { cause },
  );

const cannotRollBack = (connection: DriverConnection): Promise<boolean> =>
  rolledBack(connection.command('ROLLBACK')).then(
    () => false,
    () => true,
  );

/** The caller's transaction for our statements. Throws once it is over: then others may use its connection. */
export function joinedConnection(
  dialect: Dialect,
  connect: () => Promise<Pick<DriverConnection, 'execute' | 'interpolates'>>,
  within: Within,
): SqlConnection {
  return {
    dialect,
    run: async <Row>(statement: Statement): Promise<SqlResult<Row>> => {
      if (within.isOver) throw isOverError();
      try {
        const [connection, rendered] = [await connect(), render(statement, dialect)];
        await refuseTooLarge(connection, dialect, rendered);
        return (await connection.execute({ ...rendered, within })) as SqlResult<Row>;
      } catch (error) {
        throw error instanceof InvalidTransactionError ? error : toDatabaseError(error);
      }
    },
  };
}

/**
 * Returns a `TransactionLostError` if the database ended the transaction in which app code threw, even if the app or
 * its ORM has wrapped the error; undefined if the code itself failed. Codes such as ECONNRESET may have any source, so
 * the connection itself is checked.
 */
export async function lossOf(thrown: unknown, tx: SqlConnection): Promise<TransactionLostError | undefined> {
  const causes = causesOf(thrown);
  const error = causes.find((cause) => (cause instanceof DatabaseError ? cause.transient : mayBeLoss(cause)));
  if (error === undefined) return undefined;
  // The app handles its own NOWAIT and lock_timeout.
  if (isLockTimeout(error) && !isLockTimeout(ownOf(thrown))) return undefined;
  if (isConflict(error)) return lost(error, true);
  return isReadOnly(error) || (await isGone(tx)) ? lost(error) : undefined;
}

/** For some ORMs a transaction that is lost has ended. */
const mayBeLoss = (error: unknown): boolean =>
  isTransient(error) || isReleased(error) || error instanceof InvalidTransactionError;

/** A failure to commit the work of app code. */
export const commitLossOf = (error: unknown): TransactionLostError | undefined =>
  error instanceof DatabaseError && error.transient ? lost(error, isConflict(error)) : undefined;

const lost = (error: unknown, conflict = false): TransactionLostError =>
  error instanceof TransactionLostError ? error : new TransactionLostError(toDatabaseError(error), conflict);

async function isGone(tx: SqlConnection): Promise<boolean> {
  try {
    await answerWithin(STATEMENT_MS, tx.run(sql`SELECT 1`));
    return false;
  } catch (error) {
    // Ended by the code itself.
    if (error instanceof InvalidTransactionError) return false;
    // Any other error means that the ORM has already released the connection.
    return !(error instanceof DatabaseError) || isConnectionLost(error) || isReleased(error);
  }
}

/** The codes of a database error, even if it is wrapped; its `cause` may be another error. */
function ownOf(thrown: unknown): unknown {
  if (thrown instanceof DatabaseError && thrown.cause !== undefined) return ownOf(thrown.cause);
  const { code, errno, driverError } = (thrown ?? {}) as { code?: unknown; errno?: unknown; driverError?: unknown };
  return { code, errno, driverError };
}

/** The error and its causes, the outermost first. */
function causesOf(thrown: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let next = thrown; typeof next === 'object' && next !== null && !causes.includes(next);) {
    causes.push(next);
    const { driverError, cause } = next as { driverError?: unknown; cause?: unknown };
    next = driverError ?? cause;
  }
  return causes;
}
