import { ConfigurationError } from '../errors/setup-errors.js';
import { groupOf } from '../protocol/step.js';
import type { StepContext } from '../protocol/step-context.js';

/** Runs one remote step. Its result is stored as JSON. */
export type StepHandler = (input: unknown, step: StepContext) => unknown;

/** Handlers with a common concurrency limit: those of one worker class. */
export interface ConcurrencyClass {
  name: string;
  /** Default: only the process's own limit applies. */
  concurrency?: number;
}

export interface HandlerOptions {
  /** The queue tokens of its tasks. Default: the group of its name. */
  groups?: readonly string[];
  concurrencyClass?: ConcurrencyClass;
  /** An attempt that takes longer fails. Default: none. */
  timeoutMs?: number;
  /** The number of attempts of its own retry policy; `maxClaims` never reduces it. */
  retryAttempts?: number;
}

export interface RegisteredHandler extends HandlerOptions {
  readonly name: string;
  readonly groups: readonly string[];
  readonly run: StepHandler;
}

/** Handlers by step name. */
export class HandlerRegistry {
  private readonly handlers = new Map<string, RegisteredHandler>();

  /** @throws ConfigurationError when the name is already registered. */
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

  get names(): string[] {
    return [...this.handlers.keys()];
  }

  /** The names, by the group from which their tasks are claimed. */
  get byGroup(): Record<string, string[]> {
    const namesOf = (group: string) => this.names.filter((name) => this.handlers.get(name)!.groups.includes(group));
    return Object.fromEntries(this.groups.map((group) => [group, namesOf(group)]));
  }

  /** All queue tokens of its handlers. */
  get groups(): string[] {
    return [...new Set([...this.handlers.values()].flatMap(({ groups }) => groups))];
  }

  get size(): number {
    return this.handlers.size;
  }
}
