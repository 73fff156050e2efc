import type { NewEffect } from '../effect-entry.js';
import type { EffectStore } from '../effect-storage.js';
import { tellDue } from './due-hints.js';
import type { EffectScope } from './effect-scope.sql.js';
import type { Transaction } from '../../protocol/transaction.js';
import { sql, type Statement } from '../../sql/dialects/statement.js';
import { inPackets } from '../../sql/in-packets.js';
import type { Notifier } from '../../sql/notifier.js';
import { type SqlConnection, type SqlExecutor, sqlTransaction } from '../../sql/sql-executor.js';
import { nowOf } from '../../sql/tables.js';

const COLUMNS = {
  ...({ entry_id: 'key', operation: 'text', subject: 'text', handler: 'text', ref: 'text', payload: 'text' } as const),
  ...({ run_id: 'key', trace: 'text' } as const),
};

export function insertEffects(scope: EffectScope, effects: readonly NewEffect[]): Statement {
  const { tables, dialect } = scope;
  const rows = effects.map(({ entryId, runId, ...effect }) => ({ entry_id: entryId, ...effect, run_id: runId }));
  return sql`
  INSERT INTO ${tables.effects} (entry_id, operation, subject, handler, ref, payload, run_id, trace, enqueued_at)
  SELECT g.entry_id, g.operation, g.subject, g.handler, g.ref, g.payload, g.run_id, g.trace, (SELECT ${nowOf(scope)})
  FROM ${dialect.rows(JSON.stringify(rows), COLUMNS)} AS g`;
}

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
    await this.alone(packetsOf(effects));
    tellDue(this.notifier, effects);
  }

  writeIn(tx: Transaction, effects: readonly NewEffect[]): Promise<void> {
    tx.afterCommit(() => tellDue(this.notifier, effects));
    return this.insert(sqlTransaction(tx), packetsOf(effects));
  }

  private async alone(packets: readonly NewEffect[][]): Promise<void> {
    // A single statement is a transaction too.
    if (packets.length === 1) return this.insert(this.db, packets);
    await this.db.transaction((tx) => this.insert(tx, packets));
  }

  private async insert(connection: SqlConnection, packets: readonly NewEffect[][]): Promise<void> {
    for (const packet of packets) await connection.run(insertEffects(this.scope, packet));
  }
}

const packetsOf = (effects: readonly NewEffect[]): NewEffect[][] =>
  inPackets(effects, ({ entryId, operation, subject, handler, ref, payload }) => [
    entryId,
    operation,
    subject,
    handler,
    ref,
    payload,
  ]);
