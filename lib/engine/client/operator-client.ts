import { type ActedBy, acting, OPERATOR_OPTIONS, requiredOperator } from '../../acts/acts.js';
import { type HeldThing, type Hold, HOLD_KINDS, type HoldKind, isInNamespace } from '../../acts/holds.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { checkedOptions, type KnownOptions } from '../../core/options.js';
import { stepIdOf } from '../../core/protocol.js';
import {
  EditRefusedError,
  ScheduleNotFoundError,
  StepNotEditableError,
  StepNotFoundError,
  UnknownWorkflowError,
  WorkflowErasedError,
  WorkflowNotFoundError,
} from '../../core/run-errors.js';
import type { Telemetry } from '../../core/telemetry.js';
import type { Clock } from '../../core/time.js';
import type { Transaction } from '../../core/transaction.js';
import type { ClassOf } from '../context.js';
import { type EditableRun, givingUp, isSame, type ReplayOf, resumedHistory } from '../control.js';
import type { OutgoingErasure } from '../erasure.js';
import type { Payloads } from '../payloads.js';
import type { RecomputeInputs } from '../play/replay.js';
import { checkName, checkRunId, isFinal } from '../run.js';
import { paused, resumed, type ScheduleRecord } from '../schedules.js';
import type { WorkflowSignal } from '../signals.js';
import { transactionOf } from '../starts.js';
import type { StepRecord } from '../step.js';
import type { EngineStorage } from '../storage.js';
import type { ErasureReport } from '../upkeep.js';
import type { WorkflowLookup } from '../workflow.js';
import { type Bulk, type BulkFilter, type BulkOptions, ClientBulk } from './bulk.js';
import { ClientControl, ClientRemoval, notResumable } from './control.js';
import { ClientErasure, type EraseOptions, type ErasureTarget } from './erasure.js';
import { ClientHistory } from './history.js';
import { ClientSignals, STEP_FAILURE, type StepFailure } from './signals.js';

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
    this.control = new ClientControl(ports);
    this.removal = new ClientRemoval(ports);
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

/** What the code gets instead of the outcome of a step: an output, an error, or `undefined`. */
export type StepResolution = { output: unknown } | { error: Error | StepFailure } | { skip: true };

export interface EditOptions extends ActedBy {
  /** An open transaction of the app's ORM: the change takes effect if and when that commits. */
  transaction?: unknown;
}

const EDIT_OPTIONS = { ...OPERATOR_OPTIONS, transaction: true } satisfies KnownOptions<EditOptions>;

/** Changes single steps of runs for operators. */
class ClientEdits {
  private readonly steps: StepEdits;

  constructor(private readonly ports: OperatorClientPorts) {
    this.steps = new StepEdits(ports);
  }

  async resolve(id: string, seq: number, resolution: StepResolution, options: EditOptions): Promise<void> {
    const { payloads } = this.ports;
    const outcome = (given: Payloads): Outcome => outcomeOf(given, resolution, stepIdOf(id, seq));
    // What is wrong with it is said before the run is read.
    outcome(payloads.of({ runId: id }));
    const how = Object.keys(resolution)[0]!;
    await this.edit(id, seq, options, { action: 'resolve step', how }, (found) =>
      this.steps.resolved(found, seq, outcome(payloads.ofRun(found.run))),
    );
  }

  async runNow(id: string, seq: number, options: EditOptions): Promise<void> {
    await this.edit(id, seq, options, { action: 'run now' }, (run) => this.steps.hurried(run, seq));
  }

  /** The change is prepared before the run is locked, and again under the lock if the run has changed meanwhile. */
  private async edit(
    id: string,
    seq: number,
    options: EditOptions,
    { action, how }: { action: string; how?: string },
    prepare: (run: EditableRun) => Promise<Edit>,
  ): Promise<void> {
    const by = requiredOperator(checkedOptions(options, EDIT_OPTIONS, 'resolveStep and runNow'));
    checkRunId(id);
    if (!Number.isInteger(seq)) throw new InvalidArgumentError('seq', seq, 'the position of a step');
    const { edits, acts, transactions } = this.ports.storage;
    const open = transactionOf(transactions, options.transaction);
    const seen = open ? undefined : await this.find(id);
    const early = seen && (await prepare(seen));
    await acts.within(open, async (tx) => {
      let found = await this.find(id, tx);
      let { before, after } = early && isSame(seen, found) ? early : await prepare(found);
      for (;;) {
        const written = await edits.rewrite(found, after, givingUp(this.ports.storage), tx);
        if (written === true) break;
        if (written !== false) throw notResumable(id, written);
        found = await this.find(id, tx);
        ({ before, after } = await prepare(found));
      }
      const { kind, name } = after;
      const details = { seq, step: name, kind, ...(how && { how }), before: before ? shown(before) : null };
      const wasFailed = found.run.status === 'failed' && { retried: true };
      const what = { action, kind: 'run', target: id, namespace: found.run.namespace, outcome: after.status } as const;
      await acts.record([{ ...by, ...what, details: { ...details, ...wasFailed } }], tx);
    });
  }

  /** @throws WorkflowNotFoundError */
  private async find(id: string, tx?: Transaction): Promise<EditableRun> {
    const found = await this.ports.storage.edits.open(id, tx);
    if (found?.run.namespace !== this.ports.namespace) throw new WorkflowNotFoundError(id);
    return found;
  }
}

/** @throws InvalidArgumentError, SerializationError, PayloadTooLargeError */
function outcomeOf(payloads: Payloads, resolution: StepResolution, stepId: string): Outcome {
  const given = Object.keys(resolution ?? {});
  const [way] = given;
  const isOne = given.length === 1 && (way === 'output' || way === 'error' || way === 'skip');
  if (!isOne || ('skip' in resolution && resolution.skip !== true))
    throw new InvalidArgumentError('resolution', resolution, '{ output }, { error } or { skip: true }');
  if ('error' in resolution) return { status: 'failed', output: null, error: failureOf(payloads, resolution.error) };
  const value = 'skip' in resolution ? undefined : resolution.output;
  return { status: 'completed', output: payloads.encode(value, `The output of step "${stepId}"`), error: null };
}

function failureOf(payloads: Payloads, error: Error | StepFailure): string {
  if (typeof (error as Partial<StepFailure> | null)?.message !== 'string')
    throw new InvalidArgumentError('error', error, 'an Error or { message, code? }');
  if (!(error instanceof Error)) checkedOptions(error, STEP_FAILURE, 'resolveStep: error');
  return JSON.stringify(payloads.error(error));
}

const shown = ({ status, attempt, output, error, wakeAt }: StepRecord) => ({ status, attempt, output, error, wakeAt });

type Outcome = Pick<StepRecord, 'status' | 'output' | 'error'>;

/** A step as it is, and as it is to be written. */
interface Edit {
  before: StepRecord | undefined;
  after: StepRecord;
}

/** Says how a step is to be written, or why it cannot be changed; writes nothing. */
class StepEdits {
  constructor(private readonly ports: Pick<OperatorClientPorts, 'clock' | 'replay'>) {}

  /** The step with this outcome. A failed run is taken as `retry` would leave it. */
  async resolved(found: EditableRun, seq: number, outcome: Outcome): Promise<Edit> {
    const { id } = found.claim;
    const before = found.steps.find((step) => step.seq === seq);
    const why = runRefuses(found) ?? (before && stepRefuses(before));
    if (why) throw new StepNotEditableError(stepIdOf(id, seq), why);
    const run = found.run.status === 'failed' ? this.reopened(found) : found;
    const open = run.steps.find((step) => step.seq === seq);
    const asked = open && run.run.owner === null ? [] : (await this.replay(run)).asked;
    this.refuseBeside(run, asked, seq);
    // A local step has no record before its first attempt has ended: the code says what stands there.
    const step = open ?? asked.find((one) => one.seq === seq);
    if (!step || step.kind === 'marker') throw new StepNotFoundError(stepIdOf(id, seq));
    const after = this.withOutcome(step, outcome, run.steps);
    const { refusal } = await this.replay(run, [...run.steps.filter((other) => other.seq !== seq), after]);
    if (refusal !== undefined) throw new EditRefusedError(stepIdOf(id, seq), refusal);
    return { before, after };
  }

  /** The step with its next attempt due now. */
  async hurried(found: EditableRun, seq: number): Promise<Edit> {
    const { run, steps } = found;
    const before = steps.find((step) => step.seq === seq);
    if (!before) throw new StepNotFoundError(stepIdOf(run.id, seq));
    const now = this.ports.clock.now();
    const why = isFinal(run.status) ? `its run has ended as ${run.status}` : notWaiting(before, now);
    if (why) throw new StepNotEditableError(stepIdOf(run.id, seq), why);
    // Compensations run one after the other.
    if (run.owner !== null && run.closing === null) this.refuseBeside(found, (await this.replay(found)).asked, seq);
    return { before, after: { ...before, wakeAt: now } };
  }

  private withOutcome(step: StepRecord, outcome: Outcome, steps: readonly StepRecord[]): StepRecord {
    const last = Math.max(0, ...steps.map(({ settled }) => settled ?? 0));
    const attempt = outcome.status === 'failed' && step.settled === null ? step.attempt + 1 : step.attempt;
    const settled = step.settled ?? last + 1;
    return { ...step, ...outcome, attempt, settled, wakeAt: null, finishedAt: this.ports.clock.now() };
  }

  /** A failed run as it goes on. @throws WorkflowErasedError, WorkflowNotResumableError */
  private reopened(found: EditableRun): EditableRun {
    const { run, claim } = found;
    if (run.erasedAt !== null) throw new WorkflowErasedError(run.id);
    const resumed = resumedHistory({ ...run, resume: claim.resume, steps: found.steps }, this.ports.clock.now());
    if ('refusal' in resumed) throw notResumable(run.id, resumed.refusal);
    return { run, claim: { ...claim, error: null, resume: resumed.resume }, steps: resumed.steps };
  }

  /** The edit takes the run from its owner, and the next one would begin these steps again. */
  private refuseBeside({ run, steps }: EditableRun, asked: readonly StepRecord[], seq: number): void {
    if (run.owner === null) return;
    const now = this.ports.clock.now();
    const other = [...steps, ...asked].find((step) => step.seq !== seq && isUnderWay(step, now));
    if (!other) return;
    const why = `its run is executing step ${other.seq} "${other.name}": change it once that has ended`;
    throw new StepNotEditableError(stepIdOf(run.id, seq), why);
  }

  /** @throws UnknownWorkflowError */
  private replay({ claim, steps }: EditableRun, history = steps): ReturnType<ReplayOf> {
    if (!this.ports.replay) throw new UnknownWorkflowError(claim.workflow);
    return this.ports.replay(claim, history);
  }
}

function runRefuses({ run: { status, closing } }: EditableRun): string | undefined {
  if (isFinal(status) && status !== 'failed') return `its run has ended as ${status}`;
  if (closing !== null) return 'its run is being ended';
  if (status === 'pending') return 'its run has not begun';
  return undefined;
}

function stepRefuses({ seq, kind, status }: StepRecord): string | undefined {
  if (seq < 0) return 'it undoes another step';
  if (kind === 'marker') return 'it is no step, but a value that the code has received';
  if (status === 'completed') return 'it has completed, and the code has received its output';
  return undefined;
}

const LOCAL = ['step', 'transaction'];
const TRIED = [...LOCAL, 'remote'];

const waitsUntilLater = ({ status, wakeAt }: StepRecord, now: number): boolean =>
  status === 'pending' && wakeAt !== null && wakeAt > now;

/** A local step keeps its time until its attempt has ended: once that has passed, the attempt may be under way. */
const notWaiting = (step: StepRecord, now: number): string | undefined =>
  TRIED.includes(step.kind) && waitsUntilLater(step, now) ? undefined : 'it does not wait for its next attempt';

const isUnderWay = (step: StepRecord, now: number): boolean =>
  LOCAL.includes(step.kind) && step.status === 'pending' && !waitsUntilLater(step, now);

/** What to hold: exactly one of these. */
export interface HoldTarget {
  /** A workflow in all its versions. */
  workflow?: string | ClassOf<unknown>;
  /** The queue token of remote steps, in all namespaces. */
  group?: string;
  /** The name of an effect, in all namespaces. */
  effect?: string;
  /** The id of a schedule: the same as `WorkflowSchedules.pause`, and it says why. */
  schedule?: string;
}

const HOLD_TARGET = { workflow: true, group: true, effect: true, schedule: true } satisfies KnownOptions<HoldTarget>;

export interface HoldOptions extends ActedBy {
  /** When it ends by itself. Default: when somebody lifts it. */
  until?: Date;
}

const HOLD_OPTIONS = { ...OPERATOR_OPTIONS, until: true } satisfies KnownOptions<HoldOptions>;

/** Holds and lifts: each is one transaction with its act. */
class ClientHolds {
  constructor(private readonly ports: OperatorClientPorts) {}

  async hold(target: HoldTarget, options: HoldOptions): Promise<void> {
    const thing = this.thingOf(target);
    const operator = requiredOperator(checkedOptions(options, HOLD_OPTIONS, 'hold'));
    const { until } = options;
    this.checkUntil(until);
    const { storage, namespace } = this.ports;
    const deed = {
      ...this.deedOn('hold', thing),
      outcome: (before: Hold | undefined) => ({
        outcome: before ? 'changed' : 'held',
        details: { until: until?.toISOString() ?? null, ...(before && { before }) },
      }),
    };
    await acting(storage.acts, operator, undefined, deed, async (tx) => {
      if (thing.kind === 'schedule') await this.rewrite(thing.name, tx!, (schedule) => paused(schedule, until));
      return storage.holds.put(namespace, { ...thing, ...operator, until }, tx!);
    });
    const ends = until && { until: until.toISOString() };
    this.ports.telemetry?.emit('hold.begun', { ...thing, ...operator, ...ends });
  }

  /** Returns whether it was held. */
  async lift(target: HoldTarget, by: ActedBy): Promise<boolean> {
    const thing = this.thingOf(target);
    const operator = requiredOperator(by);
    const { storage, namespace } = this.ports;
    const deed = {
      ...this.deedOn('lift', thing),
      outcome: ({ was, before }: Lifted) => ({
        outcome: was ? 'lifted' : 'missing',
        ...(before && { details: { before } }),
      }),
    };
    const { was } = await acting(storage.acts, operator, undefined, deed, async (tx): Promise<Lifted> => {
      const wasPaused = thing.kind === 'schedule' && (await this.resume(thing.name, tx!));
      const before = await storage.holds.lift(namespace, thing, tx!);
      return { was: wasPaused || before !== undefined, before };
    });
    if (was) this.ports.telemetry?.emit('hold.lifted', { ...thing, ...operator });
    return was;
  }

  list(): Promise<Hold[]> {
    return this.ports.storage.holds.list(this.ports.namespace);
  }

  private deedOn(action: string, { kind, name }: HeldThing) {
    const namespace = isInNamespace(kind) ? this.ports.namespace : null;
    return { action, kind: 'hold', target: `${kind}:${name}`, namespace } as const;
  }

  private async resume(id: string, tx: Transaction): Promise<boolean> {
    let was = false;
    await this.rewrite(id, tx, (schedule, now) => {
      was = schedule.paused;
      return resumed(schedule, now);
    });
    return was;
  }

  private async rewrite(
    id: string,
    tx: Transaction,
    change: (schedule: ScheduleRecord, now: number) => ScheduleRecord,
  ): Promise<void> {
    const { storage, namespace } = this.ports;
    const found = await storage.schedules.change(
      { namespace, ids: [id] },
      async (locked, now) => locked.map(({ lastStatus: _, ...schedule }) => change(schedule, now)),
      tx,
    );
    if (found === 0) throw new ScheduleNotFoundError(id);
  }

  private thingOf(target: HoldTarget): HeldThing {
    const named: HoldTarget = checkedOptions(target, HOLD_TARGET, 'hold and lift') ?? {};
    const given = HOLD_KINDS.filter((kind) => named[kind] !== undefined);
    const [kind] = given;
    if (kind === undefined || given.length > 1)
      throw new InvalidArgumentError('target', target, `exactly one of ${HOLD_KINDS.join(', ')}`);
    return { kind, name: this.nameOf(kind, named[kind]) };
  }

  private nameOf(kind: HoldKind, given: HoldTarget[HoldKind]): string {
    if (kind === 'workflow' && typeof given === 'function') return this.ports.resolve(given).name;
    return checkName(given, kind);
  }

  private checkUntil(until: Date | undefined): void {
    if (until === undefined) return;
    const ms = until instanceof Date ? until.getTime() : Number.NaN;
    if (!(ms > this.ports.clock.now())) throw new InvalidArgumentError('until', until, 'a Date in the future');
  }
}

interface Lifted {
  was: boolean;
  before: Hold | undefined;
}
