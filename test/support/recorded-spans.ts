import { createRequire } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export type { ReadableSpan };

/** By the parts that SDK 2, for Node 20, and SDK 3 have in common. An SDK whose spans can be looked at: those that have ended, and how many are open. */
export function recordedSpans() {
  const exporter = new InMemorySpanExporter();
  let open = 0;
  const counter = {
    onStart: () => void open++,
    onEnd: () => void open--,
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter }), counter] });
  return {
    tracer: provider.getTracer('test'),
    register: () => {
      trace.setGlobalTracerProvider(provider);
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    },
    disable: () => [trace, context, propagation].forEach((api) => api.disable()),
    reset: () => exporter.reset(),
    open: () => open,
    all: (): ReadableSpan[] => exporter.getFinishedSpans(),
    named: (name: string): ReadableSpan[] => exporter.getFinishedSpans().filter((span) => span.name === name),
  };
}

type Statements = Partial<Record<'query' | 'execute' | 'prepare', (...args: unknown[]) => unknown>>;

/** What the drivers send statements by: the copies that the ORMs have, too. MikroORM 6 has `mariadb`, version 7 has not. */
function driverConnections(): Statements[] {
  const here = createRequire(import.meta.url);
  const of = (orm: string): NodeJS.Require[] => {
    try {
      return [createRequire(here.resolve(`${orm}/package.json`))];
    } catch {
      return [];
    }
  };
  const found = (requires: readonly NodeJS.Require[], path: string): Record<string, Driver>[] =>
    requires.flatMap((from) => {
      try {
        return [from(path) as Record<string, Driver>];
      } catch {
        return [];
      }
    });
  const drivers = [
    ...found([here, ...of('@mikro-orm/postgresql')], 'pg').map(({ Client }) => Client),
    ...found([here, ...of('@mikro-orm/mysql')], 'mysql2').map(({ Connection }) => Connection),
    ...(found([here], 'mariadb/lib/connection-callback') as unknown as Driver[]),
  ];
  return [...new Set(drivers.flatMap((driver) => driver?.prototype ?? []))];
}

interface Driver {
  prototype: Statements;
}

/** As an instrumentation of the drivers does: a span for each statement. Returns a function that ends it. */
export function traceStatements(): () => void {
  const stops = driverConnections().flatMap((driver) =>
    (['query', 'execute', 'prepare'] as const).map((name) => {
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
