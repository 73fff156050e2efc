import type { Command } from 'commander';
import type { WorkflowSchedule } from '../../engine/schedules/schedule-views.js';
import { cutList } from './cut-list.js';
import { eachId } from './each-id.js';
import { type Call, countOf, type OperatorCommands } from './operator-command.js';
import { type Columns, textOf } from './table.js';

const COLUMNS: Columns<WorkflowSchedule> = {
  id: ({ id }) => id,
  workflow: ({ workflow }) => workflow,
  state: ({ paused }) => (paused ? 'paused' : 'active'),
  times: ({ options: { cron, every } }) => (cron === undefined ? `every ${every} ms` : String(cron)),
  next: ({ nextAt }) => nextAt,
  last: ({ lastFiredAt }) => lastFiredAt,
  run: ({ lastRunId }) => lastRunId,
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
      const facts = Object.entries(COLUMNS).map(([name, cell]) => `${name.padEnd(8)}  ${textOf(cell(schedule))}`);
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
    operator.schedules.list({
      limit: asked,
      ...(workflow !== undefined && { workflow }),
      ...(cursor !== undefined && { after: cursor }),
    }),
  );
  const next = complete ? undefined : rows.at(-1)?.id;
  const json = { schedules: rows, ...(next !== undefined && { cursor: next }) };
  print.list(rows, { columns: COLUMNS, idOf: ({ id }) => id, none: 'There are no schedules', cursor: next, json });
}

const each = (call: Call<unknown>, done: string, change: (id: string) => Promise<void>): Promise<number> =>
  eachId(call, { told: (id) => `${done} schedule "${id}"`, change });
