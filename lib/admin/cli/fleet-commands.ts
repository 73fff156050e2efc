import { type Command, Option } from 'commander';
import { type Act, ACT_KINDS, type ActKind } from '../../acts/act.js';
import type { QueueInSight } from '../../operator/queues.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { EXIT } from './cli-environment.js';
import { type Call, countOf, type OperatorCommands, pageOf, timeOf } from './operator-command.js';
import { overviewLines } from './overview-lines.js';
import type { Columns } from './table.js';

export const QUEUES: Columns<QueueInSight> = {
  queue: ({ group }) => group,
  waiting: ({ waiting }) => waiting,
  since: ({ since }) => since,
  'in hand': ({ inHand }) => inHand,
  lapsed: ({ lapsed }) => lapsed,
  'in/min': ({ perMinute }) => perMinute && rounded(perMinute.in),
  'out/min': ({ perMinute }) => perMinute && rounded(perMinute.out),
  workers: ({ servedBy }) => servedBy.length,
  held: ({ hold }) => hold && `${hold.actor}: ${hold.reason}`,
};

const rounded = (rate: number): number => Math.round(rate * 10) / 10;

const ACTS: Columns<Act> = {
  at: ({ at }) => at,
  actor: ({ actor }) => actor,
  action: ({ action }) => action,
  kind: ({ kind }) => kind,
  target: ({ target }) => target,
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
};

/** Adds the commands that show what is there beside runs. */
export function addFleet(program: Command, commands: OperatorCommands): void {
  commands.add(program.command('overview'), 'Tell what needs somebody: exit code 1 if anything does', {}, overview);
  commands.add<QueuesFlags>(
    program.command('queues').option('--group <name>', 'this one alone'),
    'List the queues: what waits in them, and who serves them',
    { pages: 100 },
    queues,
  );
  addAudit(program, commands);
}

async function overview({ operator, print }: Call<unknown>): Promise<number> {
  const found = await operator.overview();
  const lines = overviewLines(found);
  print.one(found, '', lines.length > 0 ? lines : ['Nothing needs anybody']);
  if (found.unanswered.length > 0) print.words(`Not answered in time: ${found.unanswered.join(', ')}`);
  if (found.unanswered.length > 0) return EXIT.failed;
  return lines.length > 0 ? EXIT.behind : EXIT.done;
}

interface QueuesFlags {
  group?: string;
}

async function queues({ operator, flags, print }: Call<QueuesFlags>): Promise<void> {
  const { group } = flags;
  const page = await operator.queues({ ...pageOf(flags, 100), ...(group !== undefined && { group }) });
  const { queues: rows, cursor } = page;
  print.list(rows, { columns: QUEUES, idOf: ({ group }) => group, none: 'There are no queues', cursor, json: page });
}

interface AuditFlags {
  run?: string;
  kind?: ActKind;
  target?: string;
  by?: string;
  action?: string;
  since?: string;
  until?: string;
}

function addAudit(program: Command, commands: OperatorCommands): void {
  const audit = program
    .command('audit')
    .option('--run <id>', 'acts on this run')
    .addOption(new Option('--kind <kind>', 'acts on things of this kind').choices(ACT_KINDS))
    .option('--target <id>', 'acts on the thing with this id or name')
    .option('--by <actor>', 'acts of this operator')
    .option('--action <verb>', 'such as cancel')
    .option('--since <time>', 'not before this time, such as 2030-01-31T12:00:00Z')
    .option('--until <time>', 'before this time');
  commands.add<AuditFlags>(
    audit,
    'List what operators did: who, when, why, newest first',
    { pages: 100 },
    async ({ operator, flags, print }) => {
      const { run, kind, target, by, action, cursor } = flags;
      if (run !== undefined && (kind !== undefined || target !== undefined))
        throw new InvalidArgumentError('--run', run, '', 'Pass either --run, or --kind and --target');
      const [since, until] = [timeOf('--since', flags.since), timeOf('--until', flags.until)];
      const limit = countOf('--limit', flags.limit, 1_000);
      const page = await operator.acts({
        ...(kind !== undefined && { kind }),
        ...(target !== undefined && { target }),
        ...(run !== undefined && { kind: 'run', target: run }),
        ...(by !== undefined && { actor: by }),
        ...(action !== undefined && { action }),
        ...(since && { since }),
        ...(until && { until }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      });
      const none = 'No act is recorded';
      print.list(page.acts, { columns: ACTS, idOf: ({ id }) => id, none, cursor: page.cursor, json: page });
    },
  );
}
