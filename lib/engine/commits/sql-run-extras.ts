import * as commits from './commit.sql.js';
import { writeLimiterMoves } from '../limits/sql-admissions.js';
import { inDoubt, outgoingSeqs } from '../model/outgoing-steps.js';
import { type Endings, NO_ENDINGS, type RunWrite } from '../model/run-store.js';
import { writeSignalWaits } from '../signals/sql-signal-waits.js';
import { writeChildren } from '../starts/sql-run-children.js';
import * as notes from '../tables/note.sql.js';
import type { ExtrasOutcome, ExtrasWriter } from '../tables/sql-extras-writer.js';
import * as steps from '../tables/step.sql.js';
import { stepIdOf } from '../../protocol/step.js';
import { inParts } from '../../sql/in-parts.js';
import { insertLogLines } from '../../sql/log-lines.js';
import type { SqlConnection } from '../../sql/sql-executor.js';
import type { Scope } from '../../sql/tables.js';

/** Attempts, logs, attributes and custom statuses: one statement per kind, independent of the number of runs. */
export const writeNotes: ExtrasWriter = async (tx, scope, writes) => {
  const attempts = ofEach(writes, ({ attempts: failed = [] }) => failed);
  if (attempts.length > 0) await inParts(tx, attempts, (some) => notes.upsertAttempts(scope, some));
  const again = ofEach(writes, ({ replacedLogs = [] }) => replacedLogs);
  for (const line of again) await tx.run(notes.deleteLine(scope, line));
  const lines = [...ofEach(writes, ({ logs = [] }) => logs), ...again];
  if (lines.length > 0) await inParts(tx, lines, (some) => insertLogLines(scope.tables.logs, scope.dialect, some));
  const changes = ofEach(writes, ({ attributes = {} }) =>
    Object.entries(attributes).map(([name, value]) => ({ name, value })),
  );
  const set = changes.flatMap(({ value, ...change }) => (value === null ? [] : [{ ...change, value }]));
  const removed = changes.filter(({ value }) => value === null);
  set.sort(byRunAndName);
  if (set.length > 0) await inParts(tx, set, (some) => notes.upsertAttributes(scope, some));
  if (removed.length > 0) await tx.run(notes.deleteAttributes(scope, removed));
  const statuses = writes.flatMap(({ runId: id, extras }) =>
    extras?.customStatus === undefined ? [] : [{ id, status: extras.customStatus }],
  );
  if (statuses.length > 0) await inParts(tx, statuses, (some) => notes.setCustomStatus(scope, some));
};

const ofEach = <T extends object>(
  writes: readonly RunWrite[],
  partOf: (extras: NonNullable<RunWrite['extras']>) => readonly T[],
): (T & { runId: string })[] =>
  writes.flatMap(({ runId, extras = {} }) => partOf(extras).map((part) => ({ ...part, runId })));

/** The lock order of all writers. */
const byRunAndName = (a: { runId: string; name: string }, b: { runId: string; name: string }): number =>
  compare(a.runId, b.runId) || compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const NONE: ReadonlySet<string> = new Set();

/**
 * For writes that may be committed already: the ids of their recorded steps with events or effect calls. A commit that
 * is still running on the server holds the rows of its runs. So all runs are locked first, in the order of all writers,
 * and the records that are read then are final.
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

const WRITERS: readonly ExtrasWriter[] = [writeChildren, writeSignalWaits, writeLimiterMoves, writeNotes];

/** Writes the extras of writes that have passed the fencing. */
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
