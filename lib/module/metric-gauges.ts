import { Inject, Injectable } from '@nestjs/common';
import { Operator } from '../operator/operator.js';
import { foldedGauges } from '../telemetry/folded-gauges.js';
import type { GaugeReading } from '../telemetry/metric-names.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { stopwatch } from '../time/clock.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE } from './durable.tokens.js';
import type { DurableSettings } from './durable-options.js';
import { FleetGauges } from './fleet-gauges.js';
import { processGauges } from './process-gauges.js';
import { ProcessRuntime } from './process-runtime.js';
import type { Storage } from './storage.providers.js';

/** Looks up the gauges of this process, and those of all processes, for whatever collects them. */
@Injectable()
export class MetricGauges {
  private readonly fleet: FleetGauges;

  constructor(
    @Inject(DURABLE_SETTINGS) private readonly settings: DurableSettings,
    @Inject(DURABLE_STORAGE) storage: Storage,
    @Inject(ProcessRuntime) private readonly runtime: ProcessRuntime,
    @Inject(Operator) operator: Operator,
    @Inject(Telemetry) private readonly telemetry: Telemetry,
  ) {
    this.fleet = new FleetGauges({
      operator,
      storage,
      namespace: settings.namespace,
      nodeId: () => runtime.vitals.node?.id,
      onError: (error) => telemetry.emit('loop.error', { loop: 'metrics', error }),
      elapsed: stopwatch,
    });
  }

  /** See `MetricsOptions`. */
  async read(fleet: boolean | 'auto'): Promise<readonly GaugeReading[]> {
    const isRunning = this.runtime.vitals.state === 'running';
    const ofAll = isRunning ? await this.telemetry.quietly(() => this.fleet.read(fleet)) : [];
    return foldedGauges([...processGauges(this.runtime, this.settings), ...ofAll]);
  }
}
