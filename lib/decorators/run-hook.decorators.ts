import { ON_RUN_METADATA, workflowOf } from './declarations.js';
import { methodRefusal } from './option-checks.js';
import { checkName } from '../engine/model/names.js';
import { BLOCK_REASONS, type BlockReason, FINAL_STATUSES, type RunStatus } from '../engine/model/run.js';
import type { ClassOf } from '../engine/model/workflow-context.js';
import { InvalidArgumentError } from '../errors/argument-errors.js';
import { UnknownWorkflowError } from '../errors/code-errors.js';
import { ConfigurationError } from '../errors/setup-errors.js';
import type { RunWish } from '../outbox/model/run-wishes.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';

type OneOrMore<T> = T | readonly T[];

interface RunHookOptions {
  /** Only runs of these workflows: names, or classes with `@Workflow`. Default: of all workflows. */
  workflow?: OneOrMore<string | ClassOf<unknown>>;
  /**
   * The name under which its progress is stored; changing it makes it another hook. Default: `Class.method`. 1 to 127
   * characters.
   */
  name?: string;
}

const RUN_HOOK_OPTIONS = { workflow: true, name: true } satisfies KnownOptions<RunHookOptions>;

export interface OnRunEndedOptions extends RunHookOptions {
  /** Only runs that ended with these statuses. Default: all final statuses. */
  status?: OneOrMore<RunStatus>;
}

const ENDED_OPTIONS = { ...RUN_HOOK_OPTIONS, status: true } satisfies KnownOptions<OnRunEndedOptions>;

export interface OnRunBlockedOptions extends RunHookOptions {
  /** Only runs that are blocked for these reasons. Default: all reasons. */
  reason?: OneOrMore<BlockReason>;
}

const BLOCKED_OPTIONS = { ...RUN_HOOK_OPTIONS, reason: true } satisfies KnownOptions<OnRunBlockedOptions>;

/** What an `@OnRunEnded` method gets. Its output or error: `WorkflowClient.getStatus(workflowId)`. */
export interface EndedRun {
  readonly workflowId: string;
  readonly workflow: string;
  readonly status: RunStatus;
}

/** What an `@OnRunBlocked` method gets. What to do about it: `WorkflowClient.explain(workflowId)`. */
export interface BlockedRun {
  readonly workflowId: string;
  readonly workflow: string;
  readonly reason: BlockReason;
}

/**
 * Calls a method for every run that has ended, whatever ended it. The call is a row that commits with the end of the
 * run, so it is not lost. The method runs in a transaction of the app: what it writes with `tx` takes effect exactly
 * once; everything else may happen again. It is retried like an `@OnOutboxMessage` method, and holds up nobody else.
 *
 * @example
 * \@OnRunEnded({ workflow: CheckoutWorkflow, status: 'failed' })
 * async failed({ workflowId }: EndedRun, tx: EntityManager): Promise<void> {
 *   await tx.insert(Ticket, { workflowId });
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid option.
 */
export function OnRunEnded(options: OnRunEndedOptions = {}) {
  checkedOptions(options, ENDED_OPTIONS, '@OnRunEnded');
  return hook<EndedRun>('OnRunEnded', 'ended', options, statesIn('status', options?.status, FINAL_STATUSES));
}

/**
 * Calls a method for every run that is blocked. Works like {@link OnRunEnded}. A run that a starting process tries, and
 * that is blocked again without any progress, is not told again.
 *
 * @example
 * \@OnRunBlocked()
 * async blocked({ workflowId, reason }: BlockedRun): Promise<void> {
 *   await this.pager.alert(`${workflowId}: ${reason}`);
 * }
 *
 * @throws ConfigurationError when the class is loaded, unless it decorates an instance method; InvalidArgumentError for
 *   an invalid option.
 */
export function OnRunBlocked(options: OnRunBlockedOptions = {}) {
  checkedOptions(options, BLOCKED_OPTIONS, '@OnRunBlocked');
  return hook<BlockedRun>('OnRunBlocked', 'blocked', options, statesIn('reason', options?.reason, BLOCK_REASONS));
}

function hook<Told>(decorator: string, on: RunWish['on'], options: RunHookOptions, states?: readonly string[]) {
  if (typeof options !== 'object' || options === null)
    throw new InvalidArgumentError(`@${decorator}`, options, 'an object with options');
  const { name, workflow } = options;
  if (name !== undefined && checkName(name, `The name of @${decorator}`).length > 127)
    throw new InvalidArgumentError(`The name of @${decorator}`, name, 'at most 127 characters');
  const workflows = workflow === undefined ? undefined : listOf(workflow).map(nameOf);
  const wish = { on, ...(workflows && { workflows }), ...(states && { states }) };
  // The second parameter, which is optional, is the transaction handle of the app's ORM.
  return <Method extends (run: Told, tx: never) => unknown>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const refusal = methodRefusal(target, key, descriptor as TypedPropertyDescriptor<unknown> | undefined);
    if (refusal) throw new ConfigurationError(`@${decorator} decorates ${refusal}: use it on an instance method`);
    if (Reflect.hasOwnMetadata(ON_RUN_METADATA, target, key)) {
      const location = `${target.constructor.name}.${String(key)}`;
      throw new ConfigurationError(`${location} has two of @OnRunEnded and @OnRunBlocked: give each its own method`);
    }
    Reflect.defineMetadata(ON_RUN_METADATA, { wishes: [wish], ...(name && { name }) }, target, key);
  };
}

function statesIn<S extends string>(option: string, given: OneOrMore<S> | undefined, among: readonly S[]) {
  if (given === undefined) return undefined;
  const wrong = listOf(given).find((one) => !among.includes(one));
  if (wrong !== undefined || listOf(given).length === 0)
    throw new InvalidArgumentError(option, wrong ?? given, `of ${among.join(', ')}`);
  return listOf(given);
}

const listOf = <T>(given: OneOrMore<T>): readonly T[] => (Array.isArray(given) ? (given as T[]) : [given as T]);

function nameOf(workflow: string | ClassOf<unknown>): string {
  if (typeof workflow === 'string') return checkName(workflow, 'workflow');
  const declared = typeof workflow === 'function' ? workflowOf(workflow) : undefined;
  if (!declared) throw new UnknownWorkflowError((workflow as { name?: string } | undefined)?.name ?? String(workflow));
  return declared.name;
}
