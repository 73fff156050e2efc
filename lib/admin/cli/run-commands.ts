import { type Command, Option } from 'commander';
import type { ListOptions } from '../../engine/insight/list-options.js';
import type { WorkflowStepFacts } from '../../engine/insight/step-page.js';
import type { WorkflowRunStatus } from '../../engine/insight/workflow-status.js';
import { EXIT } from './cli-environment.js';
import { type Call, countOf, type OperatorCommands } from './operator-command.js';
import { type RunFilterFlags, runFilterOf, withRunFilter } from './run-filter.js';
import { type RecordedRunFlags, recordedRuns } from './recorded-run.js';
import { storyLine } from './story-lines.js';
import { type Columns, textOf, visible } from './table.js';
import { attributeOf } from '../../engine/insight/attribute-text.js';
import { InvalidArgumentError } from '../../errors/argument-errors.js';

const COLUMNS: Columns<WorkflowRunStatus> = {
  id: ({ id }) => id,
  workflow: ({ workflow, version }) => `${workflow}@${version}`,
  status: ({ status }) => status,
  reason: ({ reason, customStatus }) => reason ?? customStatus,
  created: ({ createdAt }) => createdAt,
  finished: ({ finishedAt }) => finishedAt,
  due: ({ wakeAt }) => wakeAt,
};

/** The most runs that one command lists, and the most of a page of the client. */
const MOST_LISTED = 100_000;
const PAGE = 1_000;

interface ListFlags extends RunFilterFlags {
  oldest?: boolean;
  ended?: boolean;
}

interface StepsFlags {
  after?: string;
  mark?: string;
}

const STEP_COLUMNS: Columns<WorkflowStepFacts> = {
  seq: ({ seq }) => seq,
  kind: ({ kind }) => kind,
  name: ({ name }) => name,
  status: ({ status }) => status,
  failures: ({ failures }) => failures,
  asked: ({ askedAt }) => askedAt,
  finished: ({ finishedAt }) => finishedAt,
  worker: ({ worker }) => worker,
  error: ({ error }) => error?.message,
};

interface StoryFlags {
  attribute?: string[];
  payloads?: boolean;
}

/** Adds the commands that show runs. */
export function addRunViews(runs: Command, commands: OperatorCommands): void {
  const list = withRunFilter(runs.command('list'))
    .option('--oldest', 'the oldest first')
    .option('--ended', 'those that have ended, the last one first');
  commands.add<ListFlags>(list, 'List runs, the newest first', { pages: 100 }, listRuns);
  const show = runs.command('show <run>').option('--history', 'with its steps, attempts and log lines');
  commands.add<{ history?: boolean }>(show, 'Show a run', {}, showRun);
  const steps = runs
    .command('steps <run>')
    .option('--after <seq>', 'the position after which the page begins')
    .option('--mark <mark>', 'only what has changed since: the mark of the answer before, in JSON');
  commands.add<StepsFlags>(steps, 'Show the steps of a run, page by page, without payloads', { pages: 200 }, listSteps);
  commands.add(
    runs.command('why <run>'),
    'Explain the state of a run: what it waits for, since when and until when',
    {},
    async ({ operator, given: [id = ''], print }) => {
      const explained = await operator.runs.why(id);
      print.one(explained, id, explained.text.split('\n'));
    },
  );
  const story = runs
    .command('story [runs...]')
    .option('--attribute <name=value...>', 'of all runs with these attributes')
    .option('--payloads', 'also inputs, outputs and payloads');
  const told = 'Tell everything that is known of runs or of a business key, in the order of time';
  commands.add<StoryFlags>(story, told, { pages: 200 }, tellStory);
  const recorded = withRunFilter(runs.command('export [runs...]'))
    .addOption(new Option('--as <form>', 'what to print (default: json)').choices(['json', 'test']))
    .option('--out <file>', 'the file to write (default: print it)')
    .option('--module <path>', "test: the app's module, as the test imports it")
    .option('--export <name>', 'test: the name of the exported module (default: AppModule)')
    .addOption(new Option('--runner <name>', 'test: what runs it (default: jest)').choices(['jest', 'vitest', 'node']))
    .option('--limit <count>', 'the maximum number of runs that match (default: 1000)');
  commands.add<RecordedRunFlags>(
    recorded,
    'Print the recorded histories of runs, those with ids or all that match; or a test that replays one',
    {},
    recordedRuns,
  );
}

async function listRuns({ operator, flags, print, environment }: Call<ListFlags>): Promise<void> {
  const { isUnread = () => false } = environment;
  const most = countOf('--limit', flags.limit, MOST_LISTED) ?? 100;
  const filter = runFilterOf(flags);
  const order: ListOptions['order'] = flags.ended ? 'ended' : flags.oldest ? 'oldest' : 'newest';
  const found: WorkflowRunStatus[] = [];
  let { cursor } = flags;
  do {
    const limit = Math.min(PAGE, most - found.length);
    // Payloads are shown in JSON alone, and there may be many runs.
    const payloads = print.format === 'json';
    const options = { order, limit, payloads, ...(cursor !== undefined && { cursor }) };
    const page = await operator.runs.list({ ...filter, ...options });
    found.push(...page.runs.map((run) => (payloads ? run : { ...run, error: null })));
    cursor = page.cursor;
  } while (cursor !== undefined && found.length < most && !isUnread());
  print.list(found, {
    columns: COLUMNS,
    idOf: ({ id }) => id,
    none: 'No run matches',
    cursor,
    json: { runs: found, ...(cursor !== undefined && { cursor }) },
  });
}

async function showRun({ operator, given: [id = ''], flags, print }: Call<{ history?: boolean }>): Promise<void> {
  const run = await operator.runs.show(id, { history: flags.history === true });
  const { status, reason, reasonDetail, customStatus, parentId, scheduleId, error, history = [] } = run;
  const facts: [string, Parameters<typeof textOf>[0]][] = [
    ['run', id],
    ['workflow', `${run.workflow}@${run.version}`],
    ['status', [status, reason, customStatus].filter(Boolean).join(', ')],
    ['detail', reasonDetail],
    ['error', error?.message],
    ['attributes', Object.keys(run.attributes).length > 0 ? JSON.stringify(run.attributes) : null],
    ['parent', parentId],
    ['schedule', scheduleId],
    ['trace', run.traceId],
    ['created', run.createdAt],
    ['started', run.startedAt],
    ['finished', run.finishedAt],
    ['due', run.wakeAt],
  ];
  const lines = facts.filter(([, fact]) => fact !== null && fact !== undefined);
  print.one(run, id, [
    ...lines.map(([name, fact]) => `${name.padEnd(10)}  ${textOf(fact)}`),
    ...history.map((step) => textOf(`  ${step.seq}  ${step.kind} ${step.name}: ${step.status}`)),
    ...(run.moreHistory ? [`  … more: runs steps ${id} --after ${history.at(-1)?.seq}`] : []),
  ]);
}

async function listSteps({ operator, given: [id = ''], flags, print }: Call<StepsFlags>): Promise<void> {
  const { after = flags.cursor, mark } = flags;
  const limit = countOf('--limit', flags.limit, PAGE);
  const page = await operator.runs.steps(id, {
    ...(after !== undefined && { after: wholeOf('--after', after) }),
    ...(mark !== undefined && { mark }),
    ...(limit !== undefined && { limit }),
  });
  if (page.anew) print.words('The run has begun anew: these are its first steps');
  print.list(page.steps, {
    columns: STEP_COLUMNS,
    idOf: ({ seq }) => String(seq),
    none: 'No step is recorded',
    cursor: page.cursor === undefined ? undefined : String(page.cursor),
    json: page,
  });
}

/** @throws InvalidArgumentError */
function wholeOf(option: string, text: string): number {
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(option, text, 'the position of a step, a whole number');
}

async function tellStory({ operator, ids, flags, print }: Call<StoryFlags>): Promise<number> {
  const { attribute, payloads = false, limit, cursor } = flags;
  const runs = await ids();
  const target = {
    ...(runs.length > 0 && { id: runs }),
    ...(attribute && { attribute: Object.fromEntries(attribute.map(attributeOf)) }),
  };
  const most = countOf('--limit', limit, 1_000);
  const story = await operator.runs.story(target, {
    payloads,
    ...(most !== undefined && { limit: most }),
    ...(cursor !== undefined && { cursor }),
  });
  if (print.format === 'json') print.json(story);
  else if (print.format === 'ids') for (const id of new Set(story.entries.map(({ runId }) => runId))) print.out(id);
  else for (const entry of story.entries) print.out(visible(storyLine(entry)));
  const isUnknown = story.entries.length === 0 && cursor === undefined;
  const code = isUnknown && runs.length > 0 && attribute === undefined ? EXIT.missing : EXIT.done;
  if (print.format === 'json') return code;
  if (story.entries.length === 0) print.words('Nothing is known of it');
  if (!story.complete) print.words(`Only ${story.runs} runs are told of: more belong to it`);
  if (story.cursor !== undefined) print.words(`There is more: the same command with --cursor ${story.cursor}`);
  return code;
}
