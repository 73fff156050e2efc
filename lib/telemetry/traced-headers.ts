import type { TraceCarrier } from './tracing.js';

/** Headers of an event, as JSON, from which whoever handles it continues the trace, unless they name another one. */
export function headersWithTrace(headers: string | null, { traceparent, tracestate }: TraceCarrier): string | null {
  if (traceparent === undefined) return headers;
  const own = JSON.parse(headers ?? '{}') as object;
  return 'traceparent' in own ? headers : JSON.stringify({ traceparent, tracestate, ...own });
}
