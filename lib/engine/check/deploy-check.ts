import type { RunStore } from '../model/run-store.js';
import type { ClaimedRun } from '../model/run.js';
import { type ReplayCheck, type ReplayCheckParts, checkReplay } from '../play/replay-check.js';
import type { StepRecord } from '../model/step-record.js';
import type { UnfinishedRuns } from '../model/run-control.js';
import { stopwatch } from '../../time/clock.js';
import type { WorkflowRegistry } from '../model/workflow-registry.js';

/** A run that would be blocked with this build, or whose workflow this build does not have. */
export type Obstacle = { runId: string; workflow: string; version: number } & (
  | Omit<Extract<ReplayCheck, { verdict: 'blocks' }>, 'verdict'>
  /** `known`: the versions that this build has. */
  | { reason: 'unknown_workflow'; known: readonly number[] }
);

export interface DeployCheckPorts {
  unfinished: UnfinishedRuns;
  store: Pick<RunStore, 'histories'>;
  workflows: WorkflowRegistry;
}

export interface DeployCheckOptions extends ReplayCheckParts {
  /** The most runs that are replayed. Default: all. */
  limit?: number;
}

/** What a part of all runs says of a build. */
export interface DeployCheckPage {
  /** Open runs that were replayed. */
  runs: number;
  /** Those that would be blocked. */
  obstacles: Obstacle[];
  /** For the next page. */
  cursor?: string;
}

/** A page ends after so long, at the next histories: few at once, in a process that has other work. */
const PAGE_MS = 1_000;
const AT_ONCE_OF_PAGE = 10;

/** How many runs are read per page, and how many histories are read at once. */
const SCAN = 2_000;
const AT_ONCE = 50;

/**
 * Replays every run that has not ended, page by page, and yields the result of each: undefined if it matches. Nothing
 * is written.
 */
export async function* deployCheck(
  ports: DeployCheckPorts,
  { limit = Number.POSITIVE_INFINITY, ...parts }: DeployCheckOptions,
): AsyncGenerator<Obstacle | undefined> {
  let left = limit;
  for (let afterId: string | undefined = ''; afterId !== undefined && left > 0;) {
    const { runs, next } = await ports.unfinished.page({ namespace: parts.namespace, afterId, scan: SCAN });
    for (let from = 0; from < runs.length && left > 0; from += AT_ONCE) {
      const some = runs.slice(from, from + Math.min(AT_ONCE, left));
      left -= some.length;
      yield* await obstaclesOf(some, ports, parts);
    }
    afterId = next;
  }
}

/** The same, a page at a time: for pages that show how far it is. */
export async function deployCheckPage(
  ports: DeployCheckPorts,
  cursor: string,
  parts: ReplayCheckParts,
): Promise<DeployCheckPage> {
  const end = stopwatch.now() + PAGE_MS;
  const { runs, next } = await ports.unfinished.page({ namespace: parts.namespace, afterId: cursor, scan: SCAN });
  const page: DeployCheckPage = { runs: 0, obstacles: [] };
  while (page.runs < runs.length && stopwatch.now() < end) {
    const some = runs.slice(page.runs, page.runs + AT_ONCE_OF_PAGE);
    for (const obstacle of await obstaclesOf(some, ports, parts)) if (obstacle) page.obstacles.push(obstacle);
    page.runs += some.length;
  }
  const reached = page.runs < runs.length ? runs[page.runs - 1]!.id : next;
  return { ...page, ...(reached !== undefined && { cursor: reached }) };
}

async function obstaclesOf(
  runs: readonly ClaimedRun[],
  { store, workflows }: DeployCheckPorts,
  parts: ReplayCheckParts,
): Promise<(Obstacle | undefined)[]> {
  const histories = new Map<string, StepRecord[]>(runs.map(({ id }) => [id, []]));
  for (const step of await store.histories(runs.map(({ id }) => id))) histories.get(step.runId)?.push(step);
  return Promise.all(
    runs.map(async (run): Promise<Obstacle | undefined> => {
      const { id: runId, workflow, version } = run;
      const definition = workflows.find(workflow, version);
      const which = { runId, workflow, version };
      if (!definition) return { ...which, reason: 'unknown_workflow', known: workflows.versionsOf(workflow) };
      const { verdict, ...outcome } = await checkReplay(run, histories.get(runId) ?? [], definition, parts);
      return verdict === 'blocks' ? ({ ...which, ...outcome } as Obstacle) : undefined;
    }),
  );
}
