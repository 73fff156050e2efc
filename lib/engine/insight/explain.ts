import { BLOCK_REASONS, type Closing, isFinal, type RunRecord, type RunStatus } from '../model/run.js';
import { readDetail } from '../model/mismatch.js';
import {
  errorText,
  iso,
  type KnownOfRun,
  limiterText,
  runsText,
  type WaitingFor,
  waitOfLimiter,
  waitsOfSteps,
} from './explain-waits.js';
import type { RunSurroundings } from '../model/run-insight.js';

/** Explains the state of a run. */
export interface WorkflowExplanation {
  id: string;
  status: RunStatus;
  /** For people: one line for the run and one for each thing it waits for. */
  text: string;
  /** For programs: the things it waits for. Empty if the run has ended or waits for nothing outside of its code. */
  waitingFor: WaitingFor[];
}

/** Returns the same text for the same facts. */
export function explainRun(known: KnownOfRun): WorkflowExplanation {
  const { id, status } = known.run;
  const { head, waits } = partsOf(known);
  const lines = [head, ...waits.map(({ text }) => `- ${text}`)];
  return { id, status, text: lines.join('\n'), waitingFor: waits };
}

interface Parts {
  head: string;
  waits: WaitingFor[];
}

function partsOf(known: KnownOfRun): Parts {
  const { run } = known;
  if (isFinal(run.status)) return { head: ending(run), waits: [] };
  if (isBlocked(run)) return { head: standstill(run), waits: [] };
  if (run.status === 'pending') return beginning(known);
  const waits = waitsOfSteps(known);
  return { head: `${playing(known)}${waits.length > 0 ? ' It waits for:' : ''}`, waits };
}

const nameOf = ({ id, workflow, version }: RunRecord): string => `Run "${id}" of "${workflow}" (version ${version})`;

const isBlocked = ({ reason }: RunRecord): boolean => BLOCK_REASONS.some((known) => known === reason);

function ending(run: RunRecord): string {
  const when = run.finishedAt === null ? '' : ` at ${iso(run.finishedAt)}`;
  const why = run.error === null ? '.' : `: ${errorText(run.error)}.`;
  switch (run.status) {
    case 'completed':
      return `${nameOf(run)} completed${when}.`;
    case 'cancelled':
      return `${nameOf(run)} was cancelled${when}${why}`;
    case 'compensation_failed':
      return `${nameOf(run)} could not be compensated${when}${why} Fix the cause, then call retry.`;
    default:
      return `${nameOf(run)} failed${when}${why}`;
  }
}

function standstill(run: RunRecord): string {
  const { detail, mismatch } = readDetail(run.reasonDetail);
  const onward = 'It continues when a process starts whose code fits, or after retry; nothing is compensated.';
  if (run.reason === 'programming_error')
    return `${nameOf(run)} is blocked because of an error in its code: ${detail ?? 'unknown'}. ${onward}`;
  if (run.reason === 'write_refused')
    return `${nameOf(run)} is blocked because the database does not accept what it records: ${detail ?? 'unknown'}. It continues after retry, or when a process starts; nothing is compensated.`;
  if (run.reason === 'history_lost')
    return `${nameOf(run)} is blocked because the database lost commits of it: ${detail ?? 'unknown'}. It continues after retry, from what the database still has.`;
  const where = mismatch
    ? `at position ${mismatch.seq} ${mismatch.recorded} is recorded, and the code asks for ${mismatch.asked}`
    : (detail ?? 'unknown');
  return `${nameOf(run)} is blocked because its code does not fit its history: ${where}. ${onward}`;
}

/** A run that has not begun. */
function beginning({ run, surroundings }: KnownOfRun): Parts {
  const { now, after, limiters } = surroundings;
  const limiter = limiters.find(({ holder, granted }) => holder === run.id && !granted);
  if (after.length > 0) {
    const waits = after.map(({ id, status }): WaitingFor => ({ kind: 'run', text: runsText(id, status), id, status }));
    return { head: `${nameOf(run)} has not started. It waits for:`, waits };
  }
  if (limiter)
    return {
      head: `${nameOf(run)} has not started. It waits for:`,
      waits: [waitOfLimiter(limiter, limiterText(limiter))],
    };
  if (run.wakeAt !== null && run.wakeAt > now) {
    const wait: WaitingFor = { kind: 'time', text: `its start time, ${iso(run.wakeAt)}`, until: run.wakeAt };
    return { head: `${nameOf(run)} has not started. It waits for:`, waits: [wait] };
  }
  return {
    head: `${nameOf(run)} has not started.${untaken(run, surroundings)}`,
    waits: waitForProcess(run, surroundings),
  };
}

const WORDS: Record<Closing, string> = {
  failed: 'is being compensated and ends as failed',
  cancelled: 'is being compensated and ends as cancelled',
  terminated: 'is being terminated and ends as cancelled, without compensation',
};

/** A run that has begun. */
function playing({ run, surroundings }: KnownOfRun): string {
  const what = run.closing ? WORDS[run.closing] : undefined;
  const cause = run.closing === 'failed' && run.error !== null ? `, after ${errorText(run.error)}` : '';
  const deadline = run.deadline === null || run.closing ? '' : ` It times out at ${iso(run.deadline)}.`;
  if (run.owner !== null) {
    const alive = surroundings.ownerAliveUntil;
    const known = alive === undefined ? 'which is not signed in' : `whose lease lasts until ${iso(alive)}`;
    return `${nameOf(run)} ${what ? `${what}${cause}: it ` : ''}is executed by process "${run.owner}", ${known}.${deadline}`;
  }
  return `${nameOf(run)} ${what ? `${what}${cause}` : 'is parked'}.${untaken(run, surroundings)}${deadline}`;
}

const isDue = ({ wakeAt, owner }: RunRecord, now: number): boolean =>
  owner === null && wakeAt !== null && wakeAt <= now;

/** A process with the run's code claims due runs within moments. Which code each process has is not stored. */
function untaken(run: RunRecord, { now, nodes }: RunSurroundings): string {
  if (!isDue(run, now)) return '';
  const who =
    nodes === 0
      ? 'no process is signed in'
      : nodes === 1
        ? '1 process is signed in'
        : `${nodes} processes are signed in`;
  const perhaps = nodes === 0 ? '' : `, perhaps none with version ${run.version} of "${run.workflow}"`;
  return ` It has been due since ${iso(run.wakeAt!)} and no process has claimed it: ${who}${perhaps}.`;
}

function waitForProcess(run: RunRecord, { now, nodes }: RunSurroundings): WaitingFor[] {
  if (!isDue(run, now)) return [];
  const { workflow, version } = run;
  return [
    { kind: 'process', text: `a process with version ${version} of "${workflow}"`, workflow, version, signedIn: nodes },
  ];
}
