import { InvalidArgumentError } from '../errors/argument-errors.js';
import { PayloadTooLargeError, SerializationError } from '../errors/payload-errors.js';
import type { Codec } from '../protocol/codec.js';
import { groupOf, stepIdOf, type StepTask } from '../protocol/step.js';
import { validatePrefix } from '../sql/migrations/migrator.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import type { Clock } from '../time/clock.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';

export interface DbTransportOptions {
  /** `typeOrmExecutor(dataSource)`, `mikroOrmExecutor(em)`, or any other `SqlExecutor`. */
  executor: SqlExecutor;
  /** The queue to serve. Default: the groups of the handled step names. */
  group?: string;
  groups?: readonly string[];
  /** The prefix of the table names. Default `'durable'`. */
  prefix?: string;
  /** The maximum time between two polls, in ms. Default 500. */
  pollMs?: number;
  /** How long, in ms, a worker holds a task without renewing its lease. Default 30,000. */
  leaseMs?: number;
  /** The maximum number of tasks per claim. Default 10. */
  batchSize?: number;
  /** The maximum number of concurrent handlers. Default: `batchSize`. */
  concurrency?: number;
  /** Whether missing tables are created. Default true. */
  autoCreate?: boolean;
  /** The name of this process in the rows it holds; unique per process. Default: generated. */
  instanceId?: string;
  /** For tests: replaces the database's clock. */
  clock?: Clock;
}

const OPTIONS = {
  executor: true,
  group: true,
  groups: true,
  prefix: true,
  pollMs: true,
  leaseMs: true,
  batchSize: true,
  concurrency: true,
  autoCreate: true,
  instanceId: true,
  clock: true,
} satisfies KnownOptions<DbTransportOptions>;

type Checked = Required<Omit<DbTransportOptions, 'group' | 'groups' | 'instanceId' | 'clock'>> & {
  groups: readonly string[] | undefined;
  instanceId: string | undefined;
  clock: Clock | undefined;
};

/** Leaves room for the unique suffix of each claim. */
const LONGEST_INSTANCE_ID = 150;
const LONGEST_KEY = 191;

/** @throws InvalidArgumentError */
export function checkOptions(options: DbTransportOptions): Checked {
  const given: Partial<DbTransportOptions> | undefined = checkedOptions(options, OPTIONS, 'DbTransport');
  const { executor, prefix = 'durable', instanceId, clock, autoCreate = true, batchSize = 10 } = given ?? {};
  if (typeof executor?.run !== 'function' || typeof executor.transaction !== 'function') {
    throw new InvalidArgumentError(
      'executor',
      executor,
      'typeOrmExecutor(dataSource), mikroOrmExecutor(em) or a SqlExecutor',
    );
  }
  validatePrefix(prefix);
  if (
    instanceId !== undefined &&
    !(typeof instanceId === 'string' && instanceId !== '' && instanceId.length <= LONGEST_INSTANCE_ID)
  ) {
    throw new InvalidArgumentError('instanceId', instanceId, `a string of 1 to ${LONGEST_INSTANCE_ID} characters`);
  }
  if (clock !== undefined && typeof clock.now !== 'function')
    throw new InvalidArgumentError('clock', clock, 'an object with a now()');
  if (typeof autoCreate !== 'boolean') throw new InvalidArgumentError('autoCreate', autoCreate, 'true or false');
  return {
    executor,
    prefix,
    instanceId,
    clock,
    autoCreate,
    groups: groupsOf(given ?? {}),
    pollMs: wholeNumber('pollMs', given?.pollMs ?? 500),
    leaseMs: wholeNumber('leaseMs', given?.leaseMs ?? 30_000, 100),
    batchSize: wholeNumber('batchSize', batchSize),
    concurrency: wholeNumber('concurrency', given?.concurrency ?? batchSize),
  };
}

function groupsOf({ group, groups }: Partial<DbTransportOptions>): readonly string[] | undefined {
  if (group === undefined && groups === undefined) return undefined;
  if (groups !== undefined && (!Array.isArray(groups) || groups.length === 0)) {
    throw new InvalidArgumentError('groups', groups, 'an array of at least one group');
  }
  const all: unknown[] = [...(group === undefined ? [] : [group]), ...((groups ?? []) as unknown[])];
  return [...new Set(all.map((one) => checkedKey('group', one)))];
}

function wholeNumber(argument: string, value: unknown, least = 1): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw new InvalidArgumentError(argument, value, `a whole number of at least ${least}`);
}

export interface DispatchRequest {
  runId: string;
  seq: number;
  /** Default `<runId>:<seq>`. */
  stepId?: string;
  name: string;
  /** Default: the group of the name. */
  group?: string;
  input?: unknown;
  /** Default 1. */
  attempt?: number;
}

const REQUEST = {
  runId: true,
  seq: true,
  stepId: true,
  name: true,
  group: true,
  input: true,
  attempt: true,
} satisfies KnownOptions<DispatchRequest>;

/** @throws InvalidArgumentError, SerializationError, PayloadTooLargeError */
export function readTask(request: DispatchRequest, codec: Codec, payloadLimit: number): StepTask {
  const { runId, seq, name, input, attempt = 1 } = checkedOptions(request, REQUEST, 'dispatch');
  checkKey('runId', runId);
  checkKey('name', name);
  if (!Number.isInteger(seq) || Math.abs(seq) > 2 ** 31 - 1)
    throw new InvalidArgumentError('seq', seq, 'an integer of 32 bits');
  if (!Number.isInteger(attempt) || attempt < 1)
    throw new InvalidArgumentError('attempt', attempt, 'a whole number from 1');
  const { stepId = stepIdOf(runId, seq), group = groupOf(name) } = request;
  checkKey('stepId', stepId);
  checkKey('group', group);
  return { runId, seq, stepId, name, group, attempt, input: encodeInput(input, codec, payloadLimit) };
}

function encodeInput(input: unknown, codec: Codec, limit: number): string {
  const text = encode(input ?? null, codec);
  const bytes = Buffer.byteLength(text);
  if (bytes > limit) throw new PayloadTooLargeError('The input', bytes, limit);
  return text;
}

function encode(input: unknown, codec: Codec): string {
  try {
    return codec.encode(input);
  } catch (error) {
    throw new SerializationError('The input', error instanceof Error ? error.message : String(error));
  }
}

function checkedKey(argument: string, value: unknown): string {
  checkKey(argument, value);
  return value;
}

/** What fits into the key columns of every database. */
function checkKey(argument: string, value: unknown): asserts value is string {
  const fits = typeof value === 'string' && value.length > 0 && [...value].length <= LONGEST_KEY;
  if (fits && !/\0|\p{Surrogate}/u.test(value)) return;
  throw new InvalidArgumentError(argument, value, `a string of 1 to ${LONGEST_KEY} characters`);
}
