import { DatabaseError } from '../core/errors.js';
import { backoffMs, stopwatch } from '../core/time.js';
import type { ConnectionPool, DriverConnection, LeasedConnection } from './connections.js';
import { isTransient, toDatabaseError } from './database-errors.js';
import type { SqlResult } from './executor.js';
import {
  type PgAppPool,
  type PgClient,
  type PgClientClass,
  isMixedUp,
  pgTypes,
  resultOf,
  pgConnection,
  type PgListenClient,
  pgSession,
  PoolStatements,
  unpooledClient,
} from './pg.js';
import { answerWithin, besideAll, callThrough, type Report, type Session } from './pools.js';
import type { SqlValue } from './statement.js';
import type { Within } from './transaction-parts.js';

/**
 * What a statement of few rows by their keys needs. Planning it takes longer than running it, so each session keeps its
 * plans. A plan may have been made while its table was empty, so it reads no whole table and sorts none. JIT compiles
 * for longer than such a statement runs.
 */
export const SESSION_SETTINGS = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['jit', 'off'],
  ['enable_seqscan', 'off'],
  ['enable_bitmapscan', 'off'],
  ['enable_sort', 'off'],
] as const;

const AT_START = SESSION_SETTINGS.map(([name, value]) => `-c ${name}=${value}`).join(' ');
const ARE_SET = `SELECT ${SESSION_SETTINGS.map(([name, value]) => `current_setting('${name}') = '${value}'`).join(' AND ')} AS are_set`;

/** More than one process needs for its own work, few enough for a server that takes 100 connections. */
const MOST_SESSIONS = 4;
/** One that nobody has needed for this long is closed when another one is given back. */
const IDLE_MS = 60_000;
/** For all of an opening, what the app does with a new connection included. */
const OPENING_MS = 10_000;
const RETRY = { delay: 5_000, maxDelay: 600_000, jitter: 'none' } as const;

type SessionClient = PgListenClient &
  PgClient & {
    /** Where `pg` keeps what comes from its options, the connection string and the environment. */
    readonly connectionParameters?: { options?: string };
    readonly connection?: Partial<Wire> & {
      readonly stream?: Partial<Wire['stream']> & { ref?(): void; unref?(): void; destroy(): unknown };
    };
    /** Since `pg` 8.23. */
    readonly pipeline?: boolean;
    query(execution: Execution): unknown;
  };

/** How the app opens its connections. */
export interface PgSource {
  readonly Client: PgClientClass;
  /** Those of its pool. */
  readonly options: object;
  /** What the app does with each new connection. */
  readonly prepare?: (client: object) => unknown;
  /** What it does when one has ended. */
  readonly removed?: (client: object) => void;
}

interface OwnSession {
  readonly client: SessionClient;
  readonly connection: DriverConnection;
  readonly session: Session;
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
  freeSince: number;
}

/**
 * A few connections beside the app's pool, made from its options, with settings that the app's own statements must not
 * get. Whoever finds none free takes one of the app's pool: nothing ever waits for them, and nothing fails where a proxy
 * or a server refuses them.
 */
export class OwnSessions {
  private readonly all = new Set<OwnSession>();
  /** The one that was used last is used first, so that those that are not needed become old. */
  private readonly free: OwnSession[] = [];
  private readonly statements = new PoolStatements({ plansKept: true });
  private isOpening = false;
  private closeOpening: (() => Promise<void>) | undefined;
  private isEnding = false;
  private failures = 0;
  private retryAt = -Infinity;
  private hasWarned = false;

  constructor(
    private readonly sourceOf: () => PgSource | Promise<PgSource>,
    private readonly idleMs = IDLE_MS,
    private readonly openingMs = OPENING_MS,
  ) {}

  get open(): number {
    return this.all.size;
  }

  /** A connection that is free now. If none is, one more is opened for later. */
  take(report: Report): LeasedConnection | undefined {
    const own = this.free.pop();
    if (!own) {
      // In no trace and no request of whoever happens to be the first.
      if (this.mayOpen()) void besideAll(() => this.openOne());
      return undefined;
    }
    const { client, connection, session } = own;
    client.connection?.stream?.ref?.();
    return {
      connection,
      raw: client,
      session: session.watchedBy(report),
      release: (broken) => this.giveBack(own, broken),
    };
  }

  /** Resolves when all are closed, those in use after their release. */
  async end(): Promise<void> {
    this.isEnding = true;
    const closing = [this.closeOpening?.(), ...this.free.splice(0).map(({ close }) => close())];
    await Promise.all([...closing, ...[...this.all].map(({ ended }) => ended)]);
  }

  private mayOpen(): boolean {
    return !this.isEnding && !this.isOpening && this.all.size < MOST_SESSIONS && stopwatch.now() >= this.retryAt;
  }

  /** Never rejects. */
  private async openOne(): Promise<void> {
    this.isOpening = true;
    let isLate = false;
    try {
      const opened = this.opened(() => isLate);
      const own = await answerWithin(this.openingMs, opened, () => (isLate = true));
      this.failures = 0;
      if (own) this.giveBack(own, false);
    } catch (error) {
      void this.closeOpening?.();
      this.retryAt = stopwatch.now() + backoffMs(++this.failures, RETRY);
      if (!this.isEnding && isRefusal(error)) this.warnOf(error);
    } finally {
      this.isOpening = false;
      this.closeOpening = undefined;
    }
  }

  private async opened(isLate: () => boolean): Promise<OwnSession | undefined> {
    const { Client, options, prepare, removed } = await this.sourceOf();
    // From here on whoever gives it up closes it.
    if (this.isEnding || isLate()) return undefined;
    const { client, ended, close } = unpooledClient(Client as new (options: object) => SessionClient, options);
    this.closeOpening = close;
    const parameters = client.connectionParameters;
    // Those of the app come first: where both say something, the last one holds.
    if (parameters) parameters.options = [parameters.options, AT_START].filter(Boolean).join(' ');
    await client.connect();
    const session = pgSession(client, { fresh: true });
    const connection = leanConnection(client, this.statements);
    const { rows } = await connection.execute({ text: ARE_SET, params: [] });
    if (rows[0]?.['are_set'] !== true)
      throw new DatabaseError('A proxy has dropped the settings of the session', false);
    const own = { client, connection, session, ended, close, freeSince: stopwatch.now() };
    this.all.add(own);
    void ended.then(() => {
      this.forget(own);
      removed?.(client);
    });
    await prepare?.(client);
    return own;
  }

  private giveBack(own: OwnSession, broken: boolean): void {
    if (!this.all.has(own)) return;
    if (broken || this.isEnding) return void own.close();
    own.freeSince = stopwatch.now();
    own.client.connection?.stream?.unref?.();
    this.free.push(own);
    if (own.freeSince - this.free[0]!.freeSince >= this.idleMs) void this.free.shift()!.close();
  }

  private forget(own: OwnSession): void {
    this.all.delete(own);
    const at = this.free.indexOf(own);
    if (at >= 0) this.free.splice(at, 1);
    // After an error its socket may still be open.
    void own.close();
  }

  private warnOf(error: unknown): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const { message } = toDatabaseError(error);
    process.emitWarning(
      `nest-durable has no sessions of its own, so its statements run in the app's pool and take longer: ${message}. To leave it so, set sessions: 'app'`,
      { code: 'DURABLE_SESSIONS' },
    );
  }
}

/** PgBouncer's code for a parameter that it does not know has the class of lost connections. */
const isRefusal = (error: unknown): boolean =>
  !isTransient(error) || (error as { code?: unknown } | null)?.code === '08P01';

/** How to read the columns of a result. */
type ResultColumns = readonly (readonly [name: string, parse: (text: string) => unknown])[];

type Answered = (error: unknown, result?: SqlResult<Record<string, unknown>>) => void;

/** The used part of `pg`'s connection, the one below its client. */
interface Wire {
  readonly stream: { write(bytes: Buffer): unknown };
  /** By their names. `pg` adds one as soon as the server has it. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(statement: { name: string; text: string }): void;
}

/**
 * One execution of a prepared statement, as `query` of `pg`'s client takes it. The server describes the columns of its
 * result once, and not at each execution; what is sent is one write.
 */
class Execution {
  private readonly rows: Record<string, unknown>[] = [];
  private affected = 0;

  constructor(
    readonly name: string,
    readonly text: string,
    private readonly values: readonly SqlValue[],
    readonly within: Within | undefined,
    /** Of this connection, by the names of statements. */
    private readonly columnsOf: Map<string, ResultColumns>,
    /** `pg` puts another one around it where the app limits the time of queries. */
    readonly callback: Answered,
  ) {}

  /** Returns an error instead of throwing it: nothing was sent then. */
  submit(wire: Wire): Error | null {
    const { name, text, values } = this;
    try {
      const bytes = executing(name, values, !this.columnsOf.has(name));
      if (wire.parsedStatements[name] === undefined) wire.parse({ name, text });
      wire.stream.write(bytes);
      return null;
    } catch (error) {
      return error as Error;
    }
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => [name, pgTypes.getTypeParser(dataTypeID)] as const);
    this.columnsOf.set(this.name, columns);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    this.columnsOf.get(this.name)!.forEach(([name, parse], at) => {
      const text = fields[at] ?? null;
      row[name] = text === null ? null : parse(text);
    });
    this.rows.push(row);
  }

  /** `INSERT 0 5`, `UPDATE 5` */
  handleCommandComplete({ text }: { text: string }): void {
    this.affected = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    if (!this.columnsOf.has(this.name)) this.columnsOf.set(this.name, []);
  }

  handleReadyForQuery(): void {
    this.callback(null, { rows: this.rows, affected: this.affected });
  }

  handleError(error: unknown): void {
    this.callback(error);
  }
}

const DESCRIBE = Buffer.from('D\0\0\0\x06P\0', 'latin1');
const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1');

/**
 * Bind to the portal without a name, Describe it or not, Execute and Sync, all values as texts:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function executing(statement: string, values: readonly SqlValue[], describes: boolean): Buffer {
  const texts = values.map((value) => (value === null ? null : String(value)));
  const sizes = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const bound = sizes.reduce((sum, size) => sum + 4 + size, statement.length + 12);
  const rest = describes ? [DESCRIBE, EXECUTE] : [EXECUTE];
  const bytes = Buffer.allocUnsafe(rest.reduce((sum, { length }) => sum + length, 1 + bound));
  let at = bytes.write('B', 'latin1');
  at = bytes.writeInt32BE(bound, at);
  at += bytes.write(`\0${statement}\0\0\0`, at, 'latin1');
  at = bytes.writeUInt16BE(texts.length, at);
  texts.forEach((text, n) => {
    at = bytes.writeInt32BE(text === null ? -1 : sizes[n]!, at);
    if (text !== null) at += bytes.write(text, at);
  });
  at = bytes.writeInt16BE(0, at);
  for (const message of rest) at += message.copy(bytes, at);
  return bytes;
}

/** As {@link pgConnection}, with less work for each statement. Not where `pg` would have to wait for it in a pipeline. */
export function leanConnection(client: SessionClient, statements: PoolStatements): DriverConnection {
  const usual = pgConnection(client, statements);
  const { connection, pipeline } = client;
  if (pipeline || !connection?.stream?.write || !connection.parsedStatements || !connection.parse) return usual;
  const columnsOf = new Map<string, ResultColumns>();
  const run = (name: string, text: string, values: readonly SqlValue[], within: Within | undefined) =>
    new Promise<SqlResult<Record<string, unknown>>>((resolve, reject) => {
      const answered: Answered = (error, result) => (result ? resolve(result) : reject(error as Error));
      client.query(new Execution(name, text, values, within, columnsOf, answered));
    });
  return {
    ...usual,
    execute: (statement) => {
      const { name, text, values = [], within } = statements.query(statement);
      if (name === undefined) return usual.execute(statement);
      return run(name, text, values, within).catch(async (error: unknown) => {
        if (!isMixedUp(error)) throw error;
        return resultOf(await statements.sendUnprepared(client, statement, error));
      });
    },
  };
}

const known = new WeakMap<object, OwnSessions>();

/** Those beside a pool. They end with it, before its method `end` does anything. */
export function ownSessionsBeside<Pool extends object>(
  pool: Pool,
  end: keyof Pool & string,
  sourceOf: () => PgSource | Promise<PgSource>,
): OwnSessions {
  const sessions = known.get(pool) ?? new OwnSessions(sourceOf);
  if (known.has(pool)) return sessions;
  known.set(pool, sessions);
  callThrough(pool, end, (args, call) => sessions.end().then(() => call(args)));
  return sessions;
}

/** What the app does with connections of its pool is done with others, too. */
export const pgSource = (pool: PgAppPool): PgSource => ({
  Client: pool.Client,
  options: pool.options,
  prepare: async (client) => {
    await (pool.options as { onConnect?: (client: object) => unknown }).onConnect?.(client);
    await Promise.all(pool.listeners('connect').map(async (listener) => listener.call(pool, client)));
  },
  removed: (client) => pool.listeners('remove').forEach((listener) => void listener.call(pool, client)),
});

export const ownSessionsOfPg = (pool: PgAppPool): OwnSessions => ownSessionsBeside(pool, 'end', () => pgSource(pool));

/** A session of ours that is free, else a connection of the app's pool. */
export const ownFirst = (app: ConnectionPool, ownOf: () => OwnSessions | undefined): ConnectionPool => ({
  ...app,
  free: (report) => ownOf()?.take(report),
});
