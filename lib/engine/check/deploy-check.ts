import type { RunStore } from '../model/run-store.js';
import type { ClaimedRun } from '../model/run.js';
import { type ReplayCheck, type ReplayCheckParts, checkReplay } from '../play/replay-check.js';
import type { StepRecord } from '../model/step-record.js';
import type { UnfinishedRuns } from '../model/run-control.js';
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
