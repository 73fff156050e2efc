import type { Activation } from '../activation/activation.js';
import { claimedOf, type RecordedHistory } from '../insight/recorded-history.js';
import type { WorkflowContext } from '../model/workflow-context.js';
import type { WorkflowDefinition } from '../model/workflow-registry.js';
import { replayContext } from './replay-context.js';
import { checkReplay, type ReplayCheck, type ReplayCheckParts } from './replay-check.js';

/** The inputs of recorded steps, as code asks for them. */
export interface AskedInputs {
  /** By position: of remote steps, children, operations of effects, and events. As the codec reads what it writes. */
  inputs: ReadonlyMap<number, unknown>;
  /** Positions from a mismatch on have no input. */
  check: ReplayCheck;
}

export type Note = (seq: number, input: unknown) => void;

/**
 * Replays a history with code, and notes each input that the code passes. Nothing is written, and no step runs. Inputs
 * are not stored, so these are the inputs of today's code, given the recorded outcomes.
 */
export async function askedInputs(
  history: RecordedHistory,
  definition: WorkflowDefinition,
  parts: ReplayCheckParts,
): Promise<AskedInputs> {
  const noted = new Map<number, unknown>();
  const note: Note = (seq, input) => {
    const copy = copyOf(input, history, parts);
    if (copy) noted.set(seq, copy.value);
  };
  const contextOf = (activation: Activation) => watched(replayContext(activation), activation, note);
  const check = await checkReplay(claimedOf(history), history.steps, definition, { ...parts, contextOf });
  const end = check.verdict === 'blocks' && check.position !== null ? check.position : Infinity;
  const recorded = new Set(history.steps.map(({ seq }) => seq));
  return { inputs: new Map([...noted].filter(([seq]) => seq < end && recorded.has(seq))), check };
}

/** The code may change the value later. Undefined for a value that the codec refuses: the call throws, too. */
function copyOf(
  value: unknown,
  { run: { id: runId, workflow, input } }: RecordedHistory,
  { codec }: ReplayCheckParts,
): { value: unknown } | undefined {
  const context = { workflow, runId, ...(input !== null && { input }) };
  try {
    return { value: codec.decode(codec.encode(value, context), context) };
  } catch {
    return undefined;
  }
}

type Call = (...args: unknown[]) => unknown;

/** The same context; inputs are noted before the position of their call is taken. */
export function watched(context: WorkflowContext, { journal }: Activation, note: Note): WorkflowContext {
  const noting = (call: Call, inputOf: Call): Call => {
    return (...args) => {
      note(journal.next.seq, inputOf(...args));
      return call(...args);
    };
  };
  const wrappers: Record<string, (call: Call) => Call> = {
    startChild: (call) => noting(call, (_, input) => input),
    executeChild: (call) => noting(call, (_, input) => input),
    publish: (call) => noting(call, (first, second) => second ?? first),
    effects: (call) => noting(call, (first, second) => second ?? first),
    all: (call) => {
      return (workflow, inputs, ...rest) => {
        const from = journal.next.seq;
        if (Array.isArray(inputs)) inputs.forEach((input, i) => note(from + i, input));
        return call(workflow, inputs, ...rest);
      };
    },
    remote: (call) => {
      return (target, ...rest) => {
        if (typeof target === 'string') note(journal.next.seq, rest[0] ?? null);
        const called = call(target, ...rest);
        return typeof target === 'function' ? watchedClient(called as object, () => journal.next.seq, note) : called;
      };
    },
  };
  return new Proxy(context, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      const wrap = typeof name === 'string' && Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
      return wrap ? wrap(member as Call) : member;
    },
  });
}

const watchedClient = (client: object, next: () => number, note: Note): object =>
  new Proxy(client, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (input?: unknown, ...rest: unknown[]) => {
        note(next(), input ?? null);
        return (method as Call)(input, ...rest);
      };
    },
  });
