import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { InvalidArgumentError } from '../core/errors.js';
import { defined } from '../core/options.js';
import type { Duration } from '../core/time.js';
import { attributeOf, type ListOptions } from '../engine/listing.js';
import { STEP_KINDS, STEP_STATUSES, type StepKind, type StepStatus } from '../engine/step.js';
import type { ListedStep, WorkflowRunStatus, WorkflowStepFacts } from '../engine/views.js';
import type { ExportOptions } from '../operate/operator-runs.js';
import type { ComparedStep, RunInTree, RunTree } from '../operate/run-comparison.js';
import { type Call, countOf, gathered, type OperatorCommands, PAGE, tellsAbsence } from './operator-command.js';
import { type Columns, counted, EXIT, fields, storyLine, textOf, valueOf, visible } from './print.js';
import { type RunFilterFlags, runFilterOf, withRunFilter } from './run-changes.js';

const COLUMNS: Columns<WorkflowRunStatus> = {
  id: ({ id }) => id,
  workflow: ({ workflow, version }) => `${workflow}@${version}`,
  status: ({ status }) => status,
  reason: ({ reason, customStatus }) => reason ?? customStatus,
  created: ({ createdAt }) => createdAt,
  finished: ({ finishedAt }) => finishedAt,
  due: ({ wakeAt }) => wakeAt,
};

interface ListFlags extends RunFilterFlags {
  oldest?: boolean;
  ended?: boolean;
}

interface StepsFlags {
  after?: string;
  mark?: string;
}

const STEP_COLUMNS: Columns<Omit<WorkflowStepFacts, 'attempts' | 'logLines'>> = {
  ...fields<Omit<WorkflowStepFacts, 'attempts' | 'logLines'>>('seq', 'kind', 'name', 'status', 'failures'),
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
  const list = withOrder(withRunFilter(runs.command('list')));
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

const withOrder = (list: Command): Command =>
  list.option('--oldest', 'the oldest first').option('--ended', 'those that have ended, the last one first');

const orderOf = ({ ended, oldest }: ListFlags): NonNullable<ListOptions['order']> =>
  ended ? 'ended' : oldest ? 'oldest' : 'newest';

async function listRuns(call: Call<ListFlags>): Promise<void> {
  const { operator, flags, print } = call;
  // Payloads are shown in JSON alone, and there may be many runs.
  const payloads = print.format === 'json';
  const asked = { ...runFilterOf(flags), order: orderOf(flags), payloads };
  const { rows: runs, ...next } = await gathered(call, PAGE, async (page) => {
    const { runs: rows, cursor } = await operator.runs.list({ ...asked, ...page });
    return { rows: rows.map((run) => (payloads ? run : { ...run, error: null })), ...(cursor && { cursor }) };
  });
  const json = { runs, ...next };
  print.list(runs, { columns: COLUMNS, idOf: ({ id }) => id, none: 'No run matches', cursor: next.cursor, json });
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
    ...defined({ mark, limit }),
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
    ...defined({ limit: most, cursor }),
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

interface RecordedRunFlags extends Omit<ExportOptions, 'actor'>, RunFilterFlags {
  out?: string;
}

/** How many runs of a filter one command prints by default. */
const BY_DEFAULT = '1000';

/**
 * Prints the recorded history of a run, or a test that replays it; of several runs, or of those that match, a list of
 * histories. @throws InvalidArgumentError, WorkflowNotFoundError
 */
async function recordedRuns(call: Call<RecordedRunFlags>): Promise<number | void> {
  const { given, flags } = call;
  const filter = runFilterOf(flags);
  const isFiltered = Object.keys(filter).length > 0;
  if (isFiltered === given.length > 0)
    throw new InvalidArgumentError('The runs', given, 'either runs, or a filter such as --workflow');
  const [id = '', ...others] = given;
  if (!isFiltered && others.length === 0 && id !== '-') return one(call, id);
  if ((flags.as ?? 'json') === 'test') throw new InvalidArgumentError('--as', 'test', 'it with one run');
  const ids = isFiltered ? await matching(call) : await call.ids();
  return several(call, ids);
}

async function one({ operator, flags, print }: Call<RecordedRunFlags>, id: string): Promise<void> {
  const { as = 'json', out, module, export: exported, runner } = flags;
  if (as === 'test' && module === undefined)
    throw new InvalidArgumentError(
      '--module',
      module,
      'the module of the app as the test imports it, such as --module ../src/app.module',
    );
  const { text } = await operator.runs.export(id, {
    as,
    ...defined({ module, export: exported, runner }),
  });
  if (out === undefined) return print.out(text.trimEnd());
  writeFileSync(out, text);
  print.words(`Wrote run "${id}" to ${out}`);
}

/** The ids of the runs that match, the newest first; words say if there are more. */
async function matching({ operator, flags, print, environment }: Call<RecordedRunFlags>): Promise<string[]> {
  const filter = { ...runFilterOf(flags), payloads: false };
  const asked = { flags: { ...flags, limit: flags.limit ?? BY_DEFAULT }, environment };
  const { rows: ids, cursor } = await gathered(asked, PAGE, async (page) => {
    const { runs, cursor } = await operator.runs.list({ ...filter, ...page });
    return { rows: runs.map(({ id }) => id), ...(cursor !== undefined && { cursor }) };
  });
  if (cursor !== undefined) print.words(`Only the newest ${counted(ids.length, 'run')}: there are more, see --limit`);
  return ids;
}

async function several(call: Call<RecordedRunFlags>, ids: readonly string[]): Promise<number> {
  const { flags, print } = call;
  const file = flags.out === undefined ? undefined : openSync(flags.out, 'w');
  const write = (text: string) => (file === undefined ? print.out(text) : void writeSync(file, `${text}\n`));
  try {
    const { written, missing } = await writeEach(call, ids, write);
    for (const id of missing) print.words(`${id}: there is no such run`);
    if (flags.out !== undefined) print.words(`Wrote ${counted(written, 'run')} to ${flags.out}`);
    if (written + missing.length < ids.length) return EXIT.interrupted;
    return missing.length > 0 ? EXIT.missing : EXIT.done;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** One run after the other: the list is never in memory. */
async function writeEach(
  { operator, environment: { interrupted, isUnread = () => false } }: Call<RecordedRunFlags>,
  ids: readonly string[],
  write: (text: string) => void,
): Promise<{ written: number; missing: string[] }> {
  const missing: string[] = [];
  let written = 0;
  write('[');
  for (const id of ids) {
    if (interrupted?.aborted || isUnread()) break;
    try {
      const { text } = await operator.runs.export(id);
      write(`${written > 0 ? ',' : ''}${text.trimEnd()}`);
      written++;
    } catch (error) {
      if (!tellsAbsence(error)) throw error;
      missing.push(id);
    }
  }
  write(']');
  return { written, missing };
}

/** Adds the commands that show how many runs there are, and how runs belong together. */
export function addRunRelations(runs: Command, commands: OperatorCommands): void {
  commands.add<RunFilterFlags>(
    withRunFilter(runs.command('counts')),
    'Count runs by status, each up to 10,000',
    {},
    countRuns,
  );
  const tree = runs.command('tree <run>').option('--limit <count>', 'the maximum number of descendants (default: 200)');
  commands.add(tree, 'List the relatives of a run: what started it, and what it has started', {}, showTree);
  commands.add(
    runs.command('compare <run> <other>'),
    'Compare the inputs, outputs, steps and times of two runs',
    {},
    compareRuns,
  );
}

async function countRuns({ operator, flags, print }: Call<RunFilterFlags>): Promise<void> {
  const counts = await operator.runs.counts(runFilterOf(flags));
  const rows = Object.entries(counts.byStatus);
  type Row = (typeof rows)[number];
  const columns: Columns<Row> = { status: ([status]) => status, runs: ([, count]) => count };
  print.list(rows, { columns, idOf: ([status]) => status, none: 'No run matches', json: counts });
  if (!counts.complete) print.words(`Only ${counted(counts.lookedAt, 'run')} were looked at: there are more`);
}

interface Relative extends RunInTree {
  relation: string;
}

const RELATIVES: Columns<Relative> = {
  ...fields<Relative>('relation', 'id'),
  workflow: ({ workflow, version }) => `${workflow}@${version}`,
  ...fields<Relative>('status', 'reason'),
  parent: ({ parentId }) => parentId,
  created: ({ createdAt }) => createdAt,
  finished: ({ finishedAt }) => finishedAt,
};

const relatedAs = (relation: string, runs: readonly RunInTree[]): Relative[] =>
  runs.map((run) => ({ ...run, relation }));

async function showTree({ operator, given: [id = ''], flags, print }: Call<unknown>): Promise<void> {
  const limit = countOf('--limit', flags.limit, 1_000);
  const tree = await operator.runs.tree(id, limit === undefined ? {} : { limit });
  const rows = [
    ...relatedAs('ancestor', [...tree.ancestors].reverse()),
    ...relatedAs('itself', [tree.run]),
    ...relatedAs('descendant', tree.descendants),
  ];
  print.list(rows, { columns: RELATIVES, idOf: (run) => run.id, none: '', complete: tree.complete, json: tree });
  if (print.format === 'table') for (const line of besideOf(tree)) print.words(line);
}

const besideOf = ({ after, forkedFrom, scheduleId }: RunTree): string[] => [
  ...after.map((one) => `It begins after "${one.id}" (${one.status ?? 'no such run'})`),
  ...(forkedFrom ? [`It is a fork of "${forkedFrom.id}" from position ${forkedFrom.seq} on`] : []),
  ...(scheduleId === null ? [] : [`It is a run of schedule "${scheduleId}"`]),
];

const STEPS: Columns<ComparedStep> = {
  kind: ({ kind }) => kind,
  step: ({ name, nth }) => (nth === 1 ? name : `${name} (${nth})`),
  'first ms': ({ a }) => a?.tookMs,
  'second ms': ({ b }) => b?.tookMs,
  differs: ({ a, b, output, error }) => {
    if (a === null || b === null) return a === null ? 'only the second has it' : 'only the first has it';
    return [...(output.length > 0 ? ['output'] : []), ...(error.length > 0 ? ['error'] : [])].join(', ');
  },
};

async function compareRuns({ operator, given: [one = '', other = ''], print }: Call<unknown>): Promise<void> {
  const compared = await operator.runs.compare(one, other);
  const { input, output, error, complete, steps } = compared;
  const none = 'Neither of them has a step';
  print.list(steps, { columns: STEPS, idOf: ({ name }) => name, none, json: compared });
  if (print.format !== 'table') return;
  for (const [what, differences] of Object.entries({ input, output, error }))
    for (const { path } of differences) print.words(`They differ in ${[what, ...path].join('.')}`);
  if (!complete) print.words('Only the first 2,000 steps of each were compared');
}

interface FailFlags {
  message: string;
  code?: string;
  final?: boolean;
}

interface ListStepsFlags extends ListFlags {
  step?: string;
  kind?: StepKind[];
  stepStatus?: StepStatus[];
  worker?: string;
  olderThan?: Duration;
  youngerThan?: Duration;
}

const LISTED_STEPS: Columns<ListedStep> = {
  run: ({ workflowId }) => workflowId,
  ...fields<ListedStep>('workflow'),
  ...STEP_COLUMNS,
};

async function listStepsOfRuns(call: Call<ListStepsFlags>): Promise<void> {
  const { operator, flags, print } = call;
  const { step, kind, stepStatus: status, worker, olderThan, youngerThan } = flags;
  const asked = { runs: runFilterOf(flags), order: orderOf(flags), ...defined({ step, kind, status, worker }) };
  const ages = defined({ olderThan, youngerThan });
  const { rows: steps, ...next } = await gathered(call, PAGE, async (page) => {
    const { steps: rows, cursor } = await operator.steps.list({ ...asked, ...ages, ...page });
    return { rows, ...(cursor && { cursor }) };
  });
  print.list(steps, {
    columns: LISTED_STEPS,
    idOf: ({ workflowId }) => workflowId,
    none: 'No step matches',
    cursor: next.cursor,
    json: { steps, ...next },
  });
}

function addStepList(steps: Command, commands: OperatorCommands): void {
  const list = withOrder(withRunFilter(steps.command('list')))
    .option('--step <name>', 'the name of the step')
    .addOption(new Option('--kind <kind...>', 'of this kind (default: all but marker)').choices(STEP_KINDS))
    .addOption(new Option('--step-status <status...>', 'with this status').choices(STEP_STATUSES))
    .option('--worker <name>', 'whose last attempt this worker or process has run')
    .option('--older-than <duration>', 'whose last attempt was asked for so long ago, such as 10m')
    .option('--younger-than <duration>', 'whose last attempt was asked for since then, such as 1h');
  commands.add<ListStepsFlags>(
    list,
    'List steps over runs, those of all or of those that match; ids are those of the runs',
    { pages: 100 },
    listStepsOfRuns,
  );
}

/** Adds the commands on steps: one by the id of its run and its position. */
export function addSteps(steps: Command, commands: OperatorCommands): void {
  addStepList(steps, commands);
  commands.add<{ result?: string }>(
    // `--output` is the format.
    steps.command('complete <run> <seq>').option('--result <json>', 'its output, as JSON'),
    'Answer a pending remote step in place of its worker',
    { changes: true },
    async ({ operator, given, flags, by, print }) => {
      const [run, seq] = stepOf(given);
      await operator.steps.complete(run, seq, valueOf('--result', flags.result), by);
      print.changed({ run, seq }, [run], `Completed step ${seq} of run "${run}"`);
    },
  );
  const fail = steps
    .command('fail <run> <seq>')
    .requiredOption('--message <text>', 'the message of its error')
    .option('--code <code>', 'the code of its error')
    .option('--final', 'it is not retried');
  commands.add<FailFlags>(
    fail,
    'Fail an attempt of a pending remote step',
    { changes: true },
    async ({ operator, given, flags: { message, code, final }, by, print }) => {
      const [run, seq] = stepOf(given);
      const failure = { message, ...(code !== undefined && { code }), ...(final && { retryable: false }) };
      await operator.steps.fail(run, seq, failure, by);
      print.changed({ run, seq }, [run], `Failed step ${seq} of run "${run}"`);
    },
  );
  commands.add(
    steps.command('now <run> <seq>'),
    'Make the next attempt of a failed step due now',
    { changes: true },
    async ({ operator, given, by, print }) => {
      const [run, seq] = stepOf(given);
      await operator.steps.now(run, seq, by);
      print.changed({ run, seq }, [run], `Step ${seq} of run "${run}" is due now`);
    },
  );
}

function stepOf([run = '', text = '']: readonly string[]): [run: string, seq: number] {
  const seq = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(seq)) return [run, seq];
  throw new InvalidArgumentError('The step', text, 'its position, a whole number');
}
