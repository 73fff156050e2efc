import type { Telemetry } from '../../telemetry/telemetry.js';
import type { TelemetryEvents } from '../../telemetry/telemetry-events.js';
import type { Clock } from '../../time/clock.js';
import type { Timers } from '../../time/timers.js';
import type { LimiterKeeper } from '../limits/limiter-keeper.js';
import type { Payloads } from '../model/payloads.js';
import type { RunWrite } from '../model/run-store.js';
import type { TaskHolder } from '../model/task-dispatcher.js';
import type { Recorder } from './recorder.js';
import type { RemoteStepDirectory } from '../model/remote-step-directory.js';
import type { Transactions } from '../model/run-catalog.js';
import type { ClaimedRun, Closing, RunTransition } from '../model/run.js';
import type { SignalExchange } from '../signals/signal-exchange.js';
import type { StepEffects, StepEvents } from '../model/outgoing.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import type { CodeCalls } from './code-calls.js';
import type { Journal } from './journal.js';
import type { OnExhausted, Retry } from '../model/step-options.js';

/** Without the owner: the empty commit only waits for the run's lock, no matter who owns the run by then. */
export type RunAtEpoch = Pick<RunWrite, 'runId' | 'epoch'>;

/** How an activation leaves its run; a function if that is decided once nothing is recorded any more. */
export type LastWord = RunTransition | (() => RunTransition);

/** What is to be known of an activation that leaves its run. */
export interface Reviewed {
  readonly run: ClaimedRun;
  readonly journal: Journal;
  readonly payloads: Payloads;
  readonly closing: Closing | null;
  readonly calls: CodeCalls;
}

/** What all activations of a process share. */
export interface ActivationShared {
  /** The namespace of all runs. */
  namespace: string;
  /** Undefined if nobody may see what happens: no spans, no channels. */
  telemetry?: Telemetry;
  /** The name of this process: it runs the local steps. */
  process: string;
  recorder: Recorder;
  payloads: Payloads;
  transactions: Transactions;
  /** Undefined if the module has no outbox. */
  events: Pick<StepEvents, 'check'> | undefined;
  /** Undefined if the module has no effects. */
  effects: Pick<StepEffects, 'check'> | undefined;
  remoteSteps: RemoteStepDirectory;
  clock: Clock;
  timers: Timers;
  /** Who holds the task of a step, or held it last. */
  holder: (step: Pick<StepRecord, 'runId' | 'seq'>) => Promise<Pick<TaskHolder, 'attempt' | 'worker'>>;
  /** Returns the settled record at a position, if there is one; waits while the database is unavailable. */
  readBack: (claim: RunAtEpoch, seq: number) => Promise<StepRecord | undefined>;
  /** For steps without a `retry` of their own. */
  retry: Retry | undefined;
  /** For steps without an `onExhausted` of their own. */
  onExhausted: OnExhausted | undefined;
  /** Whether the inputs of remote steps are stored in the history, without a `keepInputs` of their own. */
  keepInputs: boolean;
  limits: ActivationLimits;
  workflows: WorkflowLookup;
  signals: SignalExchange;
  limiters: LimiterKeeper;
  /** Called once for each line that code and its steps log. */
  onLine: (line: TelemetryEvents['step.log']) => void;
  /** Called with each call of `ctx` that was refused because of where it was made. */
  onMisuse: (misuse: TelemetryEvents['context.misused']) => void;
  /** Called when a call of `ctx` failed that nobody had awaited. */
  onUnhandled: (failure: TelemetryEvents['call.unhandled']) => void;
  /** Called with the calls that nobody had awaited when `run` returned. */
  onUnawaited: (left: TelemetryEvents['calls.unawaited']) => void;
  /** In development: may replace the last transition of an activation, which is written after it. */
  review?: (activation: Reviewed, how: LastWord) => Promise<RunTransition | undefined>;
  /** Whether unawaited calls block the run. */
  strict: boolean;
  /** Called when an attempt of a local step has ended; the event is built if somebody listens. */
  onStepEnded?: (ended: () => TelemetryEvents['step.ended']) => void;
  /** Called when a timer, or the answer of a worker, continues a run; `since` is when it was due, or written. */
  onWoken?: (run: ClaimedRun, by: TelemetryEvents['run.woken']['by'], since: number) => void;
  /** Called when the database ended the transaction of a step, which is retried. */
  onTransactionLost: (loss: TelemetryEvents['transaction.lost']) => void;
  /** Closes the children of a run that ends. */
  closeChildren: (runId: string) => Promise<void>;
}

export interface ActivationLimits {
  /** The most steps of one history, and the number of steps that triggers a warning. */
  steps: number;
  warnSteps: number;
  /** Called once per activation that passes `warnSteps`. */
  onLongHistory: (run: ClaimedRun, steps: number) => void;
}
