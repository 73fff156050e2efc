import type { TraceCarrier, TracedWork, Tracing } from '../../telemetry/tracing.js';
import type { ClaimedRun, NewRun } from './run.js';
import { contextIn, contextTextWithTrace, type RunContext } from './run-context.js';

type Started = Pick<NewRun, 'id' | 'workflow' | 'version'> & { delayMs?: number | undefined };

/** The start of a run, as its span tells it; by default a child of the caller's span. */
export const startOf = ({ id: runId, workflow, version, delayMs }: Started, carrier?: TraceCarrier): TracedWork => ({
  kind: 'start',
  name: workflow,
  workflow,
  version,
  runId,
  delayMs,
  carrier,
});

/** What a run carries that another one starts: what that carries, continued by the span of this start. */
export const carriedOn = (tracing: Tracing, run: NewRun, context: RunContext): { context?: string } =>
  withOwnTrace(context, tracing.told(startOf(run, context)));

/** What a run carries from its `continueAsNew` on: a trace of its own, so that runs which never end have short ones. */
export function carriedAnew(tracing: Tracing, run: ClaimedRun): { context?: string } {
  const context = contextIn(run.context);
  return withOwnTrace(context, tracing.told({ ...startOf(run, context), anew: true }));
}

/** What a run carries that an operator begins again, or forks: a trace from his call, linked to the one before. */
export function carriedAgain(tracing: Tracing, run: Started, before: string | undefined): { context?: string } {
  const context = contextIn(before);
  return withOwnTrace(context, tracing.told({ ...startOf(run), links: [context] }));
}

/** Nothing changes if no span could be made. */
function withOwnTrace(context: RunContext, trace: TraceCarrier): { context?: string } {
  const { traceparent: _, tracestate: __, ...own } = context;
  const text = contextTextWithTrace(trace.traceparent === undefined ? context : own, trace);
  return text === undefined ? {} : { context: text };
}
