import type { SqlConnection } from '../../sql/sql-executor.js';
import { id, sql, type Statement } from '../../sql/statement.js';
import type { OutboxEvent } from '../model/outbox-event.js';
import { type RelayScope } from './relay-scope.sql.js';
import { selectDestinations } from './shard-lease.sql.js';

/** Deleted, or marked where it is retained or the newest of all. By somebody who holds no lease. */
const deleteEvent = ({ tables }: RelayScope, sequenceId: string): Statement =>
  sql`DELETE FROM ${tables.outbox} WHERE sequence_id = ${sequenceId}`;

const markEvent = ({ tables }: RelayScope, sequenceId: string): Statement =>
  sql`UPDATE ${tables.outbox} SET processed = ${true} WHERE sequence_id = ${sequenceId}`;

const selectNewer = ({ tables }: RelayScope, sequenceId: string): Statement =>
  sql`SELECT 1 AS found FROM ${tables.outbox} WHERE sequence_id > ${sequenceId} ORDER BY sequence_id LIMIT 1`;

const passEvent = (scope: RelayScope, destination: string, { channel, sequenceId }: OutboxEvent): Statement => sql`
  INSERT INTO ${scope.tables.channels} (destination, channel, position) VALUES (${destination}, ${channel}, ${sequenceId})
  ${scope.dialect.onConflictUpdate([id('destination'), id('channel')], (incoming) => sql`position = ${incoming('position')}`)}`;

/** One event of a channel that stands still and is locked: this destination is done with it. */
export async function endOne(
  tx: SqlConnection,
  scope: RelayScope,
  destination: string,
  event: OutboxEvent,
): Promise<void> {
  const { rows } = await tx.run(selectDestinations(scope));
  if (rows.length > 1) return void (await tx.run(passEvent(scope, destination, event)));
  const stays = scope.retains || (await tx.run(selectNewer(scope, event.sequenceId))).rows.length === 0;
  await tx.run((stays ? markEvent : deleteEvent)(scope, event.sequenceId));
}
