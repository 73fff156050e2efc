import { amongKeys, byFamily, planned, plannedAnew } from '../sql/dialects.js';
import { type Home, id, type Identifier, indexOf, join, raw, sql, type Statement } from '../sql/statement.js';
import { type Clocked, nowOf } from '../sql/tables.js';
import type { EffectClaim, EffectGroup, Settlement } from './entries.js';

/** The tables of effects, with the common prefix of all tables. */
export interface EffectTables {
  readonly prefix: string;
  readonly home: Home;
  readonly effects: Identifier;
  readonly audit: Identifier;
}

export const effectTables = (prefix: string, home: Home = { schema: undefined }): EffectTables => ({
  prefix,
  home,
  effects: id(`${prefix}_effects`, home),
  audit: id(`${prefix}_effect_audit`, home),
});

/** The context of the statements in this folder, besides their values. */
export interface EffectScope extends Clocked {
  readonly tables: EffectTables;
}

/** An integer as a typed parameter. */
export const intValue = ({ dialect }: EffectScope, value: number): Statement =>
  dialect.cast(Math.trunc(value), 'bigint');

/** Forces the index of a locking read. */
export const forced = ({ dialect, tables }: EffectScope, suffix: string): Statement =>
  dialect.forceIndex(indexOf(tables.effects, suffix));

/** The maximum number of due entries that are queued at once. */
export const MOST_PROMOTED = 1_000;

/** The columns that a handler's call needs. */
export const CLAIMED = raw(
  'entry_id, operation, subject, handler, ref, payload, run_id, trace, attempts, last_error, enqueued_at',
);

/** Restores the state before the claim: pending or failed. `attempts` comes last: `status` reads its old value. */
export const RELEASED = raw(
  `status = CASE WHEN attempts > 1 THEN 'failed' ELSE 'pending' END, claim_token = NULL, claimed_by = NULL,
    lease_until = NULL, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END`,
);

/** The holders of these rows. */
export const selectTokens = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  SELECT entry_id, claim_token, handler FROM ${tables.effects} ${dialect.forceIndex()}
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND claim_token IS NOT NULL`;

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
    postgres: () => sql`SELECT o.entry_id FROM ${dialect.rows([{ quota: 2 }], { quota: 'int' })} AS q
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
