import { type Command, Option } from 'commander';
import { type Act, ACT_KINDS, type ActKind } from '../acts/acts.js';
import type { Hold } from '../acts/holds.js';
import { InvalidArgumentError, QuestionTimeoutError } from '../core/errors.js';
import { defined } from '../core/options.js';
import { type Duration, sleep, stopwatch } from '../core/time.js';
import type { HoldTarget } from '../engine/client/operator-client.js';
import type { WorkflowSchedule } from '../engine/client/schedules.js';
import type { DurableNode, Served } from '../engine/nodes.js';
import type { InLine, LimitInSight, SignalsInSight, SignalWaitInSight } from '../operate/limits-and-signals.js';
import type { ListedTask, QueueInSight, VersionInUse } from '../operate/overview.js';
import { TASK_STATUSES, type TaskStatus } from '../worker/waiting-tasks.js';
import { type Call, countOf, eachId, gathered, type OperatorCommands, pageOf, timeOf } from './operator-command.js';
import { cutList } from './outgoing-commands.js';
import { type Columns, EXIT, fields, overviewLines, tableOf, textOf, valueOf } from './print.js';

/** The most tasks of a page. */
const MOST_TASKS = 100;

const QUEUES: Columns<QueueInSight> = {
  queue: ({ group }) => group,
  ...fields<QueueInSight>('waiting', 'since'),
  'in hand': ({ inHand }) => inHand,
  lapsed: ({ lapsed }) => lapsed,
  'in/min': ({ perMinute }) => perMinute && rounded(perMinute.in),
  'out/min': ({ perMinute }) => perMinute && rounded(perMinute.out),
  workers: ({ servedBy }) => servedBy.length,
  held: ({ hold }) => hold && `${hold.actor}: ${hold.reason}`,
};

const rounded = (rate: number): number => Math.round(rate * 10) / 10;

const ACTS = fields<Act>('at', 'actor', 'action', 'kind', 'target', 'outcome', 'reason');

/** Adds the commands that show what is there beside runs. */
export function addFleet(program: Command, commands: OperatorCommands): void {
  commands.add(program.command('overview'), 'Tell what needs somebody: exit code 1 if anything does', {}, overview);
  commands.add<QueuesFlags>(
    program.command('queues').option('--group <name>', 'this one alone'),
    'List the queues: what waits in them, and who serves them',
    { pages: 100 },
    queues,
  );
  const listed = program
    .command('tasks')
    .option('--group <name>', 'of this group')
    .option('--step <name>', 'the name of the step')
    .addOption(new Option('--status <status>', 'with this status').choices(TASK_STATUSES))
    .option('--worker <name>', 'that this worker has')
    .option('--older-than <duration>', 'dispatched so long ago, such as 10m');
  const what = 'List tasks of remote steps: those that wait, and those that a worker has; ids are those of their runs';
  commands.add<TasksFlags>(listed, what, { pages: 100 }, tasks);
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

interface TasksFlags {
  group?: string;
  step?: string;
  status?: TaskStatus;
  worker?: string;
  olderThan?: Duration;
}

const TASKS: Columns<ListedTask> = {
  run: ({ workflowId }) => workflowId,
  ...fields<ListedTask>('workflow', 'seq', 'step', 'group', 'status', 'attempt', 'since', 'worker'),
  claimed: ({ claimedAt }) => claimedAt,
};

async function tasks(call: Call<TasksFlags>): Promise<void> {
  const { operator, flags, print } = call;
  const { group, step, status, worker, olderThan } = flags;
  const asked = defined({ group, step, status, worker, olderThan });
  const { rows, ...next } = await gathered(call, MOST_TASKS, async (page) => {
    const { tasks: found, cursor } = await operator.tasks({ ...asked, ...page });
    return { rows: found, ...(cursor && { cursor }) };
  });
  print.list(rows, {
    columns: TASKS,
    idOf: ({ workflowId }) => workflowId,
    none: 'No task matches',
    cursor: next.cursor,
    json: { tasks: rows, ...next },
  });
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
        ...defined({ kind, target, actor: by, action, since, until, limit, cursor }),
        ...(run !== undefined && { kind: 'run', target: run }),
      });
      const none = 'No act is recorded';
      print.list(page.acts, { columns: ACTS, idOf: ({ id }) => id, none, cursor: page.cursor, json: page });
    },
  );
}

interface TargetFlags {
  workflow?: string;
  group?: string;
  effect?: string;
  schedule?: string;
}

const HOLDS = fields<Hold>('kind', 'name', 'since', 'until', 'actor', 'reason');

/** Adds the commands on holds. */
export function addHolds(holds: Command, commands: OperatorCommands): void {
  commands.add(
    holds.command('list', { isDefault: true }),
    'List what is held, by whom, since when and why',
    {},
    async ({ operator, print }) =>
      print.list(await operator.holds.list(), {
        columns: HOLDS,
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
      const held = holdTargetOf(flags);
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
  const ids = given.length > 0 ? await call.ids() : [idOf(holdTargetOf(flags))];
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
function holdTargetOf({ workflow, group, effect, schedule }: TargetFlags): HoldTarget {
  const given = Object.entries({ workflow, group, effect, schedule }).filter(([, name]) => name !== undefined);
  if (given.length === 1) return Object.fromEntries(given) as unknown as HoldTarget;
  const wanted = 'exactly one of --workflow, --group, --effect and --schedule';
  throw new InvalidArgumentError('The hold', undefined, wanted, `Pass ${wanted}`);
}

const idOf = (held: HoldTarget): string =>
  Object.entries(held)
    .map(([kind, name]) => `${kind}:${String(name)}`)
    .join('');

const SCHEDULES: Columns<WorkflowSchedule> = {
  ...fields<WorkflowSchedule>('id', 'workflow'),
  state: ({ paused }) => (paused ? 'paused' : 'active'),
  times: ({ options: { cron, every } }) => (cron === undefined ? `every ${every} ms` : String(cron)),
  next: ({ nextAt }) => nextAt,
  last: ({ lastFiredAt }) => lastFiredAt,
  run: ({ lastRunId }) => lastRunId,
  'held up by': ({ heldUpBy }) => heldUpBy,
};

/** The most that are listed at once. */
const MOST = 1_000;

/** Adds the commands on schedules. */
export function addSchedules(schedules: Command, commands: OperatorCommands): void {
  const list = schedules.command('list').option('--workflow <name>', 'of this workflow');
  commands.add<{ workflow?: string }>(list, 'List schedules, by id', { pages: 100 }, listSchedules);
  commands.add(
    schedules.command('show <schedule>'),
    'Show a schedule',
    {},
    async ({ operator, given: [id = ''], print }) => {
      const schedule = await operator.schedules.show(id);
      const facts = Object.entries(SCHEDULES).map(([name, cell]) => `${name.padEnd(10)}  ${textOf(cell(schedule))}`);
      print.one(schedule, id, facts);
    },
  );
  const preview = schedules.command('preview <schedule>').option('--count <count>', 'how many, at most 100', '5');
  commands.add<{ count: string }>(
    preview,
    'Print the next times at which a schedule fires',
    {},
    async ({ operator, given: [id = ''], flags, print }) => {
      const times = await operator.schedules.preview(id, { count: countOf('--count', flags.count, 100)! });
      const columns: Columns<Date> = { time: (time) => time };
      print.list(times, { columns, idOf: (time) => time.toISOString(), none: 'It does not fire' });
    },
  );
  commands.add(
    schedules.command('trigger <schedule>'),
    'Start a run of a schedule now',
    { changes: true },
    async ({ operator, given: [id = ''], by, print }) => {
      const run = await operator.schedules.trigger(id, by);
      print.changed({ id, run }, [run], `Started run "${run}"`);
    },
  );
  commands.add(schedules.command('pause <schedules...>'), 'Pause schedules', { changes: true }, (call) =>
    each(call, 'Paused', (id) => call.operator.schedules.pause(id, call.by)),
  );
  commands.add(schedules.command('resume <schedules...>'), 'Resume schedules', { changes: true }, (call) =>
    each(call, 'Resumed', (id) => call.operator.schedules.resume(id, call.by)),
  );
}

async function listSchedules({ operator, flags, print }: Call<{ workflow?: string }>) {
  const { workflow, cursor } = flags;
  const limit = countOf('--limit', flags.limit, MOST) ?? 100;
  const { rows, complete } = await cutList({ limit, most: MOST }, (asked) =>
    operator.schedules.list({ limit: asked, ...defined({ workflow, after: cursor }) }),
  );
  const next = complete ? undefined : rows.at(-1)?.id;
  const json = { schedules: rows, ...(next !== undefined && { cursor: next }) };
  print.list(rows, { columns: SCHEDULES, idOf: ({ id }) => id, none: 'There are no schedules', cursor: next, json });
}

const each = (call: Call<unknown>, done: string, change: (id: string) => Promise<void>): Promise<number> =>
  eachId(call, { told: (id) => `${done} schedule "${id}"`, change });

interface TopFlags {
  once?: boolean;
  interval: string;
}

/** The part of the time that looking may take: a slow database is asked less often. */
const SHARE = 0.1;
const CLEAR = '\u001b[2J\u001b[H';

/** Adds `top`. */
export function addTop(program: Command, commands: OperatorCommands): void {
  const command = program
    .command('top')
    .option('--interval <seconds>', 'the time between two looks', '2')
    .option('--once', 'print once, as it does where the output is no terminal');
  commands.add<TopFlags>(command, 'Show queues and processes, again and again', {}, top);
}

async function top(call: Call<TopFlags>): Promise<void> {
  const { flags, print, environment } = call;
  const { draws = false, interrupted, isUnread = () => false } = environment;
  const intervalMs = intervalOf(flags.interval) * 1_000;
  const once = flags.once === true || !draws;
  do {
    const begun = stopwatch.now();
    const lines = await linesOf(call);
    print.out(once ? lines.join('\n') : `${CLEAR}${lines.join('\n')}`);
    if (!once) await sleep(Math.max(intervalMs, (stopwatch.now() - begun) / SHARE), interrupted);
  } while (!once && interrupted?.aborted !== true && !isUnread());
}

/** One question after the other, each of them bounded; one that takes too long is asked again with the next look. */
async function linesOf({ operator, print }: Call<TopFlags>): Promise<string[]> {
  try {
    const [{ queues, cursor }, nodes] = [await operator.queues(), await operator.nodes()];
    if (print.format === 'json') return [JSON.stringify({ queues, nodes })];
    if (print.format === 'ids') return [...queues.map(({ group }) => group), ...nodes.map(({ id }) => id)];
    const more = cursor === undefined ? [] : ['There are more queues: nest-durable queues'];
    return [...tableOf(queues, QUEUES), ...more, '', ...tableOf(nodes, NODES)];
  } catch (error) {
    if (error instanceof QuestionTimeoutError) return [error.message];
    throw error;
  }
}

function intervalOf(text: string): number {
  const seconds = Number(text);
  if (seconds >= 0.5 && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError('--interval', text, 'seconds, from 0.5 to 3600');
}

const VERSIONS: Columns<VersionInUse> = {
  ...fields<VersionInUse>('workflow', 'version', 'runs'),
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
      print.list(versions, { columns: VERSIONS, idOf, none: 'No run is open', cursor, json: page });
    },
  );
}

const namesOf = (users: readonly InLine[]): string | null =>
  users.length === 0
    ? null
    : users.map(({ workflowId, seq }) => (seq === null ? workflowId : `${workflowId} step ${seq}`)).join(', ');

const LIMITS: Columns<LimitInSight> = {
  limit: ({ name }) => name,
  ...fields<LimitInSight>('key', 'concurrency'),
  rate: ({ rate }) => rate && `${rate.max} per ${rate.durationMs} ms`,
  ...fields<LimitInSight>('holding', 'waiting', 'since'),
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

const NODES: Columns<DurableNode> = {
  process: ({ id }) => id,
  state: ({ alive, lost, draining }) => (draining ? 'draining' : alive ? 'alive' : lost ? 'lost' : 'ended'),
  since: ({ endedAt, startedAt }) => endedAt ?? startedAt,
  ...fields<DurableNode>('version', 'build'),
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

const targetOf = ({ to }: SignalsInSight): string => ('key' in to ? to.key : to.workflowId);

const SIGNALS: Columns<SignalsInSight> = {
  signal: ({ name }) => name,
  to: ({ to }) => ('key' in to ? 'key' : 'run'),
  target: targetOf,
  ...fields<SignalsInSight>('count', 'since', 'listening'),
};

const WAITS: Columns<SignalWaitInSight> = {
  run: ({ workflowId }) => workflowId,
  workflow: ({ workflow }) => workflow,
  step: ({ seq, step }) => `${seq} ${step}`,
  signal: ({ name }) => name,
  ...fields<SignalWaitInSight>('key', 'since'),
  until: ({ deadline }) => deadline,
};

interface ReceiverFlags {
  run?: string;
  key?: string;
}

const receiver = (command: Command): Command =>
  command.option('--run <id>', 'to this run').option('--key <key>', 'to this key');

const receiverOf = ({ run, key }: ReceiverFlags) => defined({ workflowId: run, key });

interface WantedFlags extends ReceiverFlags {
  name?: string;
}

const named = (command: Command): Command => command.option('--name <signal>', 'signals of this name');

const wantedOf = ({ name, ...to }: WantedFlags) => ({ ...receiverOf(to), ...(name !== undefined && { name }) });

function addSignalViews(signals: Command, commands: OperatorCommands): void {
  const untaken = receiver(named(signals.command('list', { isDefault: true }))).option(
    '--limit <count>',
    'the maximum number of rows (default: 100)',
  );
  commands.add<WantedFlags>(untaken, 'List signals that no run has taken', {}, async ({ operator, flags, print }) => {
    const limit = countOf('--limit', flags.limit, 1_000);
    const page = await operator.signals({ ...wantedOf(flags), ...(limit !== undefined && { limit }) });
    print.list(page.signals, { columns: SIGNALS, idOf: targetOf, none: 'Every signal was taken', json: page });
    if (!page.complete) print.words(`Only ${page.lookedAt} signals were looked at`);
  });
  const waits = named(signals.command('waits'))
    .option('--run <id>', 'waits of this run')
    .option('--key <key>', 'for this key; with --name or --run');
  commands.add<WantedFlags>(
    waits,
    'List runs that wait for signals',
    { pages: 100 },
    async ({ operator, flags, print }) => {
      const page = await operator.signalWaits({ ...pageOf(flags, 100), ...wantedOf(flags) });
      const none = 'No run waits for a signal';
      const idOf = ({ workflowId }: SignalWaitInSight) => workflowId;
      print.list(page.waits, { columns: WAITS, idOf, none, cursor: page.cursor, json: page });
    },
  );
}

/** Adds the commands on signals. */
export function addSignals(signals: Command, commands: OperatorCommands): void {
  addSignalViews(signals, commands);
  const send = receiver(signals.command('send <name>'))
    .option('--payload <json>', 'its payload, as JSON')
    .option('--id <id>', 'a signal with the same id to the same run or key is sent once');
  commands.add<ReceiverFlags & { payload?: string; id?: string }>(
    send,
    'Send a signal to a run, or to a key',
    { changes: true },
    async ({ operator, given: [name = ''], flags, by, print }) => {
      const options = { ...receiverOf(flags), ...by, ...(flags.id !== undefined && { id: flags.id }) };
      const { created } = await operator.runs.signal(name, valueOf('--payload', flags.payload), options);
      print.changed({ name, created }, [name], created ? `Sent "${name}"` : `"${name}" had been sent with this id`);
    },
  );
  const remove = receiver(signals.command('delete <name>')).option(
    '--limit <count>',
    'how many at most, those that were sent first (default: 1000)',
  );
  commands.add<ReceiverFlags>(
    remove,
    'Delete signals that no run has taken: exit code 1 if there were none',
    { changes: true, destroys: true },
    async ({ operator, given: [name = ''], flags, by, print, consent }) => {
      await consent(`delete the signals "${name}" that nobody took`);
      const limit = countOf('--limit', flags.limit, 1_000);
      const options = { ...receiverOf(flags), ...by, ...(limit !== undefined && { limit }) };
      const count = await operator.deleteSignals(name, options);
      print.changed({ name, deleted: count }, [name], `Deleted ${count} signals`);
      return count > 0 ? EXIT.done : EXIT.behind;
    },
  );
}
