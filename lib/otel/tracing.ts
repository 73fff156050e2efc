import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  createTraceState,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { InvalidArgumentError } from '../core/errors.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { PACKAGE_VERSION } from '../core/protocol.js';
import { spanNamedBy, type TraceCarrier, type TracedWork, type Tracing } from '../core/telemetry.js';
import { type Duration, toMs } from '../core/time.js';
import type { MetricsOptions } from '../nest/metrics.js';
import { carrierOf } from '../nest/trace-context.js';

export interface TracingOptions {
  /**
   * `'child'`: the spans of remote steps and effects belong to the trace of their run. `'link'`: each begins a trace of
   * its own with a link to it, for runs with very many steps. Default `'child'`.
   */
  steps?: 'child' | 'link';
  /** A run that is started with a longer `delay` begins a new trace, with a link to its caller's. Default `'1h'`. */
  newTraceAfter?: Duration;
  /** Whether messages of errors are recorded, which may contain data of people. Default false. */
  messages?: boolean;
}

export interface OpenTelemetryOptions {
  /** Default true. */
  tracing?: boolean | TracingOptions;
  /** Default true. `fleet`: whether this process observes the gauges of all processes. Default `'auto'`. */
  metrics?: boolean | MetricsOptions;
}

const OPTIONS = {
  tracing: { steps: true, newTraceAfter: true, messages: true },
  metrics: { fleet: true },
} satisfies KnownOptions<OpenTelemetryOptions>;

interface TracingSettings {
  steps: 'child' | 'link';
  newTraceAfterMs: number;
  messages: boolean;
}

export interface OpenTelemetrySettings {
  tracing: TracingSettings | undefined;
  metrics: Required<MetricsOptions> | undefined;
}

/** @throws InvalidArgumentError, UnknownOptionError, TypeError for a duration that is none */
export function openTelemetrySettings(given: OpenTelemetryOptions): OpenTelemetrySettings {
  const { tracing = true, metrics = true } = checkedOptions(given, OPTIONS, 'OpenTelemetryModule.forRoot');
  return {
    tracing: objectOf('tracing', tracing, tracingSettings),
    metrics: objectOf('metrics', metrics, ({ fleet = 'auto' }) => ({
      fleet: oneOf('fleet', fleet, ['auto', true, false]),
    })),
  };
}

function tracingSettings({ steps = 'child', newTraceAfter = '1h', messages = false }: TracingOptions): TracingSettings {
  return {
    steps: oneOf('steps', steps, ['child', 'link']),
    newTraceAfterMs: toMs(newTraceAfter, 'newTraceAfter'),
    messages: oneOf('messages', messages, [true, false]),
  };
}

function objectOf<Options extends object, Settings>(
  name: string,
  given: boolean | Options,
  settings: (options: Options | Record<string, never>) => Settings,
): Settings | undefined {
  if (given === false) return undefined;
  if (given === true) return settings({});
  if (typeof given === 'object' && given !== null) return settings(given);
  throw new InvalidArgumentError(name, given, 'a boolean or an object of options');
}

function oneOf<Value>(name: string, given: Value, values: readonly Value[]): Value {
  if (values.includes(given)) return given;
  throw new InvalidArgumentError(name, given, values.map((value) => JSON.stringify(value)).join(' or '));
}

/** The SDK's own key: names of keys are global. */
const SUPPRESSED = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');
/** Not derived from the caller's: loops and connections begin here, and would keep its span or its run in memory. */
const QUIET = ROOT_CONTEXT.setValue(SUPPRESSED, true);
/** What a batch came from is named up to this number. */
const MOST_LINKS = 32;

export interface TracedProcess {
  readonly namespace: string;
  readonly nodeId: string | undefined;
  /** An error of this kind of work as it may be seen. Never throws. */
  seen(error: unknown, kind: TracedWork['kind']): { name?: string; code?: string; message: string };
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
      this.close(opened.span, { error, kind: work.kind });
      throw error;
    }
  }

  told(work: TracedWork): TraceCarrier {
    const opened = this.safely(() => this.open(work));
    if (!opened) return {};
    this.close(opened.span, work.error && { error: work.error, kind: work.kind });
    return this.safely(() => carrierOf(opened.span.spanContext())) ?? {};
  }

  play<T>(carrier: TraceCarrier, replays: () => boolean, code: () => T): T {
    const run = spanIn(carrier);
    // Without a trace of the run, what its code makes would begin one, again with each replay.
    const own = run ? trace.setSpan(ROOT_CONTEXT, runSpan(run, replays)) : QUIET;
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

  private close(span: Span, failure?: { error: unknown; kind: TracedWork['kind'] }): void {
    if (failure) this.safely(() => this.fail(span, failure.error, failure.kind));
    this.safely(() => span.end());
  }

  /** Its code or its class, and the message if it is asked for. */
  private fail(span: Span, error: unknown, kind: TracedWork['kind']): void {
    const { code, name, message } = this.process.seen(error, kind);
    // Numbers, as those of a DOMException, say less than the class.
    const known = typeof error === 'object' && error !== null ? [code, name] : [];
    const told = this.settings.messages && message !== '' ? { message } : {};
    span.setStatus({ code: SpanStatusCode.ERROR, ...told });
    span.setAttribute('error.type', known.find((one) => one && !/^\d+$/.test(one)) ?? '_OTHER');
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

/**
 * Stands for the run while its code is played: the parent of what the code makes. Nothing is recorded of it. While
 * history is played again it says that nothing is sampled, so that spans of code are not made a second time.
 */
const runSpan = (run: SpanContext, replays: () => boolean): Span =>
  Object.assign(trace.wrapSpanContext(run), {
    spanContext: (): SpanContext => (replays() ? { ...run, traceFlags: TraceFlags.NONE } : run),
  });

/** `operation`: what the conventions for messaging call it. */
interface Shape {
  kind: SpanKind;
  operation?: 'create' | 'send' | 'process';
}

const SHAPES: Readonly<Record<TracedWork['kind'], Shape>> = {
  start: { kind: SpanKind.PRODUCER, operation: 'create' },
  process: { kind: SpanKind.CONSUMER, operation: 'process' },
  step: { kind: SpanKind.INTERNAL },
  transaction: { kind: SpanKind.INTERNAL },
  end: { kind: SpanKind.INTERNAL },
  signal: { kind: SpanKind.PRODUCER, operation: 'send' },
  publish: { kind: SpanKind.PRODUCER, operation: 'send' },
  effect: { kind: SpanKind.CONSUMER, operation: 'process' },
  fire: { kind: SpanKind.INTERNAL },
};

/** Names, ids and numbers; never a payload. */
function attributesOf(work: TracedWork, process: { namespace: string; nodeId: string | undefined }): Attributes {
  return {
    'durable.namespace': process.namespace,
    'durable.node.id': process.nodeId,
    'durable.run.id': work.runId,
    'durable.workflow.name': work.workflow,
    'durable.workflow.version': work.version,
    'durable.group': work.group,
    'durable.outcome': work.outcome,
    ...(work.seq !== undefined && stepAttributes(work)),
    ...ownName(work),
    ...messagingAttributes(work),
  };
}

const stepAttributes = ({ kind, name, seq, attempt }: TracedWork): Attributes => ({
  'durable.step.name': name,
  'durable.step.seq': seq,
  'durable.step.kind': kind === 'process' ? 'remote' : kind,
  'durable.step.attempt': attempt,
});

function ownName({ kind, name, attempt }: TracedWork): Attributes {
  if (kind === 'effect') return { 'durable.effect.handler': name, 'durable.effect.attempt': attempt };
  if (kind === 'signal') return { 'durable.signal.name': name };
  if (kind === 'fire') return { 'durable.schedule.id': name };
  return kind === 'publish' ? { 'durable.outbox.destination': name } : {};
}

function messagingAttributes({ kind, name, group, stepId, runId, count }: TracedWork): Attributes {
  const { operation } = SHAPES[kind];
  if (!operation) return {};
  return {
    'messaging.system': 'nest_durable',
    'messaging.operation.name': kind,
    'messaging.operation.type': operation,
    'messaging.destination.name': group ?? name,
    'messaging.message.id': stepId,
    'messaging.message.conversation_id': runId,
    'messaging.batch.message_count': count,
  };
}

/** The span that a carrier names; undefined if there is none, or something else. */
function spanIn(carrier: TraceCarrier | null | undefined): SpanContext | undefined {
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
