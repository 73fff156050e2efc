import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import { feedMetrics } from '../telemetry/metric-feed.js';
import { MetricRegistry } from '../telemetry/metric-registry.js';
import { PROMETHEUS_TYPE, prometheusText } from '../telemetry/prometheus-text.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { MetricGauges } from './metric-gauges.js';

export interface MetricsOptions {
  /**
   * Whether this process looks up the gauges of all processes, at most every 15 s. `'auto'`: if it is the first of those
   * that play workflows in its namespace, so that one process does. Default `'auto'`.
   */
  fleet?: boolean | 'auto';
}

const METRICS_OPTIONS = { fleet: true } satisfies KnownOptions<MetricsOptions>;

/**
 * The metrics of this process as a text for Prometheus. Nothing is measured, and nothing costs anything, before `start`
 * or the first `text`.
 *
 * @example
 * \@Get('metrics')
 * \@Header('content-type', DurableMetrics.contentType)
 * metrics() {
 *   return this.metrics.text();
 * }
 */
@Injectable()
export class DurableMetrics implements BeforeApplicationShutdown {
  static readonly contentType = PROMETHEUS_TYPE;
  readonly #registry = new MetricRegistry();
  readonly #telemetry: Telemetry;
  readonly #gauges: MetricGauges;
  #stop: (() => void) | undefined;

  constructor(@Inject(Telemetry) telemetry: Telemetry, @Inject(MetricGauges) gauges: MetricGauges) {
    this.#telemetry = telemetry;
    this.#gauges = gauges;
  }

  /** Begins to measure, if it does not yet. */
  start(): void {
    this.#stop ??= feedMetrics(this.#telemetry, this.#registry);
  }

  /**
   * All metrics in the text format of Prometheus. Without the database, those of all processes are missing.
   *
   * @throws UnknownOptionError
   */
  async text(options: MetricsOptions = {}): Promise<string> {
    const { fleet = 'auto' } = checkedOptions(options, METRICS_OPTIONS, 'DurableMetrics.text');
    this.start();
    return prometheusText(this.#registry, await this.#gauges.read(fleet));
  }

  beforeApplicationShutdown(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
