/** What this library uses of `@opentelemetry/api`. */
export interface TraceApi {
  context: { active(): unknown };
  trace: { getSpanContext(context: never): SpanContext | undefined };
  isSpanContextValid(span: never): boolean;
}

interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
  traceState?: { serialize(): string } | undefined;
}

/** A name that bundlers do not resolve: most apps do not have the package. */
const PACKAGE = '@opentelemetry/api';

/** The app's copy of `@opentelemetry/api`; undefined if it has none. */
export async function traceApi(): Promise<TraceApi | undefined> {
  try {
    return (await import(PACKAGE)) as TraceApi;
  } catch {
    return undefined;
  }
}

/** The active span in the format of W3C; empty without one, and if the app's tracing throws: a start goes on without. */
export function traceContextOf(api: TraceApi | undefined): W3cContext {
  try {
    const span = api?.trace.getSpanContext(api.context.active() as never);
    return api && span && api.isSpanContextValid(span as never) ? carrierOf(span) : {};
  } catch {
    return {};
  }
}

export interface W3cContext {
  traceparent?: string;
  tracestate?: string;
}

/** A span in the format of W3C; empty if its id says that it is none. */
export function carrierOf(span: SpanContext): W3cContext {
  if (/^0*$/.test(span.spanId)) return {};
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0');
  const tracestate = span.traceState?.serialize();
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}`, ...(tracestate && { tracestate }) };
}
