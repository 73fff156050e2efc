import { jsonCodec } from '../core/codec.js';
import { checkedLimit } from '../core/options.js';
import type { StoredStep } from '../engine/client/history.js';
import { ownRun } from '../engine/client/results.js';
import type { RunReason, RunRecord, RunStatus } from '../engine/run.js';
import type { StepKind, StepRecord, StepStatus } from '../engine/step.js';
import type { EngineStorage } from '../engine/storage.js';
import type { ErrorView, WorkflowRunStatus } from '../engine/views.js';

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

/** A place in which two payloads differ. */
export interface Difference {
  /** The keys that lead to it; empty for the payload itself. */
  path: readonly string[];
  /** As plain JSON, in which values that JSON does not have are tagged; undefined: it is not there. */
  a: unknown;
  b: unknown;
}

/** The most differences of two payloads that are told. */
export const MOST_DIFFERENCES = 100;

/** The places in which two payloads differ, in the order of the first one; at most 100. */
export function differencesOf(a: unknown, b: unknown): Difference[] {
  const found: Difference[] = [];
  const walk = (one: unknown, other: unknown, path: readonly string[]): void => {
    if (found.length === MOST_DIFFERENCES || one === other) return;
    const [left, right] = [partsOf(one), partsOf(other)];
    if (!left || !right || left.isList !== right.isList) {
      found.push({ path, a: one, b: other });
      return;
    }
    for (const key of new Set([...left.parts.keys(), ...right.parts.keys()]))
      walk(left.parts.get(key), right.parts.get(key), [...path, key]);
  };
  walk(plain(a), plain(b), []);
  return found;
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : (JSON.parse(jsonCodec.encode(value)) as unknown);

const partsOf = (value: unknown): { isList: boolean; parts: Map<string, unknown> } | undefined =>
  typeof value === 'object' && value !== null
    ? { isList: Array.isArray(value), parts: new Map(Object.entries(value)) }
    : undefined;

/** A run among its relatives. */
export interface RunInTree {
  id: string;
  workflow: string;
  version: number;
  status: RunStatus;
  reason: RunReason | null;
  /** The run that started it; the nodes of the tree are joined by it. */
  parentId: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The relatives of a run. `continueAsNew` makes none: such a run goes on under its id. */
export interface RunTree {
  run: RunInTree;
  /** Its parent, the parent of that, and so on; at most 20. */
  ancestors: RunInTree[];
  /** The runs that it has started, the runs that these have started, and so on: each generation by id. */
  descendants: RunInTree[];
  /** The runs that must end before it begins; the status is null if there is no such run. */
  after: { id: string; status: string | null }[];
  /** The run that it was forked from, and the first position that it does not share with it. */
  forkedFrom: { id: string; seq: number } | null;
  scheduleId: string | null;
  /** Whether these are all descendants and ancestors. */
  complete: boolean;
}

export interface TreeOptions {
  /** The most descendants, from 1 to 1,000. Default 200. */
  limit?: number;
}

export const TREE_OPTIONS = { limit: true } as const;

/** Each costs two statements. */
const MOST_GENERATIONS = 10;
/** Each costs a statement. */
const MOST_ANCESTORS = 20;

type Storage = Pick<EngineStorage, 'catalog' | 'insight' | 'story'>;

/** @throws WorkflowNotFoundError */
export async function treeOf(
  storage: Storage,
  namespace: string,
  id: string,
  { limit = 200 }: TreeOptions,
): Promise<RunTree> {
  const most = checkedLimit(limit, 1_000);
  const run = await ownRun(storage.catalog, namespace, id);
  const up = await ancestorsOf(storage, run);
  const down = await descendantsOf(storage, run, most);
  const { after } = await storage.insight.surroundings(run);
  return {
    run: nodeOf(run),
    ancestors: up.runs.map(nodeOf),
    descendants: down.runs.map(nodeOf),
    after,
    forkedFrom: run.forkedFrom === null ? null : { id: run.forkedFrom, seq: run.forkedSeq ?? 0 },
    scheduleId: run.scheduleId,
    complete: up.complete && down.complete,
  };
}

interface Found {
  runs: RunRecord[];
  complete: boolean;
}

async function ancestorsOf({ insight }: Storage, run: RunRecord): Promise<Found> {
  const runs: RunRecord[] = [];
  for (let { parentId } = run; parentId !== null;) {
    if (runs.length === MOST_ANCESTORS) return { runs, complete: false };
    const [parent] = await insight.withoutPayloads([parentId]);
    // It was deleted.
    if (!parent) break;
    runs.push(parent);
    ({ parentId } = parent);
  }
  return { runs, complete: true };
}

async function descendantsOf({ insight, story }: Storage, run: RunRecord, most: number): Promise<Found> {
  const runs: RunRecord[] = [];
  let parentIds = [run.id];
  for (let generation = 0; generation < MOST_GENERATIONS; generation++) {
    const limit = most - runs.length + 1;
    const ids = (await story.children({ namespace: run.namespace, parentIds, limit })).map(({ id }) => id);
    if (ids.length === 0) return { runs, complete: true };
    const children = await insight.withoutPayloads(ids);
    runs.push(...children.sort((a, b) => (a.id < b.id ? -1 : 1)));
    if (runs.length > most) return { runs: runs.slice(0, most), complete: false };
    parentIds = ids;
  }
  return { runs, complete: false };
}

const nodeOf = (run: RunRecord): RunInTree => {
  const { id, workflow, version, status, reason, parentId, createdAt, finishedAt } = run;
  const ended = finishedAt === null ? null : new Date(finishedAt);
  return { id, workflow, version, status, reason, parentId, createdAt: new Date(createdAt), finishedAt: ended };
};
