import type { TraceCarrier, TracedWork, Tracing } from '../../telemetry/tracing.js';
import type { NewRun } from './run.js';
import { contextText, type RunContext } from './run-context.js';

/** The start of a run, as its span tells it; by default a child of the caller's span. */
export const startOf = (
  { id: runId, workflow, version, delayMs }: Pick<NewRun, 'id' | 'workflow' | 'version' | 'delayMs'>,
  carrier?: TraceCarrier,
): TracedWork => ({ kind: 'start', name: workflow, workflow, version, runId, delayMs, carrier });

/** What a run carries that another one starts: what that carries, continued by the span of this start. */
export function carriedOn(tracing: Tracing, run: NewRun, context: RunContext): { context?: string } {
  const text = contextText({ ...context, ...tracing.told(startOf(run, context)) });
  return text === undefined ? {} : { context: text };
}
