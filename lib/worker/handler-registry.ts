import { ConfigurationError } from '../errors.js';
import { groupOf } from '../protocol/step.js';

/** Log lines are stored with the step; `fields` may hold any loggable value. */
export interface StepLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** What a handler of a remote step receives besides its input. */
export interface StepContext {
  /** The id of the run that called the step. */
  readonly workflowId: string;
  /** `<workflowId>:<seq>`. */
  readonly stepId: string;
  /** The position of the step in its run. */
  readonly seq: number;
  readonly name: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The same on every attempt of this step, unique to it: pass it to services that must not act twice. */
  readonly idempotencyKey: string;
  /** Aborts when the attempt times out, its lease is lost, or the process stops; the result is then discarded. */
  readonly signal: AbortSignal;
  /**
   * For handlers that block the event loop: yields to it, renews the lease when that is due, and throws the reason of
   * `signal` once it has aborted. Handlers that await regularly need not call it.
   */
  heartbeat(): Promise<void>;
  readonly log: StepLog;
}

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

  /** All queue tokens of its handlers. */
  get groups(): string[] {
    return [...new Set([...this.handlers.values()].flatMap(({ groups }) => groups))];
  }

  get size(): number {
    return this.handlers.size;
  }
}
