import { amongKeys } from '../../sql/dialects/key-list.js';
import type { Clocked } from '../../sql/tables.js';
import { id, type Identifier, raw, sql, type Statement } from '../../sql/dialects/statement.js';

/** The tables of effects, with the common prefix of all tables. */
export interface EffectTables {
  readonly prefix: string;
  readonly effects: Identifier;
  readonly audit: Identifier;
}

export const effectTables = (prefix: string): EffectTables => ({
  prefix,
  effects: id(`${prefix}_effects`),
  audit: id(`${prefix}_effect_audit`),
});

/** The context of the statements in this folder, besides their values. */
export interface EffectScope extends Clocked {
  readonly tables: EffectTables;
}

/** An integer as a typed parameter. */
export const intValue = ({ dialect }: EffectScope, value: number): Statement =>
  dialect.cast(Math.trunc(value), 'bigint');

export const effectIndex = ({ tables }: EffectScope, suffix: string): Identifier =>
  id(`${tables.effects.name}_${suffix}`);

/** Forces the index of a locking read. */
export const forced = (scope: EffectScope, suffix: string): Statement =>
  scope.dialect.forceIndex(effectIndex(scope, suffix));

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
  SELECT entry_id, claim_token, handler FROM ${tables.effects}
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND claim_token IS NOT NULL`;
