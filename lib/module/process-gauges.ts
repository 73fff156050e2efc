import type { GaugeReading } from '../telemetry/metric-names.js';
import type { DurableSettings } from './durable-options.js';
import type { ProcessRuntime } from './process-runtime.js';

/** What this process knows by itself. */
export function processGauges(
  { vitals, parts }: Pick<ProcessRuntime, 'vitals' | 'parts'>,
  { worker }: Pick<DurableSettings, 'worker'>,
): GaugeReading[] {
  const { engine, workers } = parts;
  const running = workers.reduce((sum, one) => sum + one.running, 0);
  const concurrency = worker ? worker.concurrency * workers.length : 0;
  const plain = (name: GaugeReading['name'], value: number): GaugeReading => ({ name, attributes: {}, value });
  return [
    ...(engine ? [plain('durable.engine.residents', engine.engine.residents.size)] : []),
    ...(workers.length > 0
      ? [plain('durable.worker.running', running), plain('durable.worker.concurrency', concurrency)]
      : []),
    ...Object.entries(vitals.loops).map(([loop, { pulse }]): GaugeReading => {
      return { name: 'durable.loop.age', attributes: { loop }, value: pulse.agoMs / 1_000 };
    }),
  ];
}
