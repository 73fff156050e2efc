import { DatabaseError } from '../../errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Activation } from '../activation.js';
import { retryPolicy } from '../retry-policy.js';
import type { StepRecord } from '../step-record.js';
import type { StepOptions } from '../workflow-context.js';
import { tryUntilSettled, withinTimeout } from './attempts.js';
import { never } from './never.js';

/** The run went to another owner while the transaction was open: it is rolled back. */
class RunLost extends Error {}

export function transactionStep<T>(
  activation: Activation,
  name: string,
  work: (handle: unknown) => T | Promise<T>,
  options: StepOptions = {},
): Promise<T> {
  const position = activation.ask('transaction', name);
  if (!position) return never();
  const { seq, step } = position;
  if (step.settled === null) {
    const policy = retryPolicy(options.retry, activation.shared.retry);
    void tryUntilSettled(activation, step, policy, (current) => transact(activation, current, work, options));
  }
  return activation.journal.outcome<T>(seq);
}

/** The app's work and the record of it in one commit. */
async function transact(
  activation: Activation,
  step: StepRecord,
  work: (handle: unknown) => unknown,
  options: StepOptions,
): Promise<void> {
  const { transactions } = activation.shared;
  let reserved = false;
  const giveBack = (settled?: StepRecord) => {
    if (reserved) activation.journal.release(settled);
    reserved = false;
  };
  try {
    const settled = await transactions.begin(async (handle, tx) => {
      giveBack(); // of a try that a deadlock has rolled back
      const value = await withinTimeout(activation, step, options, () => work(handle));
      const place = await activation.journal.reserve();
      reserved = true;
      return recordIn(tx, activation, step, value, place);
    });
    giveBack(settled);
  } catch (error) {
    if (error instanceof RunLost) return giveBack();
    // A connection lost during COMMIT leaves the outcome open, and only the record can tell.
    const committed =
      error instanceof DatabaseError && error.transient
        ? await activation.shared.readBack({ runId: step.runId, epoch: activation.run.epoch }, step.seq)
        : undefined;
    giveBack(committed);
    if (!committed) throw error;
  }
}

async function recordIn(
  tx: Transaction,
  activation: Activation,
  step: StepRecord,
  value: unknown,
  place: number,
): Promise<StepRecord> {
  const { payloads, recorder, clock } = activation.shared;
  const output = payloads.encode(value, `The output of transaction "${step.name}"`);
  const settled: StepRecord = {
    ...step,
    status: 'completed',
    output,
    error: null,
    settled: place,
    finishedAt: clock.now(),
  };
  const { id: runId, epoch } = activation.run;
  const write = { runId, epoch, steps: [settled], tasks: [], takes: [], withdraws: [] };
  if ((await recorder.recordIn(tx, write)) === 'written') return settled;
  activation.drop();
  throw new RunLost();
}
