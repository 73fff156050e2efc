import { Inject, Injectable } from '@nestjs/common';
import { ProcessRuntime } from './process-runtime.js';

/**
 * The engine and the workers of this process. Nest's lifecycle starts and stops them; with `autoStart: false` the app
 * does so itself.
 *
 * @example
 * const runtime = app.get(DurableRuntime);
 * await runtime.start();
 */
@Injectable()
export class DurableRuntime {
  private readonly runtime: Pick<ProcessRuntime, 'start' | 'stop' | 'vacuum'>;

  constructor(@Inject(ProcessRuntime) runtime: ProcessRuntime) {
    this.runtime = runtime;
  }

  /**
   * Migrates or checks the tables, then starts to claim runs and tasks. Waits up to two minutes for an unavailable
   * database. If it fails, nothing keeps running, and it may be called again.
   *
   * @throws SchemaError, ConfigurationError, DatabaseError
   */
  start(): Promise<void> {
    return this.runtime.start();
  }

  /**
   * Claims nothing more and waits for running work, up to the shutdown timeouts; the rest is released to other
   * processes. A stopped runtime cannot be started again.
   */
  stop(): Promise<void> {
    return this.runtime.stop();
  }

  /**
   * PostgreSQL: makes the space of deleted rows reusable without blocking other statements, for example after a large
   * `purge`. Autovacuum does the same a little later. Does nothing on other databases. Returns the number of tables.
   *
   * @throws DatabaseError
   */
  vacuum(): Promise<number> {
    return this.runtime.vacuum();
  }
}
