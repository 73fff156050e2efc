import type { Transaction } from '../core/transaction.js';
import { byFamily, type Dialect, overwriting, plannedAnew } from '../sql/dialects.js';
import { checkStillStands, type SqlConnection } from '../sql/executor.js';
import { id, sql, type Statement } from '../sql/statement.js';
import { type Inbox, type Incoming, positionKeyOf } from './destinations.js';
import { isRunChannel } from './events.js';
import type { OutboxTables } from './tables.sql.js';
import { TablesAdapter } from '../sql/tables.js';

export interface InboxScope {
  readonly tables: Pick<OutboxTables, 'inbox' | 'outbox'>;
  readonly dialect: Dialect;
}

/** A number beyond 2^53 would be compared as a float if it remained text. */
const number = ({ dialect }: InboxScope, sequenceId: string): Statement => dialect.cast(sequenceId, 'bigint');

const firstRow = (scope: InboxScope, incoming: Incoming): Statement => sql`
  INSERT INTO ${scope.tables.inbox} (consumer, channel, last_sequence_id)
  VALUES (${incoming.consumer}, ${positionKeyOf(incoming)}, ${number(scope, incoming.sequenceId)})`;

/** PostgreSQL: changes one row, unless the consumer has already received the event. */
export const advance = (scope: InboxScope, incoming: Incoming): Statement => sql`
  ${firstRow(scope, incoming)}
  ${overwriting(scope.dialect, ['consumer', 'channel'], ['last_sequence_id'])}
  WHERE ${scope.tables.inbox}.last_sequence_id < EXCLUDED.last_sequence_id`;

/** MySQL family: for a channel in which the consumer has a position. */
export const moveOn = (scope: InboxScope, incoming: Incoming): Statement => sql`
  UPDATE ${scope.tables.inbox} SET last_sequence_id = ${number(scope, incoming.sequenceId)}
  WHERE consumer = ${incoming.consumer} AND channel = ${positionKeyOf(incoming)}
    AND last_sequence_id < ${number(scope, incoming.sequenceId)}`;

/** Returns one row while the transaction that received the event is valid; fails if PostgreSQL has aborted it. */
export const selectTaken = (scope: InboxScope, incoming: Incoming): Statement => sql`
  SELECT 1 AS taken FROM ${scope.tables.inbox} AS i ${plannedAnew(scope.dialect, 'CROSS JOIN')}
  WHERE i.consumer = ${incoming.consumer} AND i.channel = ${positionKeyOf(incoming)}
    AND i.last_sequence_id = ${number(scope, incoming.sequenceId)}`;

/** Whether an event of a run has not been delivered everywhere: only then its positions are sure to exist. */
export const selectPending = (scope: InboxScope, sequenceId: string): Statement => sql`
  SELECT 1 AS pending FROM ${scope.tables.outbox}
  WHERE sequence_id = ${number(scope, sequenceId)} AND ${scope.dialect.isFalse('processed')}`;

/** MySQL family: for a channel in which the consumer has no position yet. */
export const begin = (scope: InboxScope, incoming: Incoming): Statement =>
  scope.dialect.insertOrKeep(firstRow(scope, incoming), [id('consumer'), id('channel')]);

/** One row per consumer and channel, locked while its handlers run. */
export class SqlInbox extends TablesAdapter<Pick<OutboxTables, 'inbox' | 'outbox'>> implements Inbox {
  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean> {
    return this.db.ormTransaction(async (handle, tx) => {
      if (!(await this.isNew(tx, incoming))) return false;
      if (isRunChannel(incoming.channel) && !incoming.requeued && !(await this.isPending(tx, incoming))) return false;
      await apply(handle, tx);
      await checkStillStands(tx, selectTaken(this.scope, incoming));
      return true;
    });
  }

  private async isPending(tx: SqlConnection, { sequenceId }: Incoming): Promise<boolean> {
    return (await tx.run(selectPending(this.scope, sequenceId))).rows.length > 0;
  }

  private async isNew(tx: SqlConnection, incoming: Incoming): Promise<boolean> {
    const { scope } = this;
    const changed = async (statement: Statement) => (await tx.run(statement)).affected === 1;
    return byFamily(scope.dialect, {
      postgres: () => changed(advance(scope, incoming)),
      mysql: async () =>
        (await changed(moveOn(scope, incoming))) ||
        (await changed(begin(scope, incoming))) ||
        // Another transaction inserted the row meanwhile; now this one has locked it and compares the position.
        changed(moveOn(scope, incoming)),
    });
  }
}
