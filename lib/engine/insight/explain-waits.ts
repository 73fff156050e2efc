import { workerOf } from '../../protocol/claim-mark.js';
import type { HeldUpBy } from './explain-holds.js';
import type { Hold } from '../../holds/hold.js';
import { stepIdOf } from '../../protocol/step.js';
import { errorLine } from '../../protocol/error-line.js';
import { parseWireError } from '../../protocol/wire-error.js';
import { effectText, groupText, iso, type Servers, serversOf } from './explain-servers.js';
import { readOperation, type RecordedOperation } from '../effects/effect-completions.js';
import type { NodesInSight } from '../model/node-record.js';
import type { LimiterInSight, RunSurroundings } from '../model/run-insight.js';
import type { CallInSight } from '../model/outgoing.js';
import type { Limits, RunRecord } from '../model/run.js';
import { readListened } from '../model/mailbox.js';
import type { StepRecord } from '../model/step-record.js';

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
   * A worker's answer: the worker `claimedBy` holds the task, and claimed it or renewed its lease at `claimedAt`; or no
   * worker has claimed it since `since`. Workers in other languages are not among those that `servedBy` names.
   */
  | (WaitingStep &
      Servers & {
        kind: 'task';
        attempt: number;
        group: string | null;
        since: number;
        claimedBy: string | null;
        claimedAt: number | null;
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

export interface KnownOfRun {
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

export const errorText = (json: string | null): string => errorLine(parseWireError(json));

/** Returns what the run's steps without an outcome wait for, in the order of their positions. */
export function waitsOfSteps({ steps, ...known }: KnownOfRun): WaitingFor[] {
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
    return { ...common, text, group: null, since, claimedBy: null, claimedAt: null, servedBy: [], servedUntil: null };
  }
  const { group, claimedAt, createdAt: since } = task;
  const claimedBy = task.claimedBy === null ? null : workerOf(task.claimedBy);
  const holder =
    claimedBy === null || claimedAt === null
      ? `has waited in group "${group}" since ${iso(since)}, and no worker has claimed it: ${groupText(seen, group, name)}`
      : `claimed by worker "${claimedBy}" since ${iso(claimedAt)}`;
  const servers = serversOf(seen, { kind: 'group', group, handler: name });
  return { ...common, text: `${label}: attempt ${attempt}, ${holder}`, group, since, claimedBy, claimedAt, ...servers };
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

export const runsText = (id: string, status: string | null): string =>
  `run "${id}", which ${status === null ? 'does not exist' : `is ${status}`}`;

const limitText = ({ concurrency, rate }: Limits): string =>
  [
    ...(concurrency === undefined ? [] : [`at most ${concurrency} at once`]),
    ...(rate === undefined ? [] : [`at most ${rate.max} every ${rate.durationMs} ms`]),
  ].join(' and ') || 'no limit';

export function limiterText({ name, key, limits, ahead, holding, openAt }: LimiterInSight): string {
  const line = `its turn in "${name}"${key === '' ? '' : ` for "${key}"`}, ${limitText(limits)}`;
  const opens = openAt === null ? '' : `; it opens at ${iso(openAt)}`;
  return `${line}: ${ahead} ahead of it, ${holding} hold a permit${opens}`;
}

export const waitOfLimiter = (limiter: LimiterInSight, text: string, seq?: number): WaitingFor => {
  const { holder, name, key, limits, ahead, holding, openAt } = limiter;
  return {
    kind: 'limiter',
    text,
    ...(seq !== undefined && { seq }),
    holder,
    name,
    key,
    limits,
    ahead,
    holding,
    openAt,
  };
};
