import type { Transaction } from '../protocol/transaction.js';
import { type Notifier, tellWithCommit } from '../sql/notifier.js';
import { connectionOf, type SqlExecutor, sqlTransaction } from '../sql/sql-executor.js';
import type { Scope, SqlNow, Tables } from '../sql/tables.js';
import { type HeldThing, type Hold, inOrder, type NewHold } from './hold.js';
import * as statements from './hold.sql.js';
import type { HoldStore } from './hold-store.js';

const TOPIC = 'holds';

/** Holds in the app's database. */
export class SqlHoldStore implements HoldStore {
  private readonly scope: Scope;

  constructor(
    private readonly db: SqlExecutor,
    tables: Tables,
    private readonly notifier: Pick<Notifier, 'subscribe' | 'local' | 'statement'>,
    now: SqlNow = () => db.dialect.now,
  ) {
    this.scope = { tables, dialect: db.dialect, now };
  }

  async put(namespace: string, hold: NewHold, tx: Transaction): Promise<Hold | undefined> {
    const connection = sqlTransaction(tx);
    await connection.run(statements.deleteEndedHold(this.scope, namespace, hold));
    // First, because it waits for another transaction that inserts the same hold; a row that is not there locks nothing.
    const { affected } = await connection.run(statements.insertHold(this.scope, namespace, hold));
    const before = affected > 0 ? undefined : await this.change(namespace, hold, tx);
    await tellWithCommit(connection, this.notifier, TOPIC, '{}');
    return before;
  }

  private async change(namespace: string, hold: NewHold, tx: Transaction): Promise<Hold | undefined> {
    const before = await this.lock(namespace, hold, tx);
    await sqlTransaction(tx).run(statements.upsertHold(this.scope, namespace, hold));
    return before;
  }

  async lift(namespace: string, thing: HeldThing, tx: Transaction): Promise<Hold | undefined> {
    const before = await this.lock(namespace, thing, tx);
    const connection = sqlTransaction(tx);
    const { affected } = await connection.run(statements.deleteHold(this.scope, namespace, thing));
    if (affected > 0) await tellWithCommit(connection, this.notifier, TOPIC, '{}');
    return before;
  }

  async list(namespace: string, tx?: Transaction): Promise<Hold[]> {
    const { rows } = await connectionOf(this.db, tx).run<statements.HoldRow>(
      statements.selectHolds(this.scope, namespace, tx !== undefined),
    );
    return rows.map(statements.holdOf).sort(inOrder);
  }

  onChanged(listener: () => void): () => void {
    return this.notifier.subscribe(TOPIC, () => listener());
  }

  private async lock(namespace: string, thing: HeldThing, tx: Transaction): Promise<Hold | undefined> {
    const { rows } = await sqlTransaction(tx).run<statements.HoldRow>(
      statements.lockHold(this.scope, namespace, thing),
    );
    return rows[0] && statements.holdOf(rows[0]);
  }
}
