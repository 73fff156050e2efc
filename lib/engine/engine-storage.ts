import type { Admissions } from './lanes/admissions.js';
import type { EffectWaits } from './effects/effect-waits.js';
import type { Mailbox } from './signals/mailbox.js';
import type { NodeRoster } from './nodes/node-roster.js';
import type { RunCatalog, Transactions } from './runs/run-catalog.js';
import type { RunControl } from './endings/run-control.js';
import type { RunInsight } from './insight/run-insight.js';
import type { RunRemoval } from './endings/run-removal.js';
import type { RunStore } from './runs/run-store.js';
import type { ScheduleStore } from './schedules/schedule-store.js';
import type { StrandedRuns } from './nodes/stranded-sweep.js';
import type { AnswerWriter, TaskDispatcher } from './task-dispatcher.js';
import type { UnfinishedRuns } from './insight/unfinished-runs.js';

/** Every port of the engine on one storage. */
export interface EngineStorage {
  store: RunStore;
  catalog: RunCatalog;
  control: RunControl;
  removal: RunRemoval;
  insight: RunInsight;
  unfinished: UnfinishedRuns;
  roster: NodeRoster;
  stranded: StrandedRuns;
  transactions: Transactions;
  mailbox: Mailbox;
  effectWaits: EffectWaits;
  admissions: Admissions;
  schedules: ScheduleStore;
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
}
