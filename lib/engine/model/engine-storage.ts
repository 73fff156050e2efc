import type { Admissions } from './admissions.js';
import type { EffectWaits } from './effect-waits.js';
import type { Mailbox } from './mailbox.js';
import type { NodeRoster } from './node-roster.js';
import type { RunCatalog, Transactions } from './run-catalog.js';
import type { RunControl } from './run-control.js';
import type { RunInsight } from './run-insight.js';
import type { RunRemoval } from './run-removal.js';
import type { RunStore } from './run-store.js';
import type { ScheduleStore } from './schedule-store.js';
import type { StrandedRuns } from './stranded-sweep.js';
import type { AnswerWriter, TaskDispatcher } from './task-dispatcher.js';
import type { UnfinishedRuns } from './unfinished-runs.js';

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
