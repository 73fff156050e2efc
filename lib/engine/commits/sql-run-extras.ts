import type { SqlConnection } from '../../sql/sql-executor.js';
import { type Endings, NO_ENDINGS, type RunWrite } from '../model/run-store.js';
import type { Scope } from '../tables/run.sql.js';
import type { ExtrasOutcome, ExtrasWriter } from '../tables/sql-extras-writer.js';
import { writeChildren } from '../starts/sql-run-children.js';
import { writeLimiterMoves } from '../limits/sql-limiter-moves.js';
import { writeNotes } from './sql-run-notes.js';
import { writeSignalWaits } from '../signals/sql-signal-waits.js';

const WRITERS: readonly ExtrasWriter[] = [writeChildren, writeSignalWaits, writeLimiterMoves, writeNotes];

/** Of writes that have passed the fence. */
export async function writeExtras(
  tx: SqlConnection,
  scope: Scope,
  writes: readonly RunWrite[],
): Promise<Endings & { woken: boolean; offered: readonly string[] }> {
  const carrying = writes.filter(({ extras }) => extras !== undefined);
  if (carrying.length === 0) return { ...NO_ENDINGS, woken: false, offered: [] };
  const outcomes: ExtrasOutcome[] = [];
  for (const write of WRITERS) outcomes.push((await write(tx, scope, carrying)) ?? {});
  return {
    answers: outcomes.flatMap(({ answers = [] }) => answers),
    limiters: outcomes.flatMap(({ limiters = [] }) => limiters),
    woken: outcomes.some(({ woken }) => woken),
    offered: outcomes.flatMap(({ offered = [] }) => offered),
  };
}
