import type { Command } from 'commander';
import type { InLine, LimitInSight } from '../../operator/limits-and-signals.js';
import { type OperatorCommands, pageOf } from './operator-command.js';
import type { Columns } from './table.js';

const namesOf = (users: readonly InLine[]): string | null =>
  users.length === 0
    ? null
    : users.map(({ workflowId, seq }) => (seq === null ? workflowId : `${workflowId} step ${seq}`)).join(', ');

const LIMITS: Columns<LimitInSight> = {
  limit: ({ name }) => name,
  key: ({ key }) => key,
  concurrency: ({ concurrency }) => concurrency,
  rate: ({ rate }) => rate && `${rate.max} per ${rate.durationMs} ms`,
  holding: ({ holding }) => holding,
  waiting: ({ waiting }) => waiting,
  since: ({ since }) => since,
  opens: ({ opensAt }) => opensAt,
  held: ({ holders }) => namesOf(holders),
  next: ({ line }) => namesOf(line),
};

/** Adds the commands on limits. */
export function addLimits(limits: Command, commands: OperatorCommands): void {
  commands.add(
    limits.command('list', { isDefault: true }),
    'List limits that are in use: who holds a permit, and who waits',
    { pages: 100 },
    async ({ operator, flags, print }) => {
      const page = await operator.limits(pageOf(flags, 100));
      const { limits: rows, cursor } = page;
      print.list(rows, {
        columns: LIMITS,
        idOf: ({ name, key }) => `${name} ${key}`,
        none: 'No limit is in use',
        cursor,
        json: page,
      });
    },
  );
}
