import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { ExportOptions } from '../../operator/run-export.js';
import { EXIT } from './cli-environment.js';
import { counted } from './counted.js';
import { tellsAbsence } from './each-id.js';
import { type Call, countOf } from './operator-command.js';
import { type RunFilterFlags, runFilterOf } from './run-filter.js';

export interface RecordedRunFlags extends Omit<ExportOptions, 'actor'>, RunFilterFlags {
  out?: string;
}

/** The most runs of a filter that one command prints, and how many by default. */
const MOST = 100_000;
const BY_DEFAULT = 1_000;
/** The most of a page of the client. */
const PAGE = 1_000;

/**
 * Prints the recorded history of a run, or a test that replays it; of several runs, or of those that match, a list of
 * histories. @throws InvalidArgumentError, WorkflowNotFoundError
 */
export async function recordedRuns(call: Call<RecordedRunFlags>): Promise<number | void> {
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
    ...(module !== undefined && { module }),
    ...(exported !== undefined && { export: exported }),
    ...(runner !== undefined && { runner }),
  });
  if (out === undefined) return print.out(text.trimEnd());
  writeFileSync(out, text);
  print.words(`Wrote run "${id}" to ${out}`);
}

/** The ids of the runs that match, the newest first; words say if there are more. */
async function matching({ operator, flags, print }: Call<RecordedRunFlags>): Promise<string[]> {
  const most = countOf('--limit', flags.limit, MOST) ?? BY_DEFAULT;
  const filter = runFilterOf(flags);
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const limit = Math.min(PAGE, most - ids.length);
    const page = await operator.runs.list({
      ...filter,
      limit,
      payloads: false,
      ...(cursor !== undefined && { cursor }),
    });
    ids.push(...page.runs.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined && ids.length < most);
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
