import type { ActedBy } from '../../acts/act.js';
import type { Hold } from '../../holds/hold.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Clock } from '../../time/clock.js';
import type { EngineStorage } from '../model/engine-storage.js';
import type { WorkflowSignal } from '../model/mailbox.js';
import type { OutgoingErasure } from '../model/outgoing-erasure.js';
import type { Payloads } from '../model/payloads.js';
import type { ReplayOf } from '../model/run-edits.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import type { RecomputeInputs } from '../insight/recorded-history.js';
import type { ErasureReport } from '../erasure/erasure-report.js';
import type { Bulk } from './bulk.js';
import { type BulkFilter, type BulkOptions, ClientBulk } from './client-bulk.js';
import { ClientControl, ClientRemoval } from './client-control.js';
import { ClientEdits, type EditOptions, type StepResolution } from './client-edits.js';
import { ClientErasure, type EraseOptions, type ErasureTarget } from './client-erasure.js';
import { ClientHistory } from './client-history.js';
import { ClientHolds, type HoldOptions, type HoldTarget } from './client-holds.js';
import { ClientSignals } from './client-signals.js';

export interface OperatorClientPorts {
  storage: EngineStorage;
  payloads: Payloads;
  outgoing: OutgoingErasure;
  resolve: WorkflowLookup;
  namespace: string;
  clock: Clock;
  /** Undefined if this process cannot replay runs. */
  recompute?: RecomputeInputs | undefined;
  /** As `recompute`. */
  replay?: ReplayOf | undefined;
  /** Where it tells of holds. */
  telemetry?: Telemetry | undefined;
}

/** The functions of `WorkflowClient` that only operators call: all that change something need an actor and a reason. */
export abstract class OperatorClient {
  /** Reads the history of a run in parts: `Operator.runs` asks it. */
  readonly history: ClientHistory;
  protected readonly control: ClientControl;
  protected readonly removal: ClientRemoval;
  protected readonly signals: ClientSignals;
  private readonly edits: ClientEdits;
  private readonly bulks: ClientBulk;
  private readonly held: ClientHolds;
  private readonly erasure: ClientErasure;

  constructor(ports: OperatorClientPorts) {
    this.history = new ClientHistory(ports);
    this.control = new ClientControl(ports.storage, ports.namespace);
    this.removal = new ClientRemoval(ports.storage, ports.namespace);
    this.signals = new ClientSignals(ports);
    this.edits = new ClientEdits(ports);
    this.held = new ClientHolds(ports);
    this.erasure = new ClientErasure(ports);
    this.bulks = new ClientBulk({ ...ports, control: this.control, removal: this.removal, signals: this.signals });
  }

  /**
   * Gives a step that waits, or that has failed, another outcome: the code of its run gets this output or error, or
   * `undefined` (`skip`), and the run goes on at once. A replay in this process checks first that the history fits. A run
   * that has failed goes on as by `retry`. Refused while the run executes another local step.
   *
   * @throws EditRefusedError, StepNotEditableError, StepNotFoundError, WorkflowNotFoundError, UnknownWorkflowError if
   *   this process does not have the workflow, WorkflowNotResumableError or WorkflowErasedError as `retry`,
   *   InvalidArgumentError, SerializationError, PayloadTooLargeError
   *
   * @example await workflows.resolveStep(id, 3, { output: { paid: true } }, { actor: 'ada', reason: 'paid by phone' });
   */
  resolveStep(id: string, seq: number, resolution: StepResolution, options: EditOptions): Promise<void> {
    return this.edits.resolve(id, seq, resolution, options);
  }

  /** Makes the next attempt of a failed step due now. @throws as {@link resolveStep}, StepNotEditableError if none waits */
  runNow(id: string, seq: number, options: EditOptions): Promise<void> {
    return this.edits.runNow(id, seq, options);
  }

  /** Cancels the runs that match, in batches, see {@link Bulk}. @throws InvalidArgumentError */
  cancelAll(filter: BulkFilter, options: BulkOptions): Bulk {
    return this.bulks.bulk({ action: 'cancel' }, filter, options);
  }

  /** Like {@link cancelAll}, with `terminate`. */
  terminateAll(filter: BulkFilter, options: BulkOptions): Bulk {
    return this.bulks.bulk({ action: 'terminate' }, filter, options);
  }

  /** Like {@link cancelAll}, with `retry`. */
  retryAll(filter: BulkFilter, options: BulkOptions): Bulk {
    return this.bulks.bulk({ action: 'retry' }, filter, options);
  }

  /** Like {@link cancelAll}, with `delete`. */
  deleteAll(filter: BulkFilter, options: BulkOptions): Bulk {
    return this.bulks.bulk({ action: 'delete' }, filter, options);
  }

  /** Like {@link cancelAll}, with `signal`: each run gets it once. */
  signalAll<T, Sent = T>(
    signal: WorkflowSignal<T, Sent> | string,
    payload: NoInfer<Sent>,
    filter: BulkFilter,
    by: BulkOptions,
  ): Bulk {
    return this.bulks.bulk({ action: 'signal', signal, payload }, filter, by);
  }

  /** Nothing new of it is begun in any process, within a second; running work goes on. Recorded as an act.
   * @throws InvalidArgumentError, ScheduleNotFoundError */
  hold = (target: HoldTarget, options: HoldOptions): Promise<void> => this.held.hold(target, options);
  /** Ends a hold. Returns false if there was none. Recorded as an act. @throws InvalidArgumentError, ScheduleNotFoundError */
  lift = (target: HoldTarget, by: ActedBy): Promise<boolean> => this.held.lift(target, by);

  /** What is held now: by whom, since when, why, and until when. By kind and name. */
  holds = (): Promise<Hold[]> => this.held.list();

  /**
   * Erases what is stored about a person: see {@link ErasureTarget}. Runs under way are erased when they end.
   *
   * @throws InvalidArgumentError before anything is erased
   * @example await workflows.erase({ attribute: { customer: 'c1' } }, { actor: 'ada', reason: 'request 4711' });
   */
  erase(target: ErasureTarget, options: EraseOptions): Promise<ErasureReport> {
    return this.erasure.erase(target, options);
  }
}
