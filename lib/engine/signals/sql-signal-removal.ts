import type { Transaction } from '../../protocol/transaction.js';
import { type SqlConnection, type SqlExecutor, sqlTransaction } from '../../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../../sql/tables.js';
import type { PurgeSignals, SignalCursor, SignalRemoval } from '../model/mailbox.js';
import { lockChannels } from './signal-delivery.sql.js';
import * as statements from './signal-removal.sql.js';

interface PlacedRow {
  id: number | string;
  created_at: number | string;
  gone: number | string;
}

/** Before all signals. */
const START: SignalCursor = { createdAt: 0, id: 0 };

export class SqlSignalRemoval implements SignalRemoval {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async purgeOfKeys(request: PurgeSignals): Promise<number> {
    const { rows } = await this.db.run<{ id: number | string }>(statements.selectOldOfKeys(this.scope, request));
    return this.delete(rows);
  }

  async purgeOfRuns(request: PurgeSignals, after = START): ReturnType<SignalRemoval['purgeOfRuns']> {
    const { rows } = await this.db.run<PlacedRow>(statements.selectOldOfRuns(this.scope, request, after));
    const purged = await this.delete(rows.filter(({ gone }) => Number(gone) === 1));
    const last = rows.at(-1);
    const isEnd = !last || rows.length < request.limit;
    return { purged, next: isEnd ? undefined : { createdAt: Number(last.created_at), id: Number(last.id) } };
  }

  async deleteUntaken(channel: string, limit: number, tx: Transaction): Promise<number> {
    const connection = sqlTransaction(tx);
    await connection.run(lockChannels(this.scope, [channel], false));
    const untaken = statements.lockUntaken(this.scope, channel, limit);
    return this.delete((await connection.run<{ id: number | string }>(untaken)).rows, connection);
  }

  async forget(channels: readonly string[], limit: number): Promise<number> {
    if (channels.length === 0) return 0;
    const found = statements.selectIn(this.scope, channels, limit);
    return this.delete((await this.db.run<{ id: number | string }>(found)).rows);
  }

  private async delete(rows: readonly { id: number | string }[], on: SqlConnection = this.db): Promise<number> {
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    return (await on.run(statements.deleteSignals(this.scope, ids))).affected;
  }
}
