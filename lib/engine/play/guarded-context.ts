import type { Activation } from '../activation/activation.js';
import { guardedCall, type Kind } from '../activation/guarded-call.js';
import type { WorkflowContext } from '../model/workflow-context.js';

type Calls = {
  [
    Name in keyof WorkflowContext as WorkflowContext[Name] extends (...args: never[]) => unknown
      ? Exclude<Name, 'remote' | 'signalWait' | 'timer'>
      : never
  ]: Kind;
};

/** All calls that act; `remote` is guarded by its steps, which may be called long after it. */
const CALLS: Calls = {
  step: 'outcome',
  transaction: 'outcome',
  sleep: 'outcome',
  sleepUntil: 'outcome',
  waitForSignal: 'outcome',
  waitForAny: 'outcome',
  executeChild: 'outcome',
  all: 'outcome',
  effects: 'outcome',
  startChild: 'nothing',
  publish: 'nothing',
  continueAsNew: 'nothing',
  commit: 'value',
  fail: 'value',
  patched: 'value',
  setStatus: 'value',
  setAttributes: 'value',
  now: 'value',
  random: 'value',
  uuid: 'value',
};

type Call = (...args: unknown[]) => unknown;

/** The same context; its calls are refused where they cannot be recorded, and those that nobody awaits are known. */
export function guarded(activation: Activation, context: WorkflowContext): WorkflowContext {
  const calls = context as unknown as Record<string, Call>;
  for (const [name, kind] of Object.entries(CALLS)) {
    const call = calls[name]!;
    calls[name] = (...args) =>
      guardedCall(
        activation,
        () => nameOf(name, args),
        kind,
        () => call(...args),
      );
  }
  return context;
}

function nameOf(what: string, [first]: readonly unknown[]): string {
  if (typeof first === 'string') return `ctx.${what}("${first}")`;
  return typeof first === 'function' ? `ctx.${what}(${first.name})` : `ctx.${what}()`;
}
