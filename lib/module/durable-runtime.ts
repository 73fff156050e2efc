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
   * Brings the tables up to date or checks them, then takes runs and tasks. A database that is away is waited for, up
   * to two minutes. If it fails, nothing is left running, and it may be called again.
   *
   * @throws SchemaError, ConfigurationError, DatabaseError
   */
  start(): Promise<void> {
    return this.runtime.start();
  }

  /**
   * Takes nothing more and waits for what runs, up to the shutdown timeouts; the rest is released to other processes. A
   * runtime that was stopped does not start again.
   */
  stop(): Promise<void> {
    return this.runtime.stop();
  }

  /**
   * PostgreSQL: makes the space of deleted rows usable again without blocking anybody, as after a large `purge`.
   * Autovacuum does the same a little later. On other databases it does nothing. Returns how many tables.
   *
   * @throws DatabaseError
   */
  vacuum(): Promise<number> {
    return this.runtime.vacuum();
  }
}
