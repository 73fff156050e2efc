import {
  type Context,
  context,
  createContextKey,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { carrierOf } from '../module/trace-context.js';
import { PACKAGE_VERSION } from '../protocol/package-version.js';
import type { TraceCarrier, TracedWork, Tracing } from '../telemetry/tracing.js';
import { spanIn } from './carrier.js';
import type { TracingSettings } from './opentelemetry-options.js';
import { RunSpan } from './run-span.js';
import { attributesOf, errorTypeOf, SHAPES } from './span-shape.js';

/** The SDK's own key: names of keys are global. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
/** Not derived from the caller's: loops and connections begin here, and would keep its span or its run in memory. */
const QUIET = ROOT_CONTEXT.setValue(SUPPRESSED, true);
/** What a batch came from is named up to this number. */
const MOST_LINKS = 32;

export interface TracedProcess {
  readonly namespace: string;
  readonly nodeId: string | undefined;
}

/** Makes spans by the API. An error of the SDK is told of, and what should have been traced goes on without it. */
export class OtelTracing implements Tracing {
  constructor(
    private readonly process: TracedProcess,
    private readonly settings: TracingSettings,
    private readonly onError: (error: unknown) => void,
  ) {}

  async around<T>(work: TracedWork, run: () => T | Promise<T>): Promise<T> {
    const opened = this.safely(() => this.open(work));
    if (!opened) return run();
    try {
      const outcome = await this.within(trace.setSpan(opened.parent, opened.span), run);
      this.close(opened.span);
      return outcome;
    } catch (error) {
      this.close(opened.span, { error });
      throw error;
    }
  }

  told(work: TracedWork): TraceCarrier {
    const opened = this.safely(() => this.open(work));
    if (!opened) return {};
    this.close(opened.span, work.error && { error: work.error });
    return this.safely(() => carrierOf(opened.span.spanContext())) ?? {};
  }

  play<T>(carrier: TraceCarrier, replays: () => boolean, code: () => T): T {
    const run = spanIn(carrier);
    // Without a trace of the run, what its code makes would begin one, again with each replay.
    const own = run ? trace.setSpan(ROOT_CONTEXT, new RunSpan(run, replays)) : QUIET;
    return this.within(own, code);
  }

  quietly<T>(work: () => T): T {
    return this.within(QUIET, work);
  }

  openly<T>(work: () => T): T {
    return this.within(ROOT_CONTEXT, work);
  }

  private open(work: TracedWork): { span: Span; parent: Context } {
    const { parent, links } = this.origin(work);
    const { kind } = SHAPES[work.kind];
    const attributes = attributesOf(work, this.process);
    const at = work.startedAt === undefined ? {} : { startTime: work.startedAt };
    const tracer = trace.getTracer('nest-durable', PACKAGE_VERSION);
    return { parent, span: tracer.startSpan(`${work.kind} ${work.name}`, { kind, attributes, links, ...at }, parent) };
  }

  private origin(work: TracedWork): { parent: Context; links: Link[] } {
    const caller = isCalled(work) ? context.active() : ROOT_CONTEXT;
    const carried = spanIn(work.carrier);
    const parent = carried ? trace.setSpanContext(caller, carried) : caller;
    const own = trace.getSpanContext(parent);
    const links = linked((work.links ?? []).map(spanIn));
    return this.beginsTrace(work)
      ? { parent: ROOT_CONTEXT, links: linked([own, ...links.map((link) => link.context)]) }
      : { parent, links };
  }

  private beginsTrace({ kind, anew = false, delayMs = 0 }: TracedWork): boolean {
    const { steps, newTraceAfterMs } = this.settings;
    if (anew) return true;
    if (kind === 'process' || kind === 'effect') return steps === 'link';
    return kind === 'start' && delayMs > newTraceAfterMs;
  }

  private close(span: Span, failure?: { error: unknown }): void {
    if (failure) this.safely(() => this.fail(span, failure.error));
    this.safely(() => span.end());
  }

  /** The status first: what is thrown may be anything, also something that cannot be read. */
  private fail(span: Span, error: unknown): void {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.setAttribute('error.type', errorTypeOf(error));
    if (!this.settings.messages) return;
    const { message = error } = Object(error) as { message?: unknown };
    span.setStatus({ code: SpanStatusCode.ERROR, message: String(message) });
  }

  /** Runs it in any case, and once. */
  private within<T>(where: Context, run: () => T): T {
    const outcomes: Outcome<T>[] = [];
    this.safely(() => context.with(where, () => outcomes.push(outcomeOf(run))));
    const [outcome = outcomeOf(run)] = outcomes;
    if ('thrown' in outcome) throw outcome.thrown;
    return outcome.value;
  }

  private safely<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.onError(error);
      return undefined;
    }
  }
}

/** What the app calls; everything else is called by ours, whose context says nothing. */
const isCalled = ({ kind, carrier }: TracedWork): boolean => (kind === 'start' && !carrier) || kind === 'signal';

function linked(spans: readonly (SpanContext | undefined)[]): Link[] {
  const found = spans.filter((span) => span !== undefined && isSpanContextValid(span));
  return [...new Map(found.map((span) => [span!.spanId, { context: span! }])).values()].slice(0, MOST_LINKS);
}

type Outcome<T> = { value: T } | { thrown: unknown };

function outcomeOf<T>(run: () => T): Outcome<T> {
  try {
    return { value: run() };
  } catch (thrown) {
    return { thrown };
  }
}
