import type { ActLog } from '../acts/acts.js';
import { InMemoryActLog } from '../acts/acts.memory.js';
import { InMemoryHoldStore } from '../acts/holds.memory.js';
import type { Clock } from '../core/time.js';
import { InMemoryRunControl, InMemoryRunEdits, InMemoryRunRemoval } from './control.memory.js';
import { InMemoryRunErasure } from './erasure.memory.js';
import {
  InMemoryFleetInsight,
  InMemoryRunInsight,
  InMemoryStepReads,
  InMemoryUnfinishedRuns,
  type TasksOf,
} from './insight.memory.js';
import { InMemoryAdmissions } from './limits.memory.js';
import { InMemorySampleStore } from './nodes.memory.js';
import { InMemoryRunStore } from './runs.memory.js';
import { InMemoryScheduleStore } from './schedules.memory.js';
import { InMemoryEffectWaits, InMemoryMailbox, InMemorySignalRemoval } from './signals.memory.js';
import { InMemoryRunCatalog, InMemoryRunLives } from './starts.memory.js';
import type { EngineStorage } from './storage.js';
import { InMemoryStory } from './story.memory.js';
import { InMemoryTransactions, MemoryTables } from './tables.memory.js';

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
    steps: new InMemoryStepReads(clock, tables),
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
