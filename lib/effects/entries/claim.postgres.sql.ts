import { planned } from '../../sql/dialects/key-list.js';
import { nowOf } from '../../sql/tables.js';
import { int, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { ClaimEffects, EffectClaim } from '../effect-claims.js';
import { CLAIMED, type EffectScope, MOST_PROMOTED, RELEASED } from './effect-scope.sql.js';

const clock = (scope: EffectScope): Statement => sql`clock AS MATERIALIZED (SELECT ${nowOf(scope)} AS at)`;
const AT = raw('(SELECT at FROM clock)');

/** Queues waiting entries that have come due, ordered by enqueue time like all others. */
export const promote = (scope: EffectScope): Statement => {
  const { tables, dialect } = scope;
  // This makes the planner read in index order, as below.
  const quota = dialect.rows(JSON.stringify([{ quota: MOST_PROMOTED }]), { quota: 'int' });
  return sql`
  WITH due AS MATERIALIZED (
    SELECT o.tid FROM ${quota} AS q CROSS JOIN ${planned} CROSS JOIN LATERAL (
      SELECT e.ctid AS tid FROM ${tables.effects} AS e
      WHERE e.ready = 0 AND e.next_attempt_at <= (SELECT ${nowOf(scope)})
      ORDER BY e.next_attempt_at, e.entry_id LIMIT q.quota FOR UPDATE SKIP LOCKED
    ) AS o
  )
  UPDATE ${tables.effects} SET ready = 1 WHERE ctid = ANY (ARRAY(SELECT tid FROM due))`;
};

/** One index lookup per handler, in index order; takes the oldest of the results. */
export function claimEffects(scope: EffectScope, request: ClaimEffects, token: string): Statement {
  const { effects } = scope.tables;
  const { handlers, limit, nodeId } = request;
  const json = JSON.stringify(
    handlers.map(({ name, leaseMs, attempts }) => ({ name, lease: leaseMs, most: attempts, quota: limit })),
  );
  const columns = { name: 'key', lease: 'int', most: 'int', quota: 'int' } as const;
  // The planner cannot know the quota or estimate the CASE: so it reads the index in order and never sorts.
  return sql`
  WITH ${clock(scope)}, handlers AS MATERIALIZED (SELECT * FROM ${scope.dialect.rows(json, columns)} AS g),
  due AS MATERIALIZED (
    SELECT o.tid, o.entry_id, o.attempts >= h.most AS exhausted FROM handlers AS h CROSS JOIN ${planned}
    CROSS JOIN LATERAL (
      SELECT e.ctid AS tid, e.entry_id, e.enqueued_at, e.attempts FROM ${effects} AS e
      WHERE e.ready = 1 AND e.handler = h.name
        AND CASE WHEN e.claim_token IS NULL OR e.lease_until <= ${AT} THEN 1 END IS NOT NULL
      ORDER BY e.enqueued_at, e.entry_id LIMIT h.quota FOR UPDATE SKIP LOCKED
    ) AS o
    ORDER BY o.enqueued_at, o.entry_id LIMIT ${int(limit)}
  )
  UPDATE ${effects} AS e
  SET status = 'in_flight', claim_token = ${token}, claimed_by = ${nodeId}, last_attempt_at = ${AT},
    lease_until = ${AT} + (SELECT h.lease FROM handlers AS h WHERE h.name = e.handler),
    attempts = e.attempts + CASE WHEN e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) THEN 0 ELSE 1 END
  WHERE e.ctid = ANY (ARRAY(SELECT tid FROM due))
  RETURNING ${CLAIMED}, e.entry_id = ANY (ARRAY(SELECT entry_id FROM due WHERE exhausted)) AS exhausted`;
}

/** Renews each claim for its own lease; rows that a settlement has locked are skipped. */
export const extendClaims = (
  scope: EffectScope,
  claims: readonly (EffectClaim & { readonly leaseMs: number })[],
): Statement => {
  const { effects } = scope.tables;
  const rows = claims.map(({ entryId, token, leaseMs }) => ({ entry_id: entryId, token, lease: leaseMs }));
  return sql`
  WITH ${clock(scope)}, held AS MATERIALIZED (
    SELECT o.tid, c.entry_id, c.lease
    FROM ${scope.dialect.rows(JSON.stringify(rows), { entry_id: 'key', token: 'key', lease: 'int' })} AS c
    CROSS JOIN ${planned} CROSS JOIN LATERAL (
      SELECT e.ctid AS tid FROM ${effects} AS e
      WHERE e.entry_id = c.entry_id AND e.claim_token = c.token FOR UPDATE SKIP LOCKED
    ) AS o
  )
  UPDATE ${effects} AS e
  SET lease_until = ${AT} + CAST((SELECT jsonb_object_agg(h.entry_id, h.lease) FROM held AS h) ->> e.entry_id AS bigint)
  WHERE e.ctid = ANY (ARRAY(SELECT tid FROM held)) RETURNING e.entry_id, e.claim_token`;
};

/** Restores the state before the claim: pending if it was never tried, otherwise failed. */
export const releaseClaims = (scope: EffectScope, claims: readonly EffectClaim[]): Statement => {
  const { tables, dialect } = scope;
  const rows = claims.map(({ entryId, token }) => ({ entry_id: entryId, token }));
  return sql`
  WITH held AS MATERIALIZED (
    SELECT o.tid FROM ${dialect.rows(JSON.stringify(rows), { entry_id: 'key', token: 'key' })} AS c
    CROSS JOIN ${planned} CROSS JOIN LATERAL (
      SELECT e.ctid AS tid FROM ${tables.effects} AS e
      WHERE e.entry_id = c.entry_id AND e.claim_token = c.token FOR UPDATE
    ) AS o
  )
  UPDATE ${tables.effects} SET ${RELEASED} WHERE ctid = ANY (ARRAY(SELECT tid FROM held)) RETURNING handler`;
};
