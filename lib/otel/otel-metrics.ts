import { type Counter, type Histogram, metrics, type ObservableGauge } from '@opentelemetry/api';
import type { MetricGauges } from '../module/metric-gauges.js';
import { PACKAGE_VERSION } from '../protocol/package-version.js';
import { BoundedAttributes } from '../telemetry/bounded-attributes.js';
import {
  bucketsOf,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type Metric,
  type MetricAttributes,
  METRICS,
  type MetricSink,
} from '../telemetry/metric-names.js';

const meter = () => metrics.getMeter('nest-durable', PACKAGE_VERSION);

const namesOf = <Name>(kind: Metric['kind']): Name[] =>
  Object.entries(METRICS).flatMap(([name, metric]) => (metric.kind === kind ? [name as Name] : []));

const described = (name: keyof typeof METRICS) => ({ unit: METRICS[name].unit, description: METRICS[name].help });

/** Passes measurements to the meter of the app. An error of the SDK is one of a listener, which is ignored. */
export class OtelMetricSink implements MetricSink {
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
export function observeGauges(gauges: Pick<MetricGauges, 'read'>, fleet: boolean | 'auto'): () => void {
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
