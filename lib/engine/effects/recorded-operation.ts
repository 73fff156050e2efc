import type { AwaitedOperation } from './effect-channel.js';

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
