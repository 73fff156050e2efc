import type { Dialect } from '../../sql/dialect.js';
import { amongKeys, integerNow } from '../../sql/key-list.js';
import type { SqlNow } from '../../sql/sql-now.js';
import { id, type Identifier, raw, sql, type Statement } from '../../sql/statement.js';
import type { EffectTables } from '../sql-effect-tables.js';

/** What the statements of this folder need to know besides their values. */
export interface EffectScope {
  readonly tables: EffectTables;
  readonly dialect: Dialect;
  readonly now: SqlNow;
}

export const nowOf = ({ dialect, now }: EffectScope): Statement => integerNow(dialect, now);

/** An integer of our own, written as it is. */
export const int = (value: number): Statement => raw(String(Math.trunc(value)));

/** An integer as a parameter whose type is known. */
export const intValue = ({ dialect }: EffectScope, value: number): Statement =>
  sql`CAST(${Math.trunc(value)} AS ${raw(dialect.family === 'postgres' ? 'bigint' : 'signed')})`;

export const effectIndex = ({ tables }: EffectScope, suffix: string): Identifier =>
  id(`${tables.effects.name}_${suffix}`);

/** MySQL family: which index a read that locks goes by; with another it would lock what it passes over. */
export const forced = (scope: EffectScope, suffix: string): Statement =>
  scope.dialect.family === 'postgres' ? raw('') : sql`FORCE INDEX (${effectIndex(scope, suffix)})`;

/** How many entries whose time has come are put in line at once. */
export const MOST_PROMOTED = 1_000;

/** What a handler has to know of its call. */
export const CLAIMED = raw('entry_id, operation, subject, handler, ref, payload, attempts, last_error, enqueued_at');

/** As before the claim: what was never tried is pending, all else has failed before. `attempts` last: it is asked for. */
export const RELEASED = raw(
  `status = CASE WHEN attempts > 1 THEN 'failed' ELSE 'pending' END, claim_token = NULL, claimed_by = NULL,
    lease_until = NULL, attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END`,
);

/** Who holds these rows. */
export const selectTokens = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  SELECT entry_id, claim_token, handler FROM ${tables.effects}
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND claim_token IS NOT NULL`;
