import type { Command } from 'commander';
import type { Served } from '../../engine/model/node-record.js';
import type { DurableNode } from '../../engine/nodes/node-views.js';
import { EXIT } from './cli-environment.js';
import type { OperatorCommands } from './operator-command.js';
import type { Columns } from './table.js';

export const NODES: Columns<DurableNode> = {
  process: ({ id }) => id,
  state: ({ alive, lost, draining }) => (draining ? 'draining' : alive ? 'alive' : lost ? 'lost' : 'ended'),
  since: ({ endedAt, startedAt }) => endedAt ?? startedAt,
  version: ({ version }) => version,
  build: ({ build }) => build,
  roles: ({ roles }) => roles.join(','),
  namespace: ({ namespace }) => namespace,
  serves: ({ serves }) => servedText(serves),
};

/** Adds the commands on processes. */
export function addNodes(nodes: Command, commands: OperatorCommands): void {
  const list = nodes
    .command('list', { isDefault: true })
    .option('--ended', 'also those that have ended within the last day');
  commands.add<{ ended?: boolean }>(
    list,
    'List the processes that use these tables, and what each serves',
    {},
    async ({ operator, flags, print }) => {
      const none = `No process is signed in to the tables ${flags.prefix}_*`;
      print.list(await operator.nodes({ ended: flags.ended === true }), { columns: NODES, idOf: ({ id }) => id, none });
    },
  );
  commands.add(
    nodes.command('drain <id>'),
    'Have a process begin nothing new, let what it has end, and stay signed in',
    { changes: true },
    async ({ operator, given: [id = ''], by, print }) => {
      const was = await operator.drain(id, by);
      print.changed({ id, draining: true }, [id], was ? `${id} drained already` : `${id} drains`);
    },
  );
  commands.add(
    nodes.command('resume <id>'),
    'Let a process that drains begin new work again: exit code 1 if it did not drain',
    { changes: true },
    async ({ operator, given: [id = ''], by, print }) => {
      const was = await operator.resume(id, by);
      if (was) print.changed({ id, draining: false }, [id], `${id} begins new work again`);
      else print.words(`${id} did not drain`);
      return was ? EXIT.done : EXIT.behind;
    },
  );
}

function servedText({ workflows = {}, groups = {}, destinations = [], effects = [] }: Served): string {
  const kinds: [string, string[]][] = [
    ['workflows', Object.entries(workflows).map(([name, versions]) => `${name} (${versions.join(', ')})`)],
    ['groups', Object.entries(groups).map(([group, handlers]) => `${group} (${handlers.join(', ')})`)],
    ['destinations', [...destinations]],
    ['effects', [...effects]],
  ];
  const served = kinds.filter(([, names]) => names.length > 0);
  return served.map(([kind, names]) => `${kind} ${names.join(', ')}`).join('; ');
}
