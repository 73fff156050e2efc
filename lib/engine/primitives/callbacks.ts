import { StepTimeoutError } from '../../errors/step-errors.js';
import { Cancellation } from '../../leasing/cancellation.js';
import { stepIdOf } from '../../protocol/step.js';
import type { TracedWork } from '../../telemetry/tracing.js';
import { toMs } from '../../time/duration.js';
import type { Activation } from '../activation/activation.js';
import { inCallback } from '../activation/code-scope.js';
import { contextIn } from '../model/run-context.js';
import type { LocalStepContext, RunLog, StepOptions } from '../model/step-options.js';
import type { StepRecord } from '../model/step-record.js';
import { runLog } from './run-log.js';

/** Calls `work` with its context, as work of the app; after `timeout`, rejects and aborts the signal of the context. */
export async function withinTimeout<T>(
  activation: Activation,
  step: StepRecord,
  options: StepOptions,
  work: (context: LocalStepContext) => T | Promise<T>,
): Promise<T> {
  const { telemetry } = activation.shared;
  const attempt = () => limited(activation, step, options, work);
  // What an instrumentation sees of an undoing is named after its step.
  const kind = step.kind === 'transaction' ? 'transaction' : 'step';
  return telemetry ? telemetry.around(kind, () => tracedOf(activation, step), attempt) : attempt();
}

function tracedOf({ run }: Activation, { runId, seq, name, attempt }: StepRecord): Omit<TracedWork, 'kind'> {
  const { workflow, version, context } = run;
  const stepId = stepIdOf(runId, seq);
  return { name, runId, stepId, seq, attempt: attempt + 1, workflow, version, carrier: contextIn(context) };
}

async function limited<T>(
  activation: Activation,
  step: StepRecord,
  { timeout }: StepOptions,
  work: (context: LocalStepContext) => T | Promise<T>,
): Promise<T> {
  const called = (context: LocalStepContext) => inCallback(activation, nameOf(step), () => work(context));
  if (timeout === undefined) return called(contextOf(activation, step, activation));
  const ms = toMs(timeout, 'timeout');
  const attempt = new Cancellation();
  const signal = AbortSignal.any([activation.signal, attempt.signal]);
  const working = () => called(contextOf(activation, step, { signal }));
  return attempt.outliveWithin(ms, working, () => new StepTimeoutError(step.name, ms));
}

const nameOf = ({ kind, name, seq }: StepRecord): string =>
  seq < 0 ? `the compensation of "${name}"` : `the callback of ${kind} "${name}"`;

/** `signal` and `log` are created on first use, since most steps do not use them. */
function contextOf(activation: Activation, step: StepRecord, ending: { signal: AbortSignal }): LocalStepContext {
  const { runId, seq, name } = step;
  const stepId = stepIdOf(runId, seq);
  const attempt = step.attempt + 1;
  let log: RunLog | undefined;
  return {
    workflowId: runId,
    stepId,
    seq,
    name,
    idempotencyKey: stepId,
    attempt,
    get context() {
      return contextIn(activation.run.context);
    },
    get signal() {
      return ending.signal;
    },
    get log() {
      return (log ??= runLog(activation, { seq, name, attempt }));
    },
  };
}
