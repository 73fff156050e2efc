import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { checkAttributeName, checkAttributeValue, holdAttribute } from '../model/attributes.js';
import { checkName, checkRunId } from '../model/names.js';
import { type AttributeFilter, type Comparison, type ListRuns, WAITS_FOR } from '../model/run-insight.js';
import { BLOCK_REASONS, FINAL_STATUSES, type RunReason, type RunStatus } from '../model/run.js';
import { parseCursor } from './run-views.js';
import type { ListOptions } from './list-options.js';

const STATUSES: readonly RunStatus[] = ['pending', 'running', 'suspended', 'compensating', ...FINAL_STATUSES];
const REASONS: readonly RunReason[] = [
  ...BLOCK_REASONS,
  ...(['waiting_for_runs', 'concurrency_limit', 'rate_limit'] as const),
];
const ORDERS: readonly string[] = ['newest', 'oldest', 'ended'];
const RANGES = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const satisfies Record<string, Comparison>;

/** Checks the options and converts them to a query. @throws InvalidArgumentError */
export function listQuery(options: ListOptions, namespace: string): ListRuns {
  const { limit = 100, order = 'newest', cursor, workflow, version, parent, schedule, blocked } = options;
  const { status, reason, attributes, waitsFor, idPrefix, payloads = true } = options;
  checkLimit(limit);
  if (!ORDERS.includes(order)) throw new InvalidArgumentError('order', order, `one of ${ORDERS.join(', ')}`);
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

/** @throws InvalidArgumentError */
export function checkLimit(limit: unknown): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 1_000) return limit;
  throw new InvalidArgumentError('limit', limit, 'a whole number from 1 to 1000');
}

function known<T extends string>(argument: string, given: T | readonly T[], all: readonly T[]): readonly T[] {
  const values = typeof given === 'string' ? [given] : given;
  const wrong = values.find((value) => !all.includes(value));
  if (wrong !== undefined) throw new InvalidArgumentError(argument, wrong, `one of ${all.join(', ')}`);
  return values;
}

const timesOf = ({ createdAfter, createdBefore, endedAfter, endedBefore }: ListOptions) => ({
  ...(createdAfter !== undefined && { createdFrom: timeOf('createdAfter', createdAfter) }),
  ...(createdBefore !== undefined && { createdBefore: timeOf('createdBefore', createdBefore) }),
  ...(endedAfter !== undefined && { endedFrom: timeOf('endedAfter', endedAfter) }),
  ...(endedBefore !== undefined && { endedBefore: timeOf('endedBefore', endedBefore) }),
});

function timeOf(argument: string, time: unknown): number {
  if (time instanceof Date && !Number.isNaN(time.getTime())) return time.getTime();
  throw new InvalidArgumentError(argument, time, 'a valid Date');
}

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
