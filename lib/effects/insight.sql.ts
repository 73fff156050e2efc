import { type MomentQuery, STAGE, WHAT } from '../core/protocol.js';
import type { Transaction } from '../core/transaction.js';
import { amongKeys, byFamily, deleteByKeys, deleteByNumbers } from '../sql/dialects.js';
import { connectionOf, type SqlExecutor } from '../sql/executor.js';
import { id, indexOf, int, join, raw, sql, type Statement } from '../sql/statement.js';
import { momentOf, type MomentRow, nextMoments, nowOf, onceNow, rowsOfRuns, SqlAdapter } from '../sql/tables.js';
import {
  type AwaitedGroups,
  type CountedEffects,
  EFFECT_STATUSES,
  type EffectErasure,
  type EffectGroup,
  type EffectInsight,
  type EffectMoment,
  type EffectRemoval,
  type EffectStatus,
  type EffectStory,
  type EndedCursor,
  type ErasedEffects,
  type EraseEffects,
  type HandlerCount,
  type KeptEffect,
  noEntries,
  type PurgedEffects,
  type PurgeEnded,
  removable,
  type StoredEffect,
  type UnclaimedEffects,
  type WhoseEffects,
} from './entries.js';
import { countGroup, type EffectScope, forced, type GroupRow, intValue } from './tables.sql.js';

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

export class SqlEffectInsight extends SqlAdapter<EffectScope> implements EffectInsight {
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

interface EffectMomentRow
  extends
    MomentRow,
    Pick<ShownRow, 'operation' | 'subject' | 'handler' | 'status' | 'attempts' | 'last_error' | 'error'> {
  ref: string | null;
  payload_erased: number | string;
}

export class SqlEffectStory extends SqlAdapter<EffectScope> implements EffectStory {
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

/** Finds calls without locking them, so that it waits for no call that is being settled. */
export class SqlEffectErasure implements EffectErasure {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly awaited: AwaitedGroups,
  ) {}

  async erase(request: EraseEffects): Promise<ErasedEffects> {
    const { rows } = await this.db.run<ErasableRow>(selectErasable(this.scope, request));
    if (rows.length === 0) return { effects: 0, auditEvents: 0 };
    const next = rows.length < request.limit ? {} : { next: rows.at(-1)!.entry_id };
    return this.db.transaction(async (tx) => {
      const succeeded = rows.filter(({ open }) => Number(open) === 0);
      const abandoned = rows.filter(({ open }) => Number(open) === 1);
      const going = [...succeeded, ...(await removable(abandoned, this.awaited, tx))];
      if (going.length === 0) return { effects: 0, auditEvents: 0, ...next };
      const ids = going.map(({ entry_id: id }) => id);
      const effects = (await tx.run(eraseEntries(this.scope, ids, request.discards))).affected;
      const auditEvents = (await tx.run(eraseAudit(this.scope, going))).affected;
      return { effects, auditEvents, ...next };
    });
  }

  kept(request: EraseEffects): Promise<KeptEffect[]> {
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<KeptRow>(selectKept(this.scope, request));
      const abandoned = request.discards ? rows.filter(({ ready }) => ready === null) : [];
      const gone = new Set(await removable(abandoned, this.awaited, tx));
      const kept = rows.filter((row) => !gone.has(row));
      return kept.map(({ entry_id: entryId, handler, run_id: runId, ready }) => ({
        entryId,
        handler,
        runId,
        isAbandoned: ready === null,
      }));
    });
  }
}

/** The calls as `e`, found by the index of their runs or groups. */
const whoseRows = (scope: EffectScope, whose: WhoseEffects): { from: Statement; where: Statement } => {
  const { tables, dialect } = scope;
  if ('runIds' in whose)
    return {
      from: sql`${tables.effects} AS e ${forced(scope, 'run')}`,
      where: sql`e.run_id ${amongKeys(dialect, whose.runIds)}`,
    };
  const groups = whose.groups.map(({ operation, subject }) => ({ operation, subject }));
  return {
    from: sql`${dialect.rows(groups, { operation: 'key', subject: 'text' })} AS g
    JOIN ${tables.effects} AS e ${forced(scope, 'group')} ON e.operation = g.operation AND e.subject = g.subject`,
    where: raw(`e.subject <> ''`),
  };
};

const ended = (discards: boolean): Statement => raw(discards ? 'e.ready IS NULL' : 'e.ready IS NULL AND e.open = 0');

export interface ErasableRow {
  entry_id: string;
  operation: string;
  subject: string;
  /** 1: it was abandoned. */
  open: number | string;
}

/** Calls that have ended and are not erased. A real subject is never empty. */
export const selectErasable = (scope: EffectScope, { whose, discards, limit, after = '' }: EraseEffects): Statement => {
  const { from, where } = whoseRows(scope, whose);
  return sql`
  SELECT e.entry_id, e.operation, e.subject, e.open FROM ${from}
  WHERE ${where} AND e.subject <> '' AND ${ended(discards)} AND e.entry_id > ${after} ORDER BY e.entry_id LIMIT ${int(limit)}`;
};

export interface KeptRow {
  entry_id: string;
  operation: string;
  subject: string;
  handler: string;
  run_id: string | null;
  ready: number | string | null;
}

/** Calls that may still be made, also abandoned ones. */
export const selectKept = (scope: EffectScope, { whose, limit }: EraseEffects): Statement => {
  const { from, where } = whoseRows(scope, whose);
  return sql`
  SELECT e.entry_id, e.operation, e.subject, e.handler, e.run_id, e.ready FROM ${from}
  WHERE ${where} AND e.subject <> '' AND e.open = 1 ORDER BY e.entry_id LIMIT ${int(limit)}`;
};

/** Checked again, since a call may have been requeued since it was read. */
export const eraseEntries = (
  { tables, dialect }: EffectScope,
  entryIds: readonly string[],
  discards: boolean,
): Statement => sql`
  UPDATE ${tables.effects} ${dialect.forceIndex()} SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND ready IS NULL${raw(discards ? '' : ' AND open = 0')}`;

/** The audit events of these calls if they are erased; those of a whole group once all its calls are. */
export const eraseAudit = ({ tables, dialect }: EffectScope, erased: readonly ErasableRow[]): Statement => {
  const entries = erased.map(({ entry_id, operation, subject }) => ({ entry_id, operation, subject }));
  const groups = [...new Map(entries.map((row) => [JSON.stringify([row.operation, row.subject]), row])).values()];
  const rows = [...entries, ...groups.map((group) => ({ ...group, entry_id: null }))];
  const among = (column: 'operation' | 'subject') => [...new Set(erased.map((row) => row[column]))];
  return dialect.updateFrom({
    table: tables.audit,
    as: 'a',
    index: indexOf(tables.audit, 'group'),
    from: sql`${dialect.rows(rows, { entry_id: 'key', operation: 'key', subject: 'text' })} AS n`,
    // Redundant, but by these conditions PostgreSQL always uses the index.
    on: sql`a.operation ${amongKeys(dialect, among('operation'))} AND a.subject ${amongKeys(dialect, among('subject'))}
      AND a.operation = n.operation AND a.subject = n.subject
      AND ((n.entry_id IS NOT NULL AND a.entry_id = n.entry_id) OR (n.entry_id IS NULL AND a.entry_id IS NULL))
      AND NOT EXISTS (SELECT 1 FROM ${tables.effects} AS e WHERE e.operation = n.operation AND e.subject = n.subject
        AND (n.entry_id IS NULL OR e.entry_id = n.entry_id))`,
    set: { subject: raw(`''`), details: raw(`'{}'`) },
  });
};

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
  deleteByKeys(dialect, tables.effects, 'entry_id', entryIds);

/** Of the first events, those that are old enough. Their ids have the order of time, so no other index is needed. */
export const selectOldEvents = (scope: EffectScope, olderThanMs: number, limit: number): Statement => sql`
  SELECT o.id FROM (
    SELECT a.${id('id')}, a.recorded_at FROM ${scope.tables.audit} AS a ORDER BY a.${id('id')} LIMIT ${int(limit)}
  ) AS o WHERE o.recorded_at <= ${nowOf(scope)} - ${olderThanMs}`;

export const deleteEventsById = ({ tables, dialect }: EffectScope, ids: readonly (number | string)[]): Statement =>
  deleteByNumbers(dialect, tables.audit, 'id', ids);

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
