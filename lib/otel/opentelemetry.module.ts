import { type DynamicModule, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TelemetryTap } from '../module/telemetry-tap.js';
import { feedMetrics } from '../telemetry/metric-feed.js';
import {
  type OpenTelemetryOptions,
  type OpenTelemetrySettings,
  openTelemetrySettings,
} from './opentelemetry-options.js';
import { observeGauges, OtelMetricSink } from './otel-metrics.js';
import { OtelTracing } from './otel-tracing.js';

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
