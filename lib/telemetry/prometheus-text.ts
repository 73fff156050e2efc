import { bucketsOf, type GaugeReading, type MetricAttributes, type MetricName, METRICS } from './metric-names.js';
import type { Distribution, MetricRegistry } from './metric-registry.js';

/** The content type of the text. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The name of a metric in Prometheus: as its exporters of OpenTelemetry name it. */
export function prometheusName(name: MetricName): string {
  const { kind, unit } = METRICS[name];
  return `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}${kind === 'counter' ? '_total' : ''}`;
}

/** All metrics in the text format of Prometheus. A metric without values is left out. */
export function prometheusText(registry: MetricRegistry, gauges: readonly GaugeReading[]): string {
  const names = Object.keys(METRICS) as MetricName[];
  const text = names.flatMap((name) => {
    const lines = linesOf(name, registry, gauges);
    if (lines.length === 0) return [];
    const { help, kind } = METRICS[name];
    const title = prometheusName(name);
    return [`# HELP ${title} ${help}`, `# TYPE ${title} ${kind}`, ...lines];
  });
  return text.map((line) => `${line}\n`).join('');
}

function linesOf(
  name: MetricName,
  { counters, histograms }: MetricRegistry,
  gauges: readonly GaugeReading[],
): string[] {
  const title = prometheusName(name);
  const counted = [...((counters as ReadonlyMap<string, Map<string, Sample>>).get(name)?.values() ?? [])];
  const looked = gauges.filter((gauge) => gauge.name === name);
  const samples = [...counted, ...looked].map(({ attributes, value }) => sample(title, attributes, value));
  const found = [...((histograms as ReadonlyMap<string, Map<string, Distribution>>).get(name)?.values() ?? [])];
  return [...samples, ...found.flatMap((one) => distribution(title, bucketsOf(name as never), one))];
}

type Sample = Pick<GaugeReading, 'attributes' | 'value'>;

function distribution(title: string, bounds: readonly number[], { attributes, buckets, sum, count }: Distribution) {
  let below = 0;
  const upTo = (bound: string, more: number) =>
    sample(`${title}_bucket`, { ...attributes, le: bound }, (below += more));
  return [
    ...bounds.map((bound, at) => upTo(String(bound), buckets[at]!)),
    upTo('+Inf', buckets.at(-1)!),
    sample(`${title}_sum`, attributes, sum),
    sample(`${title}_count`, attributes, count),
  ];
}

function sample(title: string, attributes: MetricAttributes, value: number): string {
  const pairs = Object.entries(attributes).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name.replaceAll('.', '_')}="${escaped(text)}"`],
  );
  return `${title}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '');
