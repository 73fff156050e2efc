import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { EngineStorage } from '../model/engine-storage.js';
import { type AwaitedOperation, effectChannel } from './effect-channel.js';

/** How runs hear that an operation is complete: whoever settles its last call tells them in the same transaction. */
export class EffectCompletions {
  constructor(private readonly storage: Pick<EngineStorage, 'effectWaits' | 'answers'>) {}

  /**
   * Answers the steps that wait for an operation, in `tx`, the transaction in which the last of its calls has succeeded.
   * A step commits together with the calls it waits for, so its row is there before any of them can succeed.
   *
   * `isComplete` looks, in `tx`, whether all calls of the group have succeeded. It is asked after those who wait were
   * looked for: calls that commit between the look of `tx` at the group and this one are not complete with it, and
   * neither must their step be; then nobody is answered, and whoever completes those calls answers all.
   *
   * Call what it resolves to after the commit.
   */
  async complete(
    operation: AwaitedOperation,
    tx: Transaction,
    isComplete: () => Promise<boolean>,
  ): Promise<() => void> {
    const { effectWaits, answers } = this.storage;
    const waiting = await effectWaits.waiting(effectChannel(operation), tx);
    if (waiting.length === 0 || !(await isComplete())) return () => undefined;
    const given = waiting.map((step): StepAnswer => ({
      ...step,
      ...{ status: 'completed', output: null, error: null, startedAt: null, createdAt: 0 },
    }));
    await answers.answer(given, tx);
    return () => answers.announceAnswers(given);
  }
}
