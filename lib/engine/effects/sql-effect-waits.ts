import type { EffectWaits, OperationWaiter } from '../model/outgoing.js';
import type { Transaction } from '../../protocol/transaction.js';
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

export class SqlEffectWaits implements EffectWaits {
  constructor(private readonly tables: Tables) {}

  async waiting(channel: string, tx: Transaction): Promise<OperationWaiter[]> {
    const { rows } = await sqlTransaction(tx).run<WaitingRow>(selectWaiting(this.tables, channel));
    return rows.map(({ step_id: stepId, run_id: runId, seq }) => ({ stepId, runId, seq: Number(seq) }));
  }
}
