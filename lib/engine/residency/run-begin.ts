import type { BeginOfRun } from '../../telemetry/telemetry-events.js';
import { type ClaimedRun, NOTIFIES } from '../model/run.js';
import type { StepRecord } from '../model/step-record.js';

/** How the life of a run began that is played for the first time; undefined if an owner before has got anywhere. */
export function beginOf(run: ClaimedRun, history: readonly StepRecord[]): BeginOfRun | undefined {
  const { crashes, wasBlocked, firstSeq, forkedSeq, isScheduled, notifies } = run;
  // As far as can be seen without a column for it.
  const isFirst = crashes === 0 && !wasBlocked && history.every(({ seq }) => seq < (forkedSeq ?? 0));
  if (!isFirst) return undefined;
  if (firstSeq > 0) return 'again';
  if (forkedSeq !== null) return 'fork';
  if (isScheduled) return 'schedule';
  return (notifies & NOTIFIES.parent) === 0 ? 'start' : 'child';
}
