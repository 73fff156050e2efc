import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../../core/errors.js';
import { type StepAnswer, stepIdOf } from '../../core/protocol.js';
import { NonRetryableStepError } from '../../core/run-errors.js';
import { storedWireError } from '../../core/wire-error.js';
import {
  CHILD_OPTIONS,
  type ChildHandle,
  type ChildOptions,
  type Dependency,
  FAN_OUT_OPTIONS,
  type FanInMode,
  type FanOutOptions,
  type WorkflowClass,
  type WorkflowTarget,
} from '../context.js';
import { olderThanAsked } from '../control.js';
import { contextIn, isOutcomeErased, LONGEST_RUN_ID, refusing, type NewRun, type ParentClose } from '../run.js';
import { carriedOn, newRun } from '../starts.js';
import { failedOnce, type StepRecord } from '../step.js';
import { acceptedInput, type KnownWorkflow } from '../workflow.js';
import type { Activation } from './activation.js';
import { callOptions, guardedCall } from './code-scope.js';
import { never } from './journal.js';
import { localStep } from './steps.js';

type Target = string | WorkflowClass;

export interface StartedChild {
  id: string;
  seq: number;
  /** Its rejection need not be handled. */
  outcome: Promise<unknown>;
}

const CLOSES: readonly ParentClose[] = ['cancel', 'terminate', 'abandon'];
const MODES: readonly FanInMode[] = ['all', 'settled', 'some'];

const started = new WeakMap<object, StartedChild>();

/** The child of a handle; undefined if `ctx.startChild` did not create the handle. */
export const childOf = (handle: object): StartedChild | undefined => started.get(handle);

/** @throws InvalidArgumentError, UnknownWorkflowError, SerializationError, PayloadTooLargeError */
export function startChild(
  activation: Activation,
  workflow: Target,
  input: unknown,
  options: ChildOptions = {},
): Promise<ChildHandle> {
  const [child] =
    start(activation, workflow, [input], callOptions(activation, options, CHILD_OPTIONS, 'ctx.startChild')) ?? [];
  if (!child) return never();
  const handle: ChildHandle = {
    id: child.id,
    result: () =>
      guardedCall(
        activation,
        () => `child "${child.id}"`,
        'outcome',
        () => child.outcome,
      ),
  };
  started.set(handle, child);
  return Promise.resolve(handle);
}

/** @throws InvalidArgumentError, UnknownWorkflowError, SerializationError, PayloadTooLargeError */
export function executeChild(
  activation: Activation,
  workflow: Target,
  input: unknown,
  options: ChildOptions = {},
): Promise<unknown> {
  const checked = callOptions(activation, options, CHILD_OPTIONS, 'ctx.executeChild');
  const [child] = start(activation, workflow, [input], checked) ?? [];
  return child ? child.outcome : never();
}

/** @throws InvalidArgumentError, UnknownWorkflowError, SerializationError, PayloadTooLargeError */
export function fanOut(
  activation: Activation,
  workflow: Target,
  inputs: readonly unknown[],
  given: FanOutOptions<FanInMode> = {},
): Promise<unknown[]> {
  const { mode = 'all', ...options } = callOptions(activation, given, FAN_OUT_OPTIONS, 'ctx.all');
  if (!MODES.includes(mode)) throw new InvalidArgumentError('mode', mode, MODES.map((one) => `'${one}'`).join(' or '));
  if (!Array.isArray(inputs))
    throw new InvalidArgumentError('The inputs of ctx.all', inputs, 'an array, one for each run');
  const children = start(activation, workflow, inputs, options);
  if (!children) return never();
  const outcomes = children.map(({ outcome }) => outcome);
  switch (mode) {
    case 'all':
      return Promise.all(outcomes);
    case 'settled':
      return Promise.allSettled(outcomes);
    case 'some':
      return Promise.allSettled(outcomes).then(completedOf);
  }
}

function completedOf(results: readonly PromiseSettledResult<unknown>[]): unknown[] {
  const completed = results.filter((result) => result.status === 'fulfilled');
  const [failure] = results.filter((result) => result.status === 'rejected');
  if (completed.length === 0 && failure) throw failure.reason;
  return completed.map(({ value }) => value);
}

/** Starts one child per input, all in one commit. Returns undefined when the code must not continue. */
function start(
  activation: Activation,
  workflow: Target,
  inputs: readonly unknown[],
  options: ChildOptions,
): StartedChild[] | undefined {
  const { shared, payloads, run: parent, journal } = activation;
  const { parentClose: close = 'cancel' } = options;
  if (!CLOSES.includes(close))
    throw new InvalidArgumentError('parentClose', close, CLOSES.map((one) => `'${one}'`).join(' or '));
  const known = shared.workflows(workflow, options.version);
  // A child that is recorded was accepted when it was: neither its schema nor the key of its limits is asked again.
  const accepted: KnownWorkflow = { name: known.name, version: known.version };
  const first = journal.next.seq;
  const runs = inputs.map((input, i): NewRun => {
    const { id = childIdOf(parent.id, first + i) } = options;
    const isNew = journal.get(first + i) === undefined;
    return {
      ...newRun({ ...shared, payloads }, isNew ? known : accepted, isNew ? acceptedInput(known, input) : input, {
        ...options,
        id,
      }),
      parent: { id: parent.id, seq: first + i, close },
      ...(parent.context !== undefined && { context: parent.context }),
    };
  });
  const begun = runs.map((run) => ({ run, position: activation.ask('child', known.name) }));
  const children = begun.map(({ run, position }) => position && new Child(activation, run, position.step));
  const fresh = begun.flatMap(({ run, position }) =>
    position?.isNew ? [{ run, step: { ...position.step, ref: run.id } }] : [],
  );
  if (fresh.length > 0)
    activation.keepAll(
      fresh.map(({ step }) => step),
      { extras: { children: fresh.map(({ run }) => traced(activation, run)) } },
    );
  const ready = children.flatMap((child) => child?.begin() ?? []);
  return ready.length === inputs.length ? ready : undefined;
}

/** The parent's step that waits for a child. */
class Child {
  private readonly step: StepRecord;

  constructor(
    private readonly activation: Activation,
    run: NewRun,
    step: StepRecord,
  ) {
    this.step = { ...step, ref: step.ref ?? run.id };
  }

  /** Awaits the outcome from the start, since outcomes are delivered in order and later ones wait for it. */
  begin(): StartedChild {
    const { seq, ref, settled } = this.step;
    // A closing run closes its children and does not wait for them.
    if (settled === null && !this.activation.closing) this.wait();
    const outcome = this.activation.journal.outcome<unknown>(seq);
    outcome.catch(() => undefined);
    return { id: ref!, seq, outcome };
  }

  private wait(): void {
    const { runId, seq } = this.step;
    const stepId = stepIdOf(runId, seq);
    const since = this.activation.shared.clock.now();
    this.activation.awaited.add(seq, { stepId, since, accept: (answer) => this.answered(answer) });
  }

  private answered(answer: StepAnswer): void {
    // It is kept: it counts once the run is parked, if the child has ended after all.
    if (olderThanAsked([this.step], [answer]).length > 0) return this.wait();
    const { stepId, status, output, error } = answer;
    const outcome = { ...this.step, status, output, error: storedWireError(error) };
    this.activation.settle(status === 'failed' ? failedOnce(outcome) : outcome, { takes: [stepId] });
  }
}

/** The same on every replay; ids that would be too long are hashed. */
function childIdOf(parentId: string, seq: number): string {
  const id = `${parentId}.${seq}`;
  return [...id].length <= LONGEST_RUN_ID ? id : createHash('sha256').update(id).digest('base64url');
}

/** Its start is a span of the trace of its parent. */
function traced({ shared, run: { context } }: Activation, child: NewRun): NewRun {
  const tracing = shared.telemetry?.tracing;
  return tracing ? { ...child, ...carriedOn(tracing, child, contextIn(context)) } : child;
}

/** The runs that it was started after, recorded as a step: later they may be deleted. */
export async function dependencies(
  activation: Activation,
  workflows: readonly WorkflowTarget[],
): Promise<readonly Dependency[]> {
  const named = workflows.map((workflow) => activation.shared.workflows(workflow as Target).name);
  const read = () => readDependencies(activation);
  const found = await localStep<readonly Dependency[]>(activation, 'dependencies', read);
  const there = found.map(({ workflow }) => workflow);
  if (named.length > 0 && named.join('\n') !== there.join('\n'))
    refusing(() => {
      throw new InvalidArgumentError(
        'The workflows of ctx.dependencies',
        named.join(', '),
        `those of the runs in \`after\`: ${there.join(', ')}`,
      );
    });
  return found;
}

/** @throws NonRetryableStepError when one is not there any more */
async function readDependencies({ run, payloads, shared }: Activation): Promise<Dependency[]> {
  const { catalog } = shared;
  const ids = await catalog.targets(run.id);
  const runs = new Map((await catalog.find(ids)).map((target) => [target.id, target]));
  return ids.map((id) => {
    const target = runs.get(id);
    if (target?.status !== 'completed' || isOutcomeErased(target))
      throw new NonRetryableStepError(goneOf(id), 'DEPENDENCY_GONE');
    const { workflow, output } = target;
    return { id, workflow, output: payloads.ofRun(target).read(output, `The output of run "${id}"`) };
  });
}

const goneOf = (id: string): string =>
  `Run "${id}" was deleted, erased or begun anew before ctx.dependencies() has read its output: keep it for longer, or ask ` +
  'for it first of all';
