import { sql, type Statement } from '../../sql/statement.js';
import type { Tables } from '../../sql/tables.js';

export interface WaitingRow {
  step_id: string;
  run_id: string;
  seq: number | string;
}

export const selectWaiting = ({ waits }: Pick<Tables, 'waits'>, channel: string): Statement =>
  sql`SELECT step_id, run_id, seq FROM ${waits} WHERE channel = ${channel} ORDER BY step_id`;
