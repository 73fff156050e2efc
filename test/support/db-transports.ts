import type { SqlExecutor } from '../../lib/sql/executor.js';
import { mikroOrmExecutor } from '../../lib/sql/mikro-orm.js';
import { typeOrmExecutor } from '../../lib/sql/typeorm.js';
import { DbTransport, type DbTransportOptions } from '../../lib/worker/db-transport.js';
import type { OpenBackend } from './backends.js';

export const executorOf = ({ orm }: Pick<OpenBackend, 'orm'>, handle: unknown): SqlExecutor =>
  orm === 'typeorm' ? typeOrmExecutor(handle as object) : mikroOrmExecutor(handle as object);

/** Transports over one backend, closed together, and the errors of their loops. */
export class DbTransports {
  readonly errors: unknown[] = [];
  private readonly open: DbTransport[] = [];

  constructor(private readonly backend: OpenBackend) {}

  create(options: Partial<DbTransportOptions> = {}): DbTransport {
    const executor = executorOf(this.backend, this.backend.handle);
    const transport = new DbTransport({ executor, pollMs: 100, ...options });
    transport.telemetry.on('loop.error', ({ error }) => this.errors.push(error));
    this.open.push(transport);
    return transport;
  }

  async close(): Promise<void> {
    await Promise.all(this.open.splice(0).map((transport) => transport.close()));
  }
}

/** What a transport delivered. */
export interface Delivered {
  stepId: string;
  runId: string;
  seq: number;
  status: string;
  output: unknown;
  error?: { message: string; code?: string; retryable?: boolean } | undefined;
}
