import {
  endedAt,
  isAlive,
  isServing,
  type NodeRecord,
  type NodesInSight,
  otherVersions,
  type ServedThing,
} from '../model/node-record.js';

/** The processes that could continue a wait; times are epoch ms. */
export interface Servers {
  /** The ids of the live processes that serve it, without those that drain: they begin nothing new. */
  servedBy: string[];
  /** The ids of those that serve it and drain; absent without any. */
  drainedBy?: string[];
  /** If there is none: when the last one was there. Processes that ended more than a day ago are not remembered. */
  servedUntil: number | null;
}

export const iso = (ms: number): string => new Date(ms).toISOString();

/** The most ids in a text. */
const MOST_NAMED = 3;

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
