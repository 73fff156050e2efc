import type { Statement } from './dialects/statement.js';
import type { SqlTransaction } from './sql-executor.js';

/**
 * Notifies other processes and this one to poll. Notifications may be lost: every subscriber also polls, and is called
 * without a payload whenever some may have been lost.
 */
export interface Notifier {
  /** True while notifications from other processes arrive, so that polling may be slow. */
  readonly live: boolean;
  /** A statement to run in a batch's own transaction, as its only notification; undefined if the database has none. */
  statement(topic: string, payload: string): Statement | undefined;
  /** Whether {@link local} would reach a subscriber. */
  hears(topic: string): boolean;
  /** Notifies the subscribers of this process at once. Call it after the commit. */
  local(topic: string, payload: string): void;
  /** Notifies other processes in a separate statement after the commit; calls close together are merged. */
  publish(topic: string, payload: string): void;
  /** Calls `listener` with payloads of `topic`, undefined for "read everything". Returns a function to unsubscribe. */
  subscribe(topic: string, listener: (payload: string | undefined) => void): () => void;
  start(): void;
  stop(): Promise<void>;
}

/** Notifies this process after the commit, and others with the commit if the database has notifications. */
export async function tellWithCommit(
  tx: SqlTransaction,
  notifier: Pick<Notifier, 'statement' | 'local'>,
  topic: string,
  payload: string,
): Promise<void> {
  tx.afterCommit(() => notifier.local(topic, payload));
  const notification = notifier.statement(topic, payload);
  if (notification) await tx.run(notification);
}
