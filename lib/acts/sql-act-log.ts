import type { MomentQuery } from '../protocol/moment.js';
import type { Transaction } from '../protocol/transaction.js';
import { type MomentRow, momentOf } from '../sql/moments.js';
import { inTransaction, type SqlExecutor, sqlTransaction } from '../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../sql/tables.js';
import type { Act, ActKind, NewAct } from './act.js';
import {
  type ActRow,
  deleteActs,
  eraseDetails,
  insertActs,
  selectActs,
  selectActsOf,
  selectOldActs,
} from './act.sql.js';
import type { ActInStory, ActLog, ActTarget, ListActs } from './act-log.js';

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

  async list(query: ListActs): Promise<Act[]> {
    const { rows } = await this.db.run<ActRow>(selectActs(this.scope, query));
    return rows.map(actOf);
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
