import { DatabaseError, InvalidTransactionError, StatementTooLargeError } from '../core/errors.js';
import type { Dispatched, EndedTask, StepTask } from '../core/protocol.js';
import { backoffMs, type Clock, sleep, systemClock, timeLeft } from '../core/time.js';
import type { Transaction } from '../core/transaction.js';
import { isConflict, isDenied, isReleased, toDatabaseError } from './database-errors.js';
import { byFamily, type Dialect, type SentAs, type TimeLimited } from './dialects.js';
import {
  answerWithin,
  Checkout,
  type GoneSession,
  type LeftOpen,
  type LockListener,
  type PoolCounts,
  type PoolWait,
  STATEMENT_MS,
} from './pools.js';
import { type RenderedStatement, sql, type Statement } from './statement.js';

export interface SqlResult<Row> {
  /**
   * Rows of a SELECT or RETURNING. Integers are numbers, or text beyond 2^53. Sums and decimals may be text: read them
   * with `Number()`. JSON and times are text. Booleans are 0 and 1 on the MySQL family.
   */
  rows: Row[];
  /**
   * Rows selected, inserted, deleted, or matched by an UPDATE; rows that `insertOrKeep` kept do not count. On the MySQL
   * family, rows that `onConflictUpdate` changed count twice.
   */
  affected: number;
}

/** Runs statements: a pool, or one connection inside a transaction. */
export interface SqlConnection {
  readonly dialect: Dialect;
  /**
   * Values are bound, never inserted into the text.
   *
   * @throws DatabaseError with the driver's error as `cause`; `transient` when a retry may help.
   */
  run<Row = Record<string, unknown>>(statement: Statement): Promise<SqlResult<Row>>;
}

/** One connection with an open transaction. */
export interface SqlTransaction extends SqlConnection, Transaction {}

export type CommitWork = (tx: SqlConnection) => Promise<void>;

/** The caller's own open transaction, joined. If the reply to its COMMIT is lost, after-commit callbacks do not run. */
export interface JoinedTransaction extends SqlTransaction {
  /**
   * Calls and awaits `work` once, right before the outermost COMMIT. All works of a transaction are called together, in
   * the order in which they were added, with the outermost transaction as one shared `tx` object. `work` is not called
   * if that transaction, or the savepoint in which it was added, is rolled back. If it throws, the commit fails: the
   * app's transaction rolls back and the app receives the error.
   *
   * Returns false if COMMIT was already sent: then `work` is not called.
   */
  beforeCommit?(work: CommitWork): boolean;
}

/** A connection of ours outside the pool that receives notifications. */
export interface Listener {
  /** Resolves when the connection has ended, for any reason. Never rejects. */
  readonly ended: Promise<void>;
  /** Checks that the connection still responds. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface OrmTransactionOptions {
  /**
   * Deadlocks are not retried: the caller first checks whether an earlier try was committed. In a cluster with
   * failover, the conflict may be with that earlier try itself.
   */
  once?: boolean;
}

/** Work in a transaction that the ORM has opened, with the handle that the ORM's own code gets. */
export type OrmWork<T> = (handle: unknown, tx: SqlTransaction) => Promise<T>;

/** The isolation levels at which this package opens transactions of the app's ORM. */
export type AmbientIsolation = 'READ COMMITTED' | 'REPEATABLE READ';

/**
 * How a library of transaction decorators finds the transaction that surrounds its caller, and opens one. Those of
 * `typeorm-transactional` and `@nestjs-cls/transactional` are found by themselves.
 */
export interface AmbientTransactions {
  /** The handle of the open transaction around the caller, as `transaction` takes it; undefined outside of one. */
  current(): unknown;
  /**
   * Opens a transaction of its own, even inside of another, and runs `work` in it, with its handle. Commits when `work`
   * resolves, rolls back when it throws.
   */
  run<T>(isolationLevel: AmbientIsolation, work: (handle: unknown) => Promise<T>): Promise<T>;
}

/** What knows the transactions of this connection of the app; undefined if nothing does. */
export type FindAmbient = (connection: object) => AmbientTransactions | undefined;

/** What happens beside a transaction that is open around it. */
export type Apart =
  /** A start, signal, event or effect is committed by itself. */
  | 'write'
  /** A transaction of its own begins inside of one that we have opened. */
  | 'transaction';

/** Our tables, for ORMs whose schema commands drop what has no entity. */
export interface OwnTables {
  readonly names: readonly string[];
  /** Functions that no trigger calls directly. */
  readonly hasFunctions: boolean;
  /** The code that returns the names, to be shown to the user. */
  readonly expression: string;
}

export interface TableProtection {
  /** Why this process could not be told, either; undefined if it was. */
  readonly obstacle?: string | undefined;
  /** What the configuration of the app lacks to protect the tables itself, as text; empty if nothing. */
  readonly lacking: readonly string[];
}

/**
 * The only access to the database: the app's own connection pool, through its ORM, and sessions made from its options.
 * A single `run` is a READ COMMITTED transaction too, which is retried after a deadlock. Neither it nor a transaction
 * of ours ever joins a transaction that was left open on a pooled connection.
 */
export interface SqlExecutor extends SqlConnection {
  /** The schema that the options of the ORM name, where tables without one of their own belong. */
  readonly schema?: string | undefined;
  /**
   * A READ COMMITTED transaction of our own: commits when `work` resolves, rolls back when it throws. After a deadlock,
   * lock timeout or serialization failure all of `work` runs again, so it must have no effects outside `tx`. A failed
   * statement dooms the transaction, even if `work` catches the error. A lost connection is not retried, because the
   * commit may have happened: the error is thrown, and after-commit callbacks do not run.
   */
  transaction<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, but also passes the ORM's own handle: TypeORM's `EntityManager` in a transaction, or a fork of
   * MikroORM's with an open one. `tx` is the same transaction. The executor does not see statements of the handle: if
   * `work` may catch an error of one, it must end with a statement by `tx` that shows whether the transaction is still
   * alive. COMMIT does not show it.
   */
  ormTransaction<T>(work: OrmWork<T>, options?: OrmTransactionOptions): Promise<T>;
  /** Like `ormTransaction`, at REPEATABLE READ: reads by the handle and by `tx` see the snapshot of the first read. */
  ormSnapshot?<T>(work: OrmWork<T>): Promise<T>;
  /**
   * A single read that sees all earlier commits of every server of a cluster, even if the server that runs it lags
   * behind. Callers use `run` if it is missing.
   */
  readLatest?<Row = Record<string, unknown>>(read: Statement): Promise<SqlResult<Row>>;
  /** Calls `listener` when a pooled connection was left with an open transaction, which is rolled back. */
  onLeftOpen?(listener: (left: LeftOpen) => void): void;
  /**
   * Calls `listener` while a statement waits for a connection for longer than `afterMs` (default 5 s), and when the pool
   * itself gives up.
   */
  onPoolWait?(listener: (wait: PoolWait) => void, afterMs?: number): void;
  /**
   * Calls `listener` with those behind whose locks statements of this user have waited for more than 5 s, when one of ours
   * takes more than 10 s, and every 5 s from then on. Not where the server does not show them to this user.
   */
  onLockWait?(listener: LockListener): void;
  /**
   * Ends a session of a process that is gone, on the server: its transaction is rolled back. Resolves to false where the
   * server has heard from that process meanwhile, runs a statement for it, or is behind a proxy. @throws DatabaseError
   */
  endSession?(gone: GoneSession): Promise<boolean>;
  /** How the pool's connections are used now, by all code of the app; undefined if the pool does not tell. */
  poolCounts?(): PoolCounts | undefined;
  /** @throws InvalidTransactionError (a `TypeError`) when `handle` is not one of this ORM with an open transaction. */
  join(handle: unknown): JoinedTransaction;
  /** The transaction that surrounds the caller, if the ORM knows it (MikroORM), or a library of decorators does. */
  ambient?(): JoinedTransaction | undefined;
  /** For an ORM that knows of none: `find` is asked for what does, until there is any. */
  findAmbientBy?(find: FindAmbient): void;
  /** Calls `listener` with what is committed beside a transaction that is open around it, as far as that is known. */
  onApart?(listener: (apart: Apart) => void): void;
  /** Makes the ORM's schema commands leave our tables alone in this process, if they would drop them (MikroORM). */
  protectTables?(own: OwnTables): TableProtection;
  /** Opens a connection outside the pool and listens to `channels`. PostgreSQL only. */
  listen?(channels: readonly string[], onNotify: (channel: string, payload: string) => void): Promise<Listener>;
}

/** Where statements of ours run that belong to no transaction of the app. */
export type SqlSessions = Pick<SqlExecutor, 'dialect' | 'run' | 'transaction' | 'readLatest'>;

interface OwnWork {
  sessions: SqlSessions;
  /** The same in the pool of the app. */
  inPool: SqlSessions;
}

const ownWork = new WeakMap<object, OwnWork>();

/** Lets what engine and workers do by themselves run in `sessions`. */
export function giveSessions(db: object, sessions: SqlSessions, inPool = sessions): void {
  ownWork.set(db, { sessions, inPool });
}

/**
 * For statements of few rows by their keys. An executor that wraps another one has no sessions of its own, so that it
 * sees every statement.
 */
export const ownSessionsOr = (db: SqlExecutor): SqlSessions => ownWork.get(db)?.sessions ?? db;

/** The same executor by another identity, all of whose statements run in the pool of the app. */
export function onAppPool(db: SqlExecutor): SqlExecutor {
  const own = ownWork.get(db);
  if (!own) return db;
  const app = Object.create(db) as SqlExecutor;
  giveSessions(app, own.inPool);
  return app;
}

/**
 * Casts the transaction of a port to the type that the database adapters need.
 *
 * @throws InvalidTransactionError for a transaction of another storage.
 */
export function sqlTransaction(tx: Transaction): SqlTransaction {
  if ('run' in tx && 'dialect' in tx && 'afterCommit' in tx) return tx as SqlTransaction;
  throw new InvalidTransactionError(
    'The transaction does not belong to this database: pass one that the same storage opened',
  );
}

/** The connection of a port's statement: `tx` if it was given, else the executor. */
export const connectionOf = (db: SqlConnection, tx: Transaction | undefined): SqlConnection =>
  tx ? sqlTransaction(tx) : db;

/** Runs `work` in `tx` if it was given, else in a new transaction. */
export const inTransaction = <T>(
  db: Pick<SqlExecutor, 'transaction'>,
  tx: Transaction | undefined,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> => (tx ? work(sqlTransaction(tx)) : db.transaction(work));

/**
 * Code that catches a statement's error may continue in an aborted transaction whose COMMIT gives no error: PostgreSQL
 * then rolls back everything, and so do the others after a deadlock. So after app code, `written` reads a row that the
 * transaction itself wrote before it.
 *
 * @throws DatabaseError when the row no longer exists.
 */
export async function checkStillStands(tx: SqlConnection, written: Statement): Promise<void> {
  const stands = await tx.run(written).then(
    ({ rows }) => rows.length > 0,
    (error: unknown) => {
      // The code has ended it.
      if (error instanceof InvalidTransactionError) return false;
      throw error;
    },
  );
  if (!stands) throw new DatabaseError(UNDONE, false);
}

const UNDONE =
  'The database rolled back the transaction of a handler or listener, but the code continued: do not catch errors of its statements';

export interface TransactionRetryOptions {
  /** The maximum number of tries, including the first. Default 10. */
  attempts?: number;
  /** No retry after this time: a lock timeout alone takes a minute on some servers. Default 60 s. */
  giveUpAfterMs?: number;
  clock?: Clock;
}

/**
 * Retries `attempt` after a conflict with another transaction. It must have no effects when it throws. Any other error
 * is thrown at once, including a lost connection, since its commit may have happened.
 */
export async function retryTransaction<T>(
  attempt: () => Promise<T>,
  options: TransactionRetryOptions = {},
): Promise<T> {
  const { attempts = 10, giveUpAfterMs = 60_000, clock = systemClock } = options;
  const startedAt = clock.now();
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error) || tries >= attempts || clock.now() - startedAt >= giveUpAfterMs) throw error;
      // Jittered, otherwise both victims would conflict again.
      await sleep(backoffMs(tries, { delay: 5, maxDelay: 500, jitter: 'full' }));
    }
  }
}

/**
 * Runs `work` in a transaction that an ORM opens and closes; retries it from the start after a conflict, unless `once`.
 * Errors of `work` are thrown unchanged; those of beginning and committing as `DatabaseError`.
 */
export function ormTransaction<Handle, T>(
  open: (inside: (handle: Handle) => Promise<T>) => Promise<T>,
  work: (handle: Handle, checkout: Checkout) => Promise<T>,
  { once = false, onSlow }: OrmTransactionOptions & { onSlow?: () => void } = {},
): Promise<T> {
  const attempt = async () => {
    let working = false;
    const checkout = new Checkout(onSlow);
    const inside = async (handle: Handle) => {
      working = true;
      const answer = await work(handle, checkout);
      working = false;
      return answer;
    };
    try {
      return await checkout.during(() => open(inside));
    } catch (error) {
      throw working ? error : endedBy(error);
    }
  };
  return once ? attempt() : retryTransaction(attempt);
}

/** Of an ORM's own BEGIN or COMMIT. */
const endedBy = (error: unknown): DatabaseError =>
  isReleased(error) ? new DatabaseError('The connection was lost', true, { cause: error }) : toDatabaseError(error);

/**
 * Statements of ours in a transaction that an ORM opens: the ORM limits none, and would give back a connection on which
 * code of the app has left another role.
 */
export function limitedUnder<Tx extends SqlConnection>(checkout: Checkout, tx: Tx): Tx {
  const run = async <Row>(statement: Statement) => {
    try {
      return await answerWithin(STATEMENT_MS, tx.run<Row>(statement), checkout.destroy);
    } catch (error) {
      if (isDenied(error)) checkout.destroy();
      throw error;
    }
  };
  return { ...tx, run };
}

/**
 * An executor whose reads the server ends when the time of the work that asks is over, see `withinTime`. Work without a
 * limit runs as on `db` itself.
 */
export function timeLimited(db: SqlExecutor): SqlExecutor {
  const limitedDb: SqlExecutor = {
    ...limitedSessions(db),
    schema: db.schema,
    ormTransaction: (work, options) => db.ormTransaction(work, options),
    join: (handle) => db.join(handle),
    ...(db.ormSnapshot && { ormSnapshot: db.ormSnapshot.bind(db) }),
    ...(db.onLeftOpen && { onLeftOpen: db.onLeftOpen.bind(db) }),
    ...(db.onPoolWait && { onPoolWait: db.onPoolWait.bind(db) }),
    ...(db.onLockWait && { onLockWait: db.onLockWait.bind(db) }),
    ...(db.endSession && { endSession: db.endSession.bind(db) }),
    ...(db.poolCounts && { poolCounts: db.poolCounts.bind(db) }),
    ...(db.ambient && { ambient: db.ambient.bind(db) }),
    ...(db.findAmbientBy && { findAmbientBy: db.findAmbientBy.bind(db) }),
    ...(db.onApart && { onApart: db.onApart.bind(db) }),
    ...(db.protectTables && { protectTables: db.protectTables.bind(db) }),
    ...(db.listen && { listen: db.listen.bind(db) }),
  };
  const own = ownWork.get(db);
  if (own) giveSessions(limitedDb, limitedSessions(own.sessions));
  return limitedDb;
}

const limitedSessions = (db: SqlSessions & Pick<SqlExecutor, 'poolCounts'>): SqlSessions => ({
  dialect: db.dialect,
  run: async <Row>(statement: Statement) => {
    const left = timeLeft();
    if (left === undefined) return db.run<Row>(statement);
    const { first, read } = limited(db.dialect, statement, left);
    // What waits for a connection has less time left when it comes: only then is it known how much.
    return first || isCrowded(db) ? db.transaction((tx) => limitedIn(tx).run<Row>(statement)) : db.run<Row>(read);
  },
  transaction: (work) => db.transaction((tx) => work(limitedIn(tx))),
  ...(db.readLatest && { readLatest: db.readLatest.bind(db) }),
});

/** Whether a statement would have to wait for a connection. A pool that does not tell has some, as far as one knows. */
function isCrowded(db: Pick<SqlExecutor, 'poolCounts'>): boolean {
  const counts = db.poolCounts?.();
  return counts?.most !== undefined && counts.used >= counts.most;
}

/** In a transaction the limit is set anew before each statement. */
function limitedIn(tx: SqlTransaction): SqlTransaction {
  if (timeLeft() === undefined) return tx;
  return {
    dialect: tx.dialect,
    afterCommit: (listener) => tx.afterCommit(listener),
    run: async <Row>(statement: Statement) => {
      const { first, read } = limited(tx.dialect, statement, timeLeft() ?? 0);
      return first ? both<Row>(tx, first, read) : tx.run<Row>(read);
    },
  };
}

function limited(dialect: Dialect, statement: Statement, left: number): TimeLimited {
  if (left <= 0) throw toDatabaseError(new Error('The time of this work is over'));
  return dialect.limitTime(statement, Math.ceil(left));
}

async function both<Row>(tx: SqlConnection, first: Statement, read: Statement): Promise<SqlResult<Row>> {
  await tx.run(first);
  return tx.run<Row>(read);
}

/**
 * Calls all works that wait for a commit at once, then those that were added meanwhile. When this ends, no work is
 * running, even after a failure.
 *
 * @throws the first error.
 */
export async function runCommitWorks(take: () => readonly (() => Promise<void>)[]): Promise<void> {
  for (let works = take(); works.length > 0; works = take()) {
    const outcomes = await Promise.allSettled(works.map((work) => work()));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/** Takes the works out of what waits for a commit. */
export const takeWorks = (waiting: readonly { before?: () => Promise<void> }[] = []): (() => Promise<void>)[] =>
  waiting.flatMap((entry) => {
    const { before } = entry;
    delete entry.before;
    return before ?? [];
  });

/** What a commit of runs does in the tables of the transport. */
export interface Ridden {
  tasks: readonly StepTask[];
  /** Step ids of the answers that it takes. */
  takes: readonly string[];
  /** Tasks whose outcomes it records. */
  ends: readonly EndedTask[];
  /** How its statement sends rows. */
  as: SentAs;
}

/**
 * Whether the run of this column passed the fencing: only such runs write anything. `passed` is a part of the statement.
 * IS TRUE keeps the lookup a hashed subplan, where a semi-join might loop over all pairs.
 */
export const hasPassed = (runId: Statement): Statement => sql`(${runId} IN (SELECT passed.id FROM passed)) IS TRUE`;

/**
 * PostgreSQL: dispatches and ends tasks, and takes answers, within the statement that commits their runs, in place of
 * statements of their own in a transaction.
 */
export interface CommitRiders {
  ride(ridden: Ridden): Ride;
}

export interface Ride {
  /** Parts of the statement's WITH, after `held`: they lock what ends. */
  locks: readonly Statement[];
  /** Null, or the step ids of tasks that are not held any more, as JSON: then nothing may be written. */
  unheld: Statement | undefined;
  /** Parts of the statement's WITH, after `passed`. They notify workers of other processes with the commit. */
  parts: readonly Statement[];
  /** A column of the statement's result that says which tasks were written; none without tasks. */
  told: Statement | undefined;
  /** Reads that column. */
  read(told: unknown): Dispatched;
}

/** Half of the smallest `max_allowed_packet` in practice: shorter statements are sent without a check. */
const SENT_UNASKED = 512 * 1024;
/** Allows for what a driver adds around the values. */
const AROUND = 4_096;
const AROUND_VALUE = 16;
/** PostgreSQL accepts 1 GB per value, JavaScript strings end at half of that. */
const LARGEST_ON_POSTGRES = 256 * 1024 * 1024;

/** A connection, and what is known of its server. */
interface Asked {
  execute(statement: RenderedStatement): Promise<SqlResult<Record<string, unknown>>>;
  readonly interpolates?: boolean;
  largest?: number;
}

/**
 * Rejects statements that the server would reject: MySQL and MariaDB respond to a packet above `max_allowed_packet` by
 * closing the connection, on every retry. Nothing is sent then, and a transaction continues. Returns undefined, without
 * a promise, for small statements, which are nearly all.
 *
 * @throws StatementTooLargeError
 */
export function refuseTooLarge(
  connection: Asked,
  dialect: Dialect,
  statement: RenderedStatement,
): Promise<void> | undefined {
  if (mostBytesOf(statement) <= SENT_UNASKED) return undefined;
  const bytes = bytesOf(statement, connection.interpolates === true);
  return bytes <= SENT_UNASKED ? undefined : refuseAbove(connection, dialect, bytes);
}

async function refuseAbove(connection: Asked, dialect: Dialect, bytes: number): Promise<void> {
  connection.largest ??= await byFamily(dialect, {
    postgres: () => Promise.resolve(LARGEST_ON_POSTGRES),
    mysql: () => packetOf(connection),
  });
  if (bytes + AROUND > connection.largest) throw new StatementTooLargeError(bytes, connection.largest);
}

/** Read on this connection: one that was opened before the setting changed has the old value. */
async function packetOf(connection: Asked): Promise<number> {
  const { rows } = await connection.execute({ text: 'SELECT @@max_allowed_packet AS largest', params: [] });
  return Number(rows[0]?.['largest']);
}

/** Allows for the rest of a row besides its payload: an error, keys, column names. */
const AROUND_PAYLOAD = 128 * 1024;

/**
 * Quotes and backslashes double in length each time that a JSON text is nested in another: a payload in its answer or
 * task, and that in the rows of a statement.
 */
const TIMES_LONGER = 4;

/**
 * The maximum payload, in bytes of JSON, that fits into a statement with any content; undefined if the limit is far
 * beyond any payload.
 */
export const largestPayload = (connection: SqlConnection): Promise<number | undefined> =>
  byFamily<Promise<number | undefined>>(connection.dialect, {
    postgres: () => Promise.resolve(undefined),
    mysql: async () => {
      const { rows } = await connection.run<{ largest: number | string }>(sql`SELECT @@max_allowed_packet AS largest`);
      return Math.max(1, Math.floor((Number(rows[0]?.largest) - AROUND_PAYLOAD) / TIMES_LONGER));
    },
  });

/** A character has at most three bytes, and an escaped one two. */
const mostBytesOf = ({ text, params }: RenderedStatement): number =>
  params.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length * 3 : AROUND_VALUE),
    text.length,
  );

function bytesOf({ text, params }: RenderedStatement, interpolated: boolean): number {
  let bytes = Buffer.byteLength(text);
  for (const value of params) {
    bytes += AROUND_VALUE;
    if (typeof value !== 'string') continue;
    bytes += Buffer.byteLength(value);
    if (interpolated) bytes += value.match(ESCAPED)?.length ?? 0;
  }
  return bytes;
}

/** Characters that a driver escapes with a backslash when it inserts values into the text. */
const ESCAPED = /["'\\\p{Cc}]/gu;
