import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfigurationError, InvalidTransactionError } from '../core/errors.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { toldOf } from '../core/transaction.js';
import {
  type ConnectionPool,
  type DriverConnection,
  joinedConnection,
  PooledConnection,
  type TransactionOptions,
} from './connections.js';
import { toDatabaseError } from './database-errors.js';
import { DIALECTS } from './dialects.js';
import {
  type JoinedTransaction,
  type OrmTransactionOptions,
  type OrmWork,
  runCommitWorks,
  type SqlConnection,
  type SqlExecutor,
  type SqlTransaction,
  takeWorks,
} from './executor.js';
import {
  guardMysql2Pool,
  mysql2Connection,
  type Mysql2Pool,
  mysql2Pool,
  type Mysql2PoolConnection,
  mysql2Session,
} from './mysql2.js';
import {
  guardPgPool,
  listenOnPostgres,
  type PgAppPool,
  type PgClient,
  pgConnection,
  pgPool,
  pgSession,
  PoolStatements,
} from './pg.js';
import { ownSessionsOfPg, ownFirst } from './pg-sessions.js';
import { callThrough, ignoreError, type Session, textOf } from './pools.js';
import { commitIn, isOverError, type TransactionPart, Within } from './transaction-parts.js';

export interface DriverExecutorOptions {
  /** The database of a `mysql2` pool. Default `'mysql'`. */
  dialect?: 'mysql' | 'mariadb';
}

const OPTIONS = { dialect: true } satisfies KnownOptions<DriverExecutorOptions>;

/**
 * An executor without an ORM: pass a `Pool` of `pg`, or a pool of `mysql2` (callbacks or promises). Its handle is the
 * driver's client: that of `ormTransaction`, or any of the pool on which the app itself has sent BEGIN.
 */
export function driverExecutor(pool: object, options: DriverExecutorOptions = {}): SqlExecutor {
  const { dialect = 'mysql' } = checkedOptions(options, OPTIONS, 'driverExecutor');
  if ('connect' in pool && 'totalCount' in pool) {
    const given: unknown = pool;
    const clients = given as PgAppPool;
    const statements = new PoolStatements();
    guardPgPool(clients, ignoreError);
    return new DriverExecutor(
      pgPool(() => clients, statements),
      new PgClients(clients, statements),
      clients,
    );
  }
  const callbacks: unknown = 'pool' in pool ? pool.pool : pool;
  if (typeof (callbacks as Partial<Mysql2Pool> | null)?.getConnection === 'function') {
    const connections = guardMysql2Pool(callbacks as Mysql2Pool, ignoreError);
    return new DriverExecutor(
      mysql2Pool(DIALECTS[dialect], () => connections),
      new Mysql2Clients(connections),
    );
  }
  throw new ConfigurationError('invalid argument of driverExecutor(): pass a pool of pg or mysql2');
}

/** The clients of one pool. */
interface Clients {
  /** Whether the driver's methods return promises. If not, they take callbacks. */
  readonly promise: boolean;
  /** The client that this handle is, or wraps; undefined if it is none of this pool. */
  of(handle: unknown): object | undefined;
  sessionOf(client: object): Session;
  connectionOf(client: object): DriverConnection;
}

class PgClients implements Clients {
  readonly promise = true;

  constructor(
    private readonly pool: PgAppPool,
    private readonly statements: PoolStatements,
  ) {}

  of(handle: unknown): object | undefined {
    return this.pool._clients?.find((client) => client === handle);
  }

  sessionOf(client: object): Session {
    return pgSession(client as PgClient);
  }

  connectionOf(client: object): DriverConnection {
    return pgConnection(client as PgClient, this.statements);
  }
}

class Mysql2Clients implements Clients {
  readonly promise = false;

  constructor(private readonly pool: Mysql2Pool) {}

  /** The package wraps a connection for promises. */
  of(handle: unknown): object | undefined {
    const { connection } = (handle ?? {}) as { connection?: unknown };
    return [handle, connection].find((one): one is object => (one as { _pool?: unknown } | null)?._pool === this.pool);
  }

  sessionOf(connection: object): Session {
    return mysql2Session(connection as Mysql2PoolConnection);
  }

  connectionOf(connection: object): DriverConnection {
    return mysql2Connection(connection as Mysql2PoolConnection);
  }
}

/** What waits for the commit of a transaction, or of the savepoint in which it was added. */
interface Waiting {
  within: Within;
  after?: () => void;
  before?: () => Promise<void>;
}

type Answered = (error: unknown, ...answer: unknown[]) => void;
type Call = (args: unknown[]) => unknown;

/** Transactions that the app begins and ends by texts of its own, on one client. */
class TextTransactions {
  private static readonly all = new WeakMap<object, TextTransactions>();
  /** By the transaction itself. */
  private readonly waiting = new WeakMap<TransactionPart, Waiting[]>();

  static on(client: object, clients: Clients): TextTransactions {
    const known = this.all.get(client) ?? new TextTransactions(client, clients.sessionOf(client), clients.promise);
    this.all.set(client, known);
    return known;
  }

  private constructor(
    client: object,
    private readonly session: Session,
    private readonly promise: boolean,
  ) {
    for (const method of ['query', 'execute']) callThrough(client, method, (args, call) => this.sent(args, call));
  }

  /** Undefined if the app has begun none, or has ended it. */
  get open(): TransactionPart | undefined {
    const { session } = this;
    if (session.state === 'none') return undefined;
    const part = session.positionSince(() => (session.state === 'open' ? {} : null));
    return part && !new Within(part).isOver ? part : undefined;
  }

  add(part: TransactionPart, entry: Omit<Waiting, 'within'>): void {
    const whole = wholeOf(part);
    const waiting = this.waiting.get(whole) ?? [];
    waiting.push({ ...entry, within: new Within(part) });
    this.waiting.set(whole, waiting);
  }

  private sent(args: unknown[], call: Call): unknown {
    const commit = commitIn(textOf(args[0]) ?? '', !this.promise);
    const part = commit && this.open;
    const waiting = part && this.waiting.get(wholeOf(part));
    if (!waiting?.some(stands)) return call(args);
    const given = typeof args.at(-1) === 'function' ? (args.at(-1) as Answered) : undefined;
    const answered = given ?? (this.promise ? undefined : ignoreError);
    const more = given ? args.slice(0, -1) : args;
    if (commit === 'hidden') return failedBy(new InvalidTransactionError(HIDDEN), answered);
    const isWorking = waiting.some((entry) => entry.before && stands(entry));
    if (!isWorking) return this.commit(part!, more, call, answered);
    // As if the driver had taken longer for it: what waits runs before.
    const sent = this.commitAfterWorks(part!, more, call);
    this.session.commits(sent);
    if (!answered) return sent.then(([answer]) => answer);
    sent.then((answer) => answered(null, ...answer), answered);
    return undefined;
  }

  private standing(part: TransactionPart): Waiting[] {
    return this.waiting.get(wholeOf(part))?.filter(stands) ?? [];
  }

  private async commitAfterWorks(part: TransactionPart, more: unknown[], call: Call): Promise<unknown[]> {
    await runCommitWorks(() => takeWorks(this.standing(part)));
    // Meanwhile somebody may have rolled it back.
    if (new Within(part).isOver) throw isOverError();
    if (this.promise) return [await this.commit(part, more, call, undefined)];
    return new Promise((resolve, reject) => {
      const heard: Answered = (error, ...answer) => (error ? reject(error as Error) : resolve(answer));
      this.commit(part, more, call, heard);
    });
  }

  /** Sends it, and tells of it what stands by then. */
  private commit(part: TransactionPart, more: unknown[], call: Call, answered: Answered | undefined): unknown {
    const committed = this.standing(part);
    this.waiting.delete(wholeOf(part));
    const tell = () => committed.forEach(({ after }) => after && toldOf(after));
    if (answered)
      return call([
        ...more,
        (error: unknown, ...answer: unknown[]) => {
          if (!error && isCommitted(answer[0])) tell();
          answered(error, ...answer);
        },
      ]);
    const answer = call(more);
    if (!(answer instanceof Promise)) return answer;
    return answer.then((results: unknown) => {
      if (isCommitted(results)) tell();
      return results;
    });
  }
}

/** PostgreSQL answers a COMMIT of what has failed with ROLLBACK. */
const isCommitted = (results: unknown): boolean =>
  ([results].flat()[0] as { command?: unknown } | undefined)?.command !== 'ROLLBACK';

const stands = ({ within }: Waiting): boolean => !within.isOver;

function failedBy(error: Error, answered: Answered | undefined): unknown {
  if (!answered) return Promise.reject(error);
  process.nextTick(answered, error);
  return undefined;
}

const HIDDEN = 'Something waits for the commit of this transaction: send COMMIT as a statement of its own';

const wholeOf = (part: TransactionPart): TransactionPart => (part.outer ? wholeOf(part.outer) : part);

interface OpenWork {
  readonly tx: SqlTransaction;
  readonly works: (() => Promise<void>)[];
}

class DriverExecutor extends PooledConnection implements SqlExecutor {
  readonly listen?: NonNullable<SqlExecutor['listen']>;
  /** Handles with an open transaction, with the works to run before its commit. */
  private readonly open = new Map<unknown, OpenWork>();
  /** For the works before the commit of a transaction of the app. */
  private readonly last = new WeakMap<TransactionPart, SqlConnection>();
  /** The handle of the transaction that we have opened around the caller. */
  private readonly around = new AsyncLocalStorage<unknown>();

  constructor(
    pool: ConnectionPool,
    private readonly clients: Clients,
    listenPool?: PgAppPool,
  ) {
    super(pool, listenPool && ownFirst(pool, () => ownSessionsOfPg(listenPool)));
    if (!listenPool) return;
    // Idle clients that die have already left the pool; without a listener, the event would end the process.
    listenPool.on('error', ignoreError);
    this.listen = (channels, onNotify) =>
      listenOnPostgres(listenPool.Client, listenPool.options, channels, onNotify).catch((error: unknown) => {
        throw toDatabaseError(error);
      });
  }

  ormTransaction<T>(work: OrmWork<T>, options: OrmTransactionOptions = {}): Promise<T> {
    return this.opened(work, options);
  }

  ormSnapshot<T>(work: OrmWork<T>): Promise<T> {
    return this.opened(work, { snapshot: true });
  }

  private opened<T>(work: OrmWork<T>, options: TransactionOptions): Promise<T> {
    return this.rawTransaction(async (raw, tx) => {
      const works: OpenWork['works'] = [];
      this.open.set(raw, { tx, works });
      try {
        const done = await this.around.run(raw, () => work(raw, tx));
        await runCommitWorks(() => works.splice(0));
        return done;
      } finally {
        this.open.delete(raw);
      }
    }, options);
  }

  ambient(): JoinedTransaction | undefined {
    const handle = this.around.getStore();
    return this.open.has(handle) ? this.join(handle) : undefined;
  }

  join(handle: unknown): JoinedTransaction {
    const open = this.open.get(handle);
    if (!open) return this.joinText(handle);
    const { tx, works } = open;
    return {
      dialect: tx.dialect,
      run: (statement) => tx.run(statement),
      afterCommit: (work) => tx.afterCommit(work),
      beforeCommit: (work) => this.open.get(handle) === open && works.push(() => work(tx)) > 0,
    };
  }

  private joinText(handle: unknown): JoinedTransaction {
    const client = this.clients.of(handle);
    if (!client) throw refuse('is no client of this pool');
    const transactions = TextTransactions.on(client, this.clients);
    const { open } = transactions;
    if (!open) throw refuse('has no open transaction');
    const session = this.clients.sessionOf(client);
    const connect = async () => {
      // The server has ended it by itself.
      if (session.state === 'none') throw isOverError();
      return this.clients.connectionOf(client);
    };
    const within = new Within(open);
    return {
      ...joinedConnection(this.dialect, connect, within),
      afterCommit: (after) => transactions.add(open, { after }),
      beforeCommit: (work) => {
        if (within.isOver) return false;
        const whole = wholeOf(open);
        const last = this.last.get(whole) ?? joinedConnection(this.dialect, connect, new Within(whole));
        this.last.set(whole, last);
        transactions.add(open, { before: () => work(last) });
        return true;
      },
    };
  }
}

const HOW = "pass a client of the executor's pool on which BEGIN was awaited, or use an executor of your ORM";

const refuse = (what: string): InvalidTransactionError =>
  new InvalidTransactionError(`The given transaction ${what}: ${HOW}`);
