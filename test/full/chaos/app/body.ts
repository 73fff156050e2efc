import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { note } from './ledger.js';
import { orm } from './orm.js';

/** What steps of all kinds are told of their call. */
interface Call {
  workflowId: string;
  attempt: number;
}

/** Outcomes by the labels of their steps. */
export type Saw = Record<string, string>;

export interface BodyOptions {
  /** The first so many attempts fail. */
  fails?: number;
  ms?: number;
}

/** What a step of the suite does: says so, takes its time, says so again. Its output names this execution and no other. */
export async function body(call: Call, label: string, saw: Saw, options: BodyOptions = {}): Promise<string> {
  const { fails = 0, ms = Math.random() * 40 } = options;
  const { workflowId: run, attempt } = call;
  const exec = randomUUID();
  note({ what: 'begin', run, label, exec, attempt, saw });
  await pause(ms);
  if (attempt <= fails) throw new Error(`${label} fails in attempt ${attempt}`);
  note({ what: 'end', run, exec });
  return exec;
}

/** The same inside a transaction: a row that must be there exactly once. */
export async function rowBody(tx: unknown, run: string, label: string, saw: Saw): Promise<string> {
  const exec = randomUUID();
  note({ what: 'begin', run, label, exec, attempt: 1, saw });
  await orm().write(tx, 'INSERT INTO chaos_rows (run_id, label, exec) VALUES (?, ?, ?)', [run, label, exec]);
  await pause(Math.random() * 10);
  note({ what: 'end', run, exec });
  return exec;
}
