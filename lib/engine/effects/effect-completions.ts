import { createHash } from 'node:crypto';
import type { EffectWaits, OperationWaiter } from '../model/outgoing.js';
import type { EngineStorage } from '../model/engine-storage.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

/** What a run waits for: that all calls of an operation for a subject have succeeded. */
export interface AwaitedOperation {
  operation: string;
  subject: string;
}

/** What steps listen to that wait for an operation: no channel of a signal, of which the text has four parts. */
export const effectChannel = ({ operation, subject }: AwaitedOperation): string =>
  createHash('sha256')
    .update(JSON.stringify(['effects', operation, subject]))
    .digest('base64url');

/** An operation that a step waits for, as its record holds it. */
export interface RecordedOperation extends AwaitedOperation {
  entryIds: readonly string[];
}

/** JSON text, for the record of a step that waits. */
export const writeOperation = ({ operation, subject, entryIds }: RecordedOperation): string =>
  JSON.stringify({ operation, subject, entryIds });

/** Undefined when the record is that of another wait. */
export function readOperation(text: string | null): RecordedOperation | undefined {
  try {
    const { operation, subject, entryIds } = (JSON.parse(text ?? 'null') ?? {}) as Partial<RecordedOperation>;
    if (typeof operation !== 'string' || typeof subject !== 'string' || !Array.isArray(entryIds)) return undefined;
    return { operation, subject, entryIds };
  } catch {
    return undefined;
  }
}

export class InMemoryEffectWaits implements EffectWaits {
  constructor(private readonly tables: MemoryTables) {}

  async waiting(channel: string): Promise<OperationWaiter[]> {
    const waits = [...this.tables.waits.values()].filter((wait) => wait.channel === channel);
    return waits.map(({ stepId, runId, seq }) => ({ stepId, runId, seq }));
  }
}

/** How runs hear that an operation is complete: whoever settles its last call tells them in the same transaction. */
export class EffectCompletions {
  constructor(private readonly storage: Pick<EngineStorage, 'effectWaits' | 'answers'>) {}

  /**
   * Returns the steps that wait for an operation, in `tx`, the transaction in which the last of its calls has succeeded.
   * A step commits together with the calls it waits for, so its row is there before any of them can succeed.
   *
   * `isComplete` looks, in `tx`, whether all calls of the group have succeeded. It is asked after those who wait were
   * looked for: calls that commit between the look of `tx` at the group and this one are not complete with it, and
   * neither must their step be; then nobody is answered, and whoever completes those calls answers all.
   */
  async complete(operation: AwaitedOperation, tx: Transaction, isComplete: () => Promise<boolean>): Promise<void> {
    const { effectWaits, answers } = this.storage;
    const waiting = await effectWaits.waiting(effectChannel(operation), tx);
    if (waiting.length === 0 || !(await isComplete())) return;
    const given = waiting.map((step): StepAnswer => ({
      ...step,
      status: 'completed',
      output: null,
      error: null,
      startedAt: null,
      createdAt: 0,
    }));
    await answers.answer(given, tx);
  }
}
