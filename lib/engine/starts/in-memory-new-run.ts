import { isLimited } from '../model/limiter.js';
import type { HeldRun } from '../tables/memory-tables.js';
import { type NewRun, NOTIFIES } from '../model/run.js';

/** A new run, as it stands in the table. */
export function heldRun(
  { delayMs, timeoutMs, parent, after, limiter, scheduleId, ...fields }: NewRun,
  now: number,
): HeldRun {
  const { attributes: _, reuse: __, startKey: ___, ...run } = fields;
  const limited = limiter !== undefined && isLimited(limiter.limits);
  const createdAt = now;
  const wakeAt = createdAt + delayMs;
  const open = { reason: null, reasonDetail: null, output: null, error: null, startedAt: null, finishedAt: null };
  const held = { owner: null, epoch: 0, settled: 0, crashes: 0, unwinds: false, firstSeq: 0, continuedAt: null };
  const family = { parentId: parent?.id ?? null, parentSeq: parent?.seq ?? null, parentClose: parent?.close ?? null };
  return {
    ...{
      ...run,
      ...open,
      ...held,
      ...family,
      wakeAt,
      createdAt,
      status: 'pending',
      closing: null,
      customStatus: null,
    },
    deadline: timeoutMs === undefined ? null : wakeAt + timeoutMs,
    notifies: (parent ? NOTIFIES.parent : 0) + (limited ? NOTIFIES.limiter : 0),
    limiter: limiter ?? null,
    turn: null,
    blockers: 0,
    precondition: after && after.length > 0 ? 'after' : limited ? 'limiter' : null,
    scheduleId: scheduleId ?? null,
  };
}
