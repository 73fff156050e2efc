import type { Command } from 'commander';
import type { VersionInUse } from '../../operator/versions.js';
import type { OperatorCommands } from './operator-command.js';
import type { Columns } from './table.js';

const COLUMNS: Columns<VersionInUse> = {
  workflow: ({ workflow }) => workflow,
  version: ({ version }) => version,
  runs: ({ runs }) => runs,
  processes: ({ servedBy }) => servedBy.map(({ id }) => id).join(', ') || 'none',
};

/** Adds `versions`. */
export function addVersions(program: Command, commands: OperatorCommands): void {
  const command = program.command('versions').option('--cursor <cursor>', 'go on where the previous page ended');
  commands.add(
    command,
    'List the versions of workflows that open runs need, and who has their code: looks at 10,000 runs at once',
    {},
    async ({ operator, flags: { cursor: from }, print }) => {
      const page = await operator.versions(from === undefined ? {} : { cursor: from });
      const { versions, cursor } = page;
      const idOf = ({ workflow, version }: VersionInUse) => `${workflow}@${version}`;
      print.list(versions, { columns: COLUMNS, idOf, none: 'No run is open', cursor, json: page });
    },
  );
}
