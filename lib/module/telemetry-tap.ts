import { Inject, Injectable } from '@nestjs/common';
import { Telemetry } from '../telemetry/telemetry.js';
import type { DurableSettings } from './durable-options.js';
import { DURABLE_SETTINGS } from './durable.tokens.js';
import { MetricGauges } from './metric-gauges.js';
import { ProcessRuntime } from './process-runtime.js';

/** What an adapter to a tool for telemetry attaches to. */
@Injectable()
export class TelemetryTap {
  readonly namespace: string;

  constructor(
    @Inject(Telemetry) readonly telemetry: Telemetry,
    @Inject(MetricGauges) readonly gauges: MetricGauges,
    @Inject(ProcessRuntime) private readonly runtime: ProcessRuntime,
    @Inject(DURABLE_SETTINGS) { namespace }: DurableSettings,
  ) {
    this.namespace = namespace;
  }

  /** The name of this process in the list of processes; undefined before its start. */
  get nodeId(): string | undefined {
    return this.runtime.nodeId;
  }
}
