import { createTraceState, isSpanContextValid, type SpanContext } from '@opentelemetry/api';
import type { TraceCarrier } from '../telemetry/tracing.js';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** The span that a carrier names; undefined if there is none, or something else. */
export function spanIn(carrier: TraceCarrier | null | undefined): SpanContext | undefined {
  const { traceparent, tracestate } = carrier ?? {};
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  if (!traceId || !spanId || !flags) return undefined;
  const span: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  if (!isSpanContextValid(span)) return undefined;
  return typeof tracestate === 'string' && tracestate !== ''
    ? { ...span, traceState: createTraceState(tracestate) }
    : span;
}
