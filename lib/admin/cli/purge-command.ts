import { ClientRemoval } from '../../engine/client/client-removal.js';
import type { RunStatus } from '../../engine/model/run.js';
import { sqlEngineStorage } from '../../engine/compose/sql-engine-storage.js';
import { createNotifier } from '../../sql/create-notifier.js';
import { validatePrefix } from '../../sql/migrations/migrator.js';
import { tablesWithPrefix } from '../../sql/tables.js';
import type { Duration } from '../../time/duration.js';
import { SqlTaskDispatcher } from '../../transport/sql-task-dispatcher.js';
import type { CommandOptions } from './commands.js';
import { withDatabase } from './open-database.js';

export interface PurgeCommandOptions extends CommandOptions {
  olderThan: string;
  namespace: string;
  status?: string[];
}

/** Deletes runs that ended long ago. */
export async function purgeCommand(options: PurgeCommandOptions, print: (line: string) => void): Promise<number> {
  const { prefix, url, olderThan, namespace, status } = options;
  validatePrefix(prefix);
  const purged = await withDatabase(url, (executor) => {
    const tables = tablesWithPrefix(prefix);
    const notifier = createNotifier(executor, prefix, () => undefined);
    const engine = sqlEngineStorage(executor, tables, notifier);
    const dispatcher = new SqlTaskDispatcher(executor, tables, notifier);
    return new ClientRemoval({ ...engine, dispatcher }, namespace).purge({
      olderThan: (/^\d+$/.test(olderThan) ? Number(olderThan) : olderThan) as Duration,
      ...(status && { status: status as RunStatus[] }),
    });
  });
  print(`Deleted ${purged} runs`);
  return 0;
}
