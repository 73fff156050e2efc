import type { Scope } from '../../sql/tables.js';
import { raw, sql, type Statement } from '../../sql/dialects/statement.js';
import type { RunWrite } from '../model/run-store.js';

/** Columns of a write's row: the first record that must exist. Usually there is only one. */
export const KNOWN = { known_seq: 'int', known: 'int' } as const;

export function knownOf({ known = [] }: RunWrite): { known_seq?: number; known?: number | null } {
  const [first] = known;
  return first ? { known_seq: first.seq, known: first.settled } : {};
}

/** Whether all known records of the write `w` exist; one read by key each. */
export function standsIn(scope: Scope, writes: readonly RunWrite[]): Statement {
  const { dialect } = scope;
  const more = writes.flatMap(({ runId: id, known = [] }) =>
    known.slice(1).map(({ seq, settled }) => ({ id, known_seq: seq, known: settled })),
  );
  const first = sql`(w.known_seq IS NULL OR ${recorded(scope, 'w')})`;
  if (more.length === 0) return first;
  const rows = dialect.rows(JSON.stringify(more), { id: 'key', ...KNOWN });
  return sql`(${first} AND NOT EXISTS (SELECT 1 FROM ${rows} AS m WHERE m.id = w.id AND NOT ${recorded(scope, 'm')}))`;
}

const recorded = ({ tables }: Scope, of: 'w' | 'm'): Statement => {
  const { id, seq, settled } = { id: raw(`${of}.id`), seq: raw(`${of}.known_seq`), settled: raw(`${of}.known`) };
  return sql`EXISTS (SELECT 1 FROM ${tables.steps} AS s
    WHERE s.run_id = ${id} AND s.seq = ${seq} AND (${settled} IS NULL OR s.settled = ${settled}))`;
};
