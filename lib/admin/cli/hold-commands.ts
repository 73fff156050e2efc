import type { Command } from 'commander';
import type { HoldTarget } from '../../engine/client/client-holds.js';
import type { Hold } from '../../holds/hold.js';
import { EXIT } from './cli-environment.js';
import { type OperatorCommands, timeOf } from './operator-command.js';
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
      print.list(await operator.holds.list(), { columns: COLUMNS, idOf: ({ name }) => name, none: 'Nothing is held' }),
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
      await operator.holds.hold(targetOf(flags), { ...by, ...(until && { until }) });
      print.changed(targetOf(flags), namesOf(flags), `Held ${shown(flags)}`);
    },
  );
  commands.add<TargetFlags>(
    target(holds.command('lift')),
    'End a hold: exit code 1 if there was none',
    { changes: true },
    async ({ operator, flags, by, print }) => {
      const lifted = await operator.holds.lift(targetOf(flags), by);
      if (lifted) print.changed(targetOf(flags), namesOf(flags), `Lifted the hold of ${shown(flags)}`);
      else print.words(`There was no hold of ${shown(flags)}`);
      return lifted ? EXIT.done : EXIT.behind;
    },
  );
}

const target = (command: Command): Command =>
  command
    .option('--workflow <name>', 'its name')
    .option('--group <group>', 'its name')
    .option('--effect <name>', 'its name')
    .option('--schedule <id>', 'its id');

const targetOf = ({ workflow, group, effect, schedule }: TargetFlags): HoldTarget => ({
  ...(workflow !== undefined && { workflow }),
  ...(group !== undefined && { group }),
  ...(effect !== undefined && { effect }),
  ...(schedule !== undefined && { schedule }),
});

const namesOf = (flags: TargetFlags): string[] => Object.values(targetOf(flags)).map(String);

const shown = (flags: TargetFlags): string =>
  Object.entries(targetOf(flags))
    .map(([kind, name]) => `${kind} ${String(name)}`)
    .join();
