import { createHash } from 'node:crypto';
import type { EffectWaits, OperationWaiter } from '../model/outgoing.js';
import type { EngineStorage } from '../model/engine-storage.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import type { StepAnswer } from '../../protocol/step.js';
import type { Transaction } from '../../protocol/transaction.js';

/** A run waits until all calls of this operation for this subject have succeeded. */
export interface AwaitedOperation {
  operation: string;
  subject: string;
}

/** The channel for waits on an operation. Differs from all signal channels, whose hashed text has four parts. */
export const effectChannel = ({ operation, subject }: AwaitedOperation): string =>
  createHash('sha256')
    .update(JSON.stringify(['effects', operation, subject]))
    .digest('base64url');

/** The operation in the record of a step that waits for it. */
export interface RecordedOperation extends AwaitedOperation {
  entryIds: readonly string[];
}

/** JSON text for the record of a waiting step. */
export const writeOperation = ({ operation, subject, entryIds }: RecordedOperation): string =>
  JSON.stringify({ operation, subject, entryIds });

/** Returns undefined for the record of another wait. */
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

  async awaited(channels: readonly string[]): Promise<string[]> {
    const waited = new Set([...this.tables.waits.values()].map(({ channel }) => channel));
    return channels.filter((channel) => waited.has(channel));
  }
}

/** Of these operations, those that runs wait for. */
export const awaitedOf =
  (waits: Pick<EffectWaits, 'awaited'>) =>
  async (operations: readonly AwaitedOperation[], tx: Transaction): Promise<AwaitedOperation[]> => {
    const byChannel = new Map(operations.map((operation) => [effectChannel(operation), operation]));
    return (await waits.awaited([...byChannel.keys()], tx)).map((channel) => byChannel.get(channel)!);
  };

/** Notifies runs of a complete operation, in the transaction that settles its last call. */
export class EffectCompletions {
  constructor(private readonly storage: Pick<EngineStorage, 'effectWaits' | 'answers'>) {}

  /**
   * Answers the steps that wait for an operation, in `tx`, the transaction in which the last of its calls has
   * succeeded. A step commits together with the calls it waits for, so its wait exists before any of them can succeed.
   *
   * `isComplete` checks, in `tx`, whether all calls of the group have succeeded. It is called after the waits were
   * read: if further calls were committed since `tx` last read the group, their steps must not be answered yet. Then no
   * step is answered, and the transaction that completes those calls answers all of them.
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
