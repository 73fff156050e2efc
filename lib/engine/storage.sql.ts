import { SqlActLog } from '../acts/acts.sql.js';
import { SqlHoldStore } from '../acts/holds.sql.js';
import type { CommitRiders, SqlExecutor } from '../sql/executor.js';
import type { Notifier } from '../sql/notifier.js';
import type { SqlNow, Tables } from '../sql/tables.js';
import { SqlRunControl, SqlRunEdits, SqlRunRemoval } from './control.sql.js';
import { SqlRunErasure } from './erasure.sql.js';
import { SqlFleetInsight } from './fleet.sql.js';
import { SqlRunInsight, SqlStepReads } from './insight.sql.js';
import { SqlAdmissions } from './limits.sql.js';
import { SqlNodeRoster, SqlSampleStore, SqlStrandedRuns } from './nodes.sql.js';
import { SqlRunStore } from './runs.sql.js';
import { SqlScheduleStore } from './schedules.sql.js';
import { SqlEffectWaits, SqlMailbox, SqlSignalRemoval } from './signals.sql.js';
import { SqlRunCatalog, SqlRunLives } from './starts.sql.js';
import type { EngineStorage } from './storage.js';
import { SqlStory } from './story.sql.js';
import { SqlTransactions } from './tables.sql.js';
import { SqlUnfinishedRuns } from './unfinished.sql.js';

/** All ports of the engine on the tables of one database, except those of the transport. `riders`: those of its dispatcher. */
export function sqlEngineStorage(
  db: SqlExecutor,
  tables: Tables,
  notifier: Notifier,
  now?: SqlNow,
  riders?: CommitRiders,
): Omit<EngineStorage, 'dispatcher' | 'answers'> {
  const erasure = new SqlRunErasure(db, tables, now);
  return {
    store: new SqlRunStore(db, tables, notifier, now, riders),
    catalog: new SqlRunCatalog(db, tables, notifier, now),
    control: new SqlRunControl(db, tables, notifier, now),
    removal: new SqlRunRemoval(db, tables, now),
    edits: new SqlRunEdits(db, tables, notifier, now),
    lives: new SqlRunLives(db, tables, notifier, now),
    erasure,
    erasureReads: erasure,
    insight: new SqlRunInsight(db, tables, now),
    steps: new SqlStepReads(db, tables, now),
    fleet: new SqlFleetInsight(db, tables, now),
    story: new SqlStory(db, tables),
    unfinished: new SqlUnfinishedRuns(db, tables, now),
    roster: new SqlNodeRoster(db, tables, now),
    samples: new SqlSampleStore(db, tables, now),
    stranded: new SqlStrandedRuns(db, tables, now),
    transactions: new SqlTransactions(db),
    mailbox: new SqlMailbox(db, tables, notifier, now),
    signalRemoval: new SqlSignalRemoval(db, tables, now),
    effectWaits: new SqlEffectWaits(tables),
    admissions: new SqlAdmissions(db, tables, notifier, now),
    schedules: new SqlScheduleStore(db, tables, notifier, now),
    acts: new SqlActLog(db, tables, now),
    holds: new SqlHoldStore(db, tables, notifier, now),
  };
}
