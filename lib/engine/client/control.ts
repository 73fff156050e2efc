import { randomUUID } from 'node:crypto';
import { acting, actingInParts, type ByOperator, type Deed, type Found, OPERATOR_OPTIONS } from '../../acts/acts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { checkedLimit, checkedOptions, type KnownOptions } from '../../core/options.js';
import {
  WorkflowErasedError,
  WorkflowForkRefusedError,
  WorkflowIdConflictError,
  WorkflowNotEndedError,
  WorkflowNotFoundError,
  WorkflowNotResumableError,
  WorkflowNotRetryableError,
} from '../../core/run-errors.js';
import type { Telemetry } from '../../core/telemetry.js';
import { type Duration, toMs } from '../../core/time.js';
import type { Transaction } from '../../core/transaction.js';
import { type CloseOutcome, givingUp, type ResumptionRefusal } from '../control.js';
import type { Payloads } from '../payloads.js';
import { type RecomputeInputs, recordedHistory } from '../play/replay.js';
import { checkRunId, FINAL_STATUSES, isFinal, type RunRecord, type RunStatus } from '../run.js';
import type { PurgeSignals, SignalCursor } from '../signals.js';
import { carriedAgain, forkRefusal, type ForkRun, sharedSteps, transactionOf } from '../starts.js';
import type { EngineStorage } from '../storage.js';
import { acceptedInput, type WorkflowLookup } from '../workflow.js';
import { ownRun } from './results.js';

export interface ControlOptions extends ByOperator {
  /** An open transaction of the app's ORM: the change takes effect if and when that commits. */
  transaction?: unknown;
}

export const CONTROL_OPTIONS = { ...OPERATOR_OPTIONS, transaction: true } satisfies KnownOptions<ControlOptions>;

interface ControlPorts {
  storage: EngineStorage;
  namespace: string;
}

/** Makes a change in the caller's transaction, if there is one; with an actor, in one transaction with its act. */
const changing = <T>(
  { acts, transactions }: EngineStorage,
  options: ControlOptions,
  deed: Deed<T>,
  change: (tx: Transaction | undefined) => Promise<T>,
): Promise<T> => acting(acts, options, transactionOf(transactions, options.transaction), deed, change);

/** A change of a run, as the record describes it: with what the run was before, whose row is locked. */
function deedOn<T>(
  { storage, namespace }: ControlPorts,
  target: string,
  action: string,
  outcome: Deed<T>['outcome'],
): Deed<T> {
  const before = async (tx: Transaction) => foundRun(await storage.edits.lock([target], tx));
  return { action, kind: 'run', target, namespace, before, outcome };
}

export class ClientControl {
  constructor(private readonly ports: ControlPorts) {}

  /** Returns false if the run had ended already. @throws WorkflowNotFoundError */
  async close(id: string, how: 'cancelled' | 'terminated', options: ControlOptions): Promise<boolean> {
    const { storage, namespace } = this.ports;
    checkRunId(id);
    const action = how === 'cancelled' ? 'cancel' : 'terminate';
    const deed = deedOn<CloseOutcome>(this.ports, id, action, (outcome) => ({ outcome }));
    const outcome = await changing(storage, options, deed, async (tx) => {
      await ownRun(storage.catalog, namespace, id, tx);
      const closed = await storage.control.close(id, how, givingUp(storage), tx);
      if (closed === 'missing') throw new WorkflowNotFoundError(id);
      return closed;
    });
    return outcome !== 'over';
  }

  /** @throws WorkflowNotFoundError, WorkflowNotRetryableError, WorkflowNotResumableError */
  async retry(id: string, options: ControlOptions): Promise<void> {
    const { storage, namespace } = this.ports;
    const { control, catalog } = storage;
    checkRunId(id);
    const deed = deedOn<void>(this.ports, id, 'retry', () => ({ outcome: 'retried' }));
    await changing(storage, options, deed, async (tx) => {
      await ownRun(catalog, namespace, id, tx);
      const outcome = await control.retry(id, givingUp(storage), tx);
      if (outcome === 'missing') throw new WorkflowNotFoundError(id);
      if (outcome === 'erased') throw new WorkflowErasedError(id);
      if (outcome === 'retried') return;
      if (typeof outcome === 'object') throw notResumable(id, outcome);
      const [run] = await catalog.find([id], tx);
      throw new WorkflowNotRetryableError(id, run?.status ?? 'gone');
    });
  }
}

/** Why a failed run does not go on. */
export const notResumable = (
  id: string,
  { why, runId, step, seq }: ResumptionRefusal,
): WorkflowErasedError | WorkflowNotResumableError =>
  why === 'erased' ? new WorkflowErasedError(runId) : new WorkflowNotResumableError(id, why, runId, step, seq);

/** What a run was before it was changed. */
function foundRun([run]: readonly RunRecord[]): Found {
  if (!run) return {};
  const { namespace, workflow, status, reason, reasonDetail } = run;
  return {
    namespace,
    details: { workflow, before: { status, ...(reason && { reason }), ...(reasonDetail && { reasonDetail }) } },
  };
}

export interface PurgeOptions extends ByOperator {
  /** Only runs that ended at least this long ago. */
  olderThan: Duration;
  /** Only runs with these final statuses. Default: all of them. */
  status?: RunStatus | readonly RunStatus[];
  /** How many runs one transaction deletes at most, from 1 to 10,000. Default 500. */
  batchSize?: number;
}

export interface PurgeSignalsOptions extends ByOperator {
  /** Only signals that were sent at least this long ago. */
  olderThan: Duration;
  /** How many signals one transaction deletes at most, from 1 to 10,000. Default 500. */
  batchSize?: number;
}

const PURGE_SIGNALS_OPTIONS = {
  ...OPERATOR_OPTIONS,
  olderThan: true,
  batchSize: true,
} satisfies KnownOptions<PurgeSignalsOptions>;
const PURGE_OPTIONS = { ...PURGE_SIGNALS_OPTIONS, status: true } satisfies KnownOptions<PurgeOptions>;

/** The record of a deletion names at most this many descendants. */
const MOST_NAMED = 100;

/** Deletes runs that have ended. */
export class ClientRemoval {
  constructor(private readonly ports: ControlPorts) {}

  /** @throws WorkflowNotEndedError */
  async delete(id: string, options: ControlOptions): Promise<boolean> {
    const { storage, namespace } = this.ports;
    const { removal, catalog } = storage;
    checkRunId(id);
    const deed: Deed<string[]> = {
      ...({ action: 'delete', kind: 'run', target: id, namespace } as const),
      // Not locked: the deletion locks ancestors first, and a run that has ended hardly changes.
      before: async (tx) => {
        const found = await catalog.find([id], tx);
        return foundRun(found.filter((run) => run.namespace === namespace));
      },
      outcome: (ids) => ({
        outcome: ids.length > 0 ? 'deleted' : 'missing',
        details: { runs: ids.length, ids: ids.slice(0, MOST_NAMED) },
      }),
    };
    const deleted = await changing(storage, options, deed, async (tx) => {
      const [there] = await catalog.find([id], tx);
      if (there?.namespace !== namespace) return [];
      const ids = await removal.delete([id], givingUp(storage), tx);
      const [run] = ids.length > 0 ? [] : await catalog.find([id], tx);
      if (run && !isFinal(run.status)) throw new WorkflowNotEndedError(id, run.status);
      return ids;
    });
    return deleted.length > 0;
  }

  /** @throws InvalidArgumentError */
  async purge(options: PurgeOptions): Promise<number> {
    const { olderThan, status = FINAL_STATUSES, ...rest } = checkedOptions(options, PURGE_OPTIONS, 'purge');
    const { batchSize = 500, ...by } = rest;
    const statuses = typeof status === 'string' ? [status] : status;
    const open = statuses.find((one) => !FINAL_STATUSES.includes(one));
    if (open !== undefined || statuses.length === 0)
      throw new InvalidArgumentError('status', open ?? statuses, `of ${FINAL_STATUSES.join(', ')}`);
    checkedLimit(batchSize, 10_000, 'batchSize');
    const { storage, namespace } = this.ports;
    const request = { namespace, status: statuses, olderThanMs: toMs(olderThan, 'olderThan'), limit: batchSize };
    const details = { olderThanMs: request.olderThanMs, status: statuses };
    return actingInParts(storage.acts, by, { action: 'purge runs', namespace, details }, async () => {
      for (let purged = 0; ;) {
        const batch = await storage.removal.purge(request, givingUp(storage));
        if (batch === 0) return purged;
        purged += batch;
      }
    });
  }

  /** @throws InvalidArgumentError */
  async purgeSignals(options: PurgeSignalsOptions): Promise<number> {
    const checked = checkedOptions(options, PURGE_SIGNALS_OPTIONS, 'purgeSignals');
    const { olderThan, batchSize = 500, ...by } = checked;
    checkedLimit(batchSize, 10_000, 'batchSize');
    const { storage, namespace } = this.ports;
    const request = { namespace, olderThanMs: toMs(olderThan, 'olderThan'), limit: batchSize };
    const details = { olderThanMs: request.olderThanMs };
    const deed = { action: 'purge signals', namespace, details };
    return actingInParts(storage.acts, by, deed, () => this.purgeAllSignals(request));
  }

  private async purgeAllSignals(request: PurgeSignals): Promise<number> {
    const { signalRemoval } = this.ports.storage;
    let purged = 0;
    for (let batch = 1; batch > 0; purged += batch) batch = await signalRemoval.purgeOfKeys(request);
    let cursor: SignalCursor | undefined;
    do {
      const page = await signalRemoval.purgeOfRuns(request, cursor);
      purged += page.purged;
      cursor = page.next;
    } while (cursor);
    return purged;
  }
}

export interface RestartOptions extends ControlOptions {
  /** Default: the input that the run has. */
  input?: unknown;
}

const RESTART_OPTIONS = { ...CONTROL_OPTIONS, input: true } satisfies KnownOptions<RestartOptions>;

export interface ForkOptions extends ControlOptions {
  /** The first position that is not shared: the fork has the outcomes of all steps before it. */
  from: number;
  /** Default: the input of the run. */
  input?: unknown;
  /** The id of the fork. Default: a random one. */
  id?: string;
}

const FORK_OPTIONS = { ...CONTROL_OPTIONS, from: true, input: true, id: true } satisfies KnownOptions<ForkOptions>;

export interface LivesPorts extends ControlPorts {
  payloads: Payloads;
  resolve: WorkflowLookup;
  /** Undefined if this process cannot replay runs. */
  recompute?: RecomputeInputs | undefined;
  telemetry?: Telemetry | undefined;
}

/** Begins lives of runs that exist: anew, or from a position on. */
export class ClientLives {
  constructor(private readonly ports: LivesPorts) {}

  /** @throws WorkflowNotFoundError, WorkflowNotEndedError, SerializationError, PayloadTooLargeError */
  async restart(id: string, options: RestartOptions): Promise<void> {
    const { storage } = this.ports;
    const { catalog, transactions, acts, lives } = storage;
    checkRunId(id);
    checkedOptions(options, RESTART_OPTIONS, 'restart');
    const open = transactionOf(transactions, options.transaction);
    const given = 'input' in options ? await ownRun(catalog, this.ports.namespace, id, open) : undefined;
    const input = given && this.textOf(options.input, given, this.newestOf(given.workflow, given.version));
    const deed = deedOn<void>(this.ports, id, 'restart', () => ({ outcome: 'restarted' }));
    await acting(acts, options, open, deed, async (tx) => {
      const run = await ownRun(catalog, this.ports.namespace, id, tx);
      const version = this.newestOf(run.workflow, run.version);
      const carried = await this.carried({ id, workflow: run.workflow, version }, id, tx);
      const request = { id, version, ...(input !== undefined && { input }), ...carried };
      const outcome = await lives.restart(request, givingUp(storage), tx);
      if (outcome === 'missing') throw new WorkflowNotFoundError(id);
      if (outcome === 'erased') throw new WorkflowErasedError(id);
      if (outcome !== 'restarted') throw new WorkflowNotEndedError(id, outcome, 'restart');
    });
  }

  /**
   * Returns the id of the fork, and whether this call has created it. The same call may be repeated, with the same id.
   *
   * @throws WorkflowNotFoundError, WorkflowForkRefusedError, WorkflowIdConflictError, InvalidArgumentError,
   *   ValidationError, SerializationError, PayloadTooLargeError
   */
  async fork(source: string, options: ForkOptions): Promise<{ id: string; created: boolean }> {
    const { transactions, acts, lives } = this.ports.storage;
    const { from, id = randomUUID() } = checkedOptions(options, FORK_OPTIONS, 'fork');
    checkRunId(source);
    checkRunId(id);
    if (!Number.isInteger(from) || from < 0 || from >= 2 ** 31)
      throw new InvalidArgumentError('from', from, 'the position of a step, a whole number from 0');
    const open = transactionOf(transactions, options.transaction);
    const run = await ownRun(this.ports.storage.catalog, this.ports.namespace, source, open);
    const { workflow, version } = run;
    const input = 'input' in options ? this.textOf(options.input, { ...run, id }, version) : undefined;
    const request: ForkRun = { source, from, id, ...(input !== undefined && { input }) };
    await this.checkFits(request);
    const outcomeOf = (outcome: 'forked' | 'repeated') => ({ outcome, details: { id, from } });
    const deed = deedOn(this.ports, source, 'fork', outcomeOf);
    const outcome = await acting(acts, options, open, deed, async (tx) => {
      const carried = await this.carried({ id, workflow, version }, source, tx);
      const forked = await lives.fork({ ...request, ...carried }, tx);
      if (forked === 'missing') throw new WorkflowNotFoundError(source);
      if (forked === 'erased') throw new WorkflowErasedError(source);
      if (forked === 'taken') throw new WorkflowIdConflictError(id, originOf(source, from), null);
      if (typeof forked === 'object') throw new WorkflowForkRefusedError(source, from, forked);
      return forked;
    });
    return { id, created: outcome === 'forked' };
  }

  /** A process without the code of the run leaves it to the engine, which would block the fork. */
  private async checkFits({ source, from, id, input }: ForkRun): Promise<void> {
    const { storage, recompute } = this.ports;
    if (!recompute) return;
    const { run, steps } = await recordedHistory(storage, source);
    if (forkRefusal(steps, { from, firstSeq: run.firstSeq })) return;
    const begun = { ...run, id, input: input ?? run.input, closing: null, error: null, unwinds: false };
    const replayed = await recompute({ run: begun, steps: sharedSteps(steps, from, id) });
    if (replayed?.check.verdict !== 'blocks') return;
    throw new WorkflowForkRefusedError(source, from, { why: 'mismatch', detail: replayed.check.detail });
  }

  /** The input that the caller gives to `run`, as this version of its workflow accepts it. */
  private textOf(given: unknown, run: RunRecord, version: number): string {
    const input = acceptedInput(this.ports.resolve(run.workflow, version), given);
    return this.ports.payloads.ofRun(run).encode(input ?? null, `The input of run "${run.id}"`);
  }

  /** What the life carries from its own span `start` on, made of what run `of` carries; only while somebody traces. */
  private async carried(
    life: Pick<RunRecord, 'id' | 'workflow' | 'version'>,
    of: string,
    tx: Transaction | undefined,
  ): Promise<{ context?: string }> {
    const tracing = this.ports.telemetry?.tracing;
    if (!tracing) return {};
    const before = await this.ports.storage.catalog.contexts([of], tx);
    return carriedAgain(tracing, life, before.get(of));
  }

  /** As a start does: the newest version of this process. One that does not know the workflow keeps the run's version. */
  private newestOf(workflow: string, version: number): number {
    return Math.max(this.ports.resolve(workflow).version, version);
  }
}

const originOf = (source: string, from: number): string => `origin (it is no fork of "${source}" from ${from})`;
