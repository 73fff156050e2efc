import type { Dialect } from '../../sql/dialect.js';
import { planned } from '../../sql/key-list.js';
import { id, raw, sql, type Statement } from '../../sql/statement.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { type Incoming, positionKeyOf } from './inbox.js';

export interface InboxScope {
  readonly tables: Pick<OutboxTables, 'inbox'>;
  readonly dialect: Dialect;
}

/** A number beyond 2^53 would be compared as a float if it stayed text. */
const number = ({ dialect }: InboxScope, sequenceId: string): Statement =>
  sql`CAST(${sequenceId} AS ${raw(dialect.family === 'postgres' ? 'bigint' : 'signed')})`;

const firstRow = (scope: InboxScope, incoming: Incoming): Statement => sql`
  INSERT INTO ${scope.tables.inbox} (consumer, channel, last_sequence_id)
  VALUES (${incoming.consumer}, ${positionKeyOf(incoming)}, ${number(scope, incoming.sequenceId)})`;

/** PostgreSQL: one row changed, unless the consumer has had it. */
export const advance = (scope: InboxScope, incoming: Incoming): Statement => sql`
  ${firstRow(scope, incoming)}
  ${scope.dialect.onConflictUpdate(
    [id('consumer'), id('channel')],
    (value) => sql`last_sequence_id = ${value('last_sequence_id')}`,
  )}
  WHERE ${scope.tables.inbox}.last_sequence_id < EXCLUDED.last_sequence_id`;

/** MySQL family: for a channel that the consumer has had something of. */
export const moveOn = (scope: InboxScope, incoming: Incoming): Statement => sql`
  UPDATE ${scope.tables.inbox} SET last_sequence_id = ${number(scope, incoming.sequenceId)}
  WHERE consumer = ${incoming.consumer} AND channel = ${positionKeyOf(incoming)}
    AND last_sequence_id < ${number(scope, incoming.sequenceId)}`;

/** One row while the transaction that took the event stands; an error where PostgreSQL has given it up. */
export const selectTaken = (scope: InboxScope, incoming: Incoming): Statement => sql`
  SELECT 1 AS taken FROM ${scope.tables.inbox} AS i ${plannedAnew(scope)}
  WHERE i.consumer = ${incoming.consumer} AND i.channel = ${positionKeyOf(incoming)}
    AND i.last_sequence_id = ${number(scope, incoming.sequenceId)}`;

/** PostgreSQL: no plan is kept from when the table was empty. */
const plannedAnew = ({ dialect }: InboxScope): Statement =>
  dialect.family === 'postgres' ? sql`CROSS JOIN ${planned}` : raw('');

/** MySQL family: for a channel that the consumer has had nothing of. */
export const begin = (scope: InboxScope, incoming: Incoming): Statement =>
  scope.dialect.insertOrKeep(firstRow(scope, incoming), [id('consumer'), id('channel')]);
