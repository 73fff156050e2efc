import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outbox } from '../../lib/outbox/outbox.js';
import { preciseNow } from '../serve.js';
import type { OutboxStorage } from './storage.js';

export interface Publications {
  count: number;
  /** From one transaction to the next. */
  everyMs: number;
}

/** Transactions of one event each, on time. Answers when each commit was answered, by mutation id. */
export async function publishOneByOne(
  { executor }: OutboxStorage,
  outbox: Outbox,
  { count, everyMs }: Publications,
): Promise<Record<string, number>> {
  const commits: Record<string, number> = {};
  const underway: Promise<void>[] = [];
  const publish = async (n: number) => {
    const mutationId = randomUUID();
    await executor.ormTransaction((transaction) =>
      outbox.publish({ channel: `channel:${n % 500}`, name: 'changed', data: { n }, mutationId }, { transaction }),
    );
    commits[mutationId] = preciseNow();
  };
  const from = performance.now();
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, from + n * everyMs - performance.now()));
    underway.push(publish(n));
  }
  await Promise.all(underway);
  return commits;
}
