import { DatabaseError, StepTimeoutError, TransactionLostError } from '../../errors.js';
import { Cancellation } from '../../leasing/cancellation.js';
import { stepIdOf } from '../../protocol/step.js';
import { backoffMs } from '../../time/backoff.js';
import { toMs } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import { caught, nextAttemptIn, type RetryPolicy } from '../model/retry-policy.js';
import type { FailedAttempt } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import type { LocalStepContext, RunLog, StepOptions } from '../model/workflow-context.js';
import { runLog } from './run-log.js';

const DATABASE_AWAY_MS = 250;

/**
 * How often the database may end the transaction of one attempt before that counts as a failure, since the code itself
 * may be the reason. The waits between 30 losses are longer than a server stays read-only, which may be minutes.
 */
const MOST = { conflict: 10, loss: 30 };
const AFTER_LOSS = { delay: 250, maxDelay: 30_000, jitter: 'full' } as const;
/** With jitter, so that both transactions do not conflict again. */
const AFTER_CONFLICT = { delay: 5, maxDelay: 500, jitter: 'full' } as const;

/**
 * Runs attempts of a local step until one settles it or the last one has failed. Failures and the time of the next
 * attempt are recorded, so a restart continues with the same count.
 */
export async function tryUntilSettled(
  activation: Activation,
  first: StepRecord,
  policy: RetryPolicy,
  attempt: (step: StepRecord) => Promise<void>,
): Promise<void> {
  let step: StepRecord | undefined = first;
  const losses = { conflict: 0, loss: 0 };
  while (step) {
    if (step.wakeAt !== null) await activation.until(step.seq, step.wakeAt);
    const current: StepRecord = { ...step, wakeAt: null };
    step = undefined;
    await activation.work(async () => {
      if (!(await activation.durable())) return;
      current.startedAt = activation.shared.clock.now();
      await attempt(current).catch((thrown: unknown) => {
        const how = thrown instanceof TransactionLostError && thrown.conflict ? 'conflict' : 'loss';
        if (thrown instanceof TransactionLostError && losses[how] < MOST[how])
          return void (step = afterLoss(activation, current, ++losses[how], thrown));
        Object.assign(losses, { conflict: 0, loss: 0 });
        step = failed(activation, current, policy, thrown);
      });
    });
  }
}

/** The attempt was rolled back but did not fail: it is repeated with the same number. */
function afterLoss(
  activation: Activation,
  step: StepRecord,
  losses: number,
  error: TransactionLostError,
): StepRecord | undefined {
  if (activation.closed) return undefined;
  const { shared, run } = activation;
  const retryInMs = backoffMs(losses, error.conflict ? AFTER_CONFLICT : AFTER_LOSS);
  const stepId = stepIdOf(step.runId, step.seq);
  if (!error.conflict) shared.onTransactionLost({ stepId, name: step.name, workflow: run.workflow, error, retryInMs });
  return { ...step, wakeAt: shared.clock.now() + retryInMs };
}

/** Records a failed attempt; returns the step to retry, or undefined if it was the last attempt. */
function failed(
  activation: Activation,
  step: StepRecord,
  policy: RetryPolicy,
  thrown: unknown,
): StepRecord | undefined {
  if (activation.closed) return undefined;
  // The database was unavailable: that is no failure of the step.
  if (thrown instanceof DatabaseError && thrown.transient && !(thrown instanceof TransactionLostError))
    return { ...step, wakeAt: activation.shared.clock.now() + DATABASE_AWAY_MS };
  const { error, wire } = caught(thrown);
  const failure = { ...step, attempt: step.attempt + 1, error: JSON.stringify(wire) };
  const waitMs = nextAttemptIn(policy, failure.attempt, error);
  if (waitMs === undefined) {
    activation.settle({ ...failure, status: 'failed' });
    return undefined;
  }
  const again = { ...failure, wakeAt: activation.shared.clock.now() + waitMs };
  activation.keep(again, { extras: { attempts: [failedAttempt(activation, failure)] } });
  return again;
}

/** An entry for the list of attempts; the attempt that settles a step is in the step's record. */
export const failedAttempt = (
  { shared }: Activation,
  { seq, attempt, startedAt, error }: StepRecord,
): FailedAttempt => ({
  seq,
  attempt,
  startedAt,
  finishedAt: shared.clock.now(),
  error: error ?? 'null',
});

/** Calls `work` with its context; after `timeout`, rejects and aborts the signal of the context. */
export async function withinTimeout<T>(
  activation: Activation,
  step: StepRecord,
  { timeout }: StepOptions,
  work: (context: LocalStepContext) => T | Promise<T>,
): Promise<T> {
  if (timeout === undefined) return work(contextOf(activation, step, activation));
  const ms = toMs(timeout, 'timeout');
  const attempt = new Cancellation();
  const signal = AbortSignal.any([activation.signal, attempt.signal]);
  const working = () => work(contextOf(activation, step, { signal }));
  return attempt.outliveWithin(ms, working, () => new StepTimeoutError(step.name, ms));
}

/** `signal` and `log` are created on first use, since most steps do not use them. */
function contextOf(activation: Activation, step: StepRecord, ending: { signal: AbortSignal }): LocalStepContext {
  const { runId, seq, name } = step;
  const stepId = stepIdOf(runId, seq);
  const attempt = step.attempt + 1;
  let log: RunLog | undefined;
  return {
    workflowId: runId,
    stepId,
    seq,
    name,
    idempotencyKey: stepId,
    attempt,
    get signal() {
      return ending.signal;
    },
    get log() {
      return (log ??= runLog(activation, { seq, name, attempt }));
    },
  };
}
