import type { Dialect } from './dialects/dialect.js';
import type { RenderedStatement } from './dialects/render.js';
import type { Report, Session } from './session.js';
import type { SqlResult } from './sql-executor.js';

/** One connection of a driver. Throws what the driver throws. */
export interface DriverConnection {
  /** With the values bound; prepared once per connection and text where the driver can. */
  execute(statement: RenderedStatement): Promise<SqlResult<Record<string, unknown>>>;
  /** As plain text without values: transaction control, session settings and DDL. */
  command(text: string): Promise<void>;
  /** Whether its session is at READ COMMITTED by itself; undefined until somebody looked. */
  readCommitted?: boolean;
  /** Values are written into the text, where quotes and backslashes take twice their length. */
  readonly interpolates?: boolean;
  /** The largest statement that its server takes, in bytes; undefined until somebody asked. */
  largest?: number;
}

/** A connection that is ours until it is given back. */
export interface LeasedConnection {
  readonly connection: DriverConnection;
  /** The driver's own object behind it. */
  readonly raw: object;
  readonly session: Session;
  /** `broken` destroys it instead of handing it to the next one. Never throws. */
  release(broken: boolean): void;
}

/** Where an executor gets its connections from: the pool of the app's ORM. */
export interface ConnectionPool {
  readonly dialect: Dialect;
  /** `report` hears of transactions that were left open on its connections. */
  acquire(report: Report): Promise<LeasedConnection>;
}

/** Wraps each raw connection once, so that what is known about it stays known. */
export class DriverConnections<Raw extends object> {
  private readonly known = new WeakMap<Raw, DriverConnection>();

  constructor(private readonly wrap: (raw: Raw) => DriverConnection) {}

  of(raw: Raw): DriverConnection {
    const known = this.known.get(raw) ?? this.wrap(raw);
    this.known.set(raw, known);
    return known;
  }
}

/** For errors that a driver emits besides rejecting: without a listener they would end the process. */
export const ignoreError = (): void => undefined;
