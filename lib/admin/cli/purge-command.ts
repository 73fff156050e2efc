import { type Command, Option } from 'commander';
import type { ActedBy } from '../../acts/act.js';
import type { RunStatus } from '../../engine/model/run.js';
import type { Operator } from '../../operator/operator.js';
import type { Duration } from '../../time/duration.js';
import type { CliEnvironment } from './cli-environment.js';
import type { CommandOptions } from './commands.js';
import { consent } from './consent.js';
import { databaseOperator } from './database-operator.js';
import { withDatabase } from './open-database.js';
import { actorHere } from './operator-command.js';
import type { Printer } from './printer.js';

interface Asked extends ActedBy {
  olderThan: Duration;
}

type Purge = (operator: Operator, asked: Asked, status: readonly RunStatus[] | undefined) => Promise<number>;

/** What can be deleted. */
const ENDED = {
  runs: ({ runs }, asked, status) => runs.purge({ ...asked, ...(status && { status }) }),
  signals: (operator, asked) => operator.purgeSignals(asked),
  effects: ({ effects }, asked) => effects.purge(asked),
  'abandoned-effects': ({ effects }, asked) => effects.purge({ ...asked, status: 'abandoned' }),
  'effect-audit': ({ effects }, asked) => effects.purgeAuditLog(asked),
  'dead-letters': ({ outbox }, asked) => outbox.purgeDeadLetters(asked),
} satisfies Record<string, Purge>;

export interface PurgeCommandOptions extends CommandOptions {
  olderThan: string;
  namespace: string;
  what: keyof typeof ENDED;
  status?: string[];
  actor?: string;
  reason?: string;
  yes?: boolean;
}

/** Deletes what ended long ago. */
export async function purgeCommand(
  options: PurgeCommandOptions,
  print: Printer,
  environment: CliEnvironment,
): Promise<number> {
  const { url, what, yes = false } = options;
  await consent({ yes, what: `delete all ${what} that ended at least ${options.olderThan} ago` }, environment);
  const purge: Purge = ENDED[what];
  const purged = await withDatabase(url, async (executor) => {
    const { operator } = await databaseOperator(executor, options);
    return purge(operator, askedOf(options), options.status as RunStatus[] | undefined);
  });
  print.changed({ what, deleted: purged }, [], `Deleted ${purged} ${what}`);
  return 0;
}

export const addPurge = (command: Command): Command =>
  command
    .requiredOption('--older-than <duration>', 'the minimum time since they ended: 30d, 12h, 90m')
    .addOption(new Option('--what <what>', 'what to delete').choices(Object.keys(ENDED)).default('runs'))
    .option('--status <status...>', 'only runs that ended with one of these (default: all)')
    .option('--namespace <namespace>', 'whose runs and signals', 'default')
    .option('--reason <text>', 'why, for the record of acts (default: this command)')
    .option('--actor <name>', 'who (default: cli:<user>@<host>)')
    .option('--yes', 'do not ask');

const askedOf = ({ olderThan, what, actor, reason }: PurgeCommandOptions): Asked => ({
  olderThan: (/^\d+$/.test(olderThan) ? Number(olderThan) : olderThan) as Duration,
  actor: actor ?? actorHere(),
  // Such as that of a job that runs every night.
  reason: reason ?? `purge --older-than ${olderThan} --what ${what}`,
});
