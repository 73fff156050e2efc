import { createRequire } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

/** An SDK whose spans can be looked at: those that have ended, and how many are open. */
export function recordedSpans() {
  const exporter = new InMemorySpanExporter();
  let open = 0;
  const counter = {
    onStart: () => void open++,
    onEnd: () => void open--,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter), counter] });
  return {
    tracer: provider.getTracer('test'),
    register: () => provider.register(),
    disable: () => [trace, context, propagation].forEach((api) => api.disable()),
    reset: () => exporter.reset(),
    open: () => open,
    all: (): ReadableSpan[] => exporter.getFinishedSpans(),
    named: (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name),
  };
}

type Statements = Record<'query' | 'execute', (...args: unknown[]) => unknown>;

/** As an instrumentation of the drivers does: a span for each statement. Returns a function that ends it. */
export function traceStatements(): () => void {
  const require = createRequire(import.meta.url);
  const { Client } = require('pg') as { Client: { prototype: Statements } };
  const { Connection } = require('mysql2') as { Connection: { prototype: Statements } };
  const stops = [Client.prototype, Connection.prototype].flatMap((driver) =>
    (['query', 'execute'] as const).map((name) => {
      const plain = driver[name];
      if (!plain) return () => {};
      driver[name] = function (this: unknown, ...args) {
        trace.getTracer('driver').startSpan('statement').end();
        return plain.apply(this, args);
      };
      return () => void (driver[name] = plain);
    }),
  );
  return () => stops.forEach((stop) => stop());
}
