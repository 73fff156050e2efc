import type { Notifier } from './notifier.js';
import type { SqlTransaction } from './sql-executor.js';

/** This process hears of it after the commit, others with it, where databases notify. */
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
