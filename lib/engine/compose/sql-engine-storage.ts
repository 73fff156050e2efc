import { SqlActLog } from '../../acts/sql-act-log.js';
import { SqlHoldStore } from '../../holds/sql-hold-store.js';
import type { CommitRiders } from '../../sql/commit-riders.js';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow, Tables } from '../../sql/tables.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { SqlAdmissions } from '../limits/sql-admissions.js';
import { SqlEffectWaits } from '../effects/sql-effect-waits.js';
import { SqlMailbox } from '../signals/sql-mailbox.js';
import { SqlSignalRemoval } from '../signals/sql-signal-removal.js';
import { SqlNodeRoster } from '../nodes/sql-node-roster.js';
import { SqlSampleStore } from '../nodes/sql-sample-store.js';
import { SqlRunCatalog } from '../commits/sql-run-catalog.js';
import { SqlRunControl } from '../endings/sql-run-control.js';
import { SqlRunLives } from '../starts/sql-run-lives.js';
import { SqlRunEdits } from '../edits/sql-run-edits.js';
import { SqlRunErasure } from '../erasure/sql-run-erasure.js';
import { SqlFleetInsight } from '../insight/sql-fleet-insight.js';
import { SqlRunInsight } from '../insight/sql-run-insight.js';
import { SqlStepReads } from '../insight/sql-step-reads.js';
import { SqlStory } from '../insight/sql-story.js';
import { SqlRunRemoval } from '../endings/sql-run-removal.js';
import { SqlRunStore } from '../commits/sql-run-store.js';
import { SqlScheduleStore } from '../schedules/sql-schedule-store.js';
import { SqlStrandedRuns } from '../nodes/sql-stranded-runs.js';
import { SqlTransactions } from '../tables/sql-transactions.js';
import { SqlUnfinishedRuns } from '../insight/sql-unfinished-runs.js';

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
    insight: new SqlRunInsight(db, tables, notifier, now),
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
