import { BoundedAttributes } from './bounded-attributes.js';
import {
  bucketsOf,
  type CounterName,
  type HistogramName,
  type MetricAttributes,
  type MetricSink,
} from './metric-names.js';

export interface Counted {
  attributes: MetricAttributes;
  value: number;
}

export interface Distribution {
  attributes: MetricAttributes;
  /** How many values each bucket has; the last one is for all above the greatest bound. */
  buckets: number[];
  sum: number;
  count: number;
}

/** The counters and histograms of a process. */
export class MetricRegistry implements MetricSink {
  readonly counters = new Map<CounterName, Map<string, Counted>>();
  readonly histograms = new Map<HistogramName, Map<string, Distribution>>();
  private readonly bounded = new BoundedAttributes();

  add(name: CounterName, given: MetricAttributes, count = 1): void {
    const attributes = this.bounded.of(name, given);
    const series = entryOf(this.counters, name, () => new Map<string, Counted>());
    entryOf(series, keyOf(attributes), () => ({ attributes, value: 0 })).value += count;
  }

  record(name: HistogramName, given: MetricAttributes, value: number): void {
    const attributes = this.bounded.of(name, given);
    const bounds = bucketsOf(name);
    const series = entryOf(this.histograms, name, () => new Map<string, Distribution>());
    const found = entryOf(series, keyOf(attributes), () => ({
      attributes,
      buckets: [...bounds.map(() => 0), 0],
      sum: 0,
      count: 0,
    }));
    const at = bounds.findIndex((bound) => value <= bound);
    found.buckets[at === -1 ? bounds.length : at]!++;
    found.sum += value;
    found.count++;
  }
}

const keyOf = (attributes: MetricAttributes): string => JSON.stringify(attributes);

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
