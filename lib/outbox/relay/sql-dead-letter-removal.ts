import { deleteDead } from './dead-letter.sql.js';
import type { DeadLetterRemoval } from './dead-letter-removal.js';
import type { RelayScope } from './relay-scope.sql.js';
import { id, int, sql, type Statement } from '../../sql/dialects/statement.js';
import type { SqlExecutor } from '../../sql/sql-executor.js';
import { onceNow } from '../../sql/tables.js';

/** Locks the oldest dead letters. Requeued ones are few, and soon delivered. */
export const lockOldDead = (scope: RelayScope, olderThanMs: number, limit: number): Statement => sql`
  SELECT d.destination, ${scope.dialect.cast(sql`d.sequence_id`, 'text')} AS sequence_id FROM ${scope.tables.dead} AS d
  ${scope.dialect.forceIndex(id(`${scope.tables.dead.name}_age`))}
  WHERE d.failed_at <= ${onceNow(scope)} - ${olderThanMs} AND d.reason <> 'requeued'
  ORDER BY d.failed_at LIMIT ${int(limit)} FOR UPDATE SKIP LOCKED`;

interface LetterRow {
  destination: string;
  sequence_id: string;
}

export class SqlDeadLetterRemoval implements DeadLetterRemoval {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: RelayScope,
  ) {}

  purge(olderThanMs: number, limit: number): Promise<number> {
    return this.db.transaction(async (tx) => {
      const { rows } = await tx.run<LetterRow>(lockOldDead(this.scope, olderThanMs, limit));
      const numbers = new Map<string, string[]>();
      for (const { destination, sequence_id: number } of rows)
        numbers.set(destination, [...(numbers.get(destination) ?? []), number]);
      for (const [destination, ids] of numbers) await tx.run(deleteDead(this.scope, destination, ids));
      return rows.length;
    });
  }
}
