export interface Metric {
  kind: 'counter' | 'histogram' | 'gauge';
  /** `s`, or what is counted in braces. */
  unit: string;
  /** What it is, for people. */
  help: string;
  /** The names of its attributes. */
  attributes: readonly string[];
}

/** All metrics that a process measures or looks up. Names, kinds, units and attributes are public API. */
export const METRICS = {
  'durable.runs.started': of('counter', '{run}', 'Runs that were played for the first time', 'workflow', 'how'),
  'durable.runs.ended': of('counter', '{run}', 'Runs that have ended in an engine', 'workflow', 'status'),
  'durable.runs.blocked': of('counter', '{run}', 'Runs that could not continue', 'workflow', 'reason'),
  'durable.run.duration': of('histogram', 's', 'From the start of a run to its end', 'workflow', 'status'),
  'durable.run.start.delay': of('histogram', 's', 'From the start of a run until it is played', 'workflow'),
  'durable.step.duration': of('histogram', 's', 'How long attempts of steps take', 'step', 'kind', 'outcome'),
  'durable.step.queue.duration': of('histogram', 's', 'How long tasks wait for a worker', 'step', 'group'),
  'durable.step.attempts': of('counter', '{attempt}', 'Attempts of steps by how they ended', 'step', 'outcome'),
  'messaging.process.duration': of(
    'histogram',
    's',
    'How long workers process tasks, by the conventions of OpenTelemetry',
    'messaging.system',
    'messaging.operation.name',
    'messaging.destination.name',
    'error.type',
  ),
  'durable.commit.duration': of('histogram', 's', 'How long one commit of the engine takes'),
  'durable.commit.batch': of('histogram', '{write}', 'How many writes of runs one commit of the engine has'),
  'durable.wake.delay': of('histogram', 's', 'From a due time, or the answer of a worker, until its run goes on', 'by'),
  'durable.claim.duration': of('histogram', 's', 'How long one claim takes', 'what'),
  'durable.outbox.delivered': of('counter', '{event}', 'Events that were delivered', 'destination'),
  'durable.outbox.failures': of('counter', '{delivery}', 'Deliveries that failed', 'destination'),
  'durable.outbox.poisoned': of('counter', '{event}', 'Events that are no longer tried', 'destination', 'outcome'),
  'durable.effect.attempts': of('counter', '{call}', 'Calls of effects by how they ended', 'handler', 'outcome'),
  'durable.schedules.fired': of('counter', '{run}', 'Runs that schedules have started', 'workflow'),
  'durable.schedules.failures': of('counter', '{failure}', 'Schedules that could not fire', 'workflow'),
  'durable.errors': of('counter', '{error}', 'Errors in background loops, which go on', 'loop'),
  'durable.engine.residents': of('gauge', '{run}', 'Runs in the memory of this process'),
  'durable.worker.running': of('gauge', '{task}', 'Remote steps that this process runs'),
  'durable.worker.concurrency': of('gauge', '{task}', 'Remote steps that this process may run at once'),
  'durable.loop.age': of('gauge', 's', 'How long ago a loop of this process ticked', 'loop'),
  'durable.nodes': of('gauge', '{node}', 'Processes that are alive', 'role'),
  'durable.runs.open': of('gauge', '{run}', 'Runs that have not ended, counted up to a limit', 'status'),
  'durable.runs.standing': of('gauge', '{run}', 'Blocked runs, counted up to a limit', 'workflow', 'reason'),
  'durable.runs.due.age': of('gauge', 's', 'Since when the longest waiting run is due and unclaimed', 'workflow'),
  'durable.queue.depth': of('gauge', '{task}', 'Tasks that no worker has, counted up to a limit', 'group'),
  'durable.queue.age': of('gauge', 's', 'Since when the oldest task waits that no worker has', 'group'),
  'durable.outbox.lag': of('gauge', '{event}', 'Events to deliver, counted up to a limit', 'destination'),
  'durable.outbox.lag.age': of('gauge', 's', 'Since when the oldest undelivered event waits', 'destination'),
  'durable.outbox.blocked': of('gauge', '{channel}', 'Channels that stand still', 'destination'),
  'durable.outbox.dead': of('gauge', '{event}', 'Dead letters, counted up to a limit', 'destination'),
  'durable.effects': of('gauge', '{call}', 'Calls of effects, counted up to a limit', 'handler', 'status'),
  'durable.effects.unclaimed.age': of('gauge', 's', 'Since when the longest waiting call is due', 'handler'),
  'durable.schedules.late': of('gauge', '{schedule}', 'Schedules that should have fired more than a minute ago'),
  'durable.db.horizon.age': of('gauge', 's', 'Since when the oldest transaction keeps deleted rows, on PostgreSQL'),
  'durable.db.dead_rows': of('gauge', '{row}', 'Deleted rows that wait for a vacuum, on PostgreSQL', 'table'),
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;
/** Values of the attributes; an attribute without a value is left out. */
export type MetricAttributes = Readonly<Record<string, string | undefined>>;

type OfKind<Kind extends Metric['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
export type CounterName = OfKind<'counter'>;
export type HistogramName = OfKind<'histogram'>;
export type GaugeName = OfKind<'gauge'>;

/** Where measurements go: the registry of a process, or OpenTelemetry. */
export interface MetricSink {
  add(name: CounterName, attributes: MetricAttributes, count?: number): void;
  record(name: HistogramName, attributes: MetricAttributes, value: number): void;
}

/** The value of a gauge when it was looked up. */
export interface GaugeReading {
  name: GaugeName;
  attributes: MetricAttributes;
  value: number;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

/** The upper bounds of the buckets of a histogram: of times from 5 ms to one hour. */
export const bucketsOf = (name: HistogramName): readonly number[] => (METRICS[name].unit === 's' ? SECONDS : COUNTS);

function of<Kind extends Metric['kind']>(kind: Kind, unit: string, help: string, ...attributes: string[]) {
  return { kind, unit, help, attributes };
}
