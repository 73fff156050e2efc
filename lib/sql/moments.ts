import type { Moment, MomentQuery } from '../protocol/moment.js';
import type { Dialect } from './dialects/dialect.js';
import { int, raw, sql, type Statement } from './dialects/statement.js';

type Int = number | string;

/** A moment of a story, as a statement returns it. */
export interface MomentRow {
  moment: Int;
  run: Int;
  stage: Int;
  what: Int;
  item: Int;
}

export const momentOf = ({ moment, run, stage, what, item }: MomentRow): Moment => ({
  at: Number(moment),
  run: Number(run),
  stage: Number(stage),
  what: Number(what),
  item: String(item),
});

/** The runs of a story as rows `run_id`, `run`. */
export const rowsOfRuns = (dialect: Dialect, runIds: readonly string[]): Statement =>
  dialect.rows(JSON.stringify(runIds.map((run_id, run) => ({ run_id, run }))), { run_id: 'key', run: 'int' });

export interface NextMoments extends Omit<MomentQuery, 'runIds'> {
  /** What the moments belong to: the rows `f` of all branches. */
  among: Statement;
  /** SELECTs of `moment, run, stage, what, item` and more, with UNION ALL between them. */
  branches: Statement;
  items: 'bigint' | 'text';
}

/** The next moments of one source, in order. Sorts only what belongs to the runs of the story. */
export function nextMoments(dialect: Dialect, { among, branches, items, past, limit }: NextMoments): Statement {
  return sql`
  WITH f AS (SELECT * FROM ${among} AS listed)
  SELECT m.* FROM (${branches}) AS m ${past ? after(dialect, items, past) : raw('')}
  ORDER BY m.moment, m.run, m.stage, m.what, m.item LIMIT ${int(limit)}`;
}

function after(dialect: Dialect, items: NextMoments['items'], { at, run, stage, what, item }: Moment): Statement {
  const number = (value: number) => dialect.cast(value, 'bigint');
  // Of another source: its kind of moment decides before the item does.
  const last = items === 'bigint' && !/^\d+$/.test(item) ? '0' : item;
  return sql`WHERE (m.moment, m.run, m.stage, m.what, m.item) > (${number(at)}, ${number(run)}, ${number(stage)}, ${number(what)}, ${dialect.cast(last, items)})`;
}
