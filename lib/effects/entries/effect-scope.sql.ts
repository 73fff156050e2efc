import { amongKeys } from '../../sql/dialects/key-list.js';
import { type Clocked } from '../../sql/sql-scope.js';
import { id, type Identifier, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { EffectTables } from '../sql-effect-tables.js';

/** What the statements of this folder need to know besides their values. */
export interface EffectScope extends Clocked {
  readonly tables: EffectTables;
}

/** An integer as a parameter whose type is known. */
export const intValue = ({ dialect }: EffectScope, value: number): Statement =>
  dialect.cast(Math.trunc(value), 'bigint');

export const effectIndex = ({ tables }: EffectScope, suffix: string): Identifier =>
  id(`${tables.effects.name}_${suffix}`);

/** Which index a read that locks goes by. */
export const forced = (scope: EffectScope, suffix: string): Statement =>
  scope.dialect.forceIndex(effectIndex(scope, suffix));

/** How many entries whose time has come are queued at once. */
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
