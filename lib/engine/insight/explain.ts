import { BLOCK_REASONS, type Closing, isFinal, type RunRecord, type RunStatus } from '../model/run.js';
import { readDetail, type RunMismatch } from '../model/mismatch.js';
import { holdsOf } from './explain-holds.js';
import { codeText, iso, serversOf } from './explain-servers.js';
import {
  errorText,
  type KnownOfRun,
  limiterText,
  runsText,
  type WaitingFor,
  waitOfLimiter,
  waitsOfSteps,
} from './explain-waits.js';
import { isAlive, type NodesInSight } from '../model/node-record.js';

/** Explains the state of a run. */
export interface WorkflowExplanation {
  id: string;
  status: RunStatus;
  /** For people: one line for the run and one for each thing it waits for. */
  text: string;
  /** Why it stands still until somebody acts; null unless it is blocked. */
  blocked: string | null;
  /** For programs: the things it waits for. Empty if the run has ended or waits for nothing outside of its code. */
  waitingFor: WaitingFor[];
}

/** Returns the same text for the same facts. */
export function explainRun(known: KnownOfRun): WorkflowExplanation {
  const { id, status } = known.run;
  const { head, waits } = withHolds(known, partsOf(known));
  const lines = [head, ...waits.map(({ text }) => `- ${text}`)];
  const blocked = isBlocked(known.run) ? blockText(known.run) : null;
  return { id, status, text: lines.join('\n'), blocked, waitingFor: waits };
}

interface Parts {
  head: string;
  waits: WaitingFor[];
}

function withHolds(known: KnownOfRun, { head, waits }: Parts): Parts {
  const holds = isFinal(known.run.status) || isBlocked(known.run) ? [] : holdsOf(known);
  if (holds.length === 0) return { head, waits };
  return { head: head.endsWith(' It waits for:') ? head : `${head} It waits for:`, waits: [...holds, ...waits] };
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

const standstill = (run: RunRecord): string => `${nameOf(run)} is blocked: ${blockText(run)}`;

/** Why it is blocked, and what makes it go on. */
function blockText(run: RunRecord): string {
  const { detail, mismatch, blockedBy } = readDetail(run.reasonDetail);
  const [frame] = blockedBy?.stack?.split('\n') ?? [];
  const at = frame === undefined ? '' : `, ${frame}`;
  const what = detail ?? 'unknown';
  const onward = 'It continues when a process starts whose code fits, or after retry; nothing is compensated.';
  switch (run.reason) {
    case 'programming_error':
      return `an error in its code: ${what}${at}. ${onward}`;
    case 'write_refused':
      return `the database does not accept what it records: ${what}. It continues after retry, or when a process starts; nothing is compensated.`;
    case 'history_lost':
      return `the database lost commits of it: ${what}. It continues after retry, from what the database still has.`;
    case 'exhausted':
      return `a step has failed: ${what}. Nothing is compensated. Fix the cause, then call retry: the step gets fresh attempts.`;
    default:
      return `its code does not fit its history: ${mismatch ? mismatchText(mismatch) : what}. ${onward}`;
  }
}

const mismatchText = ({ seq, recorded, asked }: RunMismatch): string =>
  `at position ${seq} ${recorded} is recorded, and the code asks for ${asked}`;

/** A run that has not begun. */
function beginning({ run, surroundings, seen }: KnownOfRun): Parts {
  const { after, limiters } = surroundings;
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
  if (run.wakeAt !== null && run.wakeAt > seen.now) {
    const wait: WaitingFor = { kind: 'time', text: `its start time, ${iso(run.wakeAt)}`, until: run.wakeAt };
    return { head: `${nameOf(run)} has not started. It waits for:`, waits: [wait] };
  }
  return {
    head: `${nameOf(run)} has not started.${untaken(run, seen)}`,
    waits: waitForProcess(run, seen),
  };
}

const WORDS: Record<Closing, string> = {
  failed: 'is being compensated and ends as failed',
  cancelled: 'is being compensated and ends as cancelled',
  terminated: 'is being terminated and ends as cancelled, without compensation',
};

/** A run that has begun. */
function playing({ run, seen }: KnownOfRun): string {
  const what = run.closing ? WORDS[run.closing] : undefined;
  const cause = run.closing === 'failed' && run.error !== null ? `, after ${errorText(run.error)}` : '';
  const deadline = run.deadline === null || run.closing ? '' : ` It times out at ${iso(run.deadline)}.`;
  if (run.owner !== null)
    return `${nameOf(run)} ${what ? `${what}${cause}: it ` : ''}is executed by process "${run.owner}", ${ownerText(run.owner, seen)}.${deadline}`;
  return `${nameOf(run)} ${what ? `${what}${cause}` : 'is parked'}.${untaken(run, seen)}${deadline}`;
}

function ownerText(owner: string, { nodes, now }: NodesInSight): string {
  const node = nodes.find(({ id }) => id === owner);
  if (!node) return 'which is not signed in';
  if (isAlive(node, now)) return `whose lease lasts until ${iso(node.expiresAt)}`;
  return `whose lease expired at ${iso(node.expiresAt)}: another process takes it over`;
}

const isDue = ({ wakeAt, owner }: RunRecord, now: number): boolean =>
  owner === null && wakeAt !== null && wakeAt <= now;

/** A process with the run's code claims due runs within moments. */
const untaken = (run: RunRecord, seen: NodesInSight): string =>
  isDue(run, seen.now)
    ? ` It has been due since ${iso(run.wakeAt!)} and no process has claimed it: ${codeText(seen, run)}.`
    : '';

function waitForProcess(run: RunRecord, seen: NodesInSight): WaitingFor[] {
  if (!isDue(run, seen.now)) return [];
  const { namespace, workflow, version } = run;
  const servers = serversOf(seen, { kind: 'workflow', namespace, workflow, version });
  const text = `a process with version ${version} of "${workflow}"`;
  return [{ kind: 'process', text, workflow, version, ...servers }];
}
