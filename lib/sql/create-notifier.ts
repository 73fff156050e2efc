import type { Notifier } from './notifier.js';
import { PollingNotifier } from './polling-notifier.js';
import { type ListeningExecutor, PostgresNotifier, type PostgresNotifierOptions } from './postgres-notifier.js';
import type { SqlExecutor } from './sql-executor.js';

/**
 * The notifier that suits a database. `onError` is told of lost connections and of listeners that threw; none of
 * it needs an answer.
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
