import type { Transaction } from '../../protocol/transaction.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Tables } from '../../sql/tables.js';
import { selectWaiting, type WaitingRow } from './effect-wait.sql.js';
import type { EffectWaits, OperationWaiter } from '../model/effect-waits.js';

export class SqlEffectWaits implements EffectWaits {
  constructor(private readonly tables: Tables) {}

  async waiting(channel: string, tx: Transaction): Promise<OperationWaiter[]> {
    const { rows } = await (tx as SqlConnection).run<WaitingRow>(selectWaiting(this.tables, channel));
    return rows.map(({ step_id: stepId, run_id: runId, seq }) => ({ stepId, runId, seq: Number(seq) }));
  }
}
