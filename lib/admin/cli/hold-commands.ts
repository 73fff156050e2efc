import type { Command } from 'commander';
import type { HoldTarget } from '../../engine/client/client-holds.js';
import type { Hold } from '../../holds/hold.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { eachId } from './each-id.js';
import { type Call, type OperatorCommands, timeOf } from './operator-command.js';
import type { Columns } from './table.js';

interface TargetFlags {
  workflow?: string;
  group?: string;
  effect?: string;
  schedule?: string;
}

const COLUMNS: Columns<Hold> = {
  kind: ({ kind }) => kind,
  name: ({ name }) => name,
  since: ({ since }) => since,
  until: ({ until }) => until,
  actor: ({ actor }) => actor,
  reason: ({ reason }) => reason,
};

/** Adds the commands on holds. */
export function addHolds(holds: Command, commands: OperatorCommands): void {
  commands.add(
    holds.command('list', { isDefault: true }),
    'List what is held, by whom, since when and why',
    {},
    async ({ operator, print }) =>
      print.list(await operator.holds.list(), {
        columns: COLUMNS,
        idOf: ({ kind, name }) => `${kind}:${name}`,
        none: 'Nothing is held',
      }),
  );
  commands.add<TargetFlags & { until?: string }>(
    target(holds.command('add')).option(
      '--until <time>',
      'when it ends by itself, such as 2030-01-31T12:00:00Z (default: when it is lifted)',
    ),
    'Hold a workflow, a group, an effect or a schedule in all processes',
    { changes: true },
    async ({ operator, flags, by, print }) => {
      const until = timeOf('--until', flags.until);
      const held = targetOf(flags);
      const { known } = await operator.holds.hold(held, { ...by, ...(until && { until }) });
      print.changed({ ...held, known }, [idOf(held)], `Held ${idOf(held)}`);
      if (!known) print.words(`No process serves ${idOf(held)}, and nothing of it waits: is that its name?`);
    },
  );
  commands.add<TargetFlags>(
    target(holds.command('lift [holds...]')),
    'End holds, such as group:billing: exit code 1 if some were not there',
    { changes: true },
    lift,
  );
}

/** Of what its options name or, as they are listed with `-o ids`, its arguments. */
async function lift(call: Call<TargetFlags>): Promise<number> {
  const { operator, given, flags, by } = call;
  const ids = given.length > 0 ? await call.ids() : [idOf(targetOf(flags))];
  const targets = new Map(ids.map((id) => [id, targetIn(id)]));
  return eachId(
    { ...call, ids: () => Promise.resolve(ids) },
    {
      told: (id) => `Lifted the hold of ${id}`,
      change: async (id) => ((await operator.holds.lift(targets.get(id)!, by)) ? undefined : 'there was no hold'),
    },
  );
}

/** @throws InvalidArgumentError */
function targetIn(id: string): HoldTarget {
  const [, kind, name] = /^(workflow|group|effect|schedule):(.+)$/s.exec(id) ?? [];
  if (kind === undefined || name === undefined) throw new InvalidArgumentError('A hold', id, 'such as group:billing');
  return { [kind]: name } as unknown as HoldTarget;
}

const target = (command: Command): Command =>
  command
    .option('--workflow <name>', 'its name')
    .option('--group <group>', 'its name')
    .option('--effect <name>', 'its name')
    .option('--schedule <id>', 'its id');

/** @throws InvalidArgumentError */
function targetOf({ workflow, group, effect, schedule }: TargetFlags): HoldTarget {
  const given = Object.entries({ workflow, group, effect, schedule }).filter(([, name]) => name !== undefined);
  if (given.length === 1) return Object.fromEntries(given) as unknown as HoldTarget;
  const wanted = 'exactly one of --workflow, --group, --effect and --schedule';
  throw new InvalidArgumentError('The hold', undefined, wanted, `Pass ${wanted}`);
}

const idOf = (held: HoldTarget): string =>
  Object.entries(held)
    .map(([kind, name]) => `${kind}:${String(name)}`)
    .join('');
