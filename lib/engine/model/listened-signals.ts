/** A signal that a step waits for, as it is shown. */
export interface ListenedSignal {
  name: string;
  /** Null: only if it is sent to the run itself. */
  key: string | null;
}

/** JSON text, for the record of a step that waits: channels are hashes, which tell nobody anything. */
export const writeListened = (signals: readonly { name: string; key?: string | undefined }[]): string | null =>
  signals.length === 0 ? null : JSON.stringify(signals.map(({ name, key }) => ({ name, key })));

/** Nothing for a wait that was recorded without. */
export function readListened(text: string | null): ListenedSignal[] {
  try {
    const listed = JSON.parse(text ?? '[]') as unknown;
    if (!Array.isArray(listed)) return [];
    return (listed as Partial<ListenedSignal>[]).flatMap(({ name, key = null }) =>
      typeof name === 'string' && (key === null || typeof key === 'string') ? [{ name, key }] : [],
    );
  } catch {
    return [];
  }
}
