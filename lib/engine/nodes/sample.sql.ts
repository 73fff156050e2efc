import { id, int, raw, sql, type Statement } from '../../sql/dialects/statement.js';
import { nowOf, onceNow, type Scope } from '../../sql/tables.js';
import { MINUTE_MS, type SamplesQuery } from '../model/sample-store.js';

export const insertSample = (
  scope: Scope,
  { namespace, node, body }: { namespace: string; node: string; body: string },
): Statement => {
  const now = nowOf(scope);
  return scope.dialect.insertOrKeep(
    sql`
  INSERT INTO ${scope.tables.samples} (minute, node, namespace, body)
  SELECT ${now} - MOD(${now}, ${int(MINUTE_MS)}), ${node}, ${namespace}, ${body}`,
    [id('minute'), id('node')],
  );
};

/** Those that are kept come first. */
export const selectSamples = (
  { tables }: Scope,
  { namespace, from, until, limit, keep = 'first' }: SamplesQuery,
): Statement => sql`
  SELECT minute, node, body FROM ${tables.samples}
  WHERE minute >= ${from} AND minute < ${until} ${namespace === undefined ? raw('') : sql`AND namespace = ${namespace}`}
  ORDER BY ${raw(keep === 'first' ? 'minute, node' : 'minute DESC, node DESC')} LIMIT ${int(limit)}`;

export const selectOldSamples = (scope: Scope, olderThanMs: number, limit: number): Statement => sql`
  SELECT minute, node FROM ${scope.tables.samples} WHERE minute <= ${onceNow(scope)} - ${olderThanMs}
  ORDER BY minute, node LIMIT ${int(limit)}`;

export const deleteSamples = (
  { tables, dialect }: Scope,
  rows: readonly { minute: number; node: string }[],
): Statement =>
  dialect.deleteFrom({
    table: tables.samples,
    as: 's',
    from: sql`${dialect.rows(JSON.stringify(rows), { minute: 'int', node: 'key' })} AS o`,
    on: sql`s.minute = o.minute AND s.node = o.node`,
  });
