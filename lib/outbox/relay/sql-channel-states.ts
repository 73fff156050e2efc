import type { SqlConnection } from '../../sql/sql-executor.js';
import { lockChannel } from './dead-letter.sql.js';
import type { ChannelState } from './event-source.js';
import type { RelayScope } from './relay-scope.sql.js';

/**
 * What stands in the way of these channels, locked until the transaction has ended. Whoever locks a channel does that
 * before events of it, dead or pending, and several in order, so that nobody waits in a circle.
 */
export async function lockStates(
  tx: SqlConnection,
  scope: RelayScope,
  destination: string,
  channels: readonly string[],
): Promise<ReadonlyMap<string, ChannelState | null>> {
  const states = new Map<string, ChannelState | null>();
  for (const channel of [...new Set(channels)].sort()) {
    const { rows } = await tx.run<{ state: ChannelState | null }>(lockChannel(scope, destination, channel));
    states.set(channel, rows[0]?.state ?? null);
  }
  return states;
}
