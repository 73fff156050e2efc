import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow, Tables } from '../../sql/tables.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { SqlAdmissions } from '../limits/sql-admissions.js';
import { SqlEffectWaits } from '../effects/sql-effect-waits.js';
import { SqlMailbox } from '../signals/sql-mailbox.js';
import { SqlNodeRoster } from '../nodes/sql-node-roster.js';
import { SqlRunCatalog } from '../commits/sql-run-catalog.js';
import { SqlRunControl } from '../endings/sql-run-control.js';
import { SqlRunInsight } from '../insight/sql-run-insight.js';
import { SqlRunRemoval } from '../endings/sql-run-removal.js';
import { SqlRunStore } from '../commits/sql-run-store.js';
import { SqlScheduleStore } from '../schedules/sql-schedule-store.js';
import { SqlStrandedRuns } from '../nodes/sql-stranded-runs.js';
import { SqlTransactions } from '../tables/sql-transactions.js';
import { SqlUnfinishedRuns } from '../insight/sql-unfinished-runs.js';

/** All ports of the engine on the tables of one database, except those of the transport. */
export function sqlEngineStorage(
  db: SqlExecutor,
  tables: Tables,
  notifier: Notifier,
  now?: SqlNow,
): Omit<EngineStorage, 'dispatcher' | 'answers'> {
  return {
    store: new SqlRunStore(db, tables, notifier, now),
    catalog: new SqlRunCatalog(db, tables, notifier, now),
    control: new SqlRunControl(db, tables, notifier, now),
    removal: new SqlRunRemoval(db, tables, now),
    insight: new SqlRunInsight(db, tables, notifier, now),
    unfinished: new SqlUnfinishedRuns(db, tables, now),
    roster: new SqlNodeRoster(db, tables, now),
    stranded: new SqlStrandedRuns(db, tables, now),
    transactions: new SqlTransactions(db),
    mailbox: new SqlMailbox(db, tables, notifier, now),
    effectWaits: new SqlEffectWaits(tables),
    admissions: new SqlAdmissions(db, tables, notifier, now),
    schedules: new SqlScheduleStore(db, tables, notifier, now),
  };
}
