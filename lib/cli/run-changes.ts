import type { Command } from 'commander';
import { InvalidArgumentError } from '../core/errors.js';
import { defined } from '../core/options.js';
import { WAITS_FOR, type WaitsFor } from '../engine/insight.js';
import { attributesOf, type RunsFilter } from '../engine/listing.js';
import type { RunReason, RunStatus } from '../engine/run.js';
import type { BulkAction, BulkResult } from '../operate/operator-runs.js';
import { type Call, countOf, eachId, type OperatorCommands, timeOf } from './operator-command.js';
import { counted, EXIT, valueOf } from './print.js';

interface ManyFlags extends RunFilterFlags {
  dryRun?: boolean;
  batchSize?: string;
  name?: string;
  payload?: string;
  key?: string;
}

const MANY = {
  cancel: 'End runs, and compensate what they did',
  terminate: 'End runs without compensation',
  retry: 'Let blocked runs, and runs whose compensation failed, go on',
  signal: 'Send a signal to runs, or to a key',
  delete: 'Delete runs that have ended, with all their data',
} as const;

/** What cannot be taken back. */
const DESTROYS: readonly BulkAction[] = ['cancel', 'terminate', 'delete'];

/** How many refusals of a batch are told of. */
const NAMED = 10;

/** Adds the commands that change runs. */
export function addRunChanges(runs: Command, commands: OperatorCommands): void {
  for (const [action, text] of Object.entries(MANY) as [BulkAction, string][]) {
    const command = withRunFilter(runs.command(`${action} [runs...]`))
      .option('--dry-run', 'change nothing, and print what would be done')
      .option('--batch-size <runs>', 'runs per batch, at most 200 (default: 200)')
      .option('--cursor <cursor>', 'go on with an interrupted command');
    if (action === 'signal')
      command
        .requiredOption('--name <signal>', 'the name of the signal')
        .option('--payload <json>', 'its payload, as JSON')
        .option('--key <key>', 'to all runs that wait with this key, in place of runs');
    const asks = { changes: true, destroys: DESTROYS.includes(action) };
    commands.add<ManyFlags>(command, `${text}: exit code 1 if some were refused`, asks, (call) => change(action, call));
  }
  const restart = runs.command('restart <runs...>').option('--input <json>', 'another input, as JSON');
  commands.add<{ input?: string }>(
    restart,
    'Begin a new life of runs that have ended, in place of the old one',
    { changes: true, destroys: true },
    restartRun,
  );
  const fork = runs
    .command('fork <run>')
    .requiredOption('--from <seq>', 'the first position that is not shared')
    .option('--input <json>', 'another input, as JSON')
    .option('--id <id>', 'the id of the fork (default: a random one)');
  commands.add<{ from: string; input?: string; id?: string }>(
    fork,
    'Start a run that shares the history of another one before a position',
    { changes: true },
    forkRun,
  );
}

async function restartRun(call: Call<{ input?: string }>): Promise<number> {
  const { operator, flags, by } = call;
  const input = valueOf('--input', flags.input);
  const [first = '', ...more] = await call.ids();
  const what = more.length === 0 ? `run "${first}"` : counted(more.length + 1, 'run');
  await call.consent(`discard the history of ${what}`);
  return eachId(call, {
    told: (id) => `Run "${id}" begins anew`,
    change: (id) => operator.runs.restart(id, { ...by, ...(flags.input !== undefined && { input }) }),
  });
}

async function forkRun(call: Call<{ from: string; input?: string; id?: string }>): Promise<void> {
  const { operator, given, flags, by, print } = call;
  const [source = ''] = given;
  const input = valueOf('--input', flags.input);
  const options = { ...(flags.input !== undefined && { input }), ...(flags.id !== undefined && { id: flags.id }) };
  const fork = await operator.runs.fork(source, { ...by, from: Number(flags.from), ...options });
  print.changed(fork, [fork.id], fork.created ? `Run "${fork.id}" is a fork` : `Run "${fork.id}" is there already`);
}

/** Changes many runs in batches. Returns 1 if a run was refused. */
async function change(action: BulkAction, call: Call<ManyFlags>): Promise<number> {
  const { operator, flags, by, print } = call;
  const payload = valueOf('--payload', flags.payload);
  if (flags.key !== undefined) return signalKey(call, payload);
  const ids = await call.ids();
  const filter = filterOf(ids, flags);
  const { dryRun = false } = flags;
  if (!dryRun && DESTROYS.includes(action))
    await call.consent(`${action} ${ids.length > 0 ? counted(ids.length, 'run') : 'all runs that match'}`);
  const limit = countOf('--batch-size', flags.batchSize, 200);
  const options = { ...by, dryRun, ...(limit !== undefined && { limit }) };
  const signal = action === 'signal' && { signal: { name: String(flags.name), payload } };
  const next = (cursor?: string) =>
    operator.runs.bulk(action, filter, { ...options, ...signal, ...(cursor !== undefined && { cursor }) });
  const what = dryRun ? `${action}, dry run` : action;
  const { cursor, ...result } = await batches(next, call, what);
  const { total, refused, done } = result;
  // Of a single run, whether it is there at all.
  if (ids.length === 1 && total.done === 0 && refused.length === 1) await operator.runs.show(ids[0]!);
  print.changed(
    cursor === undefined ? result : { ...result, cursor },
    done,
    `${what}: ${counted(total.done, 'run')}, ${total.refused} refused`,
  );
  if (cursor !== undefined) {
    print.words(`Interrupted: go on with the same command and --cursor ${cursor}`);
    return EXIT.interrupted;
  }
  return total.refused > 0 ? EXIT.behind : EXIT.done;
}

/** @throws InvalidArgumentError if it would be all runs */
function filterOf(ids: readonly string[], flags: ManyFlags): RunsFilter | { ids: readonly string[] } {
  const filter = runFilterOf(flags);
  const isFiltered = Object.keys(filter).length > 0;
  if (ids.length > 0 && isFiltered)
    throw new InvalidArgumentError('The runs', ids, '', 'Pass either runs or filters, not both');
  if (ids.length > 0) return { ids };
  if (isFiltered) return filter;
  throw new InvalidArgumentError(
    'The runs',
    ids,
    '',
    'Pass runs, or a filter such as --workflow: it would be all runs',
  );
}

/** Until the end, or the end of the batch in which it is interrupted: then there is a cursor to go on with. */
async function batches(
  next: (cursor?: string) => Promise<BulkResult>,
  { flags, print, environment, finishes }: Call<ManyFlags>,
  what: string,
): Promise<BulkResult> {
  const all: BulkResult = { done: [], refused: [], total: { done: 0, refused: 0 } };
  let { cursor } = flags;
  finishes();
  try {
    do {
      const batch = await next(cursor);
      all.done.push(...batch.done);
      all.refused.push(...batch.refused);
      all.total = batch.total;
      cursor = batch.cursor;
      for (const { id, why } of batch.refused.slice(0, NAMED)) print.words(`  ${id}: ${why}`);
      if (cursor !== undefined)
        print.words(
          `${what}: ${counted(batch.total.done, 'run')}, ${batch.total.refused} refused so far, up to --cursor ${cursor}`,
        );
    } while (cursor !== undefined && environment.interrupted?.aborted !== true);
  } catch (error) {
    if (cursor !== undefined) print.words(`It ended early: go on with the same command and --cursor ${cursor}`);
    throw error;
  }
  return cursor === undefined ? all : { ...all, cursor };
}

async function signalKey({ operator, given, flags, by, print }: Call<ManyFlags>, payload: unknown): Promise<number> {
  const { key = '', name = '', dryRun = false, cursor } = flags;
  if (given.length > 0) throw new InvalidArgumentError('--key', key, 'either it, or runs');
  if (dryRun || cursor !== undefined || Object.keys(runFilterOf(flags)).length > 0)
    throw new InvalidArgumentError('--key', key, 'it without filters, --cursor and --dry-run: it sends one signal');
  await operator.runs.signal(name, payload, { key, ...by });
  print.changed({ key, name }, [key], `Sent "${name}" to key "${key}"`);
  return EXIT.done;
}

export interface RunFilterFlags {
  idPrefix?: string;
  workflow?: string;
  workflowVersion?: string;
  status?: string[];
  runReason?: string[];
  blocked?: boolean;
  waitsFor?: string[];
  attribute?: string[];
  createdAfter?: string;
  createdBefore?: string;
  endedAfter?: string;
  endedBefore?: string;
  parent?: string;
  schedule?: string;
}

/** Adds the filters of `list`. */
export const withRunFilter = (command: Command): Command =>
  command
    .option('--id-prefix <text>', 'runs whose ids begin with this text')
    .option('--workflow <name>', 'runs of this workflow')
    .option('--workflow-version <version>', 'runs of this version')
    .option('--status <status...>', 'runs with one of these statuses')
    .option('--run-reason <reason...>', 'runs that are blocked, or have not begun, for one of these reasons')
    .option('--blocked', 'blocked runs')
    .option('--waits-for <what...>', `runs that wait for one of these: ${WAITS_FOR.join(', ')}`)
    .option('--attribute <name=value...>', 'runs with these attributes; also name>value, <, >= and <=')
    .option('--created-after <time>', 'runs that were created at this time or later')
    .option('--created-before <time>', 'runs that were created before this time')
    .option('--ended-after <time>', 'runs that ended at this time or later')
    .option('--ended-before <time>', 'runs that ended before this time')
    .option('--parent <id>', 'children of this run')
    .option('--schedule <id>', 'runs of this schedule');

/** @throws InvalidArgumentError */
export function runFilterOf(flags: RunFilterFlags): RunsFilter {
  const { idPrefix, workflow, workflowVersion, status, runReason, blocked, waitsFor, attribute, parent, schedule } =
    flags;
  return defined({
    idPrefix,
    workflow,
    version: countOf('--workflow-version', workflowVersion, 2 ** 31 - 1),
    status: status as RunStatus[] | undefined,
    reason: runReason as RunReason[] | undefined,
    blocked,
    waitsFor: waitsFor as WaitsFor[] | undefined,
    parent,
    schedule,
    createdAfter: timeOf('--created-after', flags.createdAfter),
    createdBefore: timeOf('--created-before', flags.createdBefore),
    endedAfter: timeOf('--ended-after', flags.endedAfter),
    endedBefore: timeOf('--ended-before', flags.endedBefore),
    attributes: attribute && attributesOf(attribute),
  });
}
