/** A span in the format of W3C, as a run, an event or a request carries it. */
export interface TraceCarrier {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** What a carrier says of the span that it names; undefined if it names none, or something else. */
export function spanNamedBy(
  carrier: TraceCarrier | null | undefined,
): { traceId: string; spanId: string; flags: string } | undefined {
  const { traceparent } = carrier ?? {};
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  return traceId && spanId && flags ? { traceId, spanId, flags } : undefined;
}

/** What happened, or is about to happen. It names things, and never has a payload. */
export interface TracedWork {
  kind: 'start' | 'process' | 'step' | 'transaction' | 'end' | 'signal' | 'publish' | 'effect' | 'fire';
  /** Of the workflow, the step, the signal, the destination, the handler or the schedule. */
  name: string;
  runId?: string | undefined;
  workflow?: string | undefined;
  version?: number | undefined;
  stepId?: string | undefined;
  seq?: number | undefined;
  attempt?: number | undefined;
  group?: string | undefined;
  /** Of a batch: how many events. */
  count?: number | undefined;
  /** Of a run: how long after its start it is to begin. */
  delayMs?: number | undefined;
  /** It begins a trace of its own, with a link to what it continues. */
  anew?: boolean | undefined;
  /** How a run ended. */
  outcome?: string | undefined;
  /** What the run carries. Default: the caller's own span. */
  carrier?: TraceCarrier | undefined;
  /** What it came from, beside `carrier`. */
  links?: readonly (TraceCarrier | undefined)[] | undefined;
  /** Epoch ms; for what is told after its end. */
  startedAt?: number | undefined;
  error?: { name?: string; code?: string; message?: string } | undefined;
}

/**
 * What makes spans. Without OpenTelemetry a process has none. Nothing here throws or rejects by itself: errors are those
 * of the functions that are passed.
 */
export interface Tracing {
  /** Calls `run` within a span of its own, which ends with its outcome. */
  around<T>(work: TracedWork, run: () => T | Promise<T>): Promise<T>;
  /** Makes the span of something that has already ended. Returns what continues it; empty if it could not be made. */
  told(work: TracedWork): TraceCarrier;
  /** Calls code of a run: spans that it makes belong to the trace of the run, and are dropped while it `replays`. */
  play<T>(carrier: TraceCarrier, replays: () => boolean, code: () => T): T;
  /** Calls `work` so that instrumentations of drivers make no spans of its statements. */
  quietly<T>(work: () => T): T;
  /** Calls code of the app, which may make spans, from work that is quiet. */
  openly<T>(work: () => T): T;
}
