import { createHash } from 'node:crypto';
import { isA } from '../core/brand.js';
import { ConfigurationError, InvalidArgumentError, RefusedOutputError } from '../core/errors.js';
import { checkBackoff, checkWhole, type StandardSchema } from '../core/options.js';
import { NonRetryableStepError, UnknownWorkflowError } from '../core/run-errors.js';
import { asError, thrownAs } from '../core/thrown.js';
import { backoffMs, type BackoffOptions, type Clock, deferralOf, type Duration } from '../core/time.js';
import { isWithoutOutcome, type WireError } from '../core/wire-error.js';
import type { ClassOf, OnExhausted, Retry, WorkflowRunner } from './context.js';
import type { KeyedLimits } from './limits.js';
import { type Payloads, validated } from './payloads.js';
import { isRefusal } from './run.js';
import type { DeclaredSchedule } from './schedules.js';

/** The declared options of a workflow. */
export interface WorkflowTraits {
  /** For steps without a `retry` of their own. */
  retry?: Retry;
  /** For steps without an `onExhausted` of their own. */
  onExhausted?: OnExhausted;
  keepInputs?: boolean;
  /** How long a run may take, in ms. */
  timeoutMs?: number;
  /** How many of its runs run at once, and how many begin per time; in total, or per key. */
  limits?: KeyedLimits;
  /** Of its input. */
  input?: StandardSchema;
  schedules?: readonly DeclaredSchedule[];
}

export interface WorkflowDefinition extends WorkflowTraits {
  name: string;
  version: number;
  runner: WorkflowRunner;
}

/** The data of a workflow that is needed to start it. */
export interface KnownWorkflow extends WorkflowTraits {
  name: string;
  version: number;
}

/** Returns the workflow of a class or a name, with the schema of this version. @throws UnknownWorkflowError */
export type WorkflowLookup = (workflow: string | ClassOf<unknown>, version?: number) => KnownWorkflow;

/** The workflows that this process can play. Filled at startup. */
export class WorkflowRegistry {
  private readonly byName = new Map<string, Map<number, WorkflowDefinition>>();

  /** @throws ConfigurationError if this name and version are registered already. */
  register(definition: WorkflowDefinition): void {
    const { name, version, runner } = definition;
    const versions = this.byName.get(name) ?? new Map<number, WorkflowDefinition>();
    const other = versions.get(version);
    if (other) {
      throw new ConfigurationError(
        `Workflow "${name}" version ${version} is declared by ${classOf(other.runner)} and by ${classOf(runner)}: ` +
          `rename one, or give it another version`,
      );
    }
    this.byName.set(name, versions.set(version, definition));
  }

  find(name: string, version: number): WorkflowDefinition | undefined {
    return this.byName.get(name)?.get(version);
  }

  /** The highest version of `name`. @throws UnknownWorkflowError */
  latest(name: string): WorkflowDefinition {
    const versions = this.byName.get(name);
    if (!versions) throw new UnknownWorkflowError(name);
    return versions.get(Math.max(...versions.keys()))!;
  }

  /** In ascending order. */
  versionsOf(name: string): number[] {
    return [...(this.byName.get(name)?.keys() ?? [])].sort((a, b) => a - b);
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  all(): WorkflowDefinition[] {
    return [...this.byName.values()].flatMap((versions) => [...versions.values()]);
  }
}

const codes = new WeakMap<WorkflowRunner, string>();

/** A hash of the text of a workflow's class, and of those that it extends. Not of the code that these call. */
export function codeOf({ runner }: Pick<WorkflowDefinition, 'runner'>): string {
  const known = codes.get(runner);
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  const { constructor: own } = runner;
  if (own === Object) hash.update(String(Reflect.get(runner, 'run')));
  for (let at: unknown = own; typeof at === 'function' && at !== Object; at = Object.getPrototypeOf(at))
    if (at !== Function.prototype) hash.update(String(at));
  const code = hash.digest('base64url').slice(0, 12);
  codes.set(runner, code);
  return code;
}

const classOf = (runner: WorkflowRunner): string => runner.constructor.name;

/** The declaration of a remote step by its worker class. */
export interface RemoteStepDefinition {
  name: string;
  group: string;
  retry?: Retry;
  onExhausted?: OnExhausted;
  keepInputs?: boolean;
  /** Limits its concurrency and rate over all processes. */
  limits?: KeyedLimits;
}

/** The remote steps that the worker classes of this process declare. */
export interface RemoteStepDirectory {
  /** By method name. @throws UnknownStepError when the class declares none. */
  ofClass(worker: object): ReadonlyMap<string, RemoteStepDefinition>;
  /** The declaration of the step with this name, if this process has it. */
  ofName(name: string): RemoteStepDefinition | undefined;
}

/**
 * The input that a run gets: what the schema of the workflow makes of the given one. Without a schema an input may be
 * missing, also by name: nothing tells whether the parameter of `run` is optional.
 *
 * @throws ValidationError, AsyncSchemaError
 */
export const acceptedInput = ({ name, input: schema }: KnownWorkflow, given: unknown): unknown =>
  schema ? validated(schema, given, `The input of workflow "${name}"`) : given;

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_DEFERRALS = 100;

/** The options of a step, of a workflow or of the module about failed attempts. */
export interface Retrying {
  retry?: Retry | undefined;
  onExhausted?: OnExhausted | undefined;
}

/** Refuses what no step could obey. `prefix` begins the names in errors. @throws InvalidArgumentError */
export function checkRetrying(given: Retrying & { keepInputs?: boolean | undefined }, prefix = ''): void {
  const { retry, onExhausted, keepInputs } = given;
  checkRetry(retry, `${prefix}retry`);
  if (onExhausted !== undefined && onExhausted !== 'fail' && onExhausted !== 'block')
    throw new InvalidArgumentError(`${prefix}onExhausted`, onExhausted, "'fail' or 'block'");
  if (keepInputs !== undefined && typeof keepInputs !== 'boolean')
    throw new InvalidArgumentError(`${prefix}keepInputs`, keepInputs, 'true or false');
}

function checkRetry(retry: Retry | undefined, what: string): void {
  if (retry === undefined || retry === false) return;
  if (typeof retry === 'number') return checkWhole(retry, what);
  if (typeof retry !== 'object' || retry === null || Array.isArray(retry)) {
    throw new InvalidArgumentError(what, retry, 'a number of attempts, false, or { attempts, backoff, retryIf }');
  }
  checkWhole(retry.attempts, `${what}.attempts`);
  checkWhole(retry.deferrals, `${what}.deferrals`, 0);
  if (retry.retryIf !== undefined && typeof retry.retryIf !== 'function') {
    throw new InvalidArgumentError(`${what}.retryIf`, retry.retryIf, 'a function');
  }
  checkBackoff(retry.backoff, `${what}.backoff`);
}

/** A {@link Retry} with its shorthands and defaults resolved. */
export interface RetryPolicy {
  attempts: number;
  backoff: BackoffOptions | Duration;
  retryIf: (error: Error) => boolean;
  /** How many attempts may end with a `RetryAfterError`. */
  deferrals: number;
  /** What follows when no attempt is left: the step fails, or it blocks its run. */
  onExhausted: OnExhausted;
}

/**
 * Returns the policy of the first `Retry` and the first `OnExhausted` that are defined, from the call to the module;
 * missing fields have the defaults.
 *
 * @throws TypeError when the backoff is invalid, and InvalidArgumentError when `deferrals` is: at the call, not only at
 *   the first failure.
 */
export function retryPolicy(...given: readonly Retrying[]): RetryPolicy {
  const retry = given.find((one) => one.retry !== undefined)?.retry ?? DEFAULT_ATTEMPTS;
  const onExhausted = given.find((one) => one.onExhausted !== undefined)?.onExhausted ?? 'fail';
  const defaults = { backoff: {}, retryIf: () => true, deferrals: DEFAULT_DEFERRALS, onExhausted };
  if (retry === false) return { ...defaults, attempts: 1 };
  if (typeof retry === 'number') return { ...defaults, attempts: retry };
  const { attempts = DEFAULT_ATTEMPTS, backoff = {}, retryIf = () => true, deferrals = DEFAULT_DEFERRALS } = retry;
  if (retry.backoff) backoffMs(1, backoff);
  if (!Number.isSafeInteger(deferrals) || deferrals < 0)
    throw new InvalidArgumentError('retry.deferrals', deferrals, 'a whole number of at least 0');
  return { attempts, backoff, retryIf, deferrals, onExhausted };
}

/** What the error of an attempt says beside its class. */
interface AttemptError {
  retryable?: boolean | undefined;
  withoutOutcome?: boolean | undefined;
  isUndone?: boolean;
}

/**
 * The wait in ms before the next attempt after `failures` failed ones; `fail` if the step is not retried, `block` if it
 * stands still instead. An error that says that it must not be retried is an answer for the code of the run: it fails the
 * step also with `block`. `wrong`: the code is to be fixed first, since its output cannot be stored, or it has called
 * `ctx` where it must not, and nothing is recorded, since its work was rolled back (`isUndone`). Other work is not done
 * again by itself.
 */
export function nextAttemptIn(
  policy: RetryPolicy,
  failures: number,
  error: Error & { code?: unknown },
  { retryable = true, withoutOutcome, isUndone = false }: AttemptError = {},
): number | 'fail' | 'block' | 'wrong' {
  if (isWithoutOutcome({ name: error.name, code: error.code, withoutOutcome })) return isUndone ? 'wrong' : 'block';
  // Its workers have died ten times: these were its attempts.
  const isCrashLoop = error.code === CRASH_LOOP;
  // The work is done, and its output is refused again.
  const isUnusable = isA(error, RefusedOutputError);
  const isFinal =
    isA(error, NonRetryableStepError) || !(retryable || isCrashLoop || isUnusable) || !isWorthIt(policy, error);
  if (isFinal || isUnusable || isCrashLoop || failures >= policy.attempts) return isFinal ? 'fail' : policy.onExhausted;
  return backoffMs(failures, policy.backoff);
}

const CRASH_LOOP = 'crash_loop';

/** Calls the app's `retryIf`; if it throws, the step is not retried. @throws what `ctx` has refused in it */
function isWorthIt({ retryIf }: RetryPolicy, error: Error): boolean {
  try {
    return retryIf(thrownAs(error));
  } catch (thrown) {
    if (isRefusal(asError(thrown))) throw thrown;
    return false;
  }
}

/**
 * What an attempt has thrown, for `retryIf` and as it is stored. What `ctx` has refused stays that, also if the code has
 * wrapped it in an error that asks for another attempt.
 */
export function caught(thrown: unknown, payloads: Payloads, clock: Clock): { error: Error; wire: WireError } {
  const given = asError(thrown);
  if (isRefusal(given)) return { error: given, wire: { ...payloads.error(given), withoutOutcome: true } };
  const { error, retryAfterMs } = asked(given, clock);
  return { error, wire: { ...payloads.error(error), ...(retryAfterMs !== undefined && { retryAfterMs }) } };
}

/** A delay that is invalid is an ordinary failure. */
function asked(error: Error, clock: Clock): { error: Error; retryAfterMs?: number | undefined } {
  try {
    return { error, retryAfterMs: deferralOf(error, clock) };
  } catch (invalid) {
    return { error: asError(invalid) };
  }
}
