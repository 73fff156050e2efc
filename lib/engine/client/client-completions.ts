import { InvalidArgumentError, StepAlreadySettledError, StepNotFoundError, StepNotPendingError } from '../../errors.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import { toWireError } from '../../protocol/wire-error.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { transactionOf } from '../model/run-catalog.js';
import type { Payloads } from '../model/payloads.js';
import { isFinal, type RunRecord } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';

export interface CompletionOptions {
  /** An open transaction of the app's ORM: the step is answered if and when that commits. */
  transaction?: unknown;
}

/** The failure of a step, in place of an `Error`. */
export interface StepFailure {
  message: string;
  code?: string;
  /** False: the step is not retried, regardless of its retry policy. Default true. */
  retryable?: boolean;
}

interface Ports {
  storage: Pick<EngineStorage, 'catalog' | 'answers' | 'transactions'>;
  payloads: Payloads;
  namespace: string;
}

type Outcome = Pick<StepAnswer, 'status' | 'output' | 'error'>;

/** Lets the app answer remote steps itself, in place of a worker. */
export class ClientCompletions {
  constructor(private readonly ports: Ports) {}

  async complete(stepId: string, output: unknown, options: CompletionOptions): Promise<void> {
    const text = this.ports.payloads.encodeForWorker(output, `The output of step "${String(stepId)}"`);
    return this.answer(stepId, { status: 'completed', output: text, error: null }, options);
  }

  async fail(stepId: string, failure: Error | StepFailure, options: CompletionOptions): Promise<void> {
    const { message, retryable } = (failure ?? {}) as Partial<StepFailure>;
    if (typeof message !== 'string')
      throw new InvalidArgumentError('error', failure, 'an Error or { message, code?, retryable? }');
    const error = JSON.stringify({ ...toWireError(failure), ...(retryable === false && { retryable }) });
    return this.answer(stepId, { status: 'failed', output: null, error }, options);
  }

  private async answer(stepId: string, outcome: Outcome, { transaction }: CompletionOptions): Promise<void> {
    const { transactions } = this.ports.storage;
    const position = positionOf(stepId);
    const open = transactionOf(transactions, transaction);
    await this.check(stepId, position, open);
    const answer: StepAnswer = { stepId, ...position, ...outcome, startedAt: null, createdAt: 0 };
    await (open ? this.write(answer, open) : transactions.begin((_, tx) => this.write(answer, tx)));
  }

  /** @throws StepAlreadySettledError, also if an earlier answer was taken after the step was read. */
  private async write(answer: StepAnswer, tx: Transaction): Promise<void> {
    const { answers, catalog } = this.ports.storage;
    const { stepId, runId, seq } = answer;
    const written = await answers.answer([answer], tx);
    const step = written.length > 0 ? await catalog.step(runId, seq, tx) : undefined;
    if (!step || step.settled !== null) throw new StepAlreadySettledError(stepId);
  }

  private async check(stepId: string, { runId, seq }: Position, tx: Transaction | undefined): Promise<void> {
    // The snapshot of the caller's transaction may be older than the step.
    const found = (await this.find(runId, seq, tx)) ?? (tx && (await this.find(runId, seq)));
    if (!found || found.step.kind !== 'remote') throw new StepNotFoundError(stepId);
    const { run, step } = found;
    if (step.settled !== null || isFinal(run.status)) throw new StepAlreadySettledError(stepId);
    if (step.status !== 'pending' || step.wakeAt !== null) throw new StepNotPendingError(stepId);
  }

  private async find(
    runId: string,
    seq: number,
    tx?: Transaction,
  ): Promise<{ run: RunRecord; step: StepRecord } | undefined> {
    const { catalog } = this.ports.storage;
    const [run] = await catalog.find([runId], tx);
    const step = run?.namespace === this.ports.namespace ? await catalog.step(runId, seq, tx) : undefined;
    return run && step && { run, step };
  }
}

interface Position {
  runId: string;
  seq: number;
}

function positionOf(stepId: unknown): Position {
  const [, runId, seq] = (typeof stepId === 'string' && /^(.+):(-?\d{1,9})$/s.exec(stepId)) || [];
  if (runId === undefined) throw new InvalidArgumentError('stepId', stepId, "a step's id: '<workflowId>:<seq>'");
  return { runId, seq: Number(seq) };
}
