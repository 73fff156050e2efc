import { createTraceState, isSpanContextValid, type SpanContext } from '@opentelemetry/api';
import { spanNamedBy, type TraceCarrier } from '../telemetry/tracing.js';

/** The span that a carrier names; undefined if there is none, or something else. */
export function spanIn(carrier: TraceCarrier | null | undefined): SpanContext | undefined {
  const named = spanNamedBy(carrier);
  if (!named) return undefined;
  const { traceId, spanId, flags } = named;
  const tracestate = carrier?.tracestate;
  const span: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  if (!isSpanContextValid(span)) return undefined;
  return typeof tracestate === 'string' && tracestate !== ''
    ? { ...span, traceState: createTraceState(tracestate) }
    : span;
}
