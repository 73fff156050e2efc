import type { UnfinishedRuns } from '../engine/model/run-control.js';
import type { DurableNode } from '../engine/nodes/node-views.js';

/** A version of a workflow that open runs need, or that a process has. */
export interface VersionInUse {
  workflow: string;
  version: number;
  /** Runs that have not ended, of those that this page looked at. */
  runs: number;
  /** The processes that are alive and have its code. Nobody: its runs stand still until one is started. */
  servedBy: Pick<DurableNode, 'id' | 'host' | 'build'>[];
}

export interface VersionsInUsePage {
  /** By workflow and version. The first page has also those that a process has and no open run needs. */
  versions: VersionInUse[];
  /** For the next page; the numbers of all pages add up. */
  cursor?: string;
}

/** How many runs a page looks at. */
const SCANNED = 10_000;

interface Ports {
  unfinished: Pick<UnfinishedRuns, 'versions'>;
  nodes: () => Promise<DurableNode[]>;
  namespace: string;
}

/** A part of all runs by the primary key: there is no index of open runs alone, and their number has no bound. */
export async function versionsInUse({ unfinished, nodes, namespace }: Ports, cursor = ''): Promise<VersionsInUsePage> {
  const { versions, next } = await unfinished.versions({ namespace, afterId: cursor, scan: SCANNED });
  const engines = (await nodes()).filter((node) => node.namespace === namespace && node.roles.includes('engine'));
  const known = new Set(versions.map(keyOf));
  const idle = cursor === '' ? servedVersions(engines).filter((one) => !known.has(keyOf(one))) : [];
  const all = [...versions, ...idle].map((one) => ({ ...one, servedBy: serversOf(one, engines) }));
  const byName = (a: VersionInUse, b: VersionInUse) =>
    a.workflow === b.workflow ? a.version - b.version : a.workflow < b.workflow ? -1 : 1;
  return { versions: all.sort(byName), ...(next !== undefined && { cursor: next }) };
}

interface Code {
  workflow: string;
  version: number;
}

const keyOf = ({ workflow, version }: Code): string => JSON.stringify([workflow, version]);

function servedVersions(engines: readonly DurableNode[]): (Code & { runs: number })[] {
  const served = engines.flatMap(({ serves: { workflows = {} } }) =>
    Object.entries(workflows).flatMap(([workflow, versions]) =>
      versions.map((version) => ({ workflow, version, runs: 0 })),
    ),
  );
  return [...new Map(served.map((one) => [keyOf(one), one])).values()];
}

const serversOf = ({ workflow, version }: Code, engines: readonly DurableNode[]): VersionInUse['servedBy'] =>
  engines
    .filter(
      ({ serves: { workflows = {} } }) => Object.hasOwn(workflows, workflow) && workflows[workflow]!.includes(version),
    )
    .map(({ id, host, build }) => ({ id, host, build }));
