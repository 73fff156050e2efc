import { stepIdOf } from '../../protocol/step.js';
import { parseWireError } from '../../protocol/wire-error.js';
import { readOperation, type RecordedOperation } from '../effects/effect-completions.js';
import type { LimiterInSight, RunSurroundings } from '../model/run-insight.js';
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
  /** A worker's answer: `claimedBy` holds the task since `claimedAt`, or no worker has claimed it since `since`. */
  | (WaitingStep & {
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
  | (WaitingStep & { kind: 'effects'; operation: string; subject: string; entries: readonly string[] })
  /** An answer has arrived; the next owner of the run processes it. */
  | (WaitingStep & { kind: 'decision' })
  /** Its turn in the queue of a limit. */
  | {
      kind: 'limiter';
      text: string;
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
  /** A process that has the run's code. */
  | { kind: 'process'; text: string; workflow: string; version: number; signedIn: number };

export interface KnownOfRun {
  run: RunRecord;
  steps: readonly StepRecord[];
  surroundings: RunSurroundings;
}

export const iso = (ms: number): string => new Date(ms).toISOString();

export const errorText = (json: string | null): string => {
  const { name = 'Error', message, code } = parseWireError(json);
  return `${name}: ${message}${code === undefined ? '' : ` (${code})`}`;
};

/** Returns what the run's steps without an outcome wait for, in the order of their positions. */
export function waitsOfSteps({ steps, surroundings }: KnownOfRun): WaitingFor[] {
  const open = steps.filter(({ settled, kind }) => settled === null && kind !== 'marker');
  return open.sort((a, b) => a.seq - b.seq).map((step) => waitOf(step, surroundings));
}

/** A compensation has a negative position. */
const positionText = ({ seq }: StepRecord): string =>
  seq < 0 ? `compensates position ${-1 - seq}` : `position ${seq}`;

function waitOf(step: StepRecord, surroundings: RunSurroundings): WaitingFor {
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
      return signalWait(step, surroundings);
    case 'child': {
      const text = `child run${ref === null ? '' : ` "${ref}"`} of "${name}" (${position})`;
      return { kind: 'child', text, seq, name, id: ref };
    }
    default:
      return wakeAt === null ? taskOf(step, surroundings) : retryOf(step, wakeAt);
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

function taskOf(step: StepRecord, { tasks, limiters }: RunSurroundings): WaitingFor {
  const { runId, seq, name, kind, startedAt, createdAt } = step;
  const limiter = limiters.find(({ holder, granted }) => holder === stepIdOf(runId, seq) && !granted);
  const label = `${labelOf(kind)} "${name}" (${positionText(step)})`;
  if (limiter) return waitOfLimiter(limiter, `${label}: ${limiterText(limiter)}`);
  const task = tasks.find((other) => other.seq === seq);
  const attempt = task?.attempt ?? step.attempt + 1;
  const common = { kind: 'task', seq, name, attempt } as const;
  if (!task) {
    const since = startedAt ?? createdAt;
    const text = `${label}: attempt ${attempt} since ${iso(since)}; its task was answered or is missing; it is sent again if it was lost`;
    return { ...common, text, group: null, since, claimedBy: null, claimedAt: null };
  }
  const { group, claimedBy, claimedAt, createdAt: since } = task;
  const holder =
    claimedBy === null || claimedAt === null
      ? `has waited in group "${group}" since ${iso(since)}, and no worker has claimed it`
      : `claimed by worker "${claimedBy}" since ${iso(claimedAt)}`;
  return { ...common, text: `${label}: attempt ${attempt}, ${holder}`, group, since, claimedBy, claimedAt };
}

function operationWait(step: StepRecord, { operation, subject, entryIds: entries }: RecordedOperation): WaitingFor {
  const { seq, name } = step;
  const text = `operation "${operation}" for "${subject}" in step "${name}" (${positionText(step)}), until all of its calls have succeeded`;
  return { kind: 'effects', text, seq, name, operation, subject, entries };
}

function signalWait(step: StepRecord, { signals }: RunSurroundings): WaitingFor {
  const { seq, name } = step;
  const operation = readOperation(step.output);
  if (operation) return operationWait(step, operation);
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

export const waitOfLimiter = (limiter: LimiterInSight, text: string): WaitingFor => {
  const { holder, name, key, limits, ahead, holding, openAt } = limiter;
  return { kind: 'limiter', text, holder, name, key, limits, ahead, holding, openAt };
};
