import type { EffectInsight } from '../effects/effect-storage.js';
import type { HoldTarget } from '../engine/client/client-holds.js';
import type { FleetInsight } from '../engine/model/fleet-insight.js';
import type { NodeRecord } from '../engine/model/node-record.js';
import type { NodeRoster } from '../engine/model/node-roster.js';
import type { TaskSource } from '../worker/task-source.js';

interface Ports {
  fleet: Pick<FleetInsight, 'counts'>;
  roster: Pick<NodeRoster, 'nodes'>;
  source: Pick<TaskSource, 'waiting'>;
  /** Undefined: the app has no effects. */
  effects: Pick<EffectInsight, 'unclaimed'> | undefined;
  namespace: string;
}

/** What processes of the last day serve, by name: to choose from. */
export interface KnownNames {
  workflows: string[];
  /** Of every namespace: groups are shared. */
  groups: string[];
}

/** Nobody chooses from a longer list. */
const MOST_NAMES = 1_000;

/** From what processes have said, up to 1,000 of each: runs and tasks are not looked at. */
export async function knownNames({ roster, namespace }: Pick<Ports, 'roster' | 'namespace'>): Promise<KnownNames> {
  const { nodes } = await roster.nodes();
  const own = nodes.filter((node) => node.namespace === namespace);
  return {
    workflows: firstOf(own.flatMap(({ serves }) => Object.keys(serves.workflows ?? {}))),
    groups: firstOf(nodes.flatMap(({ serves }) => Object.keys(serves.groups ?? {}))),
  };
}

const firstOf = (names: readonly string[]): string[] => [...new Set(names)].sort().slice(0, MOST_NAMES);

/** Whether a process of the last day serves what is held, or anything of it waits. Holding a schedule needs the schedule. */
export async function isKnownName(ports: Ports, { workflow, group, effect }: HoldTarget): Promise<boolean> {
  const { roster, namespace } = ports;
  // A class was looked up already.
  if (workflow !== undefined && typeof workflow !== 'string') return true;
  const isServed = async (serves: (node: NodeRecord) => boolean) => (await roster.nodes()).nodes.some(serves);
  if (workflow !== undefined)
    return (
      (await isServed((node) => node.namespace === namespace && has(node.serves.workflows, workflow))) ||
      (await hasRuns(ports, workflow))
    );
  if (group !== undefined)
    return (await isServed(({ serves }) => has(serves.groups, group))) || (await hasTasks(ports, group));
  if (effect !== undefined)
    return (await isServed(({ serves }) => !!serves.effects?.includes(effect))) || (await hasCalls(ports, effect));
  return true;
}

/** A name may be that of a property of every object. */
const has = (served: object | undefined, name: string): boolean => !!served && Object.hasOwn(served, name);

async function hasRuns({ fleet, namespace }: Ports, workflow: string): Promise<boolean> {
  const { byStatus } = await fleet.counts({ namespace, workflow, limit: 1 }, 1);
  return byStatus.length > 0;
}

async function hasTasks({ source }: Ports, group: string): Promise<boolean> {
  const { tasks } = await source.waiting({ olderThanMs: 0, cursor: undefined, groups: [group] });
  return tasks.length > 0;
}

const hasCalls = async ({ effects }: Ports, effect: string): Promise<boolean> =>
  (await effects?.unclaimed(0))?.some(({ handler }) => handler === effect) ?? false;
