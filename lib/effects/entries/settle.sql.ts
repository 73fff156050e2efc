import { byFamily } from '../../sql/dialects/dialect.js';
import { planned, plannedAnew } from '../../sql/dialects/key-list.js';
import { nowOf } from '../../sql/tables.js';
import { join, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { EffectClaim } from '../effect-claims.js';
import type { EffectGroup } from '../effect-entry.js';
import type { Settlement } from '../effect-storage.js';
import { type EffectScope, forced, intValue } from './effect-scope.sql.js';

/**
 * Locks the first two open entries of a group in the order of their ids: either one of them is another's, or this is
 * the last open one. Every success of the group runs this, so of two concurrent last ones, one waits for the other.
 * Costs two locks, regardless of the size of the group.
 */
export const lockOpen = (scope: EffectScope, { operation, subject }: EffectGroup): Statement => {
  const { tables, dialect } = scope;
  const first = (limit: string) => sql`
  SELECT e.entry_id FROM ${tables.effects} AS e ${forced(scope, 'group')}
  WHERE e.operation = ${operation} AND e.subject = ${subject} AND e.open = 1
  ORDER BY e.entry_id LIMIT ${raw(limit)} FOR UPDATE`;
  return byFamily(dialect, {
    // The planner does not know this limit, so it reads the index in order instead of sorting the group.
    postgres: () => sql`SELECT o.entry_id FROM ${dialect.rows('[{"quota":2}]', { quota: 'int' })} AS q
    CROSS JOIN ${planned} CROSS JOIN LATERAL (${first('q.quota')}) AS o`,
    mysql: () => first('2'),
  });
};

export interface GroupRow {
  entries: number | string;
  /** Null when there are no entries. */
  open: number | string | null;
}

export const countGroup = (scope: EffectScope, { operation, subject }: EffectGroup): Statement => sql`
  SELECT COUNT(*) AS entries, SUM(e.open) AS open FROM ${scope.tables.effects} AS e ${plannedAnew(scope.dialect, 'CROSS JOIN')}
  WHERE e.operation = ${operation} AND e.subject = ${subject}`;

/** Affects one row if the claim holds. */
export const settleEntry = (
  scope: EffectScope,
  { entryId, token }: EffectClaim,
  settlement: Settlement,
): Statement => sql`
  UPDATE ${scope.tables.effects}
  SET ${join([...UNCLAIMED, ...assignments(scope, settlement)])}, status = ${settlement.status} ${plannedAnew(scope.dialect, 'FROM')}
  WHERE entry_id = ${entryId} AND status = 'in_flight' AND claim_token = ${token}`;

/** Returns one row while the transaction that settled it is valid; fails if PostgreSQL has aborted it. */
export const selectSucceeded = (scope: EffectScope, { entryId }: EffectClaim): Statement => sql`
  SELECT 1 AS stands FROM ${scope.tables.effects} AS e ${plannedAnew(scope.dialect, 'CROSS JOIN')}
  WHERE e.entry_id = ${entryId} AND e.status = 'succeeded'`;

const UNCLAIMED = [raw('claim_token = NULL'), raw('claimed_by = NULL'), raw('lease_until = NULL')];

/** `payload_erased` before `payload`: assignments run from left to right, and it reads the old payload. */
const ended = (scope: EffectScope): Statement[] => [
  raw('payload_erased = CASE WHEN payload IS NULL THEN payload_erased ELSE 1 END'),
  raw('payload = NULL'),
  raw('next_attempt_at = NULL'),
  raw('ready = NULL'),
  sql`finished_at = ${nowOf(scope)}`,
];

function assignments(scope: EffectScope, settlement: Settlement): Statement[] {
  switch (settlement.status) {
    case 'succeeded':
      return [...ended(scope), raw('open = 0'), raw('last_error = NULL'), raw('error = NULL')];
    case 'abandoned':
      return [...ended(scope), ...errorOf(settlement)];
    case 'failed':
      return [raw('ready = 0'), sql`next_attempt_at = ${after(scope, settlement.delayMs)}`, ...errorOf(settlement)];
    case 'scheduled':
      return [
        raw('ready = 0'),
        sql`next_attempt_at = GREATEST(${intValue(scope, settlement.until)}, ${after(scope, settlement.delayMs)})`,
        raw('attempts = 0'),
        raw('last_error = NULL'),
        raw('error = NULL'),
      ];
  }
}

const errorOf = ({ error, recorded = null }: { error: string; recorded?: string | null }): Statement[] => [
  sql`last_error = ${error}`,
  sql`error = ${recorded}`,
];

const after = (scope: EffectScope, delayMs: number): Statement => sql`${nowOf(scope)} + ${intValue(scope, delayMs)}`;
