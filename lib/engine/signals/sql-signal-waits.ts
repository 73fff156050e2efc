import { type LeftSignal, channelsOf } from '../model/left-signals.js';
import { deleteWaits, markReceived, upsertWaits } from './signal-wait.sql.js';
import type { ExtrasWriter } from '../tables/sql-extras-writer.js';
import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';

/**
 * Writes ended and started waits for signals, and the received signals. Waits before signals, in the lock order of
 * deliveries; ended waits before started ones, since a step that refused a signal waits again.
 */
export const writeSignalWaits: ExtrasWriter = async (tx, scope, writes) => {
  const carried = writes.flatMap(({ runId, extras }) => (extras ? [{ runId, ...extras }] : []));
  const ended = carried.flatMap(({ unwaits = [] }) => unwaits);
  const begun = carried.flatMap(({ waits = [] }) => waits);
  const received = carried.flatMap(({ runId, receives = [] }) => receives.map((taken) => ({ runId, ...taken })));
  if (ended.length > 0) await inParts(tx, ended, (some) => deleteWaits(scope, some));
  if (begun.length > 0) {
    const rows = begun.map(({ channel, stepId, runId, seq, after, since, deadline }) => ({
      channel,
      step_id: stepId,
      run_id: runId,
      seq,
      after_position: after,
      since,
      deadline,
    }));
    rows.sort((a, b) => compare(a.step_id, b.step_id) || compare(a.channel, b.channel));
    await inParts(tx, rows, (some) => upsertWaits(scope, some));
  }
  if (received.length > 0) {
    const rows = received.map(({ channel, position, runId, how }) => ({
      channel,
      position,
      run_id: runId,
      kept: how === 'kept' ? 1 : 0,
    }));
    rows.sort((a, b) => compare(a.channel, b.channel) || a.position - b.position);
    await inParts(tx, rows, (some) => markReceived(scope, some));
  }
  return { offered: channelsOf(received.filter(({ how }) => how === 'left')) };
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const SIGNALS_TOPIC = 'signals';

/** Releases signals that are still reserved for their runs. Returns whether there were any. */
export async function freeLeft(tx: SqlConnection, scope: Scope, left: readonly LeftSignal[]): Promise<boolean> {
  if (left.length === 0) return false;
  const rows = left.map(({ runId, channel, position }) => ({ run_id: runId, channel, position, kept: 0 }));
  rows.sort((a, b) => compare(a.channel, b.channel) || a.position - b.position);
  return (await tx.run(markReceived(scope, rows))).affected > 0;
}

export const offeredHint = (channels: readonly string[]): string => JSON.stringify({ offered: channels });

/** The channels on which signals were released; undefined means that new signals may exist. */
export function offeredIn(payload: string | undefined): readonly string[] | undefined {
  try {
    const { offered } = JSON.parse(payload ?? '{}') as { offered?: unknown };
    return Array.isArray(offered) && offered.every((channel) => typeof channel === 'string') ? offered : undefined;
  } catch {
    return undefined;
  }
}
