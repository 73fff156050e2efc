import { inParts } from '../../sql/in-parts.js';
import * as notes from '../tables/note.sql.js';
import type { RunWrite } from '../model/run-store.js';
import type { ExtrasWriter } from '../tables/sql-extras-writer.js';

/** Attempts, logs, attributes and the status that people see: a statement for each kind, whatever the number of runs. */
export const writeNotes: ExtrasWriter = async (tx, scope, writes) => {
  const attempts = ofEach(writes, ({ attempts: failed = [] }) => failed);
  if (attempts.length > 0) await inParts(tx, attempts, (some) => notes.upsertAttempts(scope, some));
  const again = ofEach(writes, ({ replacedLogs = [] }) => replacedLogs);
  for (const line of again) await tx.run(notes.deleteLine(scope, line));
  const lines = [...ofEach(writes, ({ logs = [] }) => logs), ...again];
  if (lines.length > 0) await inParts(tx, lines, (some) => notes.insertLines(scope, some));
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

/** In the order in which all writers lock. */
const byRunAndName = (a: { runId: string; name: string }, b: { runId: string; name: string }): number =>
  compare(a.runId, b.runId) || compare(a.name, b.name);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
