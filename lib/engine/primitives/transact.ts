import { DatabaseError } from '../../errors/database-errors.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Activation } from '../activation/activation.js';
import type { PlayedWrite } from '../activation/merged-writes.js';
import type { StepRecord } from '../model/step-record.js';
import type { StepOptions } from '../model/step-options.js';
import { withinTimeout } from './callbacks.js';

/** The run got another owner while the transaction was open: the transaction is rolled back. */
class RunLost extends Error {}

/** An earlier attempt was committed after all: this one is rolled back. */
class AlreadySettled extends Error {}

/** Runs the app's work and records it in one commit. */
export async function transact(
  activation: Activation,
  step: StepRecord,
  work: (handle: unknown) => unknown,
  options: StepOptions,
): Promise<void> {
  const { transactions } = activation.shared;
  const { footing } = activation.writer;
  let found = footing.known;
  let reserved = false;
  const giveBack = (settled?: StepRecord) => {
    if (settled) activation.compensations.extrasFor(settled);
    if (settled) footing.stepOnto([settled], found);
    if (reserved) activation.journal.release(settled);
    reserved = false;
  };
  try {
    const settled = await transactions.begin(async (handle, tx) => {
      const value = await withinTimeout(activation, step, options, () => work(handle));
      const order = await activation.journal.reserve();
      reserved = true;
      // The activation has ended meanwhile, and has written the order without this step.
      if (activation.closed) throw new RunLost();
      found = footing.known;
      return recordIn(tx, activation, step, value, order);
    });
    giveBack(settled);
  } catch (error) {
    if (error instanceof RunLost) return giveBack();
    // The outcome is unknown after a connection loss during COMMIT, or when a hook of the app throws after it. A
    // conflict may be with an earlier attempt that was committed after all. Only the record shows the outcome.
    const isOpen = error instanceof AlreadySettled || (error instanceof DatabaseError && (error.transient || reserved));
    const committed = isOpen ? await readBack(activation, step) : undefined;
    if (activation.closed && !committed) return giveBack();
    giveBack(committed);
    if (!committed) throw error;
  }
}

/** If this fails, the step is neither repeated nor recorded as failed: the next owner reads it from the history. */
async function readBack(activation: Activation, { runId, seq }: StepRecord): Promise<StepRecord | undefined> {
  try {
    return await activation.shared.readBack({ runId, epoch: activation.run.epoch }, seq);
  } catch (error) {
    activation.break(error);
    return undefined;
  }
}

async function recordIn(
  tx: Transaction,
  activation: Activation,
  step: StepRecord,
  value: unknown,
  order: number,
): Promise<StepRecord> {
  const { recorder, clock } = activation.shared;
  const output = activation.payloads.encode(value, `The output of transaction "${step.name}"`);
  const settled: StepRecord = {
    ...step,
    status: 'completed',
    output,
    error: null,
    settled: order,
    finishedAt: clock.now(),
  };
  const { id: runId, epoch } = activation.run;
  // In this commit, since another write with the mark may never be committed.
  const unwinds = activation.compensations.has(step.seq) && !activation.run.unwinds;
  const extras = unwinds ? { extras: { unwinds: true as const } } : {};
  const { footing } = activation.writer;
  const write: PlayedWrite = { runId, epoch, steps: [settled], tasks: [], takes: [], withdraws: [], ...extras };
  const recorded = await recorder.recordIn(tx, { ...write, footing, once: true });
  if (recorded === 'written') return settled;
  if (recorded === 'settled') throw new AlreadySettled();
  activation.drop(recorded);
  throw new RunLost();
}
