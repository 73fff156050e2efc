import { jsonCodec } from '../core/codec.js';
import { InvalidArgumentError } from '../core/errors.js';
import type { StoryEntry } from '../engine/story.js';
import type { Overview } from '../operate/overview.js';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Paint = (format: 'bold' | 'red' | 'dim', text: string) => string;

/** What a command has of the process that runs it. */
export interface CliEnvironment {
  /** Contains `DATABASE_URL` and the variables of the outbox table names. */
  env: Environment;
  /** Prints a result. */
  out: (line: string) => void;
  /** Prints words about it. */
  err: (line: string) => void;
  /** Where ids and answers come from. Default: nothing comes. */
  input?: NodeJS.ReadableStream;
  /** Whether a person can answer. Default false. */
  asks?: boolean;
  /** Whether results are drawn on a terminal. Default false. */
  draws?: boolean;
  /** Colours a result, if the terminal has colours. Default: it does not. */
  paint?: Paint;
  /** The same for words, which may go elsewhere. */
  paintError?: Paint;
  /** Aborted when the command is to end: by Ctrl+C. */
  interrupted?: AbortSignal;
  /** Called by a command that, when it is interrupted, ends by itself what it has begun. */
  finishes?: () => void;
  /** Whether nobody reads the results any more. Default: somebody does. */
  isUnread?: () => boolean;
}

/** The exit codes of all commands. */
export const EXIT = {
  done: 0,
  /** It is behind, would stand still, or something was refused. */
  behind: 1,
  /** It could not be told, or the arguments are wrong. */
  failed: 2,
  /** There are warnings, with `--strict`. */
  warned: 3,
  /** There is no such run, step or schedule. */
  missing: 4,
  interrupted: 130,
} as const;

export type Format = 'table' | 'json' | 'ids';

export const FORMATS: readonly Format[] = ['table', 'json', 'ids'];

interface Listing<Row> {
  columns: Columns<Row>;
  idOf: (row: Row) => string;
  /** What is said if there are no rows. */
  none: string;
  /** For the next page. */
  cursor?: string | undefined;
  /** False: there is more, and no next page. */
  complete?: boolean;
  /** In JSON, in place of the rows. */
  json?: unknown;
}

/** Prints results in the format that was asked for; words about them go elsewhere. */
export class Printer {
  constructor(
    private readonly environment: Pick<CliEnvironment, 'out' | 'err' | 'paint'>,
    readonly format: Format,
  ) {}

  list<Row>(rows: readonly Row[], { columns, idOf, none, cursor, complete = true, json = rows }: Listing<Row>): void {
    if (this.format === 'json') return this.json(json);
    if (this.format === 'ids') for (const id of new Set(rows.map(idOf))) this.out(id);
    else if (rows.length === 0) this.words(none);
    else this.table(tableOf(rows, columns));
    if (cursor !== undefined) this.words(`There is more: the same command with --cursor ${cursor}`);
    else if (!complete) this.words(`There is more: these are the first ${rows.length}, see --limit`);
  }

  /** A thing, told in lines. */
  one(thing: unknown, id: string, lines: readonly string[]): void {
    if (this.format === 'json') return this.json(thing);
    for (const line of this.format === 'ids' ? [id] : lines.map(visible)) this.out(line);
  }

  /** What a change did; in a table these are words, with the changed ids as the result. */
  changed(result: unknown, ids: readonly string[], words: string): void {
    if (this.format === 'json') this.json(result);
    else if (this.format === 'ids') ids.forEach((id) => this.out(id));
    else this.out(visible(words));
  }

  /** What a change of several things did, told in a line for each. */
  gathered(result: unknown, ids: readonly string[], lines: readonly string[]): void {
    if (this.format === 'json') this.json(result);
    else for (const line of this.format === 'ids' ? ids : lines.map(visible)) this.out(line);
  }

  table([titles = '', ...lines]: readonly string[]): void {
    const { paint = (_, text) => text } = this.environment;
    for (const line of [paint('bold', titles), ...lines]) this.out(line);
  }

  json(value: unknown): void {
    this.out(jsonText(value));
  }

  out(line: string): void {
    this.environment.out(line);
  }

  words(line: string): void {
    this.environment.err(visible(line));
  }
}

/** A column: its title, and what a row shows there. Nothing is shown of null and undefined. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

type Cell = string | number | boolean | Date | null | undefined | { atLeast: number };

/** Columns that show what a row has under their title. */
export const fields = <Row>(...names: FieldsOf<Row>[]): Columns<Row> =>
  Object.fromEntries(names.map((name) => [name, (row: Row) => row[name] as Cell]));

type FieldsOf<Row> = { [Name in keyof Row & string]-?: Row[Name] extends Cell ? Name : never }[keyof Row & string];

/** The longest text of a cell; JSON has all of it. */
const LONGEST = 80;

/** Lines, the first of them the titles. Each column is as wide as its widest cell. */
export function tableOf<Row>(rows: readonly Row[], columns: Columns<Row>): string[] {
  const titles = Object.keys(columns).map((title) => title.toUpperCase());
  const cells = rows.map((row) => Object.values(columns).map((cell) => textOf(cell(row))));
  const table = [titles, ...cells];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => widthOf(row[column]!))));
  return table.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(widths[column]! - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

export function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === 'object') return `${cell.atLeast}+`;
  const text = visible(String(cell));
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Without what would move the cursor or change the colours of a terminal. */
export const visible = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Emoji, and letters of East Asia that terminals draw in two columns. */
const WIDE =
  /^(\p{Emoji_Presentation}|.\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])/u;

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of letters.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** `1 run`, `2,000 runs`. */
export const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** Control characters that JSON leaves as they are; a terminal acts on them. */
const CONTROLS = /[\u007f-\u009f]/g;

/** Complete: what JSON does not have, such as a BigInt, is written as the default codec writes it. */
const jsonText = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, one: unknown) => (isForeign(one) ? (JSON.parse(jsonCodec.encode(one)) as unknown) : one),
    2,
  ).replaceAll(CONTROLS, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

function isForeign(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'bigint' || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value);
}

/** A value that was given as JSON, as the default codec reads it. @throws InvalidArgumentError */
export function valueOf(argument: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return jsonCodec.decode(text);
  } catch {
    throw new InvalidArgumentError(argument, text, 'JSON');
  }
}

/** A line for each thing that needs somebody, with the command that shows it. */
export function overviewLines(overview: Overview): string[] {
  const { blocked, compensationFailed, due, unserved, outbox, effects, lateSchedules, lost, draining } = overview;
  return [
    ...blocked.map(
      ({ workflow, version, reason, runs }) =>
        `${textOf(runs)} runs of ${workflow}@${version} are blocked: ${reason} (runs list --blocked --workflow ${workflow})`,
    ),
    ...some(compensationFailed, 'runs could not undo their steps (runs list --status compensation_failed)'),
    ...due.map(
      ({ workflow, version, since }) => `Runs of ${workflow}@${version} are due since ${textOf(since)} (nodes)`,
    ),
    ...unserved.map(
      ({ group, step, waiting, since }) =>
        `${waiting} tasks of ${step} wait in queue ${group} since ${textOf(since)}, and nobody serves it (queues)`,
    ),
    ...outbox.flatMap(({ name, blocked: channels, dead }) => [
      ...some(channels, `channels of ${name} stand still (outbox standing)`),
      ...some(dead, `dead letters of ${name} (outbox dead)`),
    ]),
    ...some(effects.abandoned, 'calls are abandoned (effects abandoned)'),
    ...effects.unclaimed.map(({ handler }) => `Nobody makes the calls of ${handler} (effects counts)`),
    ...lateSchedules.map(
      ({ id, since }) => `Schedule ${id} should have fired at ${textOf(since)} (schedules show ${id})`,
    ),
    ...lost.map(({ id, seenAt }) => `Process ${id} ended at ${textOf(seenAt)} without signing off (nodes --ended)`),
    ...draining.map(
      ({ id, since, actor, reason }) =>
        `Process ${id} drains since ${textOf(since)}, by ${actor}: ${reason} (nodes resume ${id})`,
    ),
  ];
}

const some = (count: Overview['failed'], text: string): string[] => (count === 0 ? [] : [`${textOf(count)} ${text}`]);

/** The time, the run, what happened, and all that is known of it. */
export function storyLine({ at, runId, kind, erased, ...told }: StoryEntry): string {
  const known = Object.entries(told).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  const facts = known.map(([name, value]) => `${name}=${factOf(name, value)}`);
  return [at.toISOString(), runId, kind, ...facts, ...(erased ? ['erased'] : [])].join('  ');
}

function factOf(name: string, value: unknown): string {
  if (name === 'error' && typeof value === 'object') return JSON.stringify((value as { message: string }).message);
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}
