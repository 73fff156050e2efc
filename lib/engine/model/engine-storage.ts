import type { StorageMethods } from '../../protocol/port-methods.js';
import type { Admissions } from './limiter.js';
import type { EffectWaits } from './outgoing.js';
import type { Mailbox } from './mailbox.js';
import type { NodeRoster, StrandedRuns } from './node-roster.js';
import type { RunCatalog, Transactions } from './run-catalog.js';
import type { RunControl, RunRemoval, UnfinishedRuns } from './run-control.js';
import type { RunInsight } from './run-insight.js';
import type { RunStore } from './run-store.js';
import type { ScheduleStore } from './schedule-store.js';
import type { AnswerWriter, TaskDispatcher } from './task-dispatcher.js';

/** All ports of the engine on one storage. */
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

/** The effect of each port method on stored data. */
export const ENGINE_METHODS: StorageMethods<EngineStorage> = {
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
    steps: 'reads',
    step: 'reads',
    list: 'reads',
    onFinished: 'tells',
  },
  control: { close: 'writes', openChildren: 'reads', retry: 'writes' },
  removal: { delete: 'writes', purge: 'finds', tidy: 'finds' },
  insight: { attempts: 'reads', logs: 'reads', attributes: 'reads', children: 'reads', surroundings: 'reads' },
  unfinished: { page: 'reads' },
  roster: { beat: 'lives', pulse: 'writes', reap: 'finds', elsewhere: 'reads', strikeOff: 'lives', leave: 'lives' },
  stranded: { awaited: 'reads', wake: 'writes' },
  transactions: { join: 'writes', ambient: 'writes', begin: 'writes' },
  mailbox: { send: 'writes', deliver: 'writes', expire: 'writes', purge: 'finds', onSignals: 'tells' },
  effectWaits: { waiting: 'reads' },
  admissions: { admit: 'writes', grant: 'writes', waiting: 'reads', queued: 'reads', onFreed: 'tells' },
  schedules: {
    insert: 'writes',
    list: 'reads',
    remove: 'writes',
    change: 'writes',
    look: 'reads',
    onChanged: 'tells',
  },
  dispatcher: {
    dispatch: 'writes',
    peek: 'reads',
    take: 'writes',
    withdraw: 'writes',
    lost: 'reads',
    onAnswers: 'tells',
  },
  answers: { answer: 'writes' },
};
