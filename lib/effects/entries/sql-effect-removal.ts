import { type AwaitedGroups, removable } from '../awaited-groups.js';
import type { EffectGroup } from '../effect-entry.js';
import type { EffectRemoval, EndedCursor, PurgedEffects, PurgeEnded } from '../effect-storage.js';
import { type EffectScope, forced, intValue } from './effect-scope.sql.js';
import { amongKeys, amongNumbers } from '../../sql/dialects/key-list.js';
import { id, int, sql, type Statement } from '../../sql/dialects/statement.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { nowOf, onceNow } from '../../sql/tables.js';

/** Locks ended entries in the order of their ends. */
export const lockEnded = (
  scope: EffectScope,
  { status, olderThanMs, limit }: PurgeEnded,
  { finishedAt, entryId }: EndedCursor,
): Statement => sql`
  SELECT entry_id, operation, subject, finished_at FROM ${scope.tables.effects} ${forced(scope, 'finished')}
  WHERE open = ${int(status === 'succeeded' ? 0 : 1)} AND finished_at <= ${onceNow(scope)} - ${olderThanMs}
    AND finished_at >= ${intValue(scope, finishedAt)}
    AND (finished_at > ${intValue(scope, finishedAt)} OR entry_id > ${entryId})
  ORDER BY finished_at, entry_id LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

interface EndedRow extends EffectGroup {
  entry_id: string;
  finished_at: number | string;
}

export const deleteEntries = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement =>
  sql`DELETE FROM ${tables.effects} WHERE entry_id ${amongKeys(dialect, entryIds)}`;

/** Of the first events, those that are old enough. Their ids have the order of time, so no other index is needed. */
export const selectOldEvents = (scope: EffectScope, olderThanMs: number, limit: number): Statement => sql`
  SELECT o.id FROM (
    SELECT a.${id('id')}, a.recorded_at FROM ${scope.tables.audit} AS a ORDER BY a.${id('id')} LIMIT ${int(limit)}
  ) AS o WHERE o.recorded_at <= ${nowOf(scope)} - ${olderThanMs}`;

export const deleteEventsById = ({ tables, dialect }: EffectScope, ids: readonly (number | string)[]): Statement =>
  sql`DELETE FROM ${tables.audit} WHERE ${id('id')} ${amongNumbers(dialect, ids)}`;

const START: EndedCursor = { finishedAt: 0, entryId: '' };

export class SqlEffectRemoval implements EffectRemoval {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly awaited: AwaitedGroups,
  ) {}

  purge(request: PurgeEnded, after = START): Promise<PurgedEffects> {
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<EndedRow>(lockEnded(this.scope, request, after));
      const going = request.status === 'succeeded' ? rows : await removable(rows, this.awaited, tx);
      const ids = going.map(({ entry_id: entryId }) => entryId);
      if (ids.length > 0) await tx.run(deleteEntries(this.scope, ids));
      const last = rows.length < request.limit ? undefined : rows.at(-1)!;
      return {
        purged: ids.length,
        next: last && { finishedAt: Number(last.finished_at), entryId: last.entry_id },
      };
    });
  }

  async purgeAudit(olderThanMs: number, limit: number): Promise<number> {
    const { rows } = await this.db.run<{ id: number | string }>(selectOldEvents(this.scope, olderThanMs, limit));
    const ids = rows.map((row) => row.id);
    return ids.length === 0 ? 0 : (await this.db.run(deleteEventsById(this.scope, ids))).affected;
  }
}
