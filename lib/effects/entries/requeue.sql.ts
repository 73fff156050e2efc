import { amongKeys } from '../../sql/key-list.js';
import { sql, type Statement } from '../../sql/statement.js';
import type { EffectScope } from './effect-scope.sql.js';

/** Locked in the order of their ids, as settlements lock. */
export const lockAbandoned = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  SELECT entry_id, operation, subject, handler, attempts, last_error FROM ${tables.effects}
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND status = 'abandoned' AND payload_erased = 0
  ORDER BY entry_id FOR UPDATE`;

export const makePending = ({ tables, dialect }: EffectScope, entryIds: readonly string[]): Statement => sql`
  UPDATE ${tables.effects} SET status = 'pending', ready = 1, attempts = 0, last_error = NULL, finished_at = NULL
  WHERE entry_id ${amongKeys(dialect, entryIds)}`;
