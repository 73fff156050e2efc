import type { EraseEffects, WhoseEffects } from '../effect-erasure.js';
import { type EffectScope, forced } from './effect-scope.sql.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { int, raw, sql, type Statement } from '../../sql/dialects/statement.js';

/** The calls as `e`, found by the index of their runs or groups. */
const whoseRows = (scope: EffectScope, whose: WhoseEffects): { from: Statement; where: Statement } => {
  const { tables, dialect } = scope;
  if ('runIds' in whose)
    return {
      from: sql`${tables.effects} AS e ${forced(scope, 'run')}`,
      where: sql`e.run_id ${amongKeys(dialect, whose.runIds)}`,
    };
  const groups = whose.groups.map(({ operation, subject }) => ({ operation, subject }));
  return {
    from: sql`${dialect.rows(JSON.stringify(groups), { operation: 'key', subject: 'text' })} AS g
    JOIN ${tables.effects} AS e ${forced(scope, 'group')} ON e.operation = g.operation AND e.subject = g.subject`,
    where: raw(`e.subject <> ''`),
  };
};

const ended = (discards: boolean): Statement => raw(discards ? 'e.ready IS NULL' : 'e.ready IS NULL AND e.open = 0');

export interface ErasableRow {
  entry_id: string;
  operation: string;
  subject: string;
  /** 1: it was abandoned. */
  open: number | string;
}

/** Calls that have ended and are not erased. A real subject is never empty. */
export const selectErasable = (scope: EffectScope, { whose, discards, limit, after = '' }: EraseEffects): Statement => {
  const { from, where } = whoseRows(scope, whose);
  return sql`
  SELECT e.entry_id, e.operation, e.subject, e.open FROM ${from}
  WHERE ${where} AND e.subject <> '' AND ${ended(discards)} AND e.entry_id > ${after} ORDER BY e.entry_id LIMIT ${int(limit)}`;
};

export interface KeptRow {
  entry_id: string;
  operation: string;
  subject: string;
  handler: string;
  run_id: string | null;
  ready: number | string | null;
}

/** Calls that may still be made, also abandoned ones. */
export const selectKept = (scope: EffectScope, { whose, limit }: EraseEffects): Statement => {
  const { from, where } = whoseRows(scope, whose);
  return sql`
  SELECT e.entry_id, e.operation, e.subject, e.handler, e.run_id, e.ready FROM ${from}
  WHERE ${where} AND e.subject <> '' AND e.open = 1 ORDER BY e.entry_id LIMIT ${int(limit)}`;
};

/** Checked again, since a call may have been requeued since it was read. */
export const eraseEntries = (
  { tables, dialect }: EffectScope,
  entryIds: readonly string[],
  discards: boolean,
): Statement => sql`
  UPDATE ${tables.effects} SET subject = '', ref = NULL, last_error = NULL, error = NULL, payload_erased = 1
  WHERE entry_id ${amongKeys(dialect, entryIds)} AND ready IS NULL${raw(discards ? '' : ' AND open = 0')}`;

/** The audit events of these calls if they are erased; those of a whole group once all its calls are. */
export const eraseAudit = ({ tables, dialect }: EffectScope, erased: readonly ErasableRow[]): Statement => {
  const entries = erased.map(({ entry_id, operation, subject }) => ({ entry_id, operation, subject }));
  const groups = [...new Map(entries.map((row) => [JSON.stringify([row.operation, row.subject]), row])).values()];
  const rows = [...entries, ...groups.map((group) => ({ ...group, entry_id: null }))];
  const among = (column: 'operation' | 'subject') => [...new Set(erased.map((row) => row[column]))];
  return dialect.updateFrom({
    table: tables.audit,
    as: 'a',
    from: sql`${dialect.rows(JSON.stringify(rows), { entry_id: 'key', operation: 'key', subject: 'text' })} AS n`,
    // Redundant, but by these conditions PostgreSQL always uses the index.
    on: sql`a.operation ${amongKeys(dialect, among('operation'))} AND a.subject ${amongKeys(dialect, among('subject'))}
      AND a.operation = n.operation AND a.subject = n.subject
      AND ((n.entry_id IS NOT NULL AND a.entry_id = n.entry_id) OR (n.entry_id IS NULL AND a.entry_id IS NULL))
      AND NOT EXISTS (SELECT 1 FROM ${tables.effects} AS e WHERE e.operation = n.operation AND e.subject = n.subject
        AND (n.entry_id IS NULL OR e.entry_id = n.entry_id))`,
    set: { subject: raw(`''`), details: raw(`'{}'`) },
  });
};
