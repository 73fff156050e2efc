import type { Telemetry } from '../telemetry/telemetry.js';
import type { Clock } from '../time/clock.js';
import type { HandlerRegistry } from './handler-registry.js';
import type { TaskSource } from './task-source.js';

/** How long a task may wait for a worker that knows its name: a rolling deploy is over by then. */
const PATIENCE_MS = 60_000;
const EVERY_MS = 60_000;

/** Now and then looks for tasks that wait in this worker's groups for a handler it does not have, and says so. */
export class UnservedWatch {
  private lookedAt: number;

  constructor(
    private readonly source: Pick<TaskSource, 'unserved'>,
    private readonly handlers: HandlerRegistry,
    private readonly options: { clock: Clock; telemetry: Telemetry },
  ) {
    this.lookedAt = options.clock.now();
  }

  async look(): Promise<void> {
    const now = this.options.clock.now();
    if (now - this.lookedAt < EVERY_MS) return;
    this.lookedAt = now;
    const handlers = [...this.handlers.all()];
    const groups = [...new Set(handlers.flatMap((handler) => handler.groups))];
    const names = handlers.map(({ name }) => name);
    for (const found of await this.source.unserved(groups, names, PATIENCE_MS))
      this.options.telemetry.emit('task.unserved', found);
  }
}
