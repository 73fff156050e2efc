import type { Command } from 'commander';
import type { ComparedStep } from '../../operator/run-comparison.js';
import type { RunInTree, RunTree } from '../../operator/run-tree.js';
import { counted } from './counted.js';
import { type Call, countOf, type OperatorCommands } from './operator-command.js';
import { type RunFilterFlags, runFilterOf, withRunFilter } from './run-filter.js';
import type { Columns } from './table.js';

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
  relation: ({ relation }) => relation,
  id: ({ id }) => id,
  workflow: ({ workflow, version }) => `${workflow}@${version}`,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
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
