import { DatabaseError, TransactionLostError } from '../../errors/database-errors.js';
import { stepIdOf } from '../../protocol/step.js';
import { backoffMs } from '../../time/backoff.js';
import type { Activation } from '../activation/activation.js';
import { standStill } from '../activation/departures.js';
import type { Entry } from '../activation/run-writer.js';
import { caught, type RetryPolicy } from '../model/retry-policy.js';
import type { EndedAttempt } from '../model/run-store.js';
import type { StepRecord } from '../model/step-record.js';
import { judge } from './judgement.js';
import { tellEnded } from './told-attempts.js';

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
  if (first.status === 'exhausted') return standStill(activation, first);
  let step: StepRecord | undefined = first;
  const losses = { conflict: 0, loss: 0 };
  const dueOf = ({ seq, wakeAt }: StepRecord) => (wakeAt === null ? undefined : activation.until(seq, wakeAt));
  let due = dueOf(first);
  while (step) {
    if (due) await due;
    const current: StepRecord = { ...step, wakeAt: null };
    step = due = undefined;
    await activation.work(async () => {
      if (!(await activation.durable())) return;
      current.startedAt = activation.shared.clock.now();
      current.worker = activation.shared.process;
      const succeeded = () => tellEnded(activation, current);
      await attempt(current).then(succeeded, (thrown: unknown) => {
        const how = thrown instanceof TransactionLostError && thrown.conflict ? 'conflict' : 'loss';
        if (thrown instanceof TransactionLostError && losses[how] < MOST[how])
          return void (step = afterLoss(activation, current, ++losses[how], thrown));
        Object.assign(losses, { conflict: 0, loss: 0 });
        step = failed(activation, current, policy, thrown);
      });
      // Before the run comes to rest: it would be parked for as long as another branch sleeps.
      if (step) due = dueOf(step);
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
  const { clock } = activation.shared;
  tellEnded(activation, step, { thrown });
  const { step: ended, outcome, next } = judge(activation, step, policy, caught(thrown, activation.payloads, clock));
  if (next === 'fail') {
    activation.settle({ ...ended, status: 'failed' });
    return undefined;
  }
  const extras = { attempts: [endedAttempt(activation, ended, outcome)] };
  if (next === 'block') {
    exhaust(activation, ended, { extras });
    return undefined;
  }
  const due = clock.now() + next;
  const again = { ...ended, wakeAt: due, askedAt: due, startedAt: null, worker: null };
  activation.keep(again, { extras });
  return again;
}

/** Records that a step has used all its attempts, and blocks its run until `retry`. */
export function exhaust(activation: Activation, step: StepRecord, also: Omit<Entry, 'steps'>): void {
  if (activation.closed) return;
  const last = { ...step, status: 'exhausted', wakeAt: null, finishedAt: activation.shared.clock.now() } as const;
  activation.keep(last, also);
  standStill(activation, last);
}

/** An entry for the list of attempts; the attempt that settles a step is in the step's record. */
export const endedAttempt = (
  { shared }: Activation,
  { seq, attempt, askedAt, startedAt, worker, error }: StepRecord,
  outcome: EndedAttempt['outcome'],
): EndedAttempt => ({
  seq,
  attempt,
  outcome,
  askedAt,
  startedAt,
  worker,
  finishedAt: shared.clock.now(),
  error: error ?? 'null',
});
