import type { Clock } from '../../time/clock.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { InMemoryEffectWaits } from '../effects/effect-completions.js';
import { InMemoryMailbox } from '../signals/in-memory-mailbox.js';
import { InMemoryAdmissions } from '../limits/in-memory-limiters.js';
import { InMemoryRunCatalog } from '../commits/in-memory-run-catalog.js';
import { InMemoryRunRemoval } from '../endings/in-memory-run-removal.js';
import { InMemoryRunControl } from '../endings/in-memory-run-control.js';
import { InMemoryRunInsight, type TasksOf } from '../insight/in-memory-run-insight.js';
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
): Omit<EngineStorage, 'dispatcher' | 'answers'> {
  const runs = new InMemoryRunStore(clock, tables);
  return {
    catalog: new InMemoryRunCatalog(clock, tables),
    store: runs,
    roster: runs,
    stranded: runs,
    control: new InMemoryRunControl(clock, tables),
    removal: new InMemoryRunRemoval(clock, tables),
    insight: new InMemoryRunInsight(clock, tables, tasksOf),
    transactions: new InMemoryTransactions(),
    unfinished: new InMemoryUnfinishedRuns(tables),
    mailbox: new InMemoryMailbox(clock, tables),
    effectWaits: new InMemoryEffectWaits(tables),
    admissions: new InMemoryAdmissions(clock, tables),
    schedules: new InMemoryScheduleStore(clock, tables),
  };
}
