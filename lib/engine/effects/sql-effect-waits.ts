import type { EffectWaits, OperationWaiter } from '../model/outgoing.js';
import type { Transaction } from '../../protocol/transaction.js';
import type { Dialect } from '../../sql/dialects/dialect.js';
import { amongKeys } from '../../sql/dialects/key-list.js';
import { type Statement, sql } from '../../sql/dialects/statement.js';
import { sqlTransaction } from '../../sql/sql-executor.js';
import type { Tables } from '../../sql/tables.js';

export interface WaitingRow {
  step_id: string;
  run_id: string;
  seq: number | string;
}

export const selectWaiting = ({ waits }: Pick<Tables, 'waits'>, channel: string): Statement =>
  sql`SELECT step_id, run_id, seq FROM ${waits} WHERE channel = ${channel} ORDER BY step_id`;

export const selectAwaited = (
  { waits }: Pick<Tables, 'waits'>,
  dialect: Dialect,
  channels: readonly string[],
): Statement => sql`SELECT DISTINCT channel FROM ${waits} WHERE channel ${amongKeys(dialect, channels)}`;

export class SqlEffectWaits implements EffectWaits {
  constructor(private readonly tables: Tables) {}

  async awaited(channels: readonly string[], tx: Transaction): Promise<string[]> {
    const at = sqlTransaction(tx);
    const { rows } = await at.run<{ channel: string }>(selectAwaited(this.tables, at.dialect, channels));
    return rows.map(({ channel }) => channel);
  }

  async waiting(channel: string, tx: Transaction): Promise<OperationWaiter[]> {
    const { rows } = await sqlTransaction(tx).run<WaitingRow>(selectWaiting(this.tables, channel));
    return rows.map(({ step_id: stepId, run_id: runId, seq }) => ({ stepId, runId, seq: Number(seq) }));
  }
}
