import type { MetricSink } from './metric-names.js';
import type { Telemetry, TelemetryListener } from './telemetry.js';
import type { TaskEvent, TelemetryEvents } from './telemetry-events.js';

const FINAL = new Set(['completed', 'failed', 'cancelled', 'compensation_failed']);
const seconds = (ms: number): number => Math.max(0, ms) / 1_000;

/** Measures what the events of a process tell. Returns a function that ends it. */
export function feedMetrics(telemetry: Telemetry, sink: MetricSink): () => void {
  const listeners: { [Name in keyof TelemetryEvents]?: TelemetryListener<Name> } = {
    ...ofRuns(sink),
    ...ofSteps(sink),
    ...ofOthers(sink),
  };
  const stops = Object.entries(listeners).map(([name, listener]) =>
    // Each listener stands under the name of its own event.
    telemetry.on(name as keyof TelemetryEvents, listener as TelemetryListener<keyof TelemetryEvents>),
  );
  return () => stops.forEach((stop) => stop());
}

type Listeners = { [Name in keyof TelemetryEvents]?: TelemetryListener<Name> };

const ofRuns = (sink: MetricSink): Listeners => ({
  'run.entered': ({ workflow, how, delayMs }) => {
    if (delayMs === undefined) return;
    sink.add('durable.runs.started', { workflow, how });
    sink.record('durable.run.start.delay', { workflow }, seconds(delayMs));
  },
  'run.woken': ({ by, delayMs }) => sink.record('durable.wake.delay', { by }, seconds(delayMs)),
  'run.left': ({ workflow, status, reason, durationMs }) => {
    if (FINAL.has(status)) {
      sink.add('durable.runs.ended', { workflow, status });
      if (durationMs !== undefined) sink.record('durable.run.duration', { workflow, status }, seconds(durationMs));
    } else if (reason !== undefined) sink.add('durable.runs.blocked', { workflow, reason });
  },
  'runs.committed': ({ writes, durationMs }) => {
    sink.record('durable.commit.duration', {}, seconds(durationMs));
    sink.record('durable.commit.batch', {}, writes);
  },
  'claim.made': ({ what, durationMs }) => sink.record('durable.claim.duration', { what }, seconds(durationMs)),
});

const ofSteps = (sink: MetricSink): Listeners => {
  const answered = (event: TaskEvent & { durationMs: number }, outcome: string, error?: string) => {
    const { name: step, group } = event;
    const duration = seconds(event.durationMs);
    sink.add('durable.step.attempts', { step, outcome });
    // No handler was called.
    if (outcome === 'crash_loop') return;
    sink.record('durable.step.duration', { step, kind: 'remote', outcome }, duration);
    sink.record(
      'messaging.process.duration',
      {
        'messaging.system': 'nest_durable',
        'messaging.operation.name': 'process',
        'messaging.destination.name': group,
        'error.type': error,
      },
      duration,
    );
  };
  return {
    'task.claimed': ({ name: step, group, reclaimed, waitedMs }) => {
      if (reclaimed) sink.add('durable.step.attempts', { step, outcome: 'lost' });
      if (waitedMs !== undefined) sink.record('durable.step.queue.duration', { step, group }, seconds(waitedMs));
    },
    'task.completed': (event) => answered(event, 'completed'),
    'task.failed': (event) => answered(event, failureOf(event.error), event.error.code ?? event.error.name ?? '_OTHER'),
    'step.ended': ({ name: step, kind, durationMs, error }) => {
      const outcome = error ? failureOf(error) : 'completed';
      sink.add('durable.step.attempts', { step, outcome });
      sink.record('durable.step.duration', { step, kind, outcome }, seconds(durationMs));
    },
  };
};

const failureOf = ({ code }: { code?: string }): string =>
  code === 'STEP_TIMEOUT' ? 'timeout' : code === 'crash_loop' ? 'crash_loop' : 'failed';

const ofOthers = (sink: MetricSink): Listeners => {
  const effect =
    (outcome: string) =>
    ({ handler }: { handler: string }) =>
      sink.add('durable.effect.attempts', { handler, outcome });
  return {
    'effects.succeeded': effect('succeeded'),
    'effects.failed': effect('failed'),
    'effects.abandoned': effect('abandoned'),
    'effects.scheduled': effect('scheduled'),
    'effects.lease-lost': effect('lost'),
    'outbox.delivered': ({ destination, events }) => sink.add('durable.outbox.delivered', { destination }, events),
    'outbox.failed': ({ destination }) => sink.add('durable.outbox.failures', { destination }),
    'outbox.poisoned': ({ destination, outcome }) => sink.add('durable.outbox.poisoned', { destination, outcome }),
    'schedule.fired': ({ workflow, runIds }) => sink.add('durable.schedules.fired', { workflow }, runIds.length),
    'schedule.failed': ({ workflow }) => sink.add('durable.schedules.failures', { workflow }),
    'loop.error': ({ loop }) => sink.add('durable.errors', { loop }),
  };
};
