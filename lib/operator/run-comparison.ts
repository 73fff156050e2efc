import type { WorkflowRunStatus, WorkflowStepStatus } from '../engine/insight/workflow-status.js';
import type { RunStatus } from '../engine/model/run.js';
import type { StepKind, StepStatus } from '../engine/model/step-record.js';
import { type Difference, differencesOf } from './differences.js';

/** One of two runs that are compared. */
export interface ComparedRun {
  id: string;
  workflow: string;
  version: number;
  status: RunStatus;
  /** From its beginning to its end, in ms; null if it has not ended. */
  tookMs: number | null;
}

/** A step of one of them. */
export interface ComparedTimes {
  seq: number;
  status: StepStatus;
  failures: number;
  /** When it was first asked for, in ms since its run was created. */
  afterMs: number;
  /** From then to its end, in ms; null if it has not ended. */
  tookMs: number | null;
}

/** The n-th step of this name, in both runs or in one of them. */
export interface ComparedStep {
  kind: StepKind;
  name: string;
  /** From 1. */
  nth: number;
  /** Null: the run has no such step. */
  a: ComparedTimes | null;
  b: ComparedTimes | null;
  /** Of its outputs, and of the names and messages of its errors; at most 100 of each step. */
  output: Difference[];
  error: Difference[];
}

export interface RunComparison {
  a: ComparedRun;
  b: ComparedRun;
  /** Where the inputs of the runs differ. */
  input: Difference[];
  output: Difference[];
  error: Difference[];
  /** In the order of `a`, with the steps that only `b` has where it took them. */
  steps: ComparedStep[];
  /** Whether these are all steps: at most 2,000 of each run are compared. */
  complete: boolean;
}

/** A payload as it may be seen, instead of the payload. */
export type Sight = (
  payload: unknown,
  origin: { kind: 'input' | 'output' | 'error'; workflow: string; runId: string; step?: string },
) => unknown;

/** The most steps of a run that are compared. */
export const MOST_COMPARED = 2_000;

export function compared(a: WorkflowRunStatus, b: WorkflowRunStatus, see: Sight): RunComparison {
  const differ = (
    kind: 'input' | 'output' | 'error',
    [one, other]: readonly unknown[],
    step?: string,
  ): Difference[] => {
    const origin = ({ id, workflow }: WorkflowRunStatus) => ({ kind, workflow, runId: id, ...(step && { step }) });
    return differencesOf(see(one, origin(a)), see(other, origin(b)));
  };
  const pairs = pairsOf(stepsOf(a), stepsOf(b));
  return {
    a: runOf(a),
    b: runOf(b),
    input: differ('input', [a.input, b.input]),
    output: differ('output', [a.output, b.output]),
    error: differ('error', [told(a.error), told(b.error)]),
    steps: pairs.map(({ kind, name, nth, one, other }) => ({
      kind,
      name,
      nth,
      a: one ? timesOf(one, a) : null,
      b: other ? timesOf(other, b) : null,
      output: one && other ? differ('output', [one.output, other.output], name) : [],
      error: one && other ? differ('error', [told(one.error), told(other.error)], name) : [],
    })),
    complete: [a, b].every(({ history = [] }) => history.length <= MOST_COMPARED),
  };
}

const stepsOf = ({ history = [] }: WorkflowRunStatus) => history.slice(0, MOST_COMPARED);

/** Stacks differ between any two errors. */
const told = (error: WorkflowStepStatus['error']) => error && { name: error.name ?? null, message: error.message };

interface Numbered {
  kind: StepKind;
  name: string;
  nth: number;
  step: WorkflowStepStatus;
}

interface Pair extends Omit<Numbered, 'step'> {
  one?: WorkflowStepStatus;
  other?: WorkflowStepStatus;
}

/** Joins the n-th steps of a name. */
function pairsOf(a: readonly WorkflowStepStatus[], b: readonly WorkflowStepStatus[]): Pair[] {
  const own = numbered(a);
  const only = new Map<string, Numbered[]>();
  const both = new Map<string, WorkflowStepStatus>();
  let last = '';
  for (const [key, numberedStep] of numbered(b)) {
    if (own.has(key)) {
      both.set(key, numberedStep.step);
      last = key;
      continue;
    }
    const others = only.get(last);
    if (others) others.push(numberedStep);
    else only.set(last, [numberedStep]);
  }
  const onlyAfter = (key: string): Pair[] =>
    (only.get(key) ?? []).map(({ step, ...which }) => ({ ...which, other: step }));
  const pairs = [...own].flatMap(([key, { step, ...which }]): Pair[] => {
    const other = both.get(key);
    return [{ ...which, one: step, ...(other && { other }) }, ...onlyAfter(key)];
  });
  return [...onlyAfter(''), ...pairs];
}

function numbered(steps: readonly WorkflowStepStatus[]): Map<string, Numbered> {
  const seen = new Map<string, number>();
  return new Map(
    steps.map((step) => {
      const { kind, name } = step;
      const alike = JSON.stringify([kind, name]);
      const nth = (seen.get(alike) ?? 0) + 1;
      seen.set(alike, nth);
      return [`${alike}#${nth}`, { kind, name, nth, step }];
    }),
  );
}

const msFrom = (from: Date | null, until: Date | null): number | null =>
  from && until ? until.getTime() - from.getTime() : null;

const timesOf = ({ seq, status, failures, createdAt, finishedAt }: WorkflowStepStatus, run: WorkflowRunStatus) => ({
  seq,
  status,
  failures,
  afterMs: createdAt.getTime() - run.createdAt.getTime(),
  tookMs: msFrom(createdAt, finishedAt),
});

const runOf = ({ id, workflow, version, status, startedAt, createdAt, finishedAt }: WorkflowRunStatus) => ({
  id,
  workflow,
  version,
  status,
  tookMs: msFrom(startedAt ?? createdAt, finishedAt),
});
