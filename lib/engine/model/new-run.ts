import { InvalidArgumentError } from '../../errors/argument-errors.js';
import type { Clock } from '../../time/clock.js';
import { type Duration, toMs } from '../../time/duration.js';
import { checkAttributes } from './attributes.js';
import { checkName, checkRunId } from './names.js';
import type { Payloads } from './payloads.js';
import { limitRequestOf } from './limit-requests.js';
import type { Attributes, NewRun } from './run.js';
import type { KnownWorkflow } from './workflow-registry.js';

/** The options of every new run, started by the app or by another run. */
export interface NewRunOptions {
  id: string;
  version?: number;
  delay?: Duration;
  startAt?: Date;
  timeout?: Duration;
  attributes?: Attributes;
  priority?: number;
  concurrencyKey?: string;
  after?: readonly string[];
}

export interface NewRunScope {
  payloads: Payloads;
  namespace: string;
  clock: Clock;
}

/**
 * Checks the options and returns the run of `workflow` to write.
 *
 * @throws InvalidArgumentError, SerializationError, PayloadTooLargeError
 */
export function newRun(
  { payloads, namespace, clock }: NewRunScope,
  workflow: KnownWorkflow,
  input: unknown,
  options: NewRunOptions,
): NewRun {
  const { id, version = workflow.version, timeout, attributes, after, concurrencyKey } = options;
  const priority = checkPriority(options.priority);
  if (!isInt32(version) || version < 1) throw new InvalidArgumentError('version', version, 'a whole number from 1');
  const timeoutMs = timeout === undefined ? workflow.timeoutMs : toMs(timeout, 'timeout');
  const name = checkName(workflow.name, 'The name of a workflow');
  const checked = attributes !== undefined && { attributes: checkAttributes(attributes) };
  // The input of its parent or schedule may name the key of its own.
  const context = { ...payloads.context, workflow: name, runId: id, ...checked };
  const limiter = limitRequestOf(namespace, workflow, input, { priority, concurrencyKey });
  return {
    id: checkRunId(id),
    namespace,
    workflow: name,
    version,
    input: payloads.of(context).encode(input ?? null, `The input of run "${id}"`),
    priority,
    delayMs: delayOf(options, clock.now()),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(limiter && { limiter }),
    ...checked,
    ...(after !== undefined && { after: checkAfter(after) }),
  };
}

/** Whether the value fits an integer column. */
const isInt32 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31;

const MOST_PRIORITY = 1_000;

/** @throws InvalidArgumentError unless it is a whole number from -1,000 to 1,000. Default 0. */
export function checkPriority(priority = 0): number {
  if (Number.isInteger(priority) && Math.abs(priority) <= MOST_PRIORITY) return priority === 0 ? 0 : priority;
  throw new InvalidArgumentError('priority', priority, 'a whole number from -1,000 to 1,000');
}

function delayOf({ delay, startAt }: NewRunOptions, now: number): number {
  if (delay !== undefined && startAt !== undefined)
    throw new InvalidArgumentError('delay', delay, 'either delay or startAt');
  if (startAt === undefined) return delay === undefined ? 0 : toMs(delay, 'delay');
  if (!(startAt instanceof Date) || Number.isNaN(startAt.getTime()))
    throw new InvalidArgumentError('startAt', startAt, "a valid Date, such as new Date('2026-01-31T09:00:00Z')");
  return Math.max(0, startAt.getTime() - now);
}

/** The limit of runs in `after`. */
const MOST_TARGETS = 1_000;

function checkAfter(after: unknown): readonly string[] {
  if (!Array.isArray(after)) throw new InvalidArgumentError('after', after, 'an array of the ids of runs');
  if (after.length > MOST_TARGETS)
    throw new InvalidArgumentError('after', `${after.length} ids`, `at most ${MOST_TARGETS}`);
  const ids = after.map((id) => checkRunId(id as string));
  if (new Set(ids).size < ids.length)
    throw new InvalidArgumentError(
      'after',
      ids.find((id, i) => ids.indexOf(id) < i),
      'each id once',
    );
  return ids;
}
