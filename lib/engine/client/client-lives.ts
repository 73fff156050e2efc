import { randomUUID } from 'node:crypto';
import { acting, type Deed } from '../../acts/act-log.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { WorkflowForkRefusedError, WorkflowNotEndedError, WorkflowErasedError } from '../../errors/repair-errors.js';
import { WorkflowIdConflictError, WorkflowNotFoundError } from '../../errors/run-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import { givingUp } from '../endings/giving-up.js';
import { type RecomputeInputs, recordedHistory } from '../insight/recorded-history.js';
import { forkRefusal, sharedSteps } from '../starts/forking.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { acceptedInput } from '../model/accepted-input.js';
import { checkRunId } from '../model/names.js';
import type { Payloads } from '../model/payloads.js';
import { carriedAgain } from '../model/traced-start.js';
import { transactionOf } from '../model/run-catalog.js';
import type { RunRecord } from '../model/run.js';
import type { ForkRun } from '../model/run-lives.js';
import type { WorkflowLookup } from '../model/workflow-registry.js';
import { CONTROL_OPTIONS, type ControlOptions, foundRun } from './client-control.js';
import { ownRun } from './own-run.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

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

export interface LivesPorts {
  storage: EngineStorage;
  payloads: Payloads;
  resolve: WorkflowLookup;
  namespace: string;
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
    const newest = (run: RunRecord) => this.newestOf(run.workflow, run.version);
    const input = await this.inputOf({ of: id, id, versionOf: newest }, options, open);
    const deed: Deed<void> = { ...this.deedOn(id, 'restart'), outcome: () => ({ outcome: 'restarted' }) };
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
    const { workflow, version } = await ownRun(this.ports.storage.catalog, this.ports.namespace, source, open);
    const input = await this.inputOf({ of: source, id, versionOf: ({ version }) => version }, options, open);
    const request: ForkRun = { source, from, id, ...(input !== undefined && { input }) };
    await this.checkFits(request);
    const deed: Deed<'forked' | 'repeated'> = {
      ...this.deedOn(source, 'fork'),
      outcome: (outcome) => ({ outcome, details: { id, from } }),
    };
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
    if (replayed?.position === undefined) return;
    throw new WorkflowForkRefusedError(source, from, { why: 'mismatch', detail: replayed.detail ?? 'unknown' });
  }

  /** The input that the caller gives to run `id`, as its version accepts it, encoded with what the run `of` says. */
  private async inputOf(
    { of, id, versionOf }: { of: string; id: string; versionOf: (run: RunRecord) => number },
    options: { input?: unknown },
    tx: Transaction | undefined,
  ): Promise<string | undefined> {
    if (!('input' in options)) return undefined;
    const run = await ownRun(this.ports.storage.catalog, this.ports.namespace, of, tx);
    const known = this.ports.resolve(run.workflow, versionOf(run));
    const input = acceptedInput(known, options.input);
    return this.ports.payloads.ofRun({ ...run, id }).encode(input ?? null, `The input of run "${id}"`);
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

  private deedOn(target: string, action: string): Omit<Deed<never>, 'outcome'> {
    const before = async (tx: Transaction) => foundRun(await this.ports.storage.edits.lock([target], tx));
    return { action, kind: 'run', target, namespace: this.ports.namespace, before };
  }
}

const originOf = (source: string, from: number): string => `origin (it is no fork of "${source}" from ${from})`;
