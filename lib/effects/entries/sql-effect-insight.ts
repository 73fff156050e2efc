import { EFFECT_STATUSES, type EffectGroup, type EffectStatus, noEntries, type StoredEffect } from '../effect-entry.js';
import type { CountedEffects, EffectInsight, HandlerCount, UnclaimedEffects } from '../effect-storage.js';
import { type EffectScope, forced, intValue } from './effect-scope.sql.js';
import { countGroup, type GroupRow } from './settle.sql.js';
import type { Transaction } from '../../protocol/transaction.js';
import { byFamily } from '../../sql/dialects/dialect.js';
import { int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { connectionOf, type SqlExecutor } from '../../sql/sql-executor.js';
import { nowOf } from '../../sql/tables.js';

export const countStatuses = ({ tables }: EffectScope): Statement =>
  sql`SELECT status, COUNT(*) AS entries FROM ${tables.effects} GROUP BY status`;

/** The indexes that together have every entry, and what their entries have in common. */
const PARTS = [
  ['ready', 'ready = 1'],
  ['waiting', 'ready = 0'],
  ['abandoned', 'ready IS NULL AND open = 1'],
  ['finished', 'open = 0 AND finished_at IS NOT NULL'],
] as const;

type Part = (typeof PARTS)[number];

/** Which statuses the entries of an index may have. */
const STATUSES_OF: Record<Part[0], readonly EffectStatus[]> = {
  ready: ['pending', 'in_flight', 'failed', 'scheduled'],
  waiting: ['failed', 'scheduled'],
  abandoned: ['abandoned'],
  finished: ['succeeded'],
};

export const countUpTo = (
  scope: EffectScope,
  { parts = PARTS, byHandler = false }: { parts?: readonly Part[]; byHandler?: boolean },
  atMost: number,
): Statement => {
  const counted = ([index, condition]: Part) => {
    const [one, ...others] = STATUSES_OF[index];
    // If all have the same status, the index alone is read.
    const status = others.length > 0 ? raw('status') : raw(`'${one}'`);
    const handler = raw(byHandler ? 'handler' : `''`);
    return sql`
    SELECT ${raw(`'${index}'`)} AS part, c.status, c.handler, COUNT(*) AS entries FROM (
      SELECT ${status} AS status, ${handler} AS handler FROM ${scope.tables.effects} ${forced(scope, index)}
      WHERE ${raw(condition)} LIMIT ${int(atMost + 1)}
    ) AS c GROUP BY c.status, c.handler`;
  };
  return join(parts.map(counted), ' UNION ALL ');
};

const SHOWN =
  raw(`entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error, error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at`);

export const selectAbandoned = (scope: EffectScope, limit: number): Statement => sql`
  SELECT ${SHOWN} FROM ${scope.tables.effects} ${forced(scope, 'abandoned')}
  WHERE ready IS NULL AND open = 1 ORDER BY enqueued_at, entry_id LIMIT ${int(limit)}`;

/** Entries that have come due and those that still wait: one index lookup each. */
export const selectScheduled = (scope: EffectScope, limit: number): Statement => {
  const probe = (ready: string) => sql`(SELECT ${SHOWN} FROM ${scope.tables.effects}
    WHERE ready = ${raw(ready)} AND status = 'scheduled' ORDER BY next_attempt_at, entry_id LIMIT ${int(limit)})`;
  return sql`
  SELECT * FROM (${probe('1')} UNION ALL ${probe('0')}) AS scheduled ORDER BY due_at, entry_id LIMIT ${int(limit)}`;
};

export const selectOpenOf = (
  { tables }: EffectScope,
  { operation, subject }: EffectGroup,
  limit: number,
): Statement => sql`
  SELECT ${SHOWN} FROM ${tables.effects}
  WHERE operation = ${operation} AND subject = ${subject} AND open = 1 ORDER BY entry_id LIMIT ${int(limit)}`;

/** When it became claimable. */
const SINCE = raw(
  'GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0))',
);

/** How many queued entries are read: a recently retried entry may precede older ones. */
const LOOKED_AT = 100;

const longestOf = (scope: EffectScope, handler: Statement): Statement => sql`
    SELECT MIN(queued.since) AS since FROM (
      SELECT ${SINCE} AS since FROM ${scope.tables.effects} ${forced(scope, 'ready')}
      WHERE ready = 1 AND handler = ${handler} AND (claim_token IS NULL OR lease_until <= ${nowOf(scope)})
      ORDER BY enqueued_at, entry_id LIMIT ${int(LOOKED_AT)}
    ) AS queued`;

/** PostgreSQL: one index lookup per handler, regardless of its number of entries. */
export const selectQueued = (scope: EffectScope): Statement => {
  const { effects } = scope.tables;
  const next = (after: Statement) =>
    sql`(SELECT e.handler FROM ${effects} AS e WHERE e.ready = 1 ${after} ORDER BY e.handler LIMIT 1)`;
  return sql`
  WITH RECURSIVE names AS (
    ${next(raw(''))} UNION ALL SELECT ${next(raw('AND e.handler > n.handler'))} FROM names AS n WHERE n.handler IS NOT NULL
  )
  SELECT n.handler, w.since, ${nowOf(scope)} AS at FROM names AS n
  CROSS JOIN LATERAL (${longestOf(scope, raw('n.handler'))}) AS w WHERE w.since IS NOT NULL`;
};

/**
 * MySQL family: the same in two statements, since MariaDB has no LATERAL. `ready` is at most 1; only a range of it lets
 * GROUP BY step through the index from one handler to the next.
 */
export const selectHandlers = (scope: EffectScope): Statement => sql`
  SELECT e.handler FROM ${scope.tables.effects} AS e ${forced(scope, 'ready')}
  WHERE e.ready >= 1 GROUP BY e.ready, e.handler`;

export const selectQueuedOf = (scope: EffectScope, handlers: readonly string[]): Statement =>
  join(
    handlers.map(
      (handler) =>
        sql`SELECT ${handler} AS handler, w.since, ${nowOf(scope)} AS at FROM (${longestOf(scope, sql`${handler}`)}) AS w WHERE w.since IS NOT NULL`,
    ),
    ' UNION ALL ',
  );

const MOST_WAITING = 1_000;

/** Entries that came due long ago but were never queued. */
export const selectForgotten = (scope: EffectScope, olderThanMs: number): Statement => sql`
  SELECT w.handler, MIN(w.next_attempt_at) AS since, MAX(w.at) AS at FROM (
    SELECT handler, next_attempt_at, ${nowOf(scope)} AS at FROM ${scope.tables.effects} ${forced(scope, 'waiting')}
    WHERE ready = 0 AND next_attempt_at <= ${nowOf(scope)} - ${intValue(scope, olderThanMs)}
    ORDER BY next_attempt_at, entry_id LIMIT ${int(MOST_WAITING)}
  ) AS w GROUP BY w.handler`;

interface ShownRow {
  entry_id: string;
  operation: string;
  subject: string;
  handler: string;
  ref: string;
  status: EffectStatus;
  attempts: number | string;
  enqueued_at: number | string;
  last_attempt_at: number | string | null;
  last_error: string | null;
  error: string | null;
  finished_at: number | string | null;
  due_at: number | string | null;
}

interface CountRow {
  part: keyof typeof STATUSES_OF;
  status: EffectStatus;
  handler: string;
  entries: number | string;
}

interface WaitingRow {
  handler: string;
  since: number | string;
  at: number | string;
}

export class SqlEffectInsight implements EffectInsight {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
  ) {}

  async counts(
    atMost: number,
    of: readonly EffectStatus[] = EFFECT_STATUSES,
  ): Promise<Record<EffectStatus, CountedEffects>> {
    const parts = PARTS.filter(([part]) => STATUSES_OF[part].some((status) => of.includes(status)));
    const rows = await this.counted(atMost, { parts });
    const sum = (some: readonly CountRow[]) => some.reduce((all, { entries }) => all + Number(entries), 0);
    const cut = PARTS.filter(([part]) => sum(rows.filter((row) => row.part === part)) > atMost);
    const mayBeMore = new Set(cut.flatMap(([part]) => STATUSES_OF[part]));
    const counts = EFFECT_STATUSES.map((status): [EffectStatus, CountedEffects] => {
      const count = sum(rows.filter((row) => row.status === status));
      return [status, { count: Math.min(count, atMost), more: count > atMost || mayBeMore.has(status) }];
    });
    return Object.fromEntries(counts) as Record<EffectStatus, CountedEffects>;
  }

  async countsByHandler(atMost: number): Promise<HandlerCount[]> {
    const counts = new Map<string, HandlerCount>();
    for (const { handler, status, entries } of await this.counted(atMost, { byHandler: true })) {
      const key = JSON.stringify([handler, status]);
      counts.set(key, { handler, status, count: (counts.get(key)?.count ?? 0) + Number(entries) });
    }
    return [...counts.values()];
  }

  private async counted(atMost: number, what: Parameters<typeof countUpTo>[1]): Promise<CountRow[]> {
    return (await this.db.run<CountRow>(countUpTo(this.scope, what, atMost))).rows;
  }

  async statusCounts(): Promise<Record<EffectStatus, number>> {
    type Row = { status: EffectStatus; entries: number | string };
    const { rows } = await this.db.run<Row>(countStatuses(this.scope));
    return { ...noEntries(), ...Object.fromEntries(rows.map(({ status, entries }) => [status, Number(entries)])) };
  }

  listAbandoned(limit: number): Promise<StoredEffect[]> {
    return this.list(selectAbandoned(this.scope, limit));
  }

  listScheduled(limit: number): Promise<StoredEffect[]> {
    return this.list(selectScheduled(this.scope, limit));
  }

  listOpen(group: EffectGroup, limit: number): Promise<StoredEffect[]> {
    return this.list(selectOpenOf(this.scope, group, limit));
  }

  async unclaimed(olderThanMs: number): Promise<UnclaimedEffects[]> {
    const forgotten = await this.db.run<WaitingRow>(selectForgotten(this.scope, olderThanMs));
    const longest = new Map<string, UnclaimedEffects>();
    for (const { handler, ...row } of [...(await this.queued()), ...forgotten.rows]) {
      const since = Number(row.since);
      const found = { handler, since, ageMs: Number(row.at) - since };
      if (found.ageMs >= olderThanMs && found.ageMs > (longest.get(handler)?.ageMs ?? -1)) longest.set(handler, found);
    }
    return [...longest.values()].sort((a, b) => b.ageMs - a.ageMs || (a.handler < b.handler ? -1 : 1));
  }

  async isComplete(group: EffectGroup, tx?: Transaction): Promise<boolean> {
    const { rows } = await connectionOf(this.db, tx).run<GroupRow>(countGroup(this.scope, group));
    return Number(rows[0]?.entries) > 0 && Number(rows[0]?.open) === 0;
  }

  private queued(): Promise<WaitingRow[]> {
    return byFamily(this.scope.dialect, {
      postgres: async () => (await this.db.run<WaitingRow>(selectQueued(this.scope))).rows,
      mysql: () => this.queuedInSteps(),
    });
  }

  private async queuedInSteps(): Promise<WaitingRow[]> {
    const { rows } = await this.db.run<{ handler: string }>(selectHandlers(this.scope));
    if (rows.length === 0) return [];
    const handlers = rows.map(({ handler }) => handler);
    return (await this.db.run<WaitingRow>(selectQueuedOf(this.scope, handlers))).rows;
  }

  private async list(statement: Statement): Promise<StoredEffect[]> {
    return (await this.db.run<ShownRow>(statement)).rows.map(storedOf);
  }
}

const storedOf = (row: ShownRow): StoredEffect => ({
  entryId: row.entry_id,
  operation: row.operation,
  subject: row.subject,
  handler: row.handler,
  ref: row.ref,
  status: row.status,
  attempts: Number(row.attempts),
  enqueuedAt: Number(row.enqueued_at),
  nextAttemptAt: numberOf(row.due_at),
  lastAttemptAt: numberOf(row.last_attempt_at),
  lastError: row.last_error,
  error: row.error,
  finishedAt: numberOf(row.finished_at),
});

const numberOf = (value: number | string | null): number | null => (value === null ? null : Number(value));
