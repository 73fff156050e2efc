import type { Dialect } from './dialects/dialect.js';
import type { RenderedStatement } from './dialects/render.js';
import type { Report, Session } from './session.js';
import type { SqlResult } from './sql-executor.js';

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
