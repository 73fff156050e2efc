import type { Hold, HoldKind } from '../acts/holds.js';
import { claimedSince, stepIdOf, workerOf } from '../core/protocol.js';
import { appFrameOf, errorLine, parseWireError } from '../core/wire-error.js';
import type { LimiterInSight, RunSurroundings, TaskInSight } from './insight.js';
import {
  endedAt,
  isAlive,
  isServing,
  type NodeRecord,
  type NodesInSight,
  otherVersions,
  type ServedThing,
} from './nodes.js';
import {
  BLOCK_REASONS,
  type Closing,
  isFinal,
  type Limits,
  readDetail,
  type RunMismatch,
  type RunRecord,
  type RunStatus,
} from './run.js';
import { readListened, readOperation, type RecordedOperation } from './signals.js';
import type { CallInSight, StepRecord } from './step.js';

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
  const frame = blockedBy && appFrameOf(blockedBy);
  const at = frame ? `, ${frame}` : '';
  const what = detail ?? 'unknown';
  const onward =
    'It continues after retry with code that fits or, where no step has failed, when a process starts with it; until then nothing more is compensated.';
  switch (run.reason) {
    case 'programming_error':
      return `an error in its code: ${what}${at}. ${onward}`;
    case 'write_refused':
      return `the database does not accept what it records: ${what}. It continues after retry, or when a process starts; until then nothing more is compensated.`;
    case 'history_lost':
      return `the database lost commits of it: ${what}. It continues after retry, from what the database still has.`;
    case 'exhausted':
      return `a step has failed: ${what}. Nothing is compensated. Fix the cause, then call retry: the step gets fresh attempts.`;
    default:
      return `its code does not fit its history: ${mismatch ? mismatchText(mismatch) : what}${at}. ${onward}`;
  }
}

const mismatchText = ({ seq, recorded, asked }: RunMismatch): string =>
  `at position ${seq} ${recorded} is recorded, and the code asks for ${asked}`;

/** A run that has not begun. */
function beginning({ run, surroundings, seen }: KnownOfRun): Parts {
  const { after, limiters } = surroundings;
  const head = `${nameOf(run)} has not started.`;
  const waitsFor = (waits: WaitingFor[]): Parts => ({ head: `${head} It waits for:`, waits });
  if (after.length > 0)
    return waitsFor(after.map(({ id, status }) => ({ kind: 'run', text: runsText(id, status), id, status })));
  const limiter = limiters.find(({ holder, granted }) => holder === run.id && !granted);
  if (limiter) return waitsFor([waitOfLimiter(limiter, limiterText(limiter))]);
  if (run.wakeAt !== null && run.wakeAt > seen.now)
    return waitsFor([{ kind: 'time', text: `its start time, ${iso(run.wakeAt)}`, until: run.wakeAt }]);
  return { head: `${head}${untaken(run, seen)}`, waits: waitForProcess(run, seen) };
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

/** A step that has no outcome yet. */
export interface WaitingStep {
  /** A description for people. */
  text: string;
  seq: number;
  name: string;
}

/** One thing that a run waits for; times are epoch ms. */
export type WaitingFor =
  /**
   * A worker's answer: the worker `claimedBy` has held the task since `claimedAt`, and renewed its lease last at
   * `renewedAt`; `claimedAt` of a worker in another language is one of both. Or no worker has claimed it since `since`. Workers in other languages are not among those that `servedBy` names.
   */
  | (WaitingStep &
      Servers & {
        kind: 'task';
        attempt: number;
        group: string | null;
        since: number;
        claimedBy: string | null;
        claimedAt: number | null;
        renewedAt: number | null;
      })
  /** The next attempt, after an error. */
  | (WaitingStep & { kind: 'retry'; attempt: number; at: number; error: string })
  | (WaitingStep & { kind: 'timer'; until: number })
  /** The first of these signals; `key` is null for one that must be sent to the run itself. */
  | (WaitingStep & { kind: 'signal'; signals: { name: string; key: string | null }[]; until: number | null })
  | (WaitingStep & { kind: 'child'; id: string | null })
  /** The success of all calls of an operation for a subject; `entries` are the calls that the step has enqueued. */
  | (WaitingStep & {
      kind: 'effects';
      operation: string;
      subject: string;
      entries: readonly string[];
      /** Those that have not succeeded, at most 100. */
      calls: readonly CallInSight[];
    })
  /** An answer has arrived; the next owner of the run processes it. */
  | (WaitingStep & { kind: 'decision' })
  /** Its turn in the queue of a limit. `seq`: of the step that waits; undefined if it is the run that does. */
  | {
      kind: 'limiter';
      text: string;
      seq?: number;
      holder: string;
      name: string;
      key: string;
      limits: Limits;
      ahead: number;
      holding: number;
      openAt: number | null;
    }
  /** Another run that has not ended. */
  | { kind: 'run'; text: string; id: string; status: string | null }
  | { kind: 'time'; text: string; until: number }
  /** Somebody to lift a hold, or its end. */
  | HeldUpBy
  /** A process that has the run's code. */
  | ({ kind: 'process'; text: string; workflow: string; version: number } & Servers);

interface KnownOfRun {
  run: RunRecord;
  steps: readonly StepRecord[];
  surroundings: RunSurroundings;
  /** The processes, and the time. */
  seen: NodesInSight;
  /** The open calls of the operations that steps wait for, by position. */
  calls: ReadonlyMap<number, readonly CallInSight[]>;
  /** Everything that is held. */
  holds: readonly Hold[];
}

const errorText = (json: string | null): string => errorLine(parseWireError(json));

/** Returns what the run's steps without an outcome wait for, in the order of their positions. */
function waitsOfSteps({ steps, ...known }: KnownOfRun): WaitingFor[] {
  const open = steps.filter(({ settled, kind }) => settled === null && kind !== 'marker');
  return open.sort((a, b) => a.seq - b.seq).map((step) => waitOf(step, known));
}

/** A compensation has a negative position. */
const positionText = ({ seq }: StepRecord): string =>
  seq < 0 ? `compensates position ${-1 - seq}` : `position ${seq}`;

type Around = Pick<KnownOfRun, 'surroundings' | 'seen' | 'calls'>;

function waitOf(step: StepRecord, around: Around): WaitingFor {
  const { seq, name, kind, status, wakeAt, ref } = step;
  const position = positionText(step);
  if (status === 'answered') {
    const what = kind === 'signal' ? `signal wait "${name}"` : `${kind} step "${name}"`;
    return { kind: 'decision', text: `${what} (${position}): an answer has arrived and is processed next`, seq, name };
  }
  switch (kind) {
    case 'sleep':
      return {
        kind: 'timer',
        text: `sleep "${name}" (${position}) until ${iso(wakeAt ?? 0)}`,
        seq,
        name,
        until: wakeAt ?? 0,
      };
    case 'signal':
      return signalWait(step, around);
    case 'child': {
      const text = `child run${ref === null ? '' : ` "${ref}"`} of "${name}" (${position})`;
      return { kind: 'child', text, seq, name, id: ref };
    }
    default:
      return wakeAt === null ? taskOf(step, around) : retryOf(step, wakeAt);
  }
}

function retryOf(step: StepRecord, at: number): WaitingFor {
  const { seq, name, kind, attempt: failures } = step;
  const attempt = failures + 1;
  const error = step.error === null ? 'the database was unavailable' : errorText(step.error);
  const text = `${labelOf(kind)} "${name}" (${positionText(step)}): attempt ${attempt} at ${iso(at)}, after ${error}`;
  return { kind: 'retry', text, seq, name, attempt, at, error };
}

const labelOf = (kind: StepRecord['kind']): string => (kind === 'remote' ? 'remote step' : kind);

function taskOf(step: StepRecord, { surroundings: { tasks, limiters }, seen }: Around): WaitingFor {
  const { runId, seq, name, kind, askedAt, createdAt } = step;
  const limiter = limiters.find(({ holder, granted }) => holder === stepIdOf(runId, seq) && !granted);
  const label = `${labelOf(kind)} "${name}" (${positionText(step)})`;
  if (limiter) return waitOfLimiter(limiter, `${label}: ${limiterText(limiter)}`, seq);
  const task = tasks.find((other) => other.seq === seq);
  const attempt = task?.attempt ?? step.attempt + 1;
  const common = { kind: 'task', seq, name, attempt } as const;
  if (!task) {
    const since = askedAt ?? createdAt;
    const text = `${label}: attempt ${attempt} since ${iso(since)}; its task was answered or is missing; it is sent again if it was lost`;
    const nobody = { claimedBy: null, claimedAt: null, renewedAt: null, servedBy: [], servedUntil: null };
    return { ...common, text, group: null, since, ...nobody };
  }
  const { group, createdAt: since } = task;
  const claim = claimOf(task);
  const holder =
    claim === UNCLAIMED
      ? `has waited in group "${group}" since ${iso(since)}, and no worker has claimed it: ${groupText(seen, group, name)}`
      : claim.text;
  const servers = serversOf(seen, { kind: 'group', group, handler: name });
  const { claimedBy, claimedAt, renewedAt } = claim;
  const text = `${label}: attempt ${attempt}, ${holder}`;
  return { ...common, text, group, since, claimedBy, claimedAt, renewedAt, ...servers };
}

const UNCLAIMED = { claimedBy: null, claimedAt: null, renewedAt: null, text: '' };

/** Who holds a task, and since when: a renewal of the lease changes only one of both times. */
function claimOf({ claimedBy: mark, claimedAt: renewedAt, createdAt }: TaskInSight) {
  if (mark === null || renewedAt === null) return UNCLAIMED;
  const [claimedBy, since] = [workerOf(mark), claimedSince(mark)];
  const claimedAt = since ?? renewedAt;
  const renewed = since === undefined ? ', or its lease renewed then' : `, its lease renewed at ${iso(renewedAt)}`;
  // A task that was handed over has the stamp of its dispatch, which its mark precedes a little.
  const isNews = since === undefined || (renewedAt > since && renewedAt !== createdAt);
  const text = `claimed by worker "${claimedBy}" since ${iso(claimedAt)}${isNews ? renewed : ''}`;
  return { claimedBy, claimedAt, renewedAt, text };
}

function operationWait(step: StepRecord, awaited: RecordedOperation, { calls, seen }: Around): WaitingFor {
  const { seq, name } = step;
  const { operation, subject, entryIds: entries } = awaited;
  const open = calls.get(seq) ?? [];
  const text = `operation "${operation}" for "${subject}" in step "${name}" (${positionText(step)}), until all of its calls have succeeded${callsText(open, seen)}`;
  return { kind: 'effects', text, seq, name, operation, subject, entries, calls: open };
}

/** The most calls in a text. */
const MOST_NAMED = 3;

function callsText(open: readonly CallInSight[], seen: NodesInSight): string {
  if (open.length === 0) return '';
  const texts = open.slice(0, MOST_NAMED).map((call) => callText(call, seen));
  const more = open.length - texts.length;
  return `: ${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function callText({ handler, status, attempts, nextAttemptAt }: CallInSight, seen: NodesInSight): string {
  if (status === 'abandoned') return `"${handler}" was abandoned after ${attempts} attempts and has to be requeued`;
  if (status === 'in_flight') return `"${handler}" is being called, attempt ${attempts}`;
  const next = nextAttemptAt !== null && nextAttemptAt > seen.now ? `, next attempt at ${iso(nextAttemptAt)}` : '';
  return `"${handler}" is ${status}${next}, ${effectText(seen, handler)}`;
}

function signalWait(step: StepRecord, around: Around): WaitingFor {
  const { seq, name } = step;
  const operation = readOperation(step.output);
  if (operation) return operationWait(step, operation, around);
  const { signals } = around.surroundings;
  const deadlines = signals.filter((wait) => wait.seq === seq).flatMap(({ deadline }) => deadline ?? []);
  const until = step.wakeAt ?? (deadlines.length > 0 ? Math.min(...deadlines) : null);
  const listened = readListened(step.output);
  const what = listened
    .map(({ name: signal, key }) => `"${signal}"${key === null ? '' : ` (key "${key}")`}`)
    .join(' or ');
  const label = what === '' ? `signal wait "${name}"` : `signal ${what} in step "${name}"`;
  const text = `${label} (${positionText(step)})${until === null ? ', without a deadline' : ` until ${iso(until)}`}`;
  return { kind: 'signal', text, seq, name, signals: listened, until };
}

const runsText = (id: string, status: string | null): string =>
  `run "${id}", which ${status === null ? 'does not exist' : `is ${status}`}`;

const limitText = ({ concurrency, rate }: Limits): string =>
  [
    ...(concurrency === undefined ? [] : [`at most ${concurrency} at once`]),
    ...(rate === undefined ? [] : [`at most ${rate.max} every ${rate.durationMs} ms`]),
  ].join(' and ') || 'no limit';

function limiterText({ name, key, limits, ahead, holding, openAt }: LimiterInSight): string {
  const line = `its turn in "${name}"${key === '' ? '' : ` for "${key}"`}, ${limitText(limits)}`;
  const opens = openAt === null ? '' : `; it opens at ${iso(openAt)}`;
  return `${line}: ${ahead} ahead of it, ${holding} hold a permit${opens}`;
}

const waitOfLimiter = ({ granted: _, ...limiter }: LimiterInSight, text: string, seq?: number): WaitingFor => ({
  kind: 'limiter',
  text,
  ...(seq !== undefined && { seq }),
  ...limiter,
});

/** The processes that could continue a wait; times are epoch ms. */
export interface Servers {
  /** The ids of the live processes that serve it, without those that drain: they begin nothing new. */
  servedBy: string[];
  /** The ids of those that serve it and drain; absent without any. */
  drainedBy?: string[];
  /** If there is none: when the last one was there. Processes that ended more than a day ago are not remembered. */
  servedUntil: number | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function serversOf({ nodes, now }: NodesInSight, thing: ServedThing): Servers {
  const all = nodes.filter((node) => isServing(node, thing));
  const alive = all.filter((node) => isAlive(node, now));
  const servedBy = alive.filter(({ draining }) => draining === null).map(({ id }) => id);
  const drainedBy = alive.filter(({ draining }) => draining !== null).map(({ id }) => id);
  const [last] = alive.length > 0 ? [] : all.sort((a, b) => endedAt(b) - endedAt(a));
  return { servedBy, servedUntil: last ? endedAt(last) : null, ...(drainedBy.length > 0 && { drainedBy }) };
}

const drainText = (what: string, { drainedBy = [] }: Servers): string | undefined =>
  drainedBy.length === 0
    ? undefined
    : `${what} is served by ${named(drainedBy)}, which ${drainedBy.length === 1 ? 'drains and begins' : 'drain and begin'} nothing new`;

/** Which processes have the code of a run. */
export function codeText(seen: NodesInSight, run: { namespace: string; workflow: string; version: number }): string {
  const { namespace, workflow, version } = run;
  const servers = serversOf(seen, { kind: 'workflow', namespace, workflow, version });
  const { servedBy, servedUntil } = servers;
  const what = `version ${version} of "${workflow}"`;
  if (servedBy.length > 0) return `${what} is served by ${named(servedBy)}`;
  const nobody =
    drainText(what, servers) ??
    (servedUntil === null ? `no process has ${what}` : `no process has had ${what} since ${iso(servedUntil)}`);
  const alive = seen.nodes.filter((node) => isAlive(node, seen.now));
  const others = otherVersions(alive, run)
    .filter(([other]) => other !== version)
    .map(([other, ids]) => `version ${other} is served by ${named(ids)}`);
  return [nobody, ...(others.length > 0 ? others : playersText(alive, namespace))].join('; ');
}

/** Nothing if processes play other workflows. */
const playersText = (alive: readonly NodeRecord[], namespace: string): string[] =>
  alive.some((node) => node.namespace === namespace && node.serves.workflows)
    ? []
    : ['no process that plays workflows is signed in'];

/** Which processes run a remote step. Workers in other languages sign in nowhere. */
export function groupText(seen: NodesInSight, group: string, handler: string): string {
  const { servedBy } = serversOf(seen, { kind: 'group', group, handler });
  if (servedBy.length > 0) return `group "${group}" is served by ${named(servedBy)}`;
  const ofGroup = serversOf(seen, { kind: 'group', group });
  if (ofGroup.servedBy.length > 0)
    return `group "${group}" is served by ${named(ofGroup.servedBy)}, without a handler for "${handler}"`;
  const nobody = nobodyServes(`group "${group}"`, ofGroup);
  return `${nobody} (${signedInText(seen, 'worker', ({ groups }) => groups && Object.keys(groups))})`;
}

export const effectText = (seen: NodesInSight, handler: string): string => {
  const servers = serversOf(seen, { kind: 'effect', handler });
  if (servers.servedBy.length > 0) return `effect "${handler}" is served by ${named(servers.servedBy)}`;
  const nobody = nobodyServes(`effect "${handler}"`, servers);
  return `${nobody} (${signedInText(seen, 'process that makes calls', ({ effects }) => effects)})`;
};

const nobodyServes = (what: string, servers: Servers): string =>
  drainText(what, servers) ??
  (servers.servedUntil === null
    ? `no process that has signed in serves ${what}`
    : `nobody has served ${what} since ${iso(servers.servedUntil)}`);

/** Who serves other things of this kind: a name may be misspelt, or a process is not there. */
function signedInText(
  { nodes, now }: NodesInSight,
  who: string,
  namesOf: (serves: NodeRecord['serves']) => readonly string[] | undefined,
): string {
  const others = nodes
    .filter((node) => isAlive(node, now))
    .map(({ id, serves }) => [id, namesOf(serves) ?? []] as const);
  const serving = others.filter(([, names]) => names.length > 0);
  if (serving.length === 0) return `no ${who} is signed in`;
  const first = serving.slice(0, MOST_NAMED).map(([id, names]) => `"${id}" serves ${named(names)}`);
  const more = serving.length - first.length;
  return `signed in: ${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function named(ids: readonly string[]): string {
  const first = ids.slice(0, MOST_NAMED).map((id) => `"${id}"`);
  const more = ids.length - first.length;
  return `${first.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A hold that keeps a run from going on; times are epoch ms. */
interface HeldUpBy {
  kind: 'hold';
  text: string;
  /** What is held: the run's workflow, or the group or the effect that a step of it waits for. */
  what: HoldKind;
  name: string;
  actor: string;
  reason: string;
  since: number;
  until: number | null;
}

/** The holds that concern a run: of its workflow, of the groups of its tasks, and of the effects it waits for. */
function holdsOf({ run, surroundings, calls, holds }: KnownOfRun): HeldUpBy[] {
  const groups = surroundings.tasks.map(({ group }) => group);
  const handlers = [...calls.values()].flat().map(({ handler }) => handler);
  const concerns: Record<HoldKind, readonly string[]> = {
    workflow: [run.workflow],
    group: groups,
    effect: handlers,
    schedule: [],
  };
  return holds.filter(({ kind, name }) => concerns[kind].includes(name)).map(heldUpBy);
}

function heldUpBy({ kind: what, name, actor, reason, since, until }: Hold): HeldUpBy {
  const end = until === undefined ? 'until somebody lifts it' : `until ${iso(until.getTime())}`;
  const text = `${what} "${name}", which ${actor} holds since ${iso(since.getTime())}, ${end}: ${reason}`;
  return { kind: 'hold', text, what, name, actor, reason, since: since.getTime(), until: until?.getTime() ?? null };
}
