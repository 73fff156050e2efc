import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type Counter, type Histogram, metrics, type ObservableGauge } from '@opentelemetry/api';
import {
  BoundedAttributes,
  bucketsOf,
  type CounterName,
  feedMetrics,
  type GaugeName,
  type HistogramName,
  type Metric,
  type MetricAttributes,
  METRICS,
  type MetricSink,
} from '../core/metrics.js';
import { PACKAGE_VERSION } from '../core/protocol.js';
import { type MetricGauges, TelemetryTap } from '../nest/metrics.js';
import {
  type OpenTelemetryOptions,
  type OpenTelemetrySettings,
  openTelemetrySettings,
  OtelTracing,
} from './tracing.js';

const SETTINGS = 'durable:opentelemetry';

/** Attaches when it is created, which is before anything starts. */
@Injectable()
class Attachment implements OnApplicationShutdown {
  private readonly stops: (() => void)[] = [];

  constructor(
    @Inject(TelemetryTap) private readonly tap: TelemetryTap,
    @Inject(SETTINGS) { tracing, metrics }: OpenTelemetrySettings,
  ) {
    const { telemetry, gauges } = tap;
    if (tracing) telemetry.tracing = new OtelTracing(tap, tracing, this.onError());
    if (metrics) this.stops = [feedMetrics(telemetry, new OtelMetricSink()), observeGauges(gauges, metrics.fleet)];
  }

  /** After everything has stopped: the last spans are of what ends then. */
  onApplicationShutdown(): void {
    this.tap.telemetry.tracing = undefined;
    for (const stop of this.stops) stop();
  }

  /** The first error says what is wrong; there may be one per span. */
  private onError(): (error: unknown) => void {
    let isTold = false;
    return (error) => {
      if (!isTold) this.tap.telemetry.emit('loop.error', { loop: 'tracing', error });
      isTold = true;
    };
  }
}

/**
 * Spans and metrics by the global providers of `@opentelemetry/api`, which the SDK of the app sets. Import it beside
 * `DurableModule`.
 *
 * @example
 * \@Module({ imports: [DurableModule.forRoot(), OpenTelemetryModule.forRoot()] })
 * export class AppModule {}
 */
@Module({})
export class OpenTelemetryModule {
  /** @throws InvalidArgumentError, UnknownOptionError, TypeError for a duration that is none */
  static forRoot(options: OpenTelemetryOptions = {}): DynamicModule {
    return {
      module: OpenTelemetryModule,
      providers: [{ provide: SETTINGS, useValue: openTelemetrySettings(options) }, Attachment],
    };
  }
}

const meter = () => metrics.getMeter('nest-durable', PACKAGE_VERSION);

const namesOf = <Name>(kind: Metric['kind']): Name[] =>
  Object.entries(METRICS).flatMap(([name, metric]) => (metric.kind === kind ? [name as Name] : []));

const described = (name: keyof typeof METRICS) => ({ unit: METRICS[name].unit, description: METRICS[name].help });

/** Passes measurements to the meter of the app. An error of the SDK is one of a listener, which is ignored. */
class OtelMetricSink implements MetricSink {
  private readonly bounded = new BoundedAttributes();
  private readonly counters: ReadonlyMap<CounterName, Counter>;
  private readonly histograms: ReadonlyMap<HistogramName, Histogram>;

  constructor() {
    const ours = meter();
    this.counters = new Map(
      namesOf<CounterName>('counter').map((name) => [name, ours.createCounter(name, described(name))]),
    );
    this.histograms = new Map(
      namesOf<HistogramName>('histogram').map((name) => {
        const advice = { explicitBucketBoundaries: [...bucketsOf(name)] };
        return [name, ours.createHistogram(name, { ...described(name), advice })];
      }),
    );
  }

  add(name: CounterName, given: MetricAttributes, count = 1): void {
    this.counters.get(name)?.add(count, this.bounded.of(name, given));
  }

  record(name: HistogramName, given: MetricAttributes, value: number): void {
    this.histograms.get(name)?.record(value, this.bounded.of(name, given));
  }
}

/** Observes the gauges whenever a reader collects: all by one look. Returns a function that ends it. */
function observeGauges(gauges: Pick<MetricGauges, 'read'>, fleet: boolean | 'auto'): () => void {
  const ours = meter();
  const instruments = new Map<GaugeName, ObservableGauge>(
    namesOf<GaugeName>('gauge').map((name) => [name, ours.createObservableGauge(name, described(name))]),
  );
  const observe: Parameters<typeof ours.addBatchObservableCallback>[0] = async (result) => {
    for (const { name, attributes, value } of await gauges.read(fleet))
      result.observe(instruments.get(name)!, value, attributes);
  };
  const all = [...instruments.values()];
  ours.addBatchObservableCallback(observe, all);
  return () => ours.removeBatchObservableCallback(observe, all);
}
