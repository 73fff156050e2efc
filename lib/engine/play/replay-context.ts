import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { UnknownStepError } from '../../errors/code-errors.js';
import { groupOf, inPartition } from '../../protocol/step.js';
import { toMs } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import { guardedCall } from '../activation/guarded-call.js';
import { guarded } from './guarded-context.js';
import { checkName } from '../model/names.js';
import { signalWait, timer, waitForAny } from '../primitives/any-wait.js';
import { executeChild, fanOut, startChild } from '../primitives/child.js';
import { effects } from '../primitives/effects.js';
import { localStep, sideValue, transactionStep } from '../primitives/local-step.js';
import { type Events, publish } from '../primitives/publish.js';
import { remoteStep } from '../primitives/remote-step.js';
import { runLog } from '../primitives/run-log.js';
import { setAttributes, setStatus } from '../primitives/run-notes.js';
import { sleep, sleepUntil } from '../primitives/sleeps.js';
import { waitForSignal } from '../primitives/waits.js';
import { checkCompensate } from '../primitives/undo.js';
import { commit, continueAsNew, fail, patched } from '../primitives/turning-points.js';
import type { WorkflowOperation } from '../model/outgoing.js';
import type { RemoteStepDefinition } from '../model/remote-step-directory.js';
import { checkPriority } from '../model/new-run.js';
import { stepLimitRequestOf } from '../model/limit-requests.js';
import { contextIn } from '../model/run-context.js';
import { retryPolicy } from '../model/retry-policy.js';
import type { WorkflowContext } from '../model/workflow-context.js';
import type { RemoteOptions, RunLog } from '../model/step-options.js';
import { callOptions } from '../primitives/call-options.js';
import { REMOTE_OPTIONS } from '../model/context-options.js';

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
    remote: ((target: unknown, ...rest: unknown[]) => remote(activation, target, rest)) as WorkflowContext['remote'],
    waitForSignal: (name: string, ...rest: [never, never]) =>
      waitForSignal(activation, checkName(name, 'The name of a wait'), ...rest),
    waitForAny: (name, waits) => waitForAny(activation, checkName(name, 'The name of a wait'), waits),
    signalWait: signalWait as WorkflowContext['signalWait'],
    timer,
    startChild: (workflow: never, ...rest: unknown[]) =>
      startChild(activation, workflow, ...(rest as [unknown, never])) as Promise<never>,
    executeChild: (workflow: never, ...rest: unknown[]) =>
      executeChild(activation, workflow, ...(rest as [unknown, never])) as Promise<never>,
    all: (...args: [never, unknown[], never]) => fanOut(activation, ...args),
    publish: (first: string | Events, second?: Events) => publish(activation, first, second),
    effects: (first: string | WorkflowOperation, second?: WorkflowOperation) => effects(activation, first, second),
    commit: (name) => commit(activation, checkName(name, 'The name of a commit')),
    fail,
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
      if (!definition) throw new UnknownStepError(`${worker.name}.${method}`);
      const name = () => `ctx.remote(${worker.name}).${method}()`;
      return (input?: unknown, ...rest: unknown[]) =>
        guardedCall(activation, name, 'outcome', () =>
          call(activation, definition, input, merged(options, isOfMap(input, rest) ? undefined : rest[0])),
        );
    },
  });
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
