import { acting, type ByOperator, OPERATOR_OPTIONS, operatorOf } from '../../acts/acts.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { Batcher } from '../../core/loops.js';
import { checkedOptions, type KnownOptions } from '../../core/options.js';
import type { StepAnswer } from '../../core/protocol.js';
import {
  StepAlreadySettledError,
  StepNotFoundError,
  StepNotPendingError,
  WorkflowNotFoundError,
} from '../../core/run-errors.js';
import type { Telemetry } from '../../core/telemetry.js';
import type { Transaction } from '../../core/transaction.js';
import { type Payloads, validated } from '../payloads.js';
import { checkName, checkRunId, isFinal, type RunRecord } from '../run.js';
import { type NewSignal, type Sent, signalChannel, WorkflowSignal } from '../signals.js';
import { transactionOf } from '../starts.js';
import type { StepRecord } from '../step.js';
import type { EngineStorage } from '../storage.js';

/** Pass either `key` or `workflowId`: the target of the signal. */
export interface SignalOptions extends ByOperator {
  /** All runs that wait with this key, now or later, if they began before sending; else one run that begins later. */
  key?: string;
  /** The id of the run that receives it. */
  workflowId?: string;
  /** For deduplication: signals with the same id to the same run or key count as one. At most 191 characters. */
  id?: string;
  /** An open transaction of the app's ORM: the signal is sent if and when that commits. */
  transaction?: unknown;
}

export const SIGNAL_OPTIONS = {
  ...OPERATOR_OPTIONS,
  key: true,
  workflowId: true,
  id: true,
  transaction: true,
} satisfies KnownOptions<SignalOptions>;

export interface SignalReceipt {
  /** False when a signal with this `id` had been sent before. */
  created: boolean;
}

interface SignalPorts {
  storage: Pick<EngineStorage, 'mailbox' | 'transactions' | 'acts' | 'catalog'>;
  payloads: Payloads;
  namespace: string;
  /** Undefined if nobody listens. */
  telemetry?: Telemetry | undefined;
}

/** Sends the app's signals to runs. */
export class ClientSignals {
  private readonly batcher: Batcher<NewSignal, Sent>;
  private readonly receivers: Batcher<string, RunRecord | undefined>;

  constructor(private readonly ports: SignalPorts) {
    this.batcher = new Batcher((signals) => ports.storage.mailbox.send(signals), {
      sizeOf: ({ payload }) => payload.length,
      isolates: () => true,
    });
    this.receivers = new Batcher((ids) => this.find(ids));
  }

  async send(
    signal: WorkflowSignal<unknown, unknown> | string,
    payload: unknown,
    options: SignalOptions,
  ): Promise<SignalReceipt> {
    const { mailbox, transactions, acts } = this.ports.storage;
    const open = transactionOf(transactions, options.transaction);
    const given = await this.newSignal(signal, payload, options, open);
    const { addressed, target, name, namespace } = given;
    const outcome = ({ created }: SignalReceipt) => ({
      outcome: created ? 'sent' : 'repeated',
      details: { signal: name },
    });
    const deed = {
      action: 'signal',
      kind: addressed === 'run' ? 'run' : 'signal',
      target,
      namespace,
      outcome,
    } as const;
    return acting(acts, options, open, deed, async (tx) => {
      const [sent] = tx ? await mailbox.send([given], tx) : [await this.batcher.add(given)];
      if (sent === 'no_run') throw new WorkflowNotFoundError(target);
      const runId = addressed === 'run' ? target : undefined;
      this.ports.telemetry?.tracing?.told({ kind: 'signal', name, runId });
      return { created: sent === 'sent' };
    });
  }

  private async newSignal(
    signal: unknown,
    payload: unknown,
    options: SignalOptions,
    tx: Transaction | undefined,
  ): Promise<NewSignal> {
    const { namespace } = this.ports;
    const name = signalName(signal);
    const to = targetOf(options);
    const accepted = acceptedPayload(signal, payload);
    const dedupId = options.id === undefined ? null : checkName(options.id, 'The id of a signal');
    const payloads = await this.payloadsOf(to, tx);
    return {
      namespace,
      name,
      ...to,
      channel: signalChannel({ namespace, name, ...to }),
      dedupId,
      payload: payloads.encode(accepted, `The payload of signal "${name}"`),
    };
  }

  /** Only a codec that encrypts needs to know the run, whose input names the key. */
  private async payloadsOf({ addressed, target }: Target, tx: Transaction | undefined): Promise<Payloads> {
    const { payloads } = this.ports;
    if (addressed === 'key') return payloads.of({});
    const run = payloads.texts.seals ? await (tx ? this.found(target, tx) : this.receivers.add(target)) : undefined;
    return run ? payloads.ofRun(run) : payloads.of({ runId: target });
  }

  /** The snapshot of the caller's transaction may be older than the run. */
  private async found(id: string, tx: Transaction): Promise<RunRecord | undefined> {
    const [run] = await this.ports.storage.catalog.find([id], tx);
    return run ?? this.receivers.add(id);
  }

  private async find(ids: readonly string[]): Promise<(RunRecord | undefined)[]> {
    const runs = await this.ports.storage.catalog.find([...new Set(ids)]);
    const byId = new Map(runs.map((run) => [run.id, run]));
    return ids.map((id) => byId.get(id));
  }
}

/** @throws InvalidArgumentError */
export const signalName = (signal: unknown): string =>
  checkName(signal instanceof WorkflowSignal ? signal.name : signal, 'The signal, or its name,');

/** What the schema of the signal makes of a payload. @throws ValidationError, AsyncSchemaError */
export const acceptedPayload = (signal: unknown, payload: unknown): unknown =>
  signal instanceof WorkflowSignal && signal.schema
    ? validated(signal.schema, payload, `The payload of signal "${signal.name}"`)
    : payload;

type Target = Pick<NewSignal, 'addressed' | 'target'>;

/** @throws InvalidArgumentError */
export function targetOf({ key, workflowId }: Pick<SignalOptions, 'key' | 'workflowId'>): Target {
  if ((key === undefined) === (workflowId === undefined))
    throw new InvalidArgumentError('key', key, 'either the key or the workflowId of the receiver');
  return key === undefined
    ? { addressed: 'run', target: checkRunId(workflowId) }
    : { addressed: 'key', target: checkName(key, 'The key of a signal') };
}

export interface CompletionOptions extends ByOperator {
  /** An open transaction of the app's ORM: the step is answered if and when that commits. */
  transaction?: unknown;
}

const COMPLETION_OPTIONS = { ...OPERATOR_OPTIONS, transaction: true } satisfies KnownOptions<CompletionOptions>;

/** The failure of a step, in place of an `Error`. */
export interface StepFailure {
  message: string;
  code?: string;
  /** False: the step is not retried, regardless of its retry policy. Default true. */
  retryable?: boolean;
}

export const STEP_FAILURE = { message: true, code: true, retryable: true } satisfies KnownOptions<StepFailure>;

interface CompletionPorts {
  storage: Pick<EngineStorage, 'catalog' | 'answers' | 'transactions' | 'acts'>;
  payloads: Payloads;
  namespace: string;
}

type Outcome = Pick<StepAnswer, 'status' | 'output' | 'error'>;

/** Lets the app answer remote steps itself, in place of a worker. */
export class ClientCompletions {
  constructor(private readonly ports: CompletionPorts) {}

  async complete(stepId: string, output: unknown, options: CompletionOptions): Promise<void> {
    const outcomeOf = (payloads: Payloads): Outcome => {
      const text = payloads.encodeForWorker(output, `The output of step "${String(stepId)}"`);
      return { status: 'completed', output: text, error: null };
    };
    return this.answer(stepId, outcomeOf, options);
  }

  async fail(stepId: string, failure: Error | StepFailure, options: CompletionOptions): Promise<void> {
    const { message, retryable } = (failure ?? {}) as Partial<StepFailure>;
    if (typeof message !== 'string')
      throw new InvalidArgumentError('error', failure, 'an Error or { message, code?, retryable? }');
    if (!(failure instanceof Error)) checkedOptions(failure, STEP_FAILURE, 'failStep: error');
    const outcomeOf = (payloads: Payloads): Outcome => {
      const error = { ...payloads.error(failure), ...(retryable === false && { retryable }) };
      return { status: 'failed', output: null, error: JSON.stringify(error) };
    };
    return this.answer(stepId, outcomeOf, options);
  }

  private async answer(
    stepId: string,
    encoded: (payloads: Payloads) => Outcome,
    options: CompletionOptions,
  ): Promise<void> {
    const { payloads, storage } = this.ports;
    const { transactions, acts } = storage;
    const position = positionOf(stepId);
    checkedOptions(options, COMPLETION_OPTIONS, 'completeStep and failStep');
    const open = transactionOf(transactions, options.transaction);
    const { runId: target, seq } = position;
    operatorOf(options);
    // The snapshot of the caller's transaction may be older than the step.
    const found = (await this.find(target, seq, open)) ?? (open && (await this.find(target, seq)));
    const outcome = encoded(found ? payloads.ofRun(found.run) : payloads.of({ runId: target }));
    const { namespace } = checked(stepId, found);
    const answer: StepAnswer = { stepId, ...position, ...outcome, startedAt: null, createdAt: 0 };
    const action = outcome.status === 'completed' ? 'complete step' : 'fail step';
    const outcomeOf = () => ({ outcome: outcome.status, details: { seq } });
    const deed = { action, kind: 'run', target, namespace, outcome: outcomeOf } as const;
    await acting(acts, options, open, deed, (joined) =>
      joined ? this.write(answer, joined) : transactions.begin((_, tx) => this.write(answer, tx)),
    );
  }

  /** @throws StepAlreadySettledError, also if an earlier answer was taken after the step was read. */
  private async write(answer: StepAnswer, tx: Transaction): Promise<void> {
    const { answers, catalog } = this.ports.storage;
    const { stepId, runId, seq } = answer;
    const written = await answers.answer([answer], tx);
    const step = written.length > 0 ? await catalog.step(runId, seq, tx) : undefined;
    if (!step || step.settled !== null) throw new StepAlreadySettledError(stepId);
  }

  private async find(runId: string, seq: number, tx?: Transaction): Promise<Found | undefined> {
    const { catalog } = this.ports.storage;
    const [run] = await catalog.find([runId], tx);
    const step = run?.namespace === this.ports.namespace ? await catalog.step(runId, seq, tx) : undefined;
    return run && step && { run, step };
  }
}

interface Found {
  run: RunRecord;
  step: StepRecord;
}

/** @throws StepNotFoundError, StepAlreadySettledError, StepNotPendingError */
function checked(stepId: string, found: Found | undefined): RunRecord {
  if (!found || found.step.kind !== 'remote') throw new StepNotFoundError(stepId);
  const { run, step } = found;
  if (step.settled !== null || isFinal(run.status)) throw new StepAlreadySettledError(stepId);
  if (step.status !== 'pending' || step.wakeAt !== null) throw new StepNotPendingError(stepId);
  return run;
}

interface Position {
  runId: string;
  seq: number;
}

/** @throws InvalidArgumentError */
function positionOf(stepId: unknown): Position {
  const [, runId, seq] = (typeof stepId === 'string' && /^(.+):(-?\d{1,9})$/s.exec(stepId)) || [];
  if (runId === undefined) throw new InvalidArgumentError('stepId', stepId, "a step's id: '<workflowId>:<seq>'");
  return { runId, seq: Number(seq) };
}
