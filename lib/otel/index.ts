export { OpenTelemetryModule } from './opentelemetry.module.js';
export { type OpenTelemetryOptions, type TracingOptions } from './tracing.js';
