import { join, raw, sql, type Statement } from '../../sql/statement.js';
import { type EffectScope, forced, int, intValue, nowOf } from './effect-scope.sql.js';

export const countStatuses = ({ tables }: EffectScope): Statement =>
  sql`SELECT status, COUNT(*) AS entries FROM ${tables.effects} GROUP BY status`;

const SHOWN =
  raw(`entry_id, operation, subject, handler, ref, status, attempts, enqueued_at, last_attempt_at, last_error,
    finished_at, COALESCE(lease_until, next_attempt_at) AS due_at`);

export const selectAbandoned = (scope: EffectScope, limit: number): Statement => sql`
  SELECT ${SHOWN} FROM ${scope.tables.effects} ${forced(scope, 'abandoned')}
  WHERE ready IS NULL AND open = 1 ORDER BY enqueued_at, entry_id LIMIT ${int(limit)}`;

/** Those whose time has come, and those that wait for it: each a probe of the index. */
export const selectScheduled = (scope: EffectScope, limit: number): Statement => {
  const probe = (ready: string) => sql`(SELECT ${SHOWN} FROM ${scope.tables.effects}
    WHERE ready = ${raw(ready)} AND status = 'scheduled' ORDER BY next_attempt_at, entry_id LIMIT ${int(limit)})`;
  return sql`
  SELECT * FROM (${probe('1')} UNION ALL ${probe('0')}) AS scheduled ORDER BY due_at, entry_id LIMIT ${int(limit)}`;
};

/** Since when it could have been claimed. */
const SINCE = raw(
  'GREATEST(enqueued_at, COALESCE(next_attempt_at, 0), COALESCE(lease_until, 0), COALESCE(last_attempt_at, 0))',
);

/** How many of those in line are looked at: one that was tried again lately may stand before others. */
const LOOKED_AT = 100;

const longestOf = (scope: EffectScope, handler: Statement): Statement => sql`
    SELECT MIN(queued.since) AS since FROM (
      SELECT ${SINCE} AS since FROM ${scope.tables.effects} ${forced(scope, 'ready')}
      WHERE ready = 1 AND handler = ${handler} AND (claim_token IS NULL OR lease_until <= ${nowOf(scope)})
      ORDER BY enqueued_at, entry_id LIMIT ${int(LOOKED_AT)}
    ) AS queued`;

/** PostgreSQL: each handler is a step of its own, however many entries it has. */
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

/** MySQL family: the same in two, since MariaDB has no LATERAL. */
export const selectHandlers = ({ tables }: EffectScope): Statement =>
  sql`SELECT DISTINCT handler FROM ${tables.effects} WHERE ready = 1`;

export const selectQueuedOf = (scope: EffectScope, handlers: readonly string[]): Statement =>
  join(
    handlers.map(
      (handler) =>
        sql`SELECT ${handler} AS handler, w.since, ${nowOf(scope)} AS at FROM (${longestOf(scope, sql`${handler}`)}) AS w WHERE w.since IS NOT NULL`,
    ),
    ' UNION ALL ',
  );

const MOST_WAITING = 1_000;

/** Those whose time came long ago, and nobody has put them in line. */
export const selectForgotten = (scope: EffectScope, olderThanMs: number): Statement => sql`
  SELECT w.handler, MIN(w.next_attempt_at) AS since, MAX(w.at) AS at FROM (
    SELECT handler, next_attempt_at, ${nowOf(scope)} AS at FROM ${scope.tables.effects} ${forced(scope, 'waiting')}
    WHERE ready = 0 AND next_attempt_at <= ${nowOf(scope)} - ${intValue(scope, olderThanMs)}
    ORDER BY next_attempt_at, entry_id LIMIT ${int(MOST_WAITING)}
  ) AS w GROUP BY w.handler`;
