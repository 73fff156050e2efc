import type { NewEffect } from '../effect-entry.js';
import type { EffectStore } from '../effect-storage.js';
import { tellDue } from './due-hints.js';
import type { EffectScope } from './effect-scope.sql.js';
import { quotedBytes } from '../../protocol/log-line.js';
import type { Transaction } from '../../protocol/transaction.js';
import { type Statement, sql } from '../../sql/dialects/statement.js';
import type { Notifier } from '../../sql/notifier.js';
import type { SqlConnection, SqlExecutor } from '../../sql/sql-executor.js';
import { nowOf } from '../../sql/sql-scope.js';
import { sqlTransaction } from '../../sql/sql-transaction.js';
import { howManyFit } from '../../time/batcher.js';

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

/** The limits of one statement: it fits into a packet of 1 MiB, the smallest configured limit in practice. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 450_000;

/** Stores calls in the app's own database. */
export class SqlEffectStore implements EffectStore {
  constructor(
    private readonly db: SqlExecutor,
    private readonly scope: EffectScope,
    private readonly notifier: Pick<Notifier, 'local' | 'publish'>,
  ) {}

  async enqueue(effects: readonly NewEffect[], transaction?: unknown): Promise<void> {
    if (effects.length === 0) return;
    const joined = transaction === undefined ? this.db.ambient?.() : this.db.join(transaction);
    if (joined) return this.writeIn(joined, effects);
    await this.alone(chunksOf(effects));
    tellDue(this.notifier, effects);
  }

  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void> {
    tx.afterCommit(() => tellDue(this.notifier, effects));
    return this.insert(sqlTransaction(tx), chunksOf(effects));
  }

  private async alone(chunks: readonly NewEffect[][]): Promise<void> {
    // A single statement is a transaction too.
    if (chunks.length === 1) return this.insert(this.db, chunks);
    await this.db.transaction((tx) => this.insert(tx, chunks));
  }

  private async insert(connection: SqlConnection, chunks: readonly NewEffect[][]): Promise<void> {
    for (const chunk of chunks) await connection.run(insertEffects(this.scope, chunk));
  }
}

function chunksOf(effects: readonly NewEffect[]): NewEffect[][] {
  const left = [...effects];
  const chunks: NewEffect[][] = [];
  while (left.length > 0) chunks.push(left.splice(0, howManyFit(left, MOST_ROWS, sizeOf, MOST_BYTES)));
  return chunks;
}

/** The approximate size of column names and short values. */
const ROW_BYTES = 150;

const sizeOf = ({ entryId, operation, subject, handler, ref, payload }: NewEffect): number =>
  [entryId, operation, subject, handler, ref, payload].reduce((sum, text) => sum + quotedBytes(text), ROW_BYTES);
