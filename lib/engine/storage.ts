import { ACT_METHODS, type ActLog } from '../acts/acts.js';
import { HOLD_METHODS, type HoldStore } from '../acts/holds.js';
import type { StorageMethods } from '../core/transaction.js';
import type { RunControl, RunEdits, RunRemoval, UnfinishedRuns } from './control.js';
import type { RunHooks } from './endings.js';
import type { ErasureReads, RunErasure } from './erasure.js';
import type { FleetInsight, RunInsight, StepReads } from './insight.js';
import type { Admissions } from './limits.js';
import type { NodeRoster, SampleStore, StrandedRuns } from './nodes.js';
import type { RunStore } from './runs.js';
import type { ScheduleStore } from './schedules.js';
import type { Mailbox, SignalRemoval } from './signals.js';
import type { RunCatalog, RunLives, Transactions } from './starts.js';
import type { EffectWaits } from './step.js';
import type { StoryReads } from './story.js';
import type { AnswerWriter, TaskDispatcher } from './tasks.js';

/** All ports of the engine on one storage. */
export interface EngineStorage {
  store: RunStore;
  catalog: RunCatalog;
  control: RunControl;
  removal: RunRemoval;
  edits: RunEdits;
  lives: RunLives;
  erasure: RunErasure;
  erasureReads: ErasureReads;
  insight: RunInsight;
  steps: StepReads;
  fleet: FleetInsight;
  story: StoryReads;
  unfinished: UnfinishedRuns;
  roster: NodeRoster;
  stranded: StrandedRuns;
  samples: SampleStore;
  transactions: Transactions;
  mailbox: Mailbox;
  signalRemoval: SignalRemoval;
  effectWaits: EffectWaits;
  admissions: Admissions;
  schedules: ScheduleStore;
  acts: ActLog;
  holds: HoldStore;
  dispatcher: TaskDispatcher;
  answers: AnswerWriter;
  /** Undefined if the app has no outbox: then nobody can declare a hook. */
  hooks?: RunHooks | undefined;
}

/** The effect of each port method on stored data. */
export const ENGINE_METHODS: StorageMethods<Omit<EngineStorage, 'hooks'>> = {
  store: {
    claim: 'finds',
    histories: 'reads',
    commit: 'writes',
    settleUnowned: 'writes',
    owned: 'reads',
    lost: 'reads',
    release: 'writes',
    onRuns: 'tells',
  },
  catalog: {
    create: 'writes',
    find: 'reads',
    contexts: 'reads',
    targets: 'reads',
    steps: 'reads',
    step: 'reads',
    list: 'reads',
    onFinished: 'tells',
  },
  control: { close: 'writes', openChildren: 'reads', retry: 'writes' },
  lives: { restart: 'writes', fork: 'writes' },
  removal: { delete: 'writes', purge: 'finds', tidy: 'finds' },
  edits: { lock: 'reads', open: 'reads', rewrite: 'writes' },
  erasure: {
    mark: 'writes',
    follow: 'finds',
    marked: 'reads',
    blank: 'writes',
    sweep: 'writes',
    unmark: 'writes',
  },
  erasureReads: { having: 'reads', published: 'reads' },
  insight: {
    attempts: 'reads',
    logs: 'reads',
    attributes: 'reads',
    children: 'reads',
    surroundings: 'reads',
    withoutPayloads: 'reads',
  },
  steps: {
    claimed: 'reads',
    firstSeq: 'reads',
    lastSettled: 'reads',
    page: 'reads',
    settledAfter: 'reads',
    open: 'reads',
    list: 'reads',
    lineCounts: 'reads',
  },
  fleet: { counts: 'reads', blocked: 'reads', limiters: 'reads', untakenSignals: 'reads', signalWaits: 'reads' },
  story: { runs: 'reads', children: 'reads', moments: 'reads', steps: 'reads', attempts: 'reads', signals: 'reads' },
  unfinished: { page: 'reads', overdue: 'reads', versions: 'reads' },
  roster: {
    beat: 'lives',
    pulse: 'writes',
    reap: 'finds',
    dead: 'reads',
    elsewhere: 'reads',
    withdraw: 'finds',
    living: 'reads',
    nodes: 'reads',
    setDraining: 'lives',
    strikeOff: 'lives',
    leave: 'lives',
  },
  samples: { write: 'lives', range: 'reads', purge: 'lives' },
  stranded: { awaited: 'reads', wake: 'writes' },
  transactions: { join: 'writes', ambient: 'writes', begin: 'writes' },
  mailbox: { send: 'writes', deliver: 'writes', expire: 'writes', onSignals: 'tells' },
  signalRemoval: { purgeOfKeys: 'finds', purgeOfRuns: 'writes', deleteUntaken: 'writes', forget: 'finds' },
  effectWaits: { waiting: 'reads', awaited: 'reads' },
  admissions: { admit: 'writes', grant: 'writes', waiting: 'reads', queued: 'reads', onFreed: 'tells' },
  schedules: {
    insert: 'writes',
    list: 'reads',
    late: 'reads',
    remove: 'writes',
    change: 'writes',
    look: 'reads',
    onChanged: 'tells',
  },
  acts: ACT_METHODS,
  holds: HOLD_METHODS,
  dispatcher: {
    dispatch: 'writes',
    offer: 'tells',
    dispatched: 'tells',
    onHandedBack: 'tells',
    end: 'writes',
    peek: 'reads',
    take: 'writes',
    withdraw: 'writes',
    free: 'finds',
    lost: 'reads',
    holders: 'reads',
    onAnswers: 'tells',
  },
  answers: { answer: 'writes' },
};
