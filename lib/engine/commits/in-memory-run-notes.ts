import { changeAttributes } from '../tables/in-memory-attributes.js';
import type { MemoryExtrasWriter } from '../tables/in-memory-extras-writer.js';
import type { MemoryTables } from '../tables/memory-tables.js';
import type { FailedAttempt, LogLine, RunWrite } from '../model/run-store.js';

/** Attempts, logs, attributes and the status that people see. */
export const keepNotes: MemoryExtrasWriter = (tables, writes) => ({
  apply: () => writes.forEach((write) => keep(tables, write)),
});

function keep(tables: MemoryTables, { runId, extras = {} }: RunWrite): void {
  const { attempts = [], logs = [], replacedLogs = [], attributes = {}, customStatus } = extras;
  if (attempts.length > 0) keepAttempts(tables, runId, attempts);
  if (logs.length + replacedLogs.length > 0) {
    const isSame = (a: LogLine) => (b: LogLine) => a.message === b.message && a.loggedAt === b.loggedAt;
    const before = (tables.logs.get(runId) ?? []).filter((line) => !replacedLogs.some(isSame(line)));
    tables.logs.set(runId, [...before, ...logs, ...replacedLogs]);
  }
  changeAttributes(tables, runId, attributes);
  const run = tables.runs.get(runId);
  if (run && customStatus !== undefined) run.customStatus = customStatus;
}

/** One that counts from the beginning again takes the place of the one before. */
function keepAttempts({ attempts }: MemoryTables, runId: string, failed: readonly FailedAttempt[]): void {
  const others = (attempts.get(runId) ?? []).filter(
    (old) => !failed.some(({ seq, attempt }) => seq === old.seq && attempt === old.attempt),
  );
  attempts.set(runId, [...others, ...failed.map((attempt) => ({ ...attempt, runId }))]);
}
