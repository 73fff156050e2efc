import type { ActLog } from '../../acts/act-log.js';
import { InMemoryActLog } from '../../acts/in-memory-act-log.js';
import { InMemoryHoldStore } from '../../holds/in-memory-hold-store.js';
import type { Clock } from '../../time/clock.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { InMemoryEffectWaits } from '../effects/effect-completions.js';
import { InMemorySampleStore } from '../nodes/in-memory-sample-store.js';
import { InMemoryMailbox } from '../signals/in-memory-mailbox.js';
import { InMemorySignalRemoval } from '../signals/in-memory-signal-removal.js';
import { InMemoryAdmissions } from '../limits/in-memory-limiters.js';
import { InMemoryRunCatalog } from '../commits/in-memory-run-catalog.js';
import { InMemoryRunRemoval } from '../endings/in-memory-run-removal.js';
import { InMemoryRunControl } from '../endings/in-memory-run-control.js';
import { InMemoryRunLives } from '../starts/in-memory-run-lives.js';
import { InMemoryRunEdits } from '../edits/in-memory-run-edits.js';
import { InMemoryRunErasure } from '../erasure/in-memory-run-erasure.js';
import { InMemoryFleetInsight } from '../insight/in-memory-fleet-insight.js';
import { InMemoryRunInsight, type TasksOf } from '../insight/in-memory-run-insight.js';
import { InMemoryStepReads } from '../insight/in-memory-step-reads.js';
import { InMemoryStory } from '../insight/in-memory-story.js';
import { InMemoryRunStore } from '../commits/in-memory-run-store.js';
import { InMemoryScheduleStore } from '../schedules/in-memory-schedule-store.js';
import { InMemoryTransactions } from '../tables/in-memory-transactions.js';
import { InMemoryUnfinishedRuns } from '../insight/in-memory-run-listing.js';
import { MemoryTables } from '../tables/memory-tables.js';

/** All ports of the engine in this process's memory, except those of the transport. */
export function inMemoryEngineStorage(
  clock: Clock,
  tasksOf: TasksOf = () => [],
  tables = new MemoryTables(),
  acts: ActLog = new InMemoryActLog(clock),
  standIn?: () => unknown,
): Omit<EngineStorage, 'dispatcher' | 'answers'> {
  const erasure = new InMemoryRunErasure(clock, tables);
  const runs = new InMemoryRunStore(clock, tables);
  return {
    catalog: new InMemoryRunCatalog(clock, tables),
    store: runs,
    roster: runs,
    stranded: runs,
    control: new InMemoryRunControl(clock, tables),
    removal: new InMemoryRunRemoval(clock, tables),
    edits: new InMemoryRunEdits(clock, tables),
    lives: new InMemoryRunLives(clock, tables),
    erasure,
    erasureReads: erasure,
    insight: new InMemoryRunInsight(clock, tables, tasksOf),
    steps: new InMemoryStepReads(tables),
    fleet: new InMemoryFleetInsight(tables),
    samples: new InMemorySampleStore(clock, tables),
    story: new InMemoryStory(tables),
    transactions: new InMemoryTransactions(standIn),
    unfinished: new InMemoryUnfinishedRuns(tables, clock),
    mailbox: new InMemoryMailbox(clock, tables),
    signalRemoval: new InMemorySignalRemoval(clock, tables),
    effectWaits: new InMemoryEffectWaits(tables),
    admissions: new InMemoryAdmissions(clock, tables),
    schedules: new InMemoryScheduleStore(clock, tables),
    acts,
    holds: new InMemoryHoldStore(clock, tables),
  };
}
