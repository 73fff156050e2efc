import type { Notifier } from './notifier.js';
import { type ListeningExecutor, PostgresNotifier, type PostgresNotifierOptions } from './postgres-notifier.js';
import type { SqlExecutor } from './sql-executor.js';
import { Subscribers, type TopicListener } from './subscribers.js';

/** For databases without notifications: only this process is notified, and all others poll. */
export class PollingNotifier implements Notifier {
  readonly live = false;
  private readonly subscribers: Subscribers;

  constructor(onError: (error: unknown) => void) {
    this.subscribers = new Subscribers(onError);
  }

  statement(): undefined {
    return undefined;
  }

  hears(topic: string): boolean {
    return this.subscribers.has(topic);
  }

  local(topic: string, payload: string): void {
    this.subscribers.tell(topic, payload);
  }

  publish(): void {
    // No other process could receive it.
  }

  subscribe(topic: string, listener: TopicListener): () => void {
    return this.subscribers.add(topic, listener);
  }

  start(): void {
    // Nothing to connect.
  }

  async stop(): Promise<void> {
    // Nothing to end.
  }
}

/**
 * The notifier for a database. `onError` receives lost connections and errors of listeners; it need not act on them.
 */
export function createNotifier(
  executor: SqlExecutor,
  prefix: string,
  onError: (error: unknown) => void,
  options: Pick<PostgresNotifierOptions, 'checkIntervalMs' | 'checkTimeoutMs'> = {},
): Notifier {
  if (!canListen(executor)) return new PollingNotifier(onError);
  return new PostgresNotifier(executor, { ...options, prefix, onError });
}

const canListen = (executor: SqlExecutor): executor is ListeningExecutor => executor.listen !== undefined;
