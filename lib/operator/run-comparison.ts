import type { StoredStep } from '../engine/client/client-history.js';
import type { ErrorView, WorkflowRunStatus } from '../engine/insight/workflow-status.js';
import type { RunStatus } from '../engine/model/run.js';
import type { StepKind, StepRecord, StepStatus } from '../engine/model/step-record.js';
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

/** A run with its first steps, one more than are compared if there are so many. */
export interface ComparableRun {
  run: WorkflowRunStatus;
  steps: readonly StoredStep[];
}

export function compared(one: ComparableRun, other: ComparableRun, see: Sight): RunComparison {
  const [a, b] = [one.run, other.run];
  const differ = (
    kind: 'input' | 'output' | 'error',
    [left, right]: readonly unknown[],
    step?: string,
  ): Difference[] => {
    const origin = ({ id, workflow }: WorkflowRunStatus) => ({ kind, workflow, runId: id, ...(step && { step }) });
    return differencesOf(see(left, origin(a)), see(right, origin(b)));
  };
  const differences = ({ name, one: left, other: right }: Pair) => {
    // Most steps of two runs are alike, and texts that are equal are equal values.
    const isSame = (of: 'output' | 'error') => !left || !right || left.record[of] === right.record[of];
    const [output, error] = [isSame('output'), isSame('error')];
    if (output && error) return { output: [], error: [] };
    const [x, y] = [left!.look(), right!.look()];
    return {
      output: output ? [] : differ('output', [x.output, y.output], name),
      error: error ? [] : differ('error', [told(x.error), told(y.error)], name),
    };
  };
  const pairs = pairsOf(one.steps.slice(0, MOST_COMPARED), other.steps.slice(0, MOST_COMPARED));
  return {
    a: runOf(a),
    b: runOf(b),
    input: differ('input', [a.input, b.input]),
    output: differ('output', [a.output, b.output]),
    error: differ('error', [told(a.error), told(b.error)]),
    steps: pairs.map((pair) => ({
      kind: pair.kind,
      name: pair.name,
      nth: pair.nth,
      a: pair.one ? timesOf(pair.one.record, a) : null,
      b: pair.other ? timesOf(pair.other.record, b) : null,
      ...differences(pair),
    })),
    complete: [one, other].every(({ steps }) => steps.length <= MOST_COMPARED),
  };
}

/** Stacks differ between any two errors. */
const told = (error: ErrorView | null) => error && { name: error.name ?? null, message: error.message };

interface Numbered {
  kind: StepKind;
  name: string;
  nth: number;
  step: StoredStep;
}

interface Pair extends Omit<Numbered, 'step'> {
  one?: StoredStep;
  other?: StoredStep;
}

/** Joins the n-th steps of a name. */
function pairsOf(a: readonly StoredStep[], b: readonly StoredStep[]): Pair[] {
  const own = numbered(a);
  const only = new Map<string, Numbered[]>();
  const both = new Map<string, StoredStep>();
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

function numbered(steps: readonly StoredStep[]): Map<string, Numbered> {
  const seen = new Map<string, number>();
  return new Map(
    steps.map((step) => {
      const { kind, name } = step.record;
      const alike = JSON.stringify([kind, name]);
      const nth = (seen.get(alike) ?? 0) + 1;
      seen.set(alike, nth);
      return [`${alike}#${nth}`, { kind, name, nth, step }];
    }),
  );
}

const msFrom = (from: Date | null, until: Date | null): number | null =>
  from && until ? until.getTime() - from.getTime() : null;

const timesOf = ({ seq, status, failures, createdAt, finishedAt }: StepRecord, run: WorkflowRunStatus) => ({
  seq,
  status,
  failures,
  afterMs: createdAt - run.createdAt.getTime(),
  tookMs: finishedAt === null ? null : finishedAt - createdAt,
});

const runOf = ({ id, workflow, version, status, startedAt, createdAt, finishedAt }: WorkflowRunStatus) => ({
  id,
  workflow,
  version,
  status,
  tookMs: msFrom(startedAt ?? createdAt, finishedAt),
});
