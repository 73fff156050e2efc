import type { TelemetryEvents } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import type { Timers } from '../../time/timers.js';
import type { LimiterKeeper } from '../limits/limiter-keeper.js';
import type { Payloads } from '../model/payloads.js';
import type { Recorder } from './recorder.js';
import type { RemoteStepDirectory } from '../model/remote-step-directory.js';
import type { Transactions } from '../model/run-catalog.js';
import type { ClaimedRun } from '../model/run.js';
import type { SignalExchange } from '../signals/signal-exchange.js';
import type { StepEffects, StepEvents } from '../model/outgoing.js';
import type { StepRecord } from '../model/step-record.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import type { Retry } from '../model/workflow-context.js';
import { type Patience, untilBack } from '../../leasing/until-back.js';
import type { RunStore, RunWrite } from '../model/run-store.js';

/** Without the owner: the empty commit only waits for the run's lock, no matter who owns the run by then. */
export type RunAtEpoch = Pick<RunWrite, 'runId' | 'epoch'>;

/**
 * Reads the settled record at a position, and retries while the database fails: only the record shows the outcome of
 * the step. A commit whose reply was lost may still be running on the server, and holds the run's lock until it ends.
 * So this function first waits for that lock; the record that it reads then is final.
 */
export function readBackFrom(store: Pick<RunStore, 'commit' | 'histories'>, patience: Patience) {
  return (claim: RunAtEpoch, seq: number): Promise<StepRecord | undefined> =>
    untilBack(async () => {
      await store.commit([{ ...claim, steps: [], tasks: [], takes: [], withdraws: [] }], async () => {});
      const history = await store.histories([claim.runId], { latest: true });
      return history.find((step) => step.seq === seq && step.settled !== null);
    }, patience);
}

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
