import { ConfigurationError } from '../errors.js';
import { groupOf } from '../protocol/step.js';
import type { StepHandler } from './step-context.js';

/** Handlers that share a bound on how many of them run at once: those of one worker class. */
export interface ConcurrencyClass {
  name: string;
  /** Default: as many as the process runs. */
  concurrency?: number;
}

export interface HandlerOptions {
  /** The queue tokens its tasks may wait in. Default: the group of its name. */
  groups?: readonly string[];
  concurrencyClass?: ConcurrencyClass;
  /** An attempt that takes longer fails. Default: none. */
  timeoutMs?: number;
  /** How many attempts its own retry policy allows; the poison cap never cuts it short. */
  retryAttempts?: number;
}

export interface RegisteredHandler extends HandlerOptions {
  readonly name: string;
  readonly groups: readonly string[];
  readonly run: StepHandler;
}

/** Step name to handler. */
export class HandlerRegistry {
  private readonly handlers = new Map<string, RegisteredHandler>();

  /** @throws ConfigurationError when the name is taken. */
  register(name: string, run: StepHandler, options: HandlerOptions = {}): void {
    if (this.handlers.has(name)) {
      throw new ConfigurationError(`Two handlers for the remote step "${name}": rename one, or register it once`);
    }
    this.handlers.set(name, { ...options, name, run, groups: options.groups ?? [groupOf(name)] });
  }

  find(name: string): RegisteredHandler | undefined {
    return this.handlers.get(name);
  }

  all(): Iterable<RegisteredHandler> {
    return this.handlers.values();
  }

  get size(): number {
    return this.handlers.size;
  }
}
