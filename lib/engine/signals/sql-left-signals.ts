import type { SqlConnection } from '../../sql/sql-executor.js';
import type { LeftSignal } from '../model/left-signals.js';
import { markReceived } from './signal-wait.sql.js';
import type { Scope } from '../tables/run.sql.js';

export const SIGNALS_TOPIC = 'signals';

/** Those that are still reserved for their runs are anybody's again. Answers whether there were any. */
export async function freeLeft(tx: SqlConnection, scope: Scope, left: readonly LeftSignal[]): Promise<boolean> {
  if (left.length === 0) return false;
  const rows = left.map(({ runId, channel, position }) => ({ run_id: runId, channel, position, kept: 0 }));
  rows.sort((a, b) => compare(a.channel, b.channel) || a.position - b.position);
  return (await tx.run(markReceived(scope, rows))).affected > 0;
}

export const offeredHint = (channels: readonly string[]): string => JSON.stringify({ offered: channels });

/** The channels on which signals became anybody's again; undefined for "look for new ones". */
export function offeredIn(payload: string | undefined): readonly string[] | undefined {
  try {
    const { offered } = JSON.parse(payload ?? '{}') as { offered?: unknown };
    return Array.isArray(offered) && offered.every((channel) => typeof channel === 'string') ? offered : undefined;
  } catch {
    return undefined;
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
