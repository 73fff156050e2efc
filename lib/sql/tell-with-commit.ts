import type { Notifier } from './notifier.js';
import type { SqlTransaction } from './sql-executor.js';

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
