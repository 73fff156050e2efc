import { type ByOperator, OPERATOR_OPTIONS, operatorOf } from '../../acts/act.js';
import { acting } from '../../acts/act-log.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { StepAlreadySettledError, StepNotFoundError, StepNotPendingError } from '../../errors/step-errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import type { Payloads } from '../model/payloads.js';
import { isFinal, type RunRecord } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';
import { checkedOptions, type KnownOptions } from '../../options/known-options.js';

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

interface Ports {
  storage: Pick<EngineStorage, 'catalog' | 'answers' | 'transactions' | 'acts'>;
  payloads: Payloads;
  namespace: string;
}

type Outcome = Pick<StepAnswer, 'status' | 'output' | 'error'>;

/** Lets the app answer remote steps itself, in place of a worker. */
export class ClientCompletions {
  constructor(private readonly ports: Ports) {}

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
