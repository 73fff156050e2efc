import type { TelemetryEvents } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import type { Timers } from '../../time/timers.js';
import type { LimiterKeeper } from '../limits/limiter-keeper.js';
import type { Payloads } from '../model/payloads.js';
import type { RunAtEpoch } from './read-back.js';
import type { Recorder } from './recorder.js';
import type { RemoteStepDirectory } from '../model/remote-step-directory.js';
import type { Transactions } from '../model/run-catalog.js';
import type { ClaimedRun } from '../model/run.js';
import type { SignalExchange } from '../signals/signal-exchange.js';
import type { StepEffects, StepEvents } from '../model/outgoing.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import type { Retry } from '../model/workflow-context.js';

/** What all activations of a process share. */
export interface ActivationShared {
  /** The namespace of all runs. */
  namespace: string;
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
  /** Returns the settled record at a position, if there is one; waits while the database is unavailable. */
  readBack: (claim: RunAtEpoch, seq: number) => Promise<StepRecord | undefined>;
  /** For steps without a `retry` of their own. */
  retry: Retry | undefined;
  limits: ActivationLimits;
  workflows: WorkflowLookup;
  signals: SignalExchange;
  limiters: LimiterKeeper;
  /** Called once for each line that code and its steps log. */
  onLine: (line: TelemetryEvents['step.log']) => void;
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
