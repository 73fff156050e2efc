import { inParts } from '../../sql/in-parts.js';
import type { ExtrasWriter } from '../tables/sql-extras-writer.js';
import { channelsOf } from '../model/left-signals.js';
import { deleteWaits, markReceived, upsertWaits } from './signal-wait.sql.js';

/**
 * Steps that begin to wait for signals, or do so no longer, and what was taken. Waits before signals, as deliveries
 * lock; and what ends before what begins, since a step that refused a signal waits again.
 */
export const writeSignalWaits: ExtrasWriter = async (tx, scope, writes) => {
  const carried = writes.flatMap(({ runId, extras }) => (extras ? [{ runId, ...extras }] : []));
  const ended = carried.flatMap(({ unwaits = [] }) => unwaits);
  const begun = carried.flatMap(({ waits = [] }) => waits);
  const received = carried.flatMap(({ runId, receives = [] }) => receives.map((taken) => ({ runId, ...taken })));
  if (ended.length > 0) await inParts(tx, ended, (some) => deleteWaits(scope, some));
  if (begun.length > 0) {
    const rows = begun.map(({ channel, stepId, runId, seq, after, since, deadline }) => ({
      ...{ channel, step_id: stepId, run_id: runId, seq },
      ...{ after_position: after, since, deadline },
    }));
    rows.sort((a, b) => compare(a.step_id, b.step_id) || compare(a.channel, b.channel));
    await inParts(tx, rows, (some) => upsertWaits(scope, some));
  }
  if (received.length > 0) {
    const rows = received.map(({ channel, position, runId, how }) => ({
      ...{ channel, position, run_id: runId, kept: how === 'kept' ? 1 : 0 },
    }));
    rows.sort((a, b) => compare(a.channel, b.channel) || a.position - b.position);
    await inParts(tx, rows, (some) => markReceived(scope, some));
  }
  return { offered: channelsOf(received.filter(({ how }) => how === 'left')) };
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
