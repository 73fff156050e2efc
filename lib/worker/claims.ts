import {
  type AnsweredBy,
  answerMark,
  hasRoomForTime,
  readAnswerMark,
  type StepAnswer,
  workerOf,
} from '../core/protocol.js';
import type { Claim, ClaimedTask, Credit, TaskReport } from './task-source.js';
import type { WaitingTasks } from './waiting-tasks.js';

/** Adds a suffix to the worker's name that is unique per claim, so that an old claim never matches a new one. */
export class ClaimMarks {
  private readonly instance = Math.random().toString(36).slice(2, 8);
  private count = 0;

  /** @param kind - `~`: for claims that engines of other processes make for the worker */
  constructor(private readonly kind: '' | '~' = '') {}

  next(workerId: string): string {
    return `${workerId}#${this.kind}${this.instance}.${(this.count++).toString(36)}`;
  }
}

/** What the marks of sent tasks match, for JavaScript and for PostgreSQL. */
export const SENT_MARK = '#~[^#]+$';

const SENT = new RegExp(SENT_MARK);

/** Whether an engine has made the claim for a worker of another process. */
export const isSent = (claimedBy: string | null | undefined): boolean => SENT.test(claimedBy ?? '');

export const reporterOf = ({ claim, attempt }: Pick<TaskReport, 'claim' | 'attempt'>): AnsweredBy => ({
  worker: workerOf(claim.claimedBy),
  attempt,
});

/** The result of a batch of reports. */
export interface Reported {
  /** The steps whose claim held. */
  held: ReadonlySet<string> | 'all';
  /** The number of them that had no answer before. */
  written: number;
  /** The stamp of the answers, epoch ms. */
  at: number;
}

/** Leases on rows of one table, for one family of databases. */
export interface RowLeases {
  extend(claims: readonly Claim[]): Promise<Claim[]>;
  /** Returns the groups of the released tasks, if the rows are tasks. */
  release(claims: readonly Claim[]): Promise<string[]>;
}

/** The additional operations on answers. */
export interface AnswerClaims<Row> extends RowLeases {
  lease(
    stepIds: readonly string[],
    claimedBy: string,
    leaseMs: number,
  ): Promise<(Row & { claimed_at: number | string })[]>;
  settle(claims: readonly Claim[]): Promise<void>;
}

/** The current holder of a row. */
export interface HolderRow {
  step_id: string;
  attempt: number | string;
  claimed_by: string | null;
  claimed_at: number | string | null;
}

/** The claims that hold according to these rows. A concurrent renewal may have increased the stamp. */
export function stillHeld<C extends Claim>(claims: readonly C[], rows: readonly HolderRow[]): C[] {
  const holders = new Map(rows.map((row) => [row.step_id, row]));
  return claims.filter(({ stepId, claimedBy, claimedAt }) => {
    const row = holders.get(stepId);
    return row?.claimed_by === claimedBy && Number(row.claimed_at) >= claimedAt;
  });
}

export const claimOf = (row: { step_id: string; claimed_by: string; claimed_at: number | string }): Claim => ({
  stepId: row.step_id,
  claimedBy: row.claimed_by,
  claimedAt: Number(row.claimed_at),
});

/*
 * The contents of notifications. They are optional: their data is also in rows, and a notification that is unreadable
 * or truncated means "read everything".
 */

const senders = new WeakMap<object, string>();

/** Identifies this process, to skip its own notifications, which it has already received by `local`. */
export function senderOf(notifier: object): string {
  const known = senders.get(notifier) ?? `${process.pid}.${Math.random().toString(36).slice(2, 10)}`;
  senders.set(notifier, known);
  return known;
}

interface TaskHint {
  from?: string;
  groups?: string[];
  /** All tasks of this notification were dispatched at or after this time, epoch ms. */
  since?: number;
  /** Tasks that are claimed for workers of other processes, each with {@link SENT_FIELDS}. */
  sent?: unknown;
}

/** The fields with which a worker can begin a task without reading its row. */
export const SENT_FIELDS = ['step_id', 'run_id', 'seq', 'name', 'grp', 'input', 'attempt', 'claimed_by', 'claimed_at'];

type SentFields = [string, string, number, string, string, string, number, string, number];

const SENT_TYPES = ['string', 'string', 'number', 'string', 'string', 'string', 'number', 'string', 'number'];

type AnswerFields = [
  string,
  string,
  number,
  string,
  string | null,
  string | null,
  number | null,
  number,
  string | null,
];

/** For listeners of this process. */
export const taskHint = (groups: readonly string[], since?: number): string => JSON.stringify({ groups, since });

/** For listeners of this process. */
export const answerHint = (answers?: readonly StepAnswer[]): string =>
  JSON.stringify({
    answers: answers?.map((a): AnswerFields => [
      a.stepId,
      a.runId,
      a.seq,
      a.status,
      a.output,
      a.error,
      a.startedAt,
      a.createdAt,
      a.by ? answerMark(a.by) : null,
    ]),
  });

/** Tasks whose results are no longer wanted. */
export const withdrawnHint = (stepIds: readonly string[]): string => JSON.stringify({ withdrawn: stepIds });

/** Undefined: any task may be withdrawn. */
export function withdrawnIn(payload: string | undefined): readonly string[] | undefined {
  const { withdrawn } = (parse(payload) ?? {}) as { withdrawn?: unknown };
  return Array.isArray(withdrawn) ? (withdrawn as string[]) : undefined;
}

/** `ours`: this process has received it already. */
export function tasksIn(
  payload: string | undefined,
  sender: string,
): { groups: readonly string[] | undefined; since?: number; sent: ClaimedTask[] } | 'ours' {
  const { from, groups, sent, ...rest } = (parse(payload) ?? {}) as TaskHint;
  if (from === sender) return 'ours';
  return { ...rest, groups, sent: Array.isArray(sent) ? sent.flatMap(sentTask) : [] };
}

function sentTask(fields: unknown): ClaimedTask[] {
  if (!Array.isArray(fields) || !SENT_TYPES.every((type, i) => typeof fields[i] === type)) return [];
  const [stepId, runId, seq, name, group, input, attempt, claimedBy, claimedAt] = fields as SentFields;
  const claim = { stepId, claimedBy, claimedAt };
  return [{ stepId, runId, seq, name, group, input, attempt, claim, reclaimed: false, waitedMs: 0 }];
}

/** What a worker gives as a mark; there must be room for the time. */
const CREDIT = /^[^\0]+#~[a-z0-9]+\.[a-z0-9]+$/;

/** Undefined for anything else: any user of the database may notify. */
function creditIn(told: unknown): Credit | undefined {
  const { mark, takes } = (told ?? {}) as Partial<Record<keyof Credit, unknown>>;
  if (typeof mark !== 'string' || !CREDIT.test(mark) || !hasRoomForTime(mark)) return undefined;
  if (!Array.isArray(takes) || !takes.every((one) => Array.isArray(one))) return undefined;
  return { mark, takes: takes as unknown[] as Credit['takes'][number][] };
}

/** `ours`: this process has received it already. */
export function answersIn(
  payload: string | undefined,
  sender: string,
): { answers: StepAnswer[] | undefined; credit: Credit | undefined } | 'ours' {
  const told = (parse(payload) ?? {}) as { from?: string; answers?: AnswerFields[] | null; credit?: unknown };
  if (told.from === sender) return 'ours';
  return { answers: told.answers?.map(answerIn), credit: creditIn(told.credit) };
}

const answerIn = ([
  stepId,
  runId,
  seq,
  status,
  output,
  error,
  startedAt,
  createdAt,
  mark,
]: AnswerFields): StepAnswer => ({
  stepId,
  runId,
  seq,
  status: status === 'completed' ? 'completed' : 'failed',
  output,
  error,
  startedAt,
  createdAt,
  ...answeredBy(mark),
});

const answeredBy = (mark: string | null): Pick<StepAnswer, 'by'> => {
  const by = readAnswerMark(mark);
  return by ? { by } : {};
};

function parse(payload: string | undefined): object | undefined {
  try {
    const value: unknown = payload === undefined ? undefined : JSON.parse(payload);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A set of listeners. One that throws does not affect the others. */
export class Listeners<Args extends unknown[]> {
  private readonly listeners = new Set<(...args: Args) => void>();

  /** Returns a function that removes the listener. */
  add(listener: (...args: Args) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  tell(...args: Args): void {
    for (const listener of this.listeners) {
      try {
        listener(...args);
      } catch {
        // Ignored: notifications are optional.
      }
    }
  }
}

/** A task of which a look knows how long it has waited. */
export interface WaitingTask {
  stepId: string;
  runId: string;
  attempt: number;
  name: string;
  group: string;
  createdAt: number;
  waitedMs: number;
  /** Whether a worker has it, and lives as far as one can know. */
  isClaimed: boolean;
}

/**
 * These tasks by group and name, those with the oldest unclaimed one first. Tasks of the same time keep their order: it is
 * that of claims.
 */
export function byName(tasks: readonly WaitingTask[]): WaitingTasks[] {
  const found = new Map<string, WaitingTasks>();
  for (const { name, group, isClaimed, createdAt: since, waitedMs, stepId, runId, attempt } of tasks.toSorted(inTurn)) {
    const key = JSON.stringify([group, name]);
    const first = { name, group, count: 0, isClaimed, oldest: { stepId, runId, attempt }, since, waitedMs };
    const known = found.get(key) ?? first;
    const count = known.count + (isClaimed ? 0 : 1);
    found.set(key, { ...known, count, isClaimed: known.isClaimed || isClaimed });
  }
  return [...found.values()].sort((a, b) => b.waitedMs - a.waitedMs);
}

/** Unclaimed ones first. */
const inTurn = (a: WaitingTask, b: WaitingTask): number =>
  Number(a.isClaimed) - Number(b.isClaimed) || a.createdAt - b.createdAt;
