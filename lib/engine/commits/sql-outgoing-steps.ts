import { stepIdOf } from '../../protocol/step.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import * as commits from './commit.sql.js';
import { inDoubt, outgoingSeqs } from '../model/outgoing-steps.js';
import type { RunWrite } from '../model/run-store.js';
import type { Scope } from '../tables/run.sql.js';
import * as steps from '../tables/step.sql.js';

const NONE: ReadonlySet<string> = new Set();

/**
 * The ids of the steps with something outgoing of writes whose commit may have happened, and are recorded. A commit that is still
 * under way on the server holds the rows of its runs: so those of all runs are locked first, in the order of all writers,
 * and what is read then is the last word.
 */
export async function recordedOutgoing(
  tx: SqlConnection,
  scope: Scope,
  writes: readonly RunWrite[],
): Promise<ReadonlySet<string>> {
  const doubtful = inDoubt(writes);
  if (doubtful.length === 0) return NONE;
  const ids = [...new Set(writes.map(({ runId }) => runId))].sort();
  await tx.run(commits.lockRuns(scope, ids));
  const keys = doubtful.flatMap(({ runId, extras }) => outgoingSeqs(extras ?? {}).map((seq) => ({ runId, seq })));
  const { rows } = await tx.run<Pick<steps.StepRow, 'run_id' | 'seq'>>(steps.selectRecorded(scope, keys));
  return new Set(rows.map(({ run_id, seq }) => stepIdOf(run_id, Number(seq))));
}
