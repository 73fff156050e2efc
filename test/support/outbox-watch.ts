import type { OpenBackend } from './backends.js';

export interface Watch {
  /** Events that became visible below one of their channel that had been seen before. */
  readonly late: string[];
  /** Looks that found something new. */
  readonly looks: number;
  stop(): Promise<void>;
}

/** Looks at the table again and again, as a reader with a position in each channel does. */
export function watchOutbox(backend: OpenBackend): Watch {
  const late: string[] = [];
  const tops = new Map<string, bigint>();
  const seen = new Set<string>();
  const watch = { late, looks: 0, stop: () => Promise.resolve() };
  let stopped = false;
  const look = async () => {
    const rows = await backend.query<{ id: string; channel: string }>(
      'SELECT CAST(sequence_id AS char(20)) AS id, channel FROM outbox ORDER BY sequence_id',
    );
    const fresh = rows.filter(({ id }) => !seen.has(id));
    if (fresh.length > 0) watch.looks++;
    for (const { id, channel } of fresh) if (BigInt(id) < (tops.get(channel) ?? 0n)) late.push(`${channel} ${id}`);
    for (const { id, channel } of fresh) {
      seen.add(id);
      tops.set(channel, BigInt(id));
    }
  };
  const looking = (async () => {
    while (!stopped) await look();
    await look();
  })();
  watch.stop = () => {
    stopped = true;
    return looking;
  };
  return watch;
}
