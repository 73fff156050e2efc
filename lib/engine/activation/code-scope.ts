import { AsyncLocalStorage } from 'node:async_hooks';
import { ContextMisuseError } from '../../errors/code-errors.js';
import { contextIn } from '../model/run-context.js';
import type { Activation } from './activation.js';

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
export function misuseOf(activation: Activation, call: () => string): ContextMisuseError | undefined {
  const { run, calls } = activation;
  const scope = scopes.getStore();
  if (scope && scope.id !== run.id) return new ContextMisuseError(call(), run, { why: 'other_run', caller: scope });
  if (scope?.callback !== undefined)
    return new ContextMisuseError(call(), run, { why: 'in_callback', callback: scope.callback });
  if (calls.codeHasEnded) return new ContextMisuseError(call(), run, { why: 'after_end' });
  return undefined;
}
