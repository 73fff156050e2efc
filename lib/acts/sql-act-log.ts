import type { MomentQuery } from '../protocol/moment.js';
import type { Transaction } from '../protocol/transaction.js';
import { type MomentRow, momentOf } from '../sql/moments.js';
import { inTransaction, type SqlExecutor, sqlTransaction } from '../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../sql/tables.js';
import type { Act, ActKind, NewAct } from './act.js';
import { type ActRow, deleteActs, eraseDetails, insertActs, selectActsOf, selectOldActs } from './act.sql.js';
import { type IdRange, selectActs, selectFirstSince, selectLastBefore, selectScanEnd } from './act-list.sql.js';
import type { ActInStory, ActLog, ActTarget, ListActs, ListedActs } from './act-log.js';
import type { Statement } from '../sql/dialects/statement.js';

/** Acts recorded at once have ids in another order than times, but never so far apart. */
const ASKEW = 1_000n;

/** Acts in the app's database. */
export class SqlActLog implements ActLog {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  within<T>(tx: Transaction | undefined, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.db, tx, work);
  }

  async record(acts: readonly NewAct[], tx: Transaction): Promise<void> {
    if (acts.length > 0) await sqlTransaction(tx).run(insertActs(this.scope, acts));
  }

  async list(query: ListActs): Promise<ListedActs> {
    const range = await this.rangeOf(query);
    if (range === undefined) return { acts: [] };
    // First, so that what is recorded meanwhile only makes the next page repeat what has not matched.
    const end = await this.idOf(selectScanEnd(this.scope, query, range));
    const page = { ...query, limit: query.limit + 1 };
    const { rows } = await this.db.run<ActRow>(
      selectActs(this.scope, page, end === undefined ? range : { ...range, from: end }),
    );
    const acts = rows.slice(0, query.limit).map(actOf);
    const next = rows.length > acts.length ? acts.at(-1)!.id : end;
    return { acts, ...(next !== undefined && { next }) };
  }

  /** The ids between which acts of these times are; undefined: there are none. */
  private async rangeOf({ since, until, before }: ListActs): Promise<IdRange | undefined> {
    const first = since === undefined ? '0' : await this.idOf(selectFirstSince(this.scope, since));
    const last = until === undefined ? undefined : await this.idOf(selectLastBefore(this.scope, until));
    if (first === undefined || (until !== undefined && last === undefined)) return undefined;
    const ends = [before, last === undefined ? undefined : String(BigInt(last) + ASKEW)].filter(
      (end) => end !== undefined,
    );
    return {
      from: since === undefined ? undefined : String(BigInt(first) - ASKEW),
      before: ends.reduce<string | undefined>((a, b) => (a !== undefined && BigInt(a) < BigInt(b) ? a : b), undefined),
    };
  }

  private async idOf(statement: Statement): Promise<string | undefined> {
    const [row] = (await this.db.run<Pick<ActRow, 'id'>>(statement)).rows;
    return row && String(row.id);
  }

  async story(
    namespace: string,
    targets: readonly ActTarget[],
    query: Omit<MomentQuery, 'runIds'>,
  ): Promise<ActInStory[]> {
    type Row = MomentRow & Omit<ActRow, 'id' | 'at'>;
    const { rows } = await this.db.run<Row>(selectActsOf(this.scope, namespace, targets, query));
    return rows.map(({ moment: at, run, stage, what, item: id, ...row }) => ({
      moment: momentOf({ moment: at, run, stage, what, item: id }),
      act: actOf({ ...row, id, at }),
    }));
  }

  async purge(olderThanMs: number, limit: number): Promise<number> {
    const { rows } = await this.db.run<Pick<ActRow, 'id'>>(selectOldActs(this.scope, olderThanMs, limit));
    const ids = rows.map(({ id }) => id);
    return ids.length === 0 ? 0 : (await this.db.run(deleteActs(this.scope, ids))).affected;
  }

  async forget(kind: ActKind, targets: readonly string[]): Promise<number> {
    return targets.length === 0 ? 0 : (await this.db.run(eraseDetails(this.scope, kind, targets))).affected;
  }
}

const actOf = ({ id, at, details, ...row }: ActRow): Act => ({
  id: String(id),
  at: new Date(Number(at)),
  ...row,
  details: JSON.parse(details) as Act['details'],
});
