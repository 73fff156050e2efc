import type { EffectStatus } from '../effect-entry.js';
import type { EffectMoment, EffectStory } from '../effect-storage.js';
import type { EffectScope } from './effect-scope.sql.js';
import { type MomentQuery, STAGE, WHAT } from '../../protocol/moment.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { type MomentRow, momentOf, nextMoments, rowsOfRuns } from '../../sql/moments.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';

const TIMES = [
  ['enqueued_at', WHAT.effectAsked],
  ['last_attempt_at', WHAT.effectAttempted],
  ['finished_at', WHAT.effectEnded],
] as const;

/** The calls of these runs, found by the index of runs. */
export function selectEffectMoments({ tables, dialect }: EffectScope, { runIds, ...next }: MomentQuery): Statement {
  const branches = TIMES.map(
    ([at, what]) => sql`
    SELECT e.${raw(at)} AS moment, f.run, ${int(STAGE.beside)} AS stage, ${int(what)} AS what, e.entry_id AS item,
      e.operation, e.subject, e.handler, e.ref, e.status, e.attempts, e.last_error, e.error, e.payload_erased
    FROM ${tables.effects} AS e JOIN f ON f.run_id = e.run_id
    WHERE e.run_id ${amongKeys(dialect, runIds)} AND e.${raw(at)} IS NOT NULL`,
  );
  const among = rowsOfRuns(dialect, runIds);
  return nextMoments(dialect, { among, branches: join(branches, ' UNION ALL '), items: 'text', ...next });
}

export const selectEntriesOf = (
  { tables, dialect }: EffectScope,
  runIds: readonly string[],
  limit: number,
): Statement => sql`
  SELECT run_id, entry_id FROM ${tables.effects} WHERE run_id ${amongKeys(dialect, runIds)}
  ORDER BY run_id, entry_id LIMIT ${int(limit)}`;

interface EffectMomentRow extends MomentRow {
  operation: string;
  subject: string;
  handler: string;
  ref: string | null;
  status: EffectStatus;
  attempts: number | string;
  last_error: string | null;
  error: string | null;
  payload_erased: number | string;
}

export class SqlEffectStory implements EffectStory {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
  ) {}

  async moments(query: MomentQuery): Promise<EffectMoment[]> {
    const { rows } = await this.db.run<EffectMomentRow>(selectEffectMoments(this.scope, query));
    return rows.map(({ operation, subject, handler, ref, status, error, ...row }) => ({
      ...momentOf(row),
      call: {
        entryId: String(row.item),
        operation,
        subject,
        handler,
        ref,
        status,
        error,
        attempts: Number(row.attempts),
        lastError: row.last_error,
      },
      isErased: Number(row.payload_erased) === 1 && subject === '',
    }));
  }

  async entries(runIds: readonly string[], limit: number): ReturnType<EffectStory['entries']> {
    type Row = { run_id: string; entry_id: string };
    const { rows } = await this.db.run<Row>(selectEntriesOf(this.scope, runIds, limit));
    return rows.map(({ run_id: runId, entry_id: entryId }) => ({ runId, entryId }));
  }
}
