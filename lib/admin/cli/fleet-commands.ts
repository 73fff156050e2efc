import { type Command, Option } from 'commander';
import { type Act, ACT_KINDS, type ActKind } from '../../acts/act.js';
import type { Served } from '../../engine/model/node-record.js';
import type { DurableNode } from '../../engine/nodes/node-views.js';
import type { LimitInSight, SignalsInSight } from '../../operator/limits-and-signals.js';
import type { QueueInSight } from '../../operator/queues.js';
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
  workers: ({ servedBy }) => servedBy.length,
  held: ({ hold }) => hold && `${hold.actor}: ${hold.reason}`,
};

export const NODES: Columns<DurableNode> = {
  process: ({ id }) => id,
  state: ({ alive, lost }) => (alive ? 'alive' : lost ? 'lost' : 'ended'),
  since: ({ endedAt, startedAt }) => endedAt ?? startedAt,
  version: ({ version }) => version,
  build: ({ build }) => build,
  roles: ({ roles }) => roles.join(','),
  namespace: ({ namespace }) => namespace,
  serves: ({ serves }) => servedText(serves),
};

const LIMITS: Columns<LimitInSight> = {
  limit: ({ name }) => name,
  key: ({ key }) => key,
  concurrency: ({ concurrency }) => concurrency,
  rate: ({ rate }) => rate && `${rate.max} per ${rate.durationMs} ms`,
  holding: ({ holding }) => holding,
  waiting: ({ waiting }) => waiting,
  since: ({ since }) => since,
  opens: ({ opensAt }) => opensAt,
};

const targetOf = ({ to }: SignalsInSight): string => ('key' in to ? to.key : to.workflowId);

const SIGNALS: Columns<SignalsInSight> = {
  signal: ({ name }) => name,
  to: ({ to }) => ('key' in to ? 'key' : 'run'),
  target: targetOf,
  count: ({ count }) => count,
  since: ({ since }) => since,
  listening: ({ listening }) => listening,
};

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
  commands.add(
    program.command('queues'),
    'List the queues: what waits in them, and who serves them',
    { pages: 100 },
    queues,
  );
  commands.add(
    program.command('limits'),
    'List limits that are in use: who holds a permit, and who waits',
    { pages: 100 },
    async ({ operator, flags, print }) => {
      const page = await operator.limits(pageOf(flags, 100));
      const { limits, cursor } = page;
      print.list(limits, {
        columns: LIMITS,
        idOf: ({ name, key }) => `${name} ${key}`,
        none: 'No limit is in use',
        cursor,
        json: page,
      });
    },
  );
  const untaken = program.command('signals').option('--limit <count>', 'the maximum number of rows (default: 100)');
  commands.add(untaken, 'List signals that no run has taken', {}, async ({ operator, flags, print }) => {
    const page = await operator.signals(pageOf({ ...(flags.limit !== undefined && { limit: flags.limit }) }, 1_000));
    print.list(page.signals, { columns: SIGNALS, idOf: targetOf, none: 'Every signal was taken', json: page });
    if (!page.complete) print.words(`Only the newest ${page.lookedAt} signals were looked at`);
  });
  const nodes = program.command('nodes').option('--ended', 'also those that have ended within the last day');
  commands.add<{ ended?: boolean }>(
    nodes,
    'List the processes that use these tables, and what each serves',
    {},
    async ({ operator, flags, print }) => {
      const none = `No process is signed in to the tables ${flags.prefix}_*`;
      print.list(await operator.nodes({ ended: flags.ended === true }), { columns: NODES, idOf: ({ id }) => id, none });
    },
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

async function queues({ operator, flags, print }: Call<unknown>): Promise<void> {
  const page = await operator.queues(pageOf(flags, 100));
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
