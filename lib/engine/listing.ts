import { InvalidArgumentError } from '../core/errors.js';
import { checkedLimit, checkedOneOf, checkedOptions, checkedTime, type KnownOptions } from '../core/options.js';
import { type Duration, toMs } from '../core/time.js';
import {
  type AttributeFilter,
  type Comparison,
  type ListRuns,
  type ListSteps,
  type StepPosition,
  WAITS_FOR,
  type WaitsFor,
} from './insight.js';
import {
  type AttributeValue,
  BLOCK_REASONS,
  checkAttributeName,
  checkAttributeValue,
  checkName,
  checkRunId,
  FINAL_STATUSES,
  holdAttribute,
  type RunReason,
  type RunStatus,
} from './run.js';
import { STEP_KINDS, STEP_STATUSES, type StepKind, type StepStatus } from './step.js';
import { cursorOf, parseCursor, type WorkflowRunStatus } from './views.js';

export interface WorkflowPage {
  runs: WorkflowRunStatus[];
  /**
   * Pass it to the next `list`; undefined on the last page. A page with a cursor may still have fewer runs than
   * `limit`, or none: one call looks at 10,000 runs, or, as long as none matches, at up to 100,000 for a tenth of a
   * second.
   */
  cursor?: string;
  /** How many runs were looked at for this page. */
  lookedAt: number;
}

/** A range of numbers or times; all bounds must hold. */
export interface AttributeRange<T extends number | Date = number | Date> {
  gt?: T;
  gte?: T;
  lt?: T;
  lte?: T;
}

/** Which runs; all that is given must hold. */
export interface RunsFilter {
  /** Their ids begin with this text. */
  idPrefix?: string;
  status?: RunStatus | readonly RunStatus[];
  reason?: RunReason | readonly RunReason[];
  /** Only blocked runs, for example runs whose code does not match their history. */
  blocked?: boolean;
  /**
   * Runs that wait for one of these: a `task` in the hands of workers, the `retry` of a step, a `timer`, a `signal` (also
   * the calls of `ctx.effects`), a `child`, a permit or a turn of a `limiter`, or another `run` before they begin.
   */
  waitsFor?: WaitsFor | readonly WaitsFor[];
  workflow?: string;
  version?: number;
  /**
   * The attributes from the start or the last `ctx.setAttributes`. All of them must match, including their types.
   *
   * @example
   * await workflows.list({ attributes: { customer: 'acme', amount: { gte: 1_000 } } });
   */
  attributes?: Readonly<Record<string, AttributeValue | AttributeRange<number> | AttributeRange<Date>>>;
  /** Created at this time or later. */
  createdAfter?: Date;
  /** Created before this time. */
  createdBefore?: Date;
  /** Ended at this time or later. */
  endedAfter?: Date;
  /** Ended before this time. */
  endedBefore?: Date;
  /** The id of the run that started them. */
  parent?: string;
  /** The id of the schedule that started them. */
  schedule?: string;
}

export interface ListOptions extends RunsFilter {
  /**
   * `'newest'`, the default, or `'oldest'` first, by their creation; `'ended'`: only runs that have ended, the last one
   * first.
   */
  order?: 'newest' | 'oldest' | 'ended';
  /** Runs per page, at most 1,000. Default 100. */
  limit?: number;
  /** The cursor of the previous page, with the same filters and order. */
  cursor?: string;
  /** False: inputs and outputs are not read, and are null. Default true. */
  payloads?: boolean;
}

export const RUN_FILTERS = {
  idPrefix: true,
  status: true,
  reason: true,
  blocked: true,
  waitsFor: true,
  workflow: true,
  version: true,
  attributes: true,
  createdAfter: true,
  createdBefore: true,
  endedAfter: true,
  endedBefore: true,
  parent: true,
  schedule: true,
} satisfies KnownOptions<RunsFilter>;

export const LIST_OPTIONS = {
  ...RUN_FILTERS,
  order: true,
  limit: true,
  cursor: true,
  payloads: true,
} satisfies KnownOptions<ListOptions>;

/** Which steps, of which runs; all that is given must hold. */
export interface StepsFilter {
  /** Of the runs that match. Default: of all. */
  runs?: RunsFilter;
  /** The name of the step. */
  step?: string;
  /** Default: all but `marker`, the values that code has asked for, such as a time. */
  kind?: StepKind | readonly StepKind[];
  status?: StepStatus | readonly StepStatus[];
  /** Who ran the last attempt: a worker, or the process that played the run. */
  worker?: string;
  /** The last attempt was asked for at least so long ago. */
  olderThan?: Duration;
  /** The last attempt was asked for less than so long ago. */
  youngerThan?: Duration;
}

export interface ListStepsOptions extends StepsFilter {
  /** Of their runs, see {@link ListOptions}; the steps of a run follow by their positions. Default `newest`. */
  order?: 'newest' | 'oldest' | 'ended';
  /** Steps per page, at most 1,000. Default 100. */
  limit?: number;
  /** The cursor of the previous page, with the same filters and order. */
  cursor?: string;
}

export const LIST_STEPS_OPTIONS = {
  runs: RUN_FILTERS,
  step: true,
  kind: true,
  status: true,
  worker: true,
  olderThan: true,
  youngerThan: true,
  order: true,
  limit: true,
  cursor: true,
} satisfies KnownOptions<ListStepsOptions>;

const STATUSES: readonly RunStatus[] = ['pending', 'running', 'suspended', 'compensating', ...FINAL_STATUSES];
const REASONS: readonly RunReason[] = [
  ...BLOCK_REASONS,
  ...(['waiting_for_runs', 'concurrency_limit', 'rate_limit'] as const),
];
const ORDERS = ['newest', 'oldest', 'ended'] as const;
const RANGES = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const satisfies Record<string, Comparison>;

/** Checks the options and converts them to a query. @throws InvalidArgumentError */
export function listQuery(options: ListOptions, namespace: string): ListRuns {
  const { limit = 100, order = 'newest', cursor, workflow, version, parent, schedule, blocked } = options;
  const { status, reason, attributes, waitsFor, idPrefix, payloads = true } = options;
  checkedLimit(limit, 1_000);
  if (blocked !== undefined && typeof blocked !== 'boolean')
    throw new InvalidArgumentError('blocked', blocked, 'true or false');
  checkedOneOf(order, ORDERS, 'order');
  if (version !== undefined && !Number.isInteger(version))
    throw new InvalidArgumentError('version', version, 'a whole number');
  return {
    namespace,
    limit,
    order,
    ...(status !== undefined && { status: known('status', status, STATUSES) }),
    ...(reason !== undefined && { reason: known('reason', reason, REASONS) }),
    ...(blocked && { blocked }),
    ...(workflow !== undefined && { workflow: checkName(workflow, 'The name of a workflow') }),
    ...(version !== undefined && { version }),
    ...(parent !== undefined && { parentId: checkRunId(parent) }),
    ...(schedule !== undefined && { scheduleId: checkName(schedule, 'The id of a schedule') }),
    ...(waitsFor !== undefined && { waitsFor: known('waitsFor', waitsFor, WAITS_FOR) }),
    ...(idPrefix !== undefined && { idPrefix: checkRunId(idPrefix) }),
    ...timesOf(options),
    ...(!payloads && { payloads: false }),
    ...(attributes !== undefined && { attributes: filtersOf(attributes) }),
    ...(cursor !== undefined && { past: parseCursor(cursor) }),
  };
}

/** Checks the options and converts them to a query. @throws InvalidArgumentError */
export function stepsQuery(options: ListStepsOptions, namespace: string): ListSteps {
  const { runs, step, kind, status, worker, olderThan, youngerThan, order, limit = 100, cursor } = options;
  return {
    runs: listQuery(
      { ...checkedOptions(runs, RUN_FILTERS, 'steps.list: runs'), ...(order !== undefined && { order }) },
      namespace,
    ),
    limit: checkedLimit(limit, 1_000),
    ...(step !== undefined && { name: checkName(step, 'The name of a step') }),
    ...(kind !== undefined && { kind: known('kind', kind, STEP_KINDS) }),
    ...(status !== undefined && { status: known('status', status, STEP_STATUSES) }),
    ...(worker !== undefined && { worker: checkName(worker, 'The name of a worker') }),
    ...(olderThan !== undefined && { olderThanMs: ageMs(olderThan, 'olderThan') }),
    ...(youngerThan !== undefined && { youngerThanMs: ageMs(youngerThan, 'youngerThan') }),
    ...(cursor !== undefined && { past: stepPositionIn(cursor) }),
  };
}

/** No further back than any database counts. @throws TypeError as `toMs` */
export const ageMs = (age: Duration, what: string): number => Math.min(toMs(age, what), Number.MAX_SAFE_INTEGER);

/** The end of a page of steps as a cursor. */
export const stepCursor = (past: StepPosition): string => `${cursorOf(past)}.${past.seq ?? ''}`;

function stepPositionIn(cursor: string): StepPosition {
  const [, run = cursor, seq = ''] = /^([\w-]+)\.(-?\d{1,10}|)$/.exec(cursor) ?? [];
  return { ...parseCursor(run), seq: seq === '' ? null : Number(seq) };
}

function known<T extends string>(argument: string, given: T | readonly T[], all: readonly T[]): readonly T[] {
  const values = Array.isArray(given) ? (given as readonly T[]) : [given as T];
  return values.map((value) => checkedOneOf(value, all, argument));
}

const timesOf = ({ createdAfter, createdBefore, endedAfter, endedBefore }: ListOptions) => ({
  ...(createdAfter !== undefined && { createdFrom: checkedTime('createdAfter', createdAfter) }),
  ...(createdBefore !== undefined && { createdBefore: checkedTime('createdBefore', createdBefore) }),
  ...(endedAfter !== undefined && { endedFrom: checkedTime('endedAfter', endedAfter) }),
  ...(endedBefore !== undefined && { endedBefore: checkedTime('endedBefore', endedBefore) }),
});

function filtersOf(attributes: unknown): AttributeFilter[] {
  if (typeof attributes !== 'object' || attributes === null)
    throw new InvalidArgumentError('attributes', attributes, 'an object of names and values');
  const entries = Object.entries(attributes).filter(([, wanted]) => wanted !== undefined);
  return entries.map(([name, wanted]) => ({ name: checkAttributeName(name), compare: comparisons(name, wanted) }));
}

function comparisons(name: string, wanted: unknown): AttributeFilter['compare'] {
  if (typeof wanted !== 'object' || wanted === null || wanted instanceof Date)
    return [{ how: '=', value: checkAttributeValue(name, wanted) }];
  const entries = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const compare = entries.map(([key, value]) => {
    const how = (RANGES as Record<string, Comparison | undefined>)[key];
    const isOrdered = (typeof value === 'number' && Number.isFinite(value)) || value instanceof Date;
    if (!how || !isOrdered)
      throw new InvalidArgumentError(`Attribute "${name}".${key}`, value, 'gt, gte, lt or lte with a number or a Date');
    return { how, value: checkAttributeValue(name, value) };
  });
  const types = new Set(compare.map(({ value }) => holdAttribute(value).type));
  if (types.size !== 1)
    throw new InvalidArgumentError(`Attribute "${name}"`, wanted, 'a range of numbers or a range of Dates');
  return compare;
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * An attribute in the words of the command line and of addresses, `name=value`: a number, true, false, or else a text. A
 * text in quotes is a text whatever is in it: `name="4711"`, escaped as in JSON.
 *
 * @throws InvalidArgumentError
 */
export function attributeOf(text: string): [string, AttributeValue] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError('attribute', text, 'name=value');
  if (/^".*"$/s.test(value)) return [name, quoted(text, value)];
  if (value === 'true' || value === 'false') return [name, value === 'true'];
  return [name, NUMBER.test(value) ? Number(value) : value];
}

const RANGE_TEXTS = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const;

/**
 * Filters of attributes: `name=value`, or with `<`, `<=`, `>` or `>=` a bound, which is a number or a time such as
 * `2026-01-02T03:04:05Z`. Two bounds of an attribute are a range.
 *
 * @throws InvalidArgumentError
 */
export function attributesOf(texts: readonly string[]): NonNullable<RunsFilter['attributes']> {
  const filters: Record<string, AttributeValue | Record<string, number | Date>> = {};
  for (const text of texts) {
    const [, name = '', how = '', value = ''] = /^([^=<>]+)(>=|<=|=|<|>)(.*)$/s.exec(text) ?? [];
    if (name === '') throw new InvalidArgumentError('attribute', text, 'name=value, or <, <=, > or >= for =');
    if (how === '=') filters[name] = attributeOf(text)[1];
    else
      filters[name] = {
        ...rangeIn(filters[name]),
        [RANGE_TEXTS[how as keyof typeof RANGE_TEXTS]]: boundOf(text, value),
      };
  }
  return filters as NonNullable<RunsFilter['attributes']>;
}

const rangeIn = (given: unknown): object => (typeof given === 'object' && given !== null ? given : {});

function boundOf(text: string, value: string): number | Date {
  if (NUMBER.test(value)) return Number(value);
  const time = new Date(value);
  if (/^\d{4}-/.test(value) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('attribute', text, 'a number or a time behind <, <=, > or >=');
}

function quoted(attribute: string, value: string): string {
  try {
    const text: unknown = JSON.parse(value);
    if (typeof text === 'string') return text;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('attribute', attribute, 'name="value", escaped as in JSON');
}

/** Several in one text, with commas between them. A comma in quotes belongs to its value. */
export const attributeTextsIn = (text: string): string[] =>
  text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/gs)?.map((one) => one.trim()) ?? [];
