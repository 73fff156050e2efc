import { AsyncLocalStorage } from 'node:async_hooks';
import { checkedOptions } from '../../core/options.js';
import { ContextMisuseError } from '../../core/run-errors.js';
import { type Duration, toMs } from '../../core/time.js';
import { contextIn, refusing } from '../run.js';
import { checkRetrying, type Retrying } from '../workflow.js';
import type { Activation } from './activation.js';
import { reported } from './journal.js';

/**
 * Whose code is running: that of a run, or a callback of it, which a replay does not call. Not the activation itself: a
 * connection that is opened in a callback keeps this object for as long as it is open.
 */
interface CodeScope {
  id: string;
  workflow: string;
  callback: string | undefined;
}

const scopes = new AsyncLocalStorage<CodeScope>();

/** Once per activation: all that `run` does afterwards belongs to this run, and to its trace. */
export function inRun<T>({ run, shared, journal }: Activation, code: () => T): T {
  const { id, workflow } = run;
  const tracing = shared.telemetry?.tracing;
  const played = () => scopes.run({ id, workflow, callback: undefined }, code);
  return tracing ? tracing.play(contextIn(run.context), () => journal.isReplaying, played) : played();
}

/** For code that a replay does not call. `callback` names it in errors, such as `the callback of step "charge"`. */
export const inCallback = <T>({ run: { id, workflow } }: Activation, callback: string, code: () => T): T =>
  scopes.run({ id, workflow, callback }, code);

/**
 * Why a call of `ctx` cannot be recorded here; undefined if it can. Code that has lost its async context, such as a
 * listener of an event, counts as code of the run.
 */
function misuseOf(activation: Activation, call: () => string): ContextMisuseError | undefined {
  const { run, calls } = activation;
  const scope = scopes.getStore();
  if (scope && scope.id !== run.id) return new ContextMisuseError(call(), run, { why: 'other_run', caller: scope });
  if (scope?.callback !== undefined)
    return new ContextMisuseError(call(), run, { why: 'in_callback', callback: scope.callback });
  if (calls.codeHasEnded) return new ContextMisuseError(call(), run, { why: 'after_end' });
  return undefined;
}

/**
 * What of a call must not get lost. `outcome`: it must be awaited. `nothing`: it is complete once it is made, and
 * returns a promise. `value`: it returns a value. `failure`: it is to throw what it returns.
 */
export type Kind = 'outcome' | 'nothing' | 'value' | 'failure';

/**
 * Makes a call of `ctx`: whatever it throws is an error of the code, see {@link refusing}.
 *
 * @throws ContextMisuseError; a promise that is rejected with it when the run has ended, since nobody may catch it
 */
export function guardedCall<T>(activation: Activation, name: () => string, kind: Kind, call: () => T): T {
  const outcome = refusing(() => recordable(activation, name, kind, call));
  if (kind === 'failure') throw outcome as Error;
  return outcome;
}

function recordable<T>(activation: Activation, name: () => string, kind: Kind, call: () => T): T {
  const { telemetry } = activation.shared;
  const misuse = misuseOf(activation, name);
  if (misuse) {
    telemetry?.emit('context.misused', { runId: misuse.workflowId, workflow: misuse.workflow, error: misuse });
    if (misuse.why !== 'after_end' || kind === 'value' || kind === 'failure') throw misuse;
    return reported(misuse) as T;
  }
  const outcome = telemetry ? telemetry.quietly(call) : call();
  return kind === 'outcome' ? (activation.calls.watch(name, outcome as Promise<unknown>) as T) : outcome;
}

/**
 * Like {@link checkedOptions}, for a call that takes the next position. A call that is recorded was accepted when it was
 * made: a later version of this library that refuses one of its options must not block its run.
 *
 * @throws InvalidArgumentError, UnknownOptionError, which block the run
 */
export const callOptions = <Options extends object>(
  { journal }: Activation,
  options: Options,
  known: Record<keyof Options, unknown>,
  what: string,
): Options => {
  if (journal.next.recorded) return options;
  const given = checkedOptions(options, known, what) as Retrying & { timeout?: Duration };
  checkRetrying(given, `${what}: `);
  if (given.timeout !== undefined) toMs(given.timeout, `${what}: timeout`);
  return options;
};
