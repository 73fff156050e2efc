import { sql, type Statement } from '../../sql/statement.js';
import type { NewEffect } from '../effect-call.js';
import { type EffectScope, nowOf } from './effect-scope.sql.js';

const COLUMNS = {
  ...({ entry_id: 'key', operation: 'text', subject: 'text', handler: 'text', ref: 'text', payload: 'text' } as const),
};

export function insertEffects(scope: EffectScope, effects: readonly NewEffect[]): Statement {
  const { tables, dialect } = scope;
  const rows = effects.map(({ entryId, ...effect }) => ({ entry_id: entryId, ...effect }));
  return sql`
  INSERT INTO ${tables.effects} (entry_id, operation, subject, handler, ref, payload, enqueued_at)
  SELECT g.entry_id, g.operation, g.subject, g.handler, g.ref, g.payload, (SELECT ${nowOf(scope)})
  FROM ${dialect.rows(JSON.stringify(rows), COLUMNS)} AS g`;
}
