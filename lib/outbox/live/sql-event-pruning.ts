import type { SqlExecutor } from '../../sql/sql-executor.js';
import type { SqlNow } from '../../sql/sql-now.js';
import type { OutboxTables } from '../tables/sql-outbox-tables.js';
import type { EventPruning, Pruned, PruneRequest } from './event-pruning.js';
import {
  deleteEvents,
  notePruned,
  type OldRow,
  type PageRow,
  pruneOnce,
  type PruningScope,
  selectPage,
} from './pruning.sql.js';
import { laterOf } from './sequence.js';

/** The outbox from its beginning, a page of its primary key at a time. */
export class SqlEventPruning implements EventPruning {
  private readonly scope: PruningScope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Pick<OutboxTables, 'outbox' | 'pruned'>,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async prune(request: PruneRequest): Promise<Pruned> {
    if (this.db.dialect.family === 'mysql') return this.pruneInSteps(request);
    type Row = PageRow & { removed: number | string };
    const [row] = (await this.db.run<Row>(pruneOnce(this.scope, request))).rows;
    const isOver = !row || row.last === null || Number(row.looked) < request.limit || !isTrue(row.old);
    return { removed: Number(row?.removed ?? 0), next: isOver ? undefined : String(row.last) };
  }

  private async pruneInSteps(request: PruneRequest): Promise<Pruned> {
    type Row = OldRow & { newest: number | string };
    // Whatever is processed stays so: what was read may be acted upon later.
    const found = (await this.db.run<Row>(selectPage(this.scope, request))).rows;
    const rows = found.sort((a, b) => Number(BigInt(a.sequence_id) - BigInt(b.sequence_id)));
    const old = rows.filter((row) => isTrue(row.processed) && isTrue(row.old) && !isTrue(row.newest));
    const removed = old.length === 0 ? 0 : await this.remove(old);
    const last = rows.at(-1);
    return { removed, next: !last || rows.length < request.limit || !isTrue(last.old) ? undefined : last.sequence_id };
  }

  private remove(old: readonly OldRow[]): Promise<number> {
    const positions = new Map<string, string>();
    for (const { channel, sequence_id: number } of old)
      positions.set(channel, laterOf(number, positions.get(channel) ?? '0'));
    const noted = [...positions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([channel, position]) => ({ channel, position }));
    return this.db.transaction(async (tx) => {
      await tx.run(notePruned(this.scope, noted));
      const numbers = old.map(({ sequence_id: number }) => number);
      return (await tx.run(deleteEvents(this.scope, numbers))).affected;
    });
  }
}

const isTrue = (value: boolean | number | string | null): boolean => value === true || Number(value) === 1;
