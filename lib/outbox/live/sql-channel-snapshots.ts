import { ConfigurationError } from '../../errors.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import { type LiveScope, selectPosition, type TopRow } from './channel-reader.sql.js';
import type { ChannelSnapshot, ChannelSnapshots } from './channel-snapshots.js';
import { laterOf } from './sequence.js';

/** One transaction at REPEATABLE READ, in which a channel's numbers and the app's tables are as they were at one moment. */
export class SqlChannelSnapshots implements ChannelSnapshots {
  private readonly scope: LiveScope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Pick<OutboxTables, 'outbox' | 'pruned'>,
  ) {
    this.scope = { tables, dialect: db.dialect };
  }

  /** @throws ConfigurationError where the executor cannot read of one moment. */
  async snapshot<T>(channel: string, read: (handle: unknown) => Promise<T>): Promise<ChannelSnapshot<T>> {
    if (!this.db.ormSnapshot) {
      throw new ConfigurationError(
        'snapshot() needs an executor with ormSnapshot(): use the one of your ORM, or add it',
      );
    }
    return this.db.ormSnapshot(async (handle, tx) => {
      const { rows } = await tx.run<TopRow>(selectPosition(this.scope, channel));
      const [{ top, pruned } = { top: null, pruned: null }] = rows;
      return { data: await read(handle), sequenceId: laterOf(top ?? '0', pruned ?? '0') };
    });
  }
}
