import type { DurableSettings } from './durable-options.js';
import type { EffectHandlers } from '../effects/effect-handlers.js';
import type { NodeIdentity, Served } from '../engine/model/node-record.js';
import type { WorkflowRegistry } from '../engine/model/workflow-registry.js';
import type { ServedStep } from '../explorers/workflow.explorer.js';
import { nodeName } from './node-name.js';
import type { DeclaredDestinations } from './outbox-role.js';
import { PACKAGE_VERSION } from '../protocol/package-version.js';

/** Everything that this process has code for, known once the container has been explored. */
export interface Explored {
  settings: DurableSettings;
  workflows: Pick<WorkflowRegistry, 'all' | 'versionsOf'>;
  steps: readonly ServedStep[];
  destinations: DeclaredDestinations;
  effects: Pick<EffectHandlers, 'all'>;
}

/** How this process signs in: with the roles that it has, and what it serves in them. */
export function identityOf(explored: Explored): NodeIdentity {
  const { settings } = explored;
  const serves = servedBy(explored);
  const roles = [
    settings.engine && 'engine',
    serves.groups && 'worker',
    serves.destinations && 'relay',
    serves.effects && 'effects',
  ];
  const { id, namespace } = nodeName(settings);
  const build = settings.build === undefined ? {} : { build: settings.build };
  return { id, namespace, roles: roles.filter(Boolean).join(','), serves, version: PACKAGE_VERSION, ...build };
}

function servedBy({ settings, workflows, steps, destinations, effects }: Explored): Served {
  const { engine, worker, outbox, effects: calls } = settings;
  const names = [...new Set(workflows.all().map(({ name }) => name))];
  return {
    ...(engine && { workflows: Object.fromEntries(names.map((name) => [name, workflows.versionsOf(name)])) }),
    ...(worker && steps.length > 0 && { groups: groupsOf(steps, worker.groups), concurrency: worker.concurrency }),
    ...(outbox &&
      outbox.relay &&
      destinations.count > 0 && { destinations: [...destinations].map(({ name }) => name) }),
    ...(calls && calls.run && effects.all().length > 0 && { effects: effects.all().map(({ name }) => name) }),
  };
}

function groupsOf(steps: readonly ServedStep[], only: readonly string[] | undefined): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { step } of steps)
    for (const group of only ?? [step.group]) groups.set(group, [...(groups.get(group) ?? []), step.name]);
  return Object.fromEntries(groups);
}
