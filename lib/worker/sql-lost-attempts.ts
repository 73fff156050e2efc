import { inParts } from '../sql/in-parts.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Tables } from '../sql/tables.js';
import type { LostAttempt, LostAttempts } from './lost-attempts.js';
import { insertLost, selectLastKept } from './lost-attempts.sql.js';

/** Stores lost attempts in the engine's table, next to those that have failed. */
export class SqlLostAttempts implements LostAttempts {
  constructor(
    private readonly db: SqlExecutor,
    private readonly tables: Tables,
  ) {}

  async record(lost: readonly LostAttempt[]): Promise<number[]> {
    if (lost.length === 0) return [];
    const scope = { tables: this.tables, dialect: this.db.dialect };
    await inParts(this.db, lost, (some) => insertLost(scope, some));
    const { rows } = await inParts<{ kept: number | string }, LostAttempt>(this.db, lost, (some) =>
      selectLastKept(scope, some),
    );
    return lost.map(({ attempt }, i) => attempt - Number(rows[i]?.kept ?? 0));
  }
}
