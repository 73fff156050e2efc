import { keyList } from '../../sql/dialects/key-list.js';
import { nowOf } from '../../sql/tables.js';
import { int, join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { ClaimEffects, EffectClaim } from '../effect-claims.js';
import { CLAIMED, type EffectScope, forced, MOST_PROMOTED, RELEASED, selectTokens } from './effect-scope.sql.js';

/*
 * MySQL and MariaDB have no UPDATE … RETURNING, so a claim is a transaction: lock and read, then write by primary key in
 * key order.
 */

/** Waiting entries that have come due; read without a lock, since usually there are none. */
export const selectWaited = (scope: EffectScope): Statement => sql`
  SELECT entry_id FROM ${scope.tables.effects} ${forced(scope, 'waiting')}
  WHERE ready = 0 AND next_attempt_at <= ${nowOf(scope)} ORDER BY next_attempt_at, entry_id LIMIT ${int(MOST_PROMOTED)}`;

/** Locks those of them that no other transaction has locked. */
export const lockWaited = (scope: EffectScope, entryIds: readonly string[]): Statement => sql`
  SELECT entry_id FROM ${scope.tables.effects}
  WHERE entry_id IN ${keyList(entryIds)} AND ready = 0 AND next_attempt_at <= ${nowOf(scope)} FOR UPDATE SKIP LOCKED`;

export const promoteWaited = ({ tables }: EffectScope, entryIds: readonly string[]): Statement =>
  sql`UPDATE ${tables.effects} SET ready = 1 WHERE entry_id IN ${keyList(entryIds)}`;

/** One index lookup per handler, in index order. */
const probes = (scope: EffectScope, { handlers }: ClaimEffects, columns: Statement, tail: Statement): Statement =>
  join(
    handlers.map(
      ({ name }) => sql`(SELECT ${columns} FROM ${scope.tables.effects} ${forced(scope, 'ready')}
      WHERE ready = 1 AND handler = ${name} AND (claim_token IS NULL OR lease_until <= ${nowOf(scope)})
      ORDER BY enqueued_at, entry_id ${tail})`,
    ),
    ' UNION ALL ',
  );

/** Whether there is anything to claim: a plain read, so that an idle process locks nothing and opens no transaction. */
export const selectClaimable = (scope: EffectScope, request: ClaimEffects): Statement =>
  sql`SELECT 1 AS found FROM (${probes(scope, request, raw('1 AS found'), raw('LIMIT 1'))}) AS probes LIMIT 1`;

export const lockClaimable = (scope: EffectScope, request: ClaimEffects): Statement =>
  probes(
    scope,
    request,
    sql`entry_id, handler, enqueued_at, attempts, ${nowOf(scope)} AS at`,
    sql`LIMIT ${int(request.limit)} FOR UPDATE SKIP LOCKED`,
  );

/** Sets each handler's lease and attempts. `attempts` comes last: the assignments before it read its old value. */
export const stampClaimed = (
  scope: EffectScope,
  { handlers, nodeId }: ClaimEffects,
  entryIds: readonly string[],
  { token, at }: { token: string; at: number },
): Statement => {
  const ofHandler = (value: (handler: ClaimEffects['handlers'][number]) => number) =>
    sql`CASE handler ${join(
      handlers.map((handler) => sql`WHEN ${handler.name} THEN ${int(value(handler))}`),
      ' ',
    )} END`;
  return sql`
  UPDATE ${scope.tables.effects} SET status = 'in_flight', claim_token = ${token}, claimed_by = ${nodeId},
    last_attempt_at = ${at}, lease_until = ${at} + ${ofHandler(({ leaseMs }) => leaseMs)},
    attempts = attempts + (attempts < ${ofHandler(({ attempts }) => attempts)})
  WHERE entry_id IN ${keyList(entryIds)}`;
};

export const selectClaimed = ({ tables }: EffectScope, entryIds: readonly string[]): Statement =>
  sql`SELECT ${CLAIMED} FROM ${tables.effects} WHERE entry_id IN ${keyList(entryIds)}`;

/** Joins from the list, so that rows are looked up one by one and in its order. */
export const renewClaims = (
  scope: EffectScope,
  claims: readonly (EffectClaim & { readonly leaseMs: number })[],
): Statement => {
  const rows = claims.map(({ entryId, token, leaseMs }) => ({ entry_id: entryId, token, lease: leaseMs }));
  return sql`
  UPDATE ${scope.dialect.rows(JSON.stringify(rows), { entry_id: 'key', token: 'key', lease: 'int' })} AS c
  STRAIGHT_JOIN ${scope.tables.effects} AS e FORCE INDEX (PRIMARY) ON e.entry_id = c.entry_id AND e.claim_token = c.token
  SET e.lease_until = ${nowOf(scope)} + c.lease`;
};

/** The holders of these rows, locked in the order of ids. `skip`: omits rows that a settlement has locked. */
export const lockTokens = (scope: EffectScope, entryIds: readonly string[], skip: boolean): Statement =>
  sql`${selectTokens(scope, entryIds)} ORDER BY entry_id FOR UPDATE ${raw(skip ? 'SKIP LOCKED' : '')}`;

export const releaseEntries = ({ tables }: EffectScope, entryIds: readonly string[]): Statement =>
  sql`UPDATE ${tables.effects} SET ${RELEASED} WHERE entry_id IN ${keyList(entryIds)}`;
