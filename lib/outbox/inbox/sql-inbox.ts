import type { Transaction } from '../../protocol/transaction.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import { checkStillStands } from '../../sql/still-stands.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { advance, begin, type InboxScope, moveOn, selectTaken } from './inbox.sql.js';
import type { Inbox, Incoming } from './inbox.js';

/** One row for each consumer and channel, locked for as long as its handlers run. */
export class SqlInbox implements Inbox {
  private readonly scope: InboxScope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Pick<OutboxTables, 'inbox'>,
  ) {
    this.scope = { tables, dialect: db.dialect };
  }

  receive(incoming: Incoming, apply: (handle: unknown, tx: Transaction) => Promise<void>): Promise<boolean> {
    return this.db.ormTransaction(async (handle, tx) => {
      if (!(await this.isNew(tx, incoming))) return false;
      await apply(handle, tx);
      await checkStillStands(tx, selectTaken(this.scope, incoming));
      return true;
    });
  }

  private async isNew(tx: SqlConnection, incoming: Incoming): Promise<boolean> {
    const { scope } = this;
    if (scope.dialect.family === 'postgres') return (await tx.run(advance(scope, incoming))).affected === 1;
    if ((await tx.run(moveOn(scope, incoming))).affected === 1) return true;
    if ((await tx.run(begin(scope, incoming))).affected === 1) return true;
    // Somebody else has begun the channel in between; by now the row is ours alone, and says how far.
    return (await tx.run(moveOn(scope, incoming))).affected === 1;
  }
}
