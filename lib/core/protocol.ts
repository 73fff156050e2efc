import { createHash } from 'node:crypto';

/** A request to run one remote step; an engine dispatches it and a worker claims it. A row of the tasks table. */
export interface StepTask {
  /** `<runId>:<seq>`; the idempotency key of the step, the same on every attempt. */
  stepId: string;
  runId: string;
  /** Position of the step in its run. A compensation has -1 minus the position of the step that it undoes. */
  seq: number;
  /** The handler key, spelled as the workflow spelled it. */
  name: string;
  /** The queue token that workers poll (`grp` in the contract). */
  group: string;
  /** JSON text. */
  input: string;
  /** The number of the attempt, from 1. A higher attempt replaces the row of a lower one. */
  attempt: number;
  /** The task goes before tasks dispatched up to this many seconds earlier; from -1,000 to 1,000, default 0. */
  priority?: number;
}

/** What is known of tasks that a commit has written. */
export interface Dispatched {
  /** Those that must be claimed were dispatched at this time, epoch ms, or later. */
  since?: number;
  /** How many are written as claimed, and since when, epoch ms. */
  claimed?: { count: number; at: number };
}

/** A task that ends with the record of its outcome, if its worker still holds it by this claim. */
export interface EndedTask extends Pick<StepTask, 'stepId' | 'runId' | 'seq'> {
  claimedBy: string;
  claimedAt: number;
}

/**
 * The answer to a {@link StepTask}, as its row holds it. The texts are not decoded yet, because a foreign
 * worker may have written invalid JSON.
 */
export interface StepAnswer {
  stepId: string;
  runId: string;
  seq: number;
  status: 'completed' | 'failed';
  output: string | null;
  error: string | null;
  /** When the worker claimed the task, epoch ms by the worker's clock; null if the worker did not report it. */
  startedAt: number | null;
  /** When the answer was written, epoch ms. */
  createdAt: number;
  /** Who ran the attempt, and its number; undefined if the writer did not report it. */
  by?: { worker: string; attempt: number } | undefined;
}

/** The identity of a step on the wire. */
export const stepIdOf = (runId: string, seq: number): string => `${runId}:${seq}`;

/** The longest key that services take, Stripe among them. */
const LONGEST_KEY = 255;
/**
 * A header's value: printable ASCII, whose ends are no spaces, since these are removed. Without `%`, so that an encoded
 * text never equals another one.
 */
const FITS_HEADER = /^(?=[^%]*$)[!-~](?:[ -~]*[!-~])?$/;

/**
 * An idempotency key that a header takes: the same text if it fits there, otherwise percent-encoded, or the hash of it
 * where that is too long. Every key that is handed to a handler, or sent, comes from here.
 */
export function idempotencyKeyOf(text: string): string {
  const key = FITS_HEADER.test(text) ? text : encodeURI(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
  return key.length <= LONGEST_KEY ? key : `sha256-${createHash('sha256').update(text).digest('hex')}`;
}

/** A hash of these parts, as a text that fits a key column. */
export const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** The queue token of a step: its name with `:` replaced by `-`, in its partition. */
export const groupOf = (name: string, partition?: string): string => inPartition(name.replaceAll(':', '-'), partition);

/** A group with `@<partition>` appended, unless that is `''` or `default`. */
export const inPartition = (group: string, partition?: string): string =>
  partition && partition !== 'default' ? `${group}@${partition}` : group;

/** Log lines are stored with the step; `fields` may hold any loggable value. */
export interface StepLog {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** What a handler of a remote step receives besides its input. */
export interface StepContext {
  /** The id of the run that called the step. */
  readonly workflowId: string;
  /** `<workflowId>:<seq>`. */
  readonly stepId: string;
  /** The position of the step in its run. */
  readonly seq: number;
  readonly name: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /**
   * The same on every attempt of this step, unique to it: pass it to services that must not act twice. The `stepId`,
   * percent-encoded if it is not printable ASCII, and a hash if that has more than 255 characters: it fits into a header.
   */
  readonly idempotencyKey: string;
  /**
   * Reads what the run carries: the trace context of its starter, and what the module option `contextFrom` named. Empty
   * if there is nothing, or if the run was deleted. Steps that ask at the same time share one statement.
   */
  context(): Promise<Readonly<Record<string, unknown>>>;
  /** Aborts when the attempt times out, its lease is lost, or the process stops; the result is then discarded. */
  readonly signal: AbortSignal;
  /**
   * For handlers that block the event loop: yields to it, renews the lease when that is due, and throws the reason of
   * `signal` once it has aborted. Handlers that await regularly need not call it.
   */
  heartbeat(): Promise<void>;
  readonly log: StepLog;
}

/*
 * The texts of `claimed_by`. In a task: the worker, the number of its claim, and its time, which a renewal does not change
 * as it changes `claimed_at`; with `~` if its engine has claimed it for a worker of another process. In an answer, without
 * a time: which worker answered, at which attempt. Workers in other languages may leave it NULL, or write what they like.
 */

/** The longest text of the column. */
const LONGEST = 191;

const CLAIM = /#~?[a-z0-9]+\.[a-z0-9]+(?:\.([0-9a-f]+))?$/;
const ANSWER = /^by:([1-9]\d{0,8}):(.+)$/s;

/** Who ran an attempt, and the number of the attempt, from 1. */
export interface AnsweredBy {
  worker: string;
  attempt: number;
}

/** The name of the worker that holds a claim. */
export const workerOf = (claimedBy: string): string => claimedBy.replace(CLAIM, '');

/** When the claim was made, epoch ms; undefined for one of a worker in another language. */
export function claimedSince(claimedBy: string): number | undefined {
  const [, time] = CLAIM.exec(claimedBy) ?? [];
  return time === undefined ? undefined : Number.parseInt(time, 16);
}

/** Whether a mark has room for its time: names of workers may be long. */
export const hasRoomForTime = (mark: string): boolean => [...mark].length <= LONGEST - 12;

/** The mark of a claim, with its time. On PostgreSQL the statement writes it. */
export const claimedFrom = (mark: string, at: number): string =>
  hasRoomForTime(mark) ? `${mark}.${at.toString(16)}` : mark;

export const answerMark = ({ worker, attempt }: AnsweredBy): string => `by:${attempt}:${worker}`.slice(0, LONGEST);

/** Undefined for a text that is not from {@link answerMark}. */
export function readAnswerMark(claimedBy: string | null | undefined): AnsweredBy | undefined {
  const [, attempt, worker] = ANSWER.exec(claimedBy ?? '') ?? [];
  return worker === undefined ? undefined : { worker, attempt: Number(attempt) };
}

/** How many bytes a text takes as a JSON value: rows are sent to the database as JSON. */
export const quotedBytes = (text: string | null | undefined): number =>
  text === null || text === undefined ? 4 : Buffer.byteLength(JSON.stringify(text));

/** The limit for texts without a payload limit, such as error messages, in bytes of UTF-8. */
export const LONGEST_TEXT = 65_536;

/** Room for the note about how much was cut. */
const NOTE_BYTES = 48;

/** Whether every database stores it as it is: a text without NUL and without halves of surrogate pairs (Cs). */
export const isStorable = (text: unknown): text is string => typeof text === 'string' && !/[\0\p{Cs}]/u.test(text);

/** A text as every database stores it: NUL and halves of surrogate pairs become U+FFFD. */
export const wellFormed = (text: string): string => text.replaceAll(/\0|\p{Surrogate}/gu, '\uFFFD');

/** A text for people as it is stored: well-formed, and cut at `most` characters as the databases count them. */
export function shortText(text: string, most: number): string {
  const stored = wellFormed(text);
  return stored.length <= most ? stored : [...stored].slice(0, most).join('');
}

/**
 * A well-formed text of at most `most` bytes of UTF-8: a longer one is cut, with a note at its end. Surrogate pairs are
 * not split, and a text that was cut before is not cut again.
 */
export function boundedText(given: string, most = LONGEST_TEXT): string {
  const text = wellFormed(given);
  // A JavaScript character takes one to three bytes, so most texts need no count.
  if (text.length * 3 <= most) return text;
  if (text.length <= most && Buffer.byteLength(text) <= most) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(most - NOTE_BYTES));
  return `${text.slice(0, read)}… (cut: ${text.length - read} characters)`;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A stored log line: `fields` are JSON text. */
export interface LogText {
  level: LogLevel;
  message: string;
  fields: string | null;
}

/** The limit for the message, and for the fields, of a line; in bytes of UTF-8. */
export const LONGEST_LOG_TEXT = 32_768;

/** Converts a logged value to texts that every database stores; never throws, since a log line must not fail a step. */
export function logText(level: LogLevel, message: unknown, fields?: unknown): LogText {
  return { level, message: cut(textOf(message)), fields: fields === undefined ? null : fieldsOf(fields) };
}

function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return 'a value that cannot be converted to a string';
  }
}

/** Cut JSON would be invalid, so it is stored as one string. What a `toJSON` throws may contain anything. */
function fieldsOf(fields: unknown): string | null {
  try {
    const json = JSON.stringify(fields, bigintsAsText) as string | undefined;
    if (json === undefined) return null;
    const short = cut(json);
    return short === json ? json : JSON.stringify({ cut: short });
  } catch {
    return JSON.stringify({ unreadable: 'fields that cannot be converted to JSON' });
  }
}

const bigintsAsText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const cut = (text: string): string => boundedText(text, LONGEST_LOG_TEXT);

/**
 * A point in the order of a story: when something happened, and what comes first of all that happened in the same
 * millisecond.
 */
export interface Moment {
  /** Epoch ms. */
  readonly at: number;
  /** The run that it belongs to: its index among the runs of the story, in the order of their ids. */
  readonly run: number;
  /** The stage of the run, see {@link STAGE} and {@link stageOf}. */
  readonly stage: number;
  /** One of {@link WHAT}. */
  readonly what: number;
  /** Which of several at one stage: an attempt or an id. A whole number, or a text that is as long as all others. */
  readonly item: string;
}

/** The next moments of a story. */
export interface MomentQuery {
  /** The runs of the story, in the order of their ids. */
  readonly runIds: readonly string[];
  /** Only later ones. */
  readonly past?: Moment | undefined;
  readonly limit: number;
}

/** What happened, in the order of causes and effects. */
export const WHAT = {
  scheduled: 0,
  created: 1,
  started: 2,
  act: 3,
  asked: 4,
  attempted: 5,
  ended: 6,
  signal: 7,
  effectAsked: 8,
  effectAttempted: 9,
  effectEnded: 10,
  dead: 11,
  blocked: 12,
  runEnded: 13,
  erased: 14,
} as const;

/** Before all steps of a run; beside them; after them. */
export const STAGE = { first: -1, beside: 1_000_000_000, last: 2_000_000_000 } as const;

/** Steps in the order of their positions, then compensations, which undo the last step first. */
export const stageOf = (seq: number): number => (seq >= 0 ? seq : STAGE.last + seq);

export const seqAt = (stage: number): number => (stage < STAGE.beside ? stage : stage - STAGE.last);

/** The order of two texts by their code units, which is the same everywhere. */
export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

export const compareMoments = (a: Moment, b: Moment): number =>
  a.at - b.at ||
  a.run - b.run ||
  a.stage - b.stage ||
  a.what - b.what ||
  a.item.length - b.item.length ||
  compare(a.item, b.item);

/** The moments that the query asks for, of all that there are. */
export const nextOf = <M extends Moment>(all: readonly M[], { past, limit }: Omit<MomentQuery, 'runIds'>): M[] =>
  all
    .filter((moment) => !past || compareMoments(moment, past) > 0)
    .sort(compareMoments)
    .slice(0, limit);

/** The version in package.json; a test compares them. */
export const PACKAGE_VERSION = '0.1.0';
