import { ownRun } from '../engine/client/own-run.js';
import type { EngineStorage } from '../engine/model/engine-storage.js';
import type { RunReason, RunRecord, RunStatus } from '../engine/model/run.js';
import { checkedLimit } from './questions.js';

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
