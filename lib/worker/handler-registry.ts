import { ConfigurationError } from '../errors.js';
import { groupOf } from '../protocol/step.js';

/** Goes with the step: `fields` are whatever a log can carry. */
export interface StepLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** What a handler of a remote step knows about the call it serves. */
export interface StepContext {
  /** The id of the run that asked. */
  readonly workflowId: string;
  /** `<workflowId>:<seq>`. */
  readonly stepId: string;
  /** Position of the step in its run. */
  readonly seq: number;
  readonly name: string;
  /** The n-th try, from 1. */
  readonly attempt: number;
  /** The same on every attempt of this step and for no other: hand it to whatever must not act twice. */
  readonly idempotencyKey: string;
  /** Aborts when the attempt times out, its lease is lost, or the process stops; nobody waits for the answer then. */
  readonly signal: AbortSignal;
  /**
   * For handlers that keep the event loop busy: lets it breathe, renews the lease when that is due, and throws
   * the reason of `signal` once it has aborted. Handlers that await now and then need not call it.
   */
  heartbeat(): Promise<void>;
  readonly log: StepLog;
}

/** Runs one remote step. Its answer is stored as JSON. */
export type StepHandler = (input: unknown, step: StepContext) => unknown;

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

  get names(): string[] {
    return [...this.handlers.keys()];
  }

  /** All that its handlers look at. */
  get groups(): string[] {
    return [...new Set([...this.handlers.values()].flatMap(({ groups }) => groups))];
  }

  get size(): number {
    return this.handlers.size;
  }
}
