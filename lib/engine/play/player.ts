import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../../core/errors.js';
import { groupOf, inPartition } from '../../core/protocol.js';
import { UnknownStepError } from '../../core/run-errors.js';
import { asError } from '../../core/thrown.js';
import { toMs } from '../../core/time.js';
import {
  REMOTE_OPTIONS,
  type RemoteOptions,
  type RunLog,
  type WorkflowContext,
  type WorkflowTarget,
} from '../context.js';
import { stepLimitRequestOf } from '../limits.js';
import { checkName, contextIn, isProgrammingError, refusing } from '../run.js';
import { checkPriority } from '../starts.js';
import type { WorkflowOperation } from '../step.js';
import { type RemoteStepDefinition, retryPolicy, type WorkflowDefinition } from '../workflow.js';
import type { Activation } from './activation.js';
import { runLog } from './attempts.js';
import { dependencies, executeChild, fanOut, startChild } from './children.js';
import { callOptions, guardedCall, inRun, type Kind } from './code-scope.js';
import {
  conclude,
  endUndoingNothing,
  endWithChildren,
  resumePoint,
  unawaitedCalls,
  unwaited,
  unwind,
} from './departures.js';
import { commit, continueAsNew, type Events, fail, patched, publish, setAttributes, setStatus } from './markers.js';
import { checkCompensate, localStep, remoteStep, sideValue, transactionStep } from './steps.js';
import { effects, signalWait, sleep, sleepUntil, timer, waitForAny, waitForSignal } from './waits.js';

/** Runs a workflow's code on an activation and records how it ends. */
export function play(
  activation: Activation,
  definition: WorkflowDefinition,
  contextOf: (activation: Activation) => WorkflowContext = replayContext,
): Promise<void> {
  // Nothing is compensated, so the code is not needed; it may never have begun.
  if (activation.closing === 'terminated' || (activation.closing && !activation.compensations.unwinds))
    return endUndoingNothing(activation);
  let input: unknown;
  try {
    input = inputOf(activation);
  } catch (error) {
    // This process may have another codec than the one that wrote the input.
    activation.block('programming_error', error);
    return Promise.resolve();
  }
  if (activation.closing) activation.onUnwind(() => unwind(activation));
  return activation.journal.begin(() => {
    // In a promise callback, so that a `run` that throws before its first await rejects, too.
    Promise.resolve()
      .then(() => inRun(activation, () => definition.runner.run(contextOf(activation), input)))
      .finally(() => (activation.calls.codeHasEnded = true))
      .then(
        (output) => completed(activation, output),
        (thrown: unknown) => failed(activation, asError(thrown)),
      )
      .catch((error: unknown) => activation.break(error));
  });
}

/** @throws UnreadablePayloadError */
const inputOf = ({ run, payloads }: Activation): unknown =>
  run.input === null ? null : payloads.read(run.input, `The input of run "${run.id}"`);

async function completed(activation: Activation, output: unknown): Promise<void> {
  // The run is being closed: the code was only replayed to register its compensations.
  if (activation.closing || activation.interrupted) return;
  const unasked = activation.unaskedError();
  if (unasked) return activation.block('non_determinism', unasked);
  const left = unawaitedCalls(activation);
  if (left) return activation.block('programming_error', left);
  let text: string;
  try {
    text = activation.payloads.encode(output, `The output of workflow "${activation.run.workflow}"`);
  } catch (error) {
    return activation.block('programming_error', error);
  }
  await endWithChildren(activation, { status: 'completed', output: text }, () => unwaited(activation));
}

async function failed(activation: Activation, error: Error): Promise<void> {
  if (activation.interrupted) return;
  const unasked = activation.unaskedError();
  const isWrong = isProgrammingError(error);
  // While the run is closing, the code has registered all compensations if it reached the end of its history.
  if (activation.closing && !(isWrong && unasked)) return;
  if (isWrong) return activation.block('programming_error', error);
  if (unasked) return activation.block('non_determinism', unasked);
  // Also if the module is strict: the run ends with its own error.
  unawaitedCalls(activation, false);
  const resume = resumePoint(activation, error);
  await conclude(activation, { status: 'failed', error: activation.payloads.error(error), resume });
}

/** The context passed to a workflow: one line per primitive, each in its own file. */
export function replayContext(activation: Activation): WorkflowContext {
  const { run, shared } = activation;
  let log: RunLog | undefined;
  return guarded(activation, {
    workflowId: run.id,
    workflowName: run.workflow,
    version: run.version,
    get context() {
      return contextIn(run.context);
    },
    get signal() {
      return activation.signal;
    },
    step: (name: string, ...rest: [never, never]) =>
      localStep(activation, checkName(name, 'The name of a step'), ...rest),
    transaction: (name: string, ...rest: [never, never]) =>
      transactionStep(activation, checkName(name, 'The name of a transaction'), ...rest),
    remote: ((target: unknown, ...rest: unknown[]) =>
      refusing(() => remote(activation, target, rest))) as WorkflowContext['remote'],
    waitForSignal: (name: string, ...rest: [never, never]) =>
      waitForSignal(activation, checkName(name, 'The name of a wait'), ...rest),
    waitForAny: (name, waits) => waitForAny(activation, checkName(name, 'The name of a wait'), waits),
    signalWait: ((...args: [never, never]) => refusing(() => signalWait(...args))) as WorkflowContext['signalWait'],
    timer: (duration) => refusing(() => timer(duration)),
    startChild: (workflow: never, ...rest: unknown[]) =>
      startChild(activation, workflow, ...(rest as [unknown, never])) as Promise<never>,
    executeChild: (workflow: never, ...rest: unknown[]) =>
      executeChild(activation, workflow, ...(rest as [unknown, never])) as Promise<never>,
    all: (...args: [never, unknown[], never]) => fanOut(activation, ...args),
    dependencies: (...workflows: readonly WorkflowTarget[]) => dependencies(activation, workflows) as Promise<never>,
    publish: (first: string | Events, second?: Events) => publish(activation, first, second),
    effects: (first: string | WorkflowOperation, second?: WorkflowOperation) => effects(activation, first, second),
    commit: (name) => commit(activation, checkName(name, 'The name of a commit')),
    fail: fail as unknown as WorkflowContext['fail'],
    continueAsNew: (input) => continueAsNew(activation, input),
    patched: (id) => patched(activation, id),
    setStatus: (status) => setStatus(activation, status),
    setAttributes: (attributes) => setAttributes(activation, attributes),
    get log() {
      return (log ??= runLog(activation));
    },
    sleep: (name, time) => sleep(activation, checkName(name, 'The name of a sleep'), time),
    sleepUntil: (name, time) => sleepUntil(activation, checkName(name, 'The name of a sleep'), time),
    now: () => sideValue(activation, 'now', () => new Date(shared.clock.now())),
    random: () => sideValue(activation, 'random', () => Math.random()),
    uuid: () => sideValue(activation, 'uuid', () => randomUUID()),
  });
}

/** With a class, returns a client of its steps; with a name, calls the step. */
function remote(activation: Activation, target: unknown, rest: unknown[]): unknown {
  if (typeof target === 'function') return clientOf(activation, target, rest[0] as RemoteOptions | undefined);
  if (typeof target !== 'string')
    throw new InvalidArgumentError('The target of ctx.remote', target, 'a @Worker class or the name of a remote step');
  const name = checkName(target, 'The name of a remote step');
  const [input, options] = rest as [unknown, RemoteOptions | undefined];
  const definition = activation.shared.remoteSteps.ofName(name) ?? { name, group: groupOf(name) };
  return guardedCall(
    activation,
    () => `ctx.remote("${name}")`,
    'outcome',
    () => call(activation, definition, input, options),
  );
}

function clientOf(
  activation: Activation,
  worker: object & { name?: string },
  options: RemoteOptions | undefined,
): object {
  const steps = activation.shared.remoteSteps.ofClass(worker);
  return new Proxy(Object.create(null) as object, {
    get: (_, method) => {
      // A client is no promise: `await` and Promise.resolve read `then`.
      if (method === 'then' || typeof method === 'symbol') return undefined;
      const definition = steps.get(method);
      if (!definition) return refusing(() => unknown(`${worker.name}.${method}`));
      const name = () => `ctx.remote(${worker.name}).${method}()`;
      return (input?: unknown, ...rest: unknown[]) =>
        guardedCall(activation, name, 'outcome', () =>
          call(activation, definition, input, merged(options, isOfMap(input, rest) ? undefined : rest[0])),
        );
    },
  });
}

function unknown(step: string): never {
  throw new UnknownStepError(step);
}

/** `inputs.map(steps.charge)` passes the index and the array. */
const isOfMap = (input: unknown, [index, inputs]: unknown[]): boolean =>
  typeof index === 'number' && Array.isArray(inputs) && Object.is(inputs[index], input);

/** As with every option, one that is undefined is not given. @throws InvalidArgumentError */
function merged(options: RemoteOptions | undefined, own: unknown): RemoteOptions | undefined {
  if (own === undefined) return options;
  if (typeof own === 'object' && own !== null) {
    const given = Object.entries(own).filter(([, value]) => value !== undefined);
    return { ...options, ...Object.fromEntries(given) };
  }
  throw new InvalidArgumentError('The options of a remote step', own, 'an object with options, after the input');
}

function call(
  activation: Activation,
  definition: RemoteStepDefinition,
  input: unknown,
  options: RemoteOptions = {},
): Promise<unknown> {
  const { name } = definition;
  const { payloads, shared } = activation;
  const { namespace } = shared;
  const { partition, compensate } = callOptions(activation, options, REMOTE_OPTIONS, `step "${name}"`);
  const group = options.group ?? definition.group;
  checkCompensate(compensate, `step "${name}"`, true);
  return remoteStep(activation, {
    name,
    group: checkName(inPartition(group, partition), `The group of step "${name}"`),
    input: payloads.encodeForWorker(input, `The input of step "${name}"`),
    policy: retryPolicy(options, definition, activation.shared),
    timeoutMs: options.timeout === undefined ? undefined : toMs(options.timeout, 'timeout'),
    partition,
    compensate,
    limitRequest: stepLimitRequestOf(namespace, definition, input),
    priority: checkPriority(options.priority),
    keepsInput: options.keepInputs ?? definition.keepInputs ?? shared.keepInputs,
  });
}

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
  dependencies: 'outcome',
  effects: 'outcome',
  startChild: 'nothing',
  publish: 'nothing',
  continueAsNew: 'nothing',
  commit: 'value',
  fail: 'failure',
  patched: 'value',
  setStatus: 'value',
  setAttributes: 'value',
  now: 'value',
  random: 'value',
  uuid: 'value',
};

type Call = (...args: unknown[]) => unknown;

/** The same context; its calls are refused where they cannot be recorded, and those that nobody awaits are known. */
function guarded(activation: Activation, context: WorkflowContext): WorkflowContext {
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
