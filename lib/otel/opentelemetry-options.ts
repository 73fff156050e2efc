import { InvalidArgumentError } from '../errors/argument-errors.js';
import type { MetricsOptions } from '../module/durable-metrics.js';
import { checkedOptions, type KnownOptions } from '../options/known-options.js';
import { type Duration, toMs } from '../time/duration.js';

export interface TracingOptions {
  /**
   * `'child'`: the spans of remote steps and effects belong to the trace of their run. `'link'`: each begins a trace of
   * its own with a link to it, for runs with very many steps. Default `'child'`.
   */
  steps?: 'child' | 'link';
  /** A run that is started with a longer `delay` begins a new trace, with a link to its caller's. Default `'1h'`. */
  newTraceAfter?: Duration;
  /** Whether messages of errors are recorded, which may contain data of people. Default false. */
  messages?: boolean;
}

export interface OpenTelemetryOptions {
  /** Default true. */
  tracing?: boolean | TracingOptions;
  /** Default true. `fleet`: whether this process observes the gauges of all processes. Default `'auto'`. */
  metrics?: boolean | MetricsOptions;
}

const OPTIONS = {
  tracing: { steps: true, newTraceAfter: true, messages: true },
  metrics: { fleet: true },
} satisfies KnownOptions<OpenTelemetryOptions>;

export interface TracingSettings {
  steps: 'child' | 'link';
  newTraceAfterMs: number;
  messages: boolean;
}

export interface OpenTelemetrySettings {
  tracing: TracingSettings | undefined;
  metrics: Required<MetricsOptions> | undefined;
}

/** @throws InvalidArgumentError, UnknownOptionError, TypeError for a duration that is none */
export function openTelemetrySettings(given: OpenTelemetryOptions): OpenTelemetrySettings {
  const { tracing = true, metrics = true } = checkedOptions(given, OPTIONS, 'OpenTelemetryModule.forRoot');
  return {
    tracing: objectOf('tracing', tracing, tracingSettings),
    metrics: objectOf('metrics', metrics, ({ fleet = 'auto' }) => ({
      fleet: oneOf('fleet', fleet, ['auto', true, false]),
    })),
  };
}

function tracingSettings({ steps = 'child', newTraceAfter = '1h', messages = false }: TracingOptions): TracingSettings {
  return {
    steps: oneOf('steps', steps, ['child', 'link']),
    newTraceAfterMs: toMs(newTraceAfter, 'newTraceAfter'),
    messages: oneOf('messages', messages, [true, false]),
  };
}

function objectOf<Options extends object, Settings>(
  name: string,
  given: boolean | Options,
  settings: (options: Options | Record<string, never>) => Settings,
): Settings | undefined {
  if (given === false) return undefined;
  if (given === true) return settings({});
  if (typeof given === 'object' && given !== null) return settings(given);
  throw new InvalidArgumentError(name, given, 'a boolean or an object of options');
}

function oneOf<Value>(name: string, given: Value, values: readonly Value[]): Value {
  if (values.includes(given)) return given;
  throw new InvalidArgumentError(name, given, values.map((value) => JSON.stringify(value)).join(' or '));
}
