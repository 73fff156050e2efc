import { inParts } from '../../sql/in-parts.js';
import type { SqlConnection, SqlTransaction } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';
import type { GivingUp, ResumptionRefusal } from '../model/run-control.js';
import { NO_ENDINGS } from '../model/run-store.js';
import { upsertAttempts } from '../tables/note.sql.js';
import { numberOrNull, readResume } from '../tables/run.sql.js';
import { stepOf, type StepRow, upsertSteps } from '../tables/step.sql.js';
import { foundWithout, planResumption, reopenExhausted, type ResumableRun, type Resumption } from './resumption.js';
import * as statements from './resumption.sql.js';

/** Lets a failed run go on, or returns why it cannot. The child `left` stays as it is: its step gets another outcome. */
export async function resumeRun(
  tx: SqlTransaction,
  scope: Scope,
  id: string,
  givingUp: GivingUp,
  left: string | null = null,
): Promise<ResumptionRefusal | undefined> {
  const resumed = await resumeInTables(tx, scope, id, left);
  if ('refusal' in resumed) return resumed.refusal;
  const { answers, withdrawn } = resumed.plan;
  if (withdrawn.length > 0) await givingUp({ ...NO_ENDINGS, answers, withdrawn }, tx);
  return undefined;
}

/** Locks the run first, then its children level by level. */
async function resumeInTables(
  tx: SqlConnection,
  scope: Scope,
  id: string,
  left: string | null,
): Promise<{ plan: Resumption } | { refusal: ResumptionRefusal }> {
  const found = foundWithout(left);
  let now = await readRuns(tx, scope, [id], found);
  for (;;) {
    const planned = planResumption(found.get(id)!, found, now);
    if ('needs' in planned) now = await readRuns(tx, scope, [...planned.needs].sort(), found);
    else {
      if ('plan' in planned) await write(tx, scope, planned.plan);
      return planned;
    }
  }
}

/** For a blocked run: its steps that have used all their attempts get fresh ones. */
export async function reopenInTables(tx: SqlConnection, scope: Scope, id: string): Promise<void> {
  const found = new Map<string, ResumableRun | undefined>();
  const now = await readRuns(tx, scope, [id], found);
  const again = reopenExhausted(found.get(id)!, now);
  if (!again) return;
  await inParts(tx, again.steps, (some) => upsertSteps(scope, some));
  await tx.run(statements.keepResume(scope, id, again.resume));
}

async function readRuns(
  tx: SqlConnection,
  scope: Scope,
  ids: readonly string[],
  found: Map<string, ResumableRun | undefined>,
): Promise<number> {
  const { rows } = await inParts<statements.ResumableRow, string>(tx, ids, (some) =>
    statements.lockResumable(scope, some),
  );
  const read = await inParts<StepRow, string>(tx, ids, (some) => statements.selectUncompleted(scope, some));
  const steps = read.rows.map(stepOf);
  for (const id of ids) found.set(id, undefined);
  for (const { id, parent_id: parentId, resume, erased_at, ...run } of rows) {
    const own = steps.filter(({ runId }) => runId === id);
    const { status, closing, output } = run;
    const erasedAt = numberOrNull(erased_at);
    found.set(id, { id, parentId, status, closing, output, erasedAt, resume: readResume(resume), steps: own });
  }
  return Number(rows[0]?.now ?? 0);
}

async function write(tx: SqlConnection, scope: Scope, plan: Resumption): Promise<void> {
  const { attempts, forgotten, markers, steps, runs } = plan;
  if (attempts.length > 0) await inParts(tx, attempts, (some) => upsertAttempts(scope, some));
  if (forgotten.length > 0) await inParts(tx, forgotten, (some) => statements.forgetSteps(scope, some));
  for (const { runId, after } of markers) await tx.run(statements.forgetMarkers(scope, runId, after));
  if (steps.length > 0) await inParts(tx, steps, (some) => upsertSteps(scope, some));
  await inParts(tx, runs, (some) => statements.resumeRuns(scope, some));
}
