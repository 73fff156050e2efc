import type { Swept } from './outbox-pruner.js';
import * as statements from './run-channels.sql.js';
import type { SqlExecutor, SqlTransaction } from '../../sql/sql-executor.js';

interface ChannelRow {
  channel: string;
}

const START: statements.SweepCursor = { owner: '', channel: '' };

/** Deletes what is left of channels of runs, page by page, in small transactions that wait for no lock. */
export class SqlRunChannels {
  private readonly cursors: Record<'channels' | 'inbox', statements.SweepCursor> = { channels: START, inbox: START };

  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: statements.SweepScope,
  ) {}

  async sweep(limit: number): Promise<Swept> {
    const { channels, inbox } = this.scope.tables;
    const swept = [
      await this.page('channels', { table: channels, owner: 'destination', only: 'state IS NULL' }, limit),
      await this.page('inbox', { table: inbox, owner: 'consumer' }, limit),
      await this.pruned(limit),
    ];
    return {
      deleted: Math.max(...swept.map(({ deleted }) => deleted)),
      more: swept.some(({ deleted, more }) => more && deleted > 0),
    };
  }

  /** Looks at up to `limit` rows, from where the last call ended; `more`: the end was not reached. */
  private async page(which: 'channels' | 'inbox', of: statements.PositionTable, limit: number): Promise<Swept> {
    let at = this.cursors[which];
    for (let [deleted, looked] = [0, 0]; ;) {
      const asked = statements.selectRunChannels(this.scope, of, at, limit - looked);
      const found = (await this.db.run<ChannelRow>(asked)).rows.map(({ channel }) => channel);
      if (found.length > 0) deleted += await this.delete(of, at.owner, found);
      looked += found.length;
      this.cursors[which] = at = { owner: at.owner, channel: found.at(-1) ?? at.channel };
      if (looked >= limit) return { deleted, more: true };
      const [next] = (await this.db.run<{ owner: string }>(statements.selectOwner(this.scope, of, at.owner))).rows;
      this.cursors[which] = at = { owner: next?.owner ?? '', channel: '' };
      if (!next) return { deleted, more: false };
    }
  }

  private delete(of: statements.PositionTable, owner: string, channels: readonly string[]): Promise<number> {
    return this.db.transaction(async (tx) => {
      const locked = await channelsOf(tx, statements.lockPositions(this.scope, of, owner, channels));
      if (locked.length === 0) return 0;
      const pending = new Set(await channelsOf(tx, statements.selectUnprocessed(this.scope, locked)));
      const over = locked.filter((channel) => !pending.has(channel));
      if (over.length === 0) return 0;
      return (await tx.run(statements.deletePositions(this.scope, of, owner, over))).affected;
    });
  }

  private pruned(limit: number): Promise<Swept> {
    return this.db.transaction(async (tx) => {
      const locked = await channelsOf(tx, statements.lockPruned(this.scope, limit));
      if (locked.length === 0) return { deleted: 0, more: false };
      const { affected } = await tx.run(statements.deletePruned(this.scope, locked));
      return { deleted: affected, more: locked.length === limit };
    });
  }
}

const channelsOf = async (tx: SqlTransaction, statement: Parameters<SqlTransaction['run']>[0]): Promise<string[]> =>
  (await tx.run<ChannelRow>(statement)).rows.map(({ channel }) => channel);
