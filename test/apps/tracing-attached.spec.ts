import { tracingChannel } from 'node:diagnostics_channel';
import { type INestApplicationContext } from '@nestjs/common';
import { context, metrics, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  DurableEvents,
  DurableModule,
  type DurableModuleOptions,
  Effect,
  Effects,
  InvalidArgumentError,
  memoryBackend,
  OnOutboxMessage,
  Outbox,
  RemoteStep,
  UnknownOptionError,
  Worker,
  Workflow,
  WorkflowClient,
  type WorkflowContext,
} from '../../lib/index.js';
import { OpenTelemetryModule, type OpenTelemetryOptions } from '../../lib/otel/index.js';
import { OtelTracing } from '../../lib/otel/tracing.js';
import { METRICS } from '../../lib/core/metrics.js';
import { toWireError } from '../../lib/core/wire-error.js';
import { bootApp } from '../support/nest-app.js';
import { type ReadableSpan, recordedSpans } from '../support/recorded-spans.js';
import { thrownBy } from '../support/thrown-by.js';
import { until } from '../support/until.js';

@Worker({ group: 'far' })
class Steps {
  @RemoteStep('attached.far')
  far(_: unknown): string {
    return 'far';
  }
}

class Outside {
  @OnOutboxMessage('attached', { consumer: 'attached' })
  async hear(): Promise<void> {}

  @Effect('attached.call')
  async call(): Promise<void> {}
}

@Workflow('attached')
class Attached {
  async run(ctx: WorkflowContext, _: null): Promise<string> {
    await ctx.step('near', () => 1);
    return ctx.remote(Steps).far(null);
  }
}

const apps: INestApplicationContext[] = [];

async function boot(options: OpenTelemetryOptions | false = {}) {
  const durable = DurableModule.forRoot({ backend: memoryBackend(), worker: { pollInterval: '20ms' } });
  const imports = options === false ? [durable] : [durable, OpenTelemetryModule.forRoot(options)];
  const app = await bootApp({ imports, providers: [Attached, Steps, Outside] });
  apps.push(app);
  return app;
}

const run = (app: INestApplicationContext) =>
  app.get(WorkflowClient).startAndWait(Attached, null, { timeout: '120s' }) as Promise<unknown>;

afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  for (const api of [trace, context, metrics]) api.disable();
});

const broken = (): never => {
  throw new Error('broken');
};

describe('OpenTelemetry that is broken', () => {
  const told = (app: INestApplicationContext): unknown[] => {
    const errors: unknown[] = [];
    app
      .get(DurableEvents)
      .on('loop.error')
      .subscribe(({ loop }) => errors.push(loop));
    return errors;
  };

  it('never fails a run, and is told of once', async () => {
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: broken, startActiveSpan: broken }) });
    const app = await boot();
    const errors = told(app);
    expect(await run(app)).toBe('far');
    expect(await run(app)).toBe('far');
    expect(errors).toEqual(['tracing']);
  });

  it('never fails a run by its context manager', async () => {
    const manager = { active: broken, with: broken, bind: broken, enable: broken, disable: () => manager };
    context.setGlobalContextManager(manager as never);
    expect(await run(await boot())).toBe('far');
  });

  it('never fails a run by spans that cannot end', async () => {
    const real = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 });
    const span = Object.assign(Object.create(real) as typeof real, { end: broken, spanContext: broken });
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: () => span, startActiveSpan: broken }) });
    expect(await run(await boot())).toBe('far');
  });
});

describe('The meter of an app', () => {
  it('gets the metrics by their names, with buckets and gauges', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    metrics.setGlobalMeterProvider(provider);
    const app = await boot({ tracing: false, metrics: { fleet: true } });
    await run(app);
    await provider.forceFlush();
    const found = exporter
      .getMetrics()
      .at(-1)!
      .scopeMetrics.flatMap((scope) => scope.metrics);
    const names = found.map(({ descriptor }) => descriptor.name);
    expect(names.filter((name) => !(name in METRICS))).toEqual([]);
    const value = (name: string) =>
      found.find(({ descriptor }) => descriptor.name === name)?.dataPoints.map((point) => point.value);
    expect(value('durable.runs.ended')).toEqual([1]);
    expect(value('durable.nodes')).toContain(1);
    expect(names).toEqual(expect.arrayContaining(['durable.loop.age', 'durable.runs.open']));
    const duration = found.find(({ descriptor }) => descriptor.name === 'durable.step.duration')!;
    expect(duration.descriptor.unit).toBe('s');
    expect(duration.dataPoints[0]!.value).toMatchObject({
      buckets: { boundaries: expect.arrayContaining([0.005, 3_600]) as unknown },
    });
    await provider.shutdown();
  });
});

describe('Tracing channels', () => {
  it('are around steps, within their spans, and without OpenTelemetry', async () => {
    const spans = recordedSpans();
    spans.register();
    const heard: unknown[] = [];
    const within: (string | undefined)[] = [];
    const subscriber = {
      start: () => void within.push(trace.getActiveSpan()?.spanContext().spanId),
      end: () => {},
      asyncStart: () => {},
      asyncEnd: (message: object) => void heard.push({ ...message }),
      error: () => {},
    };
    const channel = tracingChannel('nest-durable:step');
    channel.subscribe(subscriber);
    try {
      await run(await boot());
      const made = ['step near', 'process attached.far'].map((name) => spans.named(name)[0]?.spanContext().spanId);
      expect(within).toEqual(made);
      await run(await boot(false));
    } finally {
      channel.unsubscribe(subscriber);
      spans.disable();
    }
    const near = { kind: 'step', name: 'near', workflow: 'attached', attempt: 1, seq: 0 };
    const far = { kind: 'process', name: 'attached.far', group: 'far', attempt: 1, seq: 1 };
    expect(heard).toMatchObject([near, far, near, far]);
  });
});

describe('Tracing channels of what goes out', () => {
  it('are around batches of events, and around calls', async () => {
    const heard: unknown[] = [];
    const subscriber = {
      start: () => {},
      end: () => {},
      asyncStart: () => {},
      asyncEnd: (message: object) => void heard.push({ ...message }),
      error: () => {},
    };
    const channels = ['nest-durable:publish', 'nest-durable:effect'].map((name) => tracingChannel(name));
    for (const channel of channels) channel.subscribe(subscriber);
    try {
      const app = await boot(false);
      await app.get(Outbox).publish({ channel: 'attached', name: 'e', data: 'secret' });
      await until('it is heard', () => heard.length === 1);
      const calls = [{ handler: 'attached.call', ref: 'secret' }];
      await app.get(Effects).enqueue({ operation: 'o', subject: 's', calls });
      await until('the call is made', () => heard.length === 2);
    } finally {
      for (const channel of channels) channel.unsubscribe(subscriber);
    }
    expect(heard).toMatchObject([
      { kind: 'publish', name: 'attached', count: 1 },
      { kind: 'effect', name: 'attached.call', attempt: 1 },
    ]);
    expect(JSON.stringify(heard)).not.toContain('secret');
  });
});

describe('Errors in spans', () => {
  class Failing {
    @Effect('failing.call', { attempts: 1 })
    call(): void {
      throw Object.assign(new RangeError('of ada'), { code: 'ADA' });
    }
  }
  @Worker()
  class FailingSteps {
    @RemoteStep('failing.step', { retry: false })
    step(): void {
      throw Object.assign(new RangeError('of ada'), { code: 'ADA' });
    }
  }
  @Workflow('failing')
  class Fails {
    async run(ctx: WorkflowContext, _: null): Promise<void> {
      await ctx.remote(FailingSteps).step();
    }
  }
  const redact = ({ name }: { name: string }) => ({ name, message: 'hidden' });

  it.each<[string, DurableModuleOptions, unknown[], unknown[]]>([
    ['of effects only their class', {}, ['ADA', 'of ada'], ['RangeError', undefined]],
    ['all of them if asked for', { effects: { errors: 'full' } }, ['ADA', 'of ada'], ['ADA', 'of ada']],
    ['as they may be seen', { errors: { redact } }, ['RangeError', 'hidden'], ['RangeError', undefined]],
  ])('have messages if the app asks for them: %s', async (_, options, ofStep, ofEffect) => {
    const spans = recordedSpans();
    spans.register();
    const durable = DurableModule.forRoot({ backend: memoryBackend(), ...options });
    const imports = [durable, OpenTelemetryModule.forRoot({ tracing: { messages: true } })];
    const app = await bootApp({ imports, providers: [Failing, Fails, FailingSteps] });
    apps.push(app);
    await app.get(Effects).enqueue({ operation: 'o', subject: 's', calls: [{ handler: 'failing.call', ref: 1 }] });
    await app.get(WorkflowClient).start(Fails, null);
    const kinds = ['process failing.step', 'end failing', 'effect failing.call'];
    await until('all spans', () => kinds.every((kind) => spans.named(kind).length > 0));
    const told = kinds.map((kind) => {
      const [{ status, attributes }] = spans.named(kind) as [ReadableSpan];
      return [attributes['error.type'], status.message];
    });
    expect(told).toEqual([ofStep, ofStep, ofEffect]);
    spans.disable();
  });
});

describe('A batch', () => {
  it('has links to what it came from, up to the 32nd', async () => {
    const spans = recordedSpans();
    spans.register();
    const settings = { steps: 'child', newTraceAfterMs: 0, messages: false } as const;
    const tracing = new OtelTracing(
      { namespace: '', nodeId: 'n', seen: (error) => toWireError(error) },
      settings,
      broken,
    );
    const links = Array.from({ length: 40 }, (_, n) => ({
      traceparent: `00-${'1'.repeat(32)}-${String(n + 1).padStart(16, '0')}-01`,
    }));
    await tracing.around({ kind: 'publish', name: 'd', count: 40, links }, () => undefined);
    spans.disable();
    const [batch] = spans.named('publish d');
    expect(batch!.links).toHaveLength(32);
    expect(batch!.parentSpanContext).toBeUndefined();
  });
});

describe('OpenTelemetryModule.forRoot', () => {
  it.each([
    [{ traceing: true }, UnknownOptionError, 'tracing'],
    [{ tracing: { step: 'link' } }, UnknownOptionError, 'steps'],
    [{ tracing: { steps: 'links' } }, InvalidArgumentError, 'link'],
    [{ tracing: { newTraceAfter: 'soon' } }, TypeError, 'newTraceAfter'],
    [{ metrics: 1 }, InvalidArgumentError, 'metrics'],
  ])('refuses %j', async (options, type, text) => {
    const thrown = await thrownBy(
      Promise.resolve().then(() => OpenTelemetryModule.forRoot(options as OpenTelemetryOptions)),
    );
    expect(thrown).toBeInstanceOf(type);
    expect(String(thrown)).toContain(text);
  });
});
