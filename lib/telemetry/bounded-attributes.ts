import { type MetricAttributes, type MetricName, METRICS } from './metric-names.js';

/** More different values of one attribute of a metric are counted as {@link OTHER}. */
export const MOST_VALUES = 200;
export const OTHER = 'other';

/**
 * Bounds what a process keeps of metrics: names of workflows and steps come from code, and a mistake there must not fill
 * the memory of the process, nor that of whoever collects the metrics.
 */
export class BoundedAttributes {
  private readonly seen = new Map<string, Set<string>>();

  /** The attributes of a metric that have a value. */
  of(name: MetricName, given: MetricAttributes): Record<string, string> {
    const attributes: Record<string, string> = {};
    for (const attribute of METRICS[name].attributes) {
      const value = given[attribute];
      if (value !== undefined) attributes[attribute] = this.known(`${name} ${attribute}`, value);
    }
    return attributes;
  }

  private known(key: string, value: string): string {
    const values = this.seen.get(key) ?? new Set<string>();
    this.seen.set(key, values);
    if (values.size < MOST_VALUES) values.add(value);
    return values.has(value) ? value : OTHER;
  }
}
