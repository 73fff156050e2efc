import type { Transaction } from '../protocol/transaction.js';
import type { EffectGroup } from './effect-entry.js';

/** Of these groups, those that runs wait for; read in `tx`. */
export type AwaitedGroups = (groups: readonly EffectGroup[], tx: Transaction) => Promise<readonly EffectGroup[]>;

/** An app without runs. */
export const NONE_AWAITED: AwaitedGroups = async () => [];

/**
 * Those of these abandoned calls that may be removed. Without the others, a run that waits for them would wait for ever,
 * or learn that all calls of its operation have succeeded.
 */
export async function removable<Call extends EffectGroup>(
  abandoned: readonly Call[],
  awaited: AwaitedGroups,
  tx: Transaction,
): Promise<Call[]> {
  if (abandoned.length === 0) return [];
  const groups = new Map(
    abandoned.map(({ operation, subject }) => [keyOf({ operation, subject }), { operation, subject }]),
  );
  const kept = new Set((await awaited([...groups.values()], tx)).map(keyOf));
  return abandoned.filter((call) => !kept.has(keyOf(call)));
}

const keyOf = ({ operation, subject }: EffectGroup): string => JSON.stringify([operation, subject]);
