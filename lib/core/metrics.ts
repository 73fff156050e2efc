import type { StepEvent, TaskEvent, Telemetry, TelemetryEvents, TelemetryListener } from './telemetry.js';

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
  'durable.schedules.skipped': of(
    'counter',
    '{time}',
    'Times that began no run: the run before had not ended',
    'workflow',
  ),
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

export interface Counted {
  attributes: MetricAttributes;
  value: number;
}

interface Distribution {
  attributes: MetricAttributes;
  /** How many values each bucket has; the last one is for all above the greatest bound. */
  buckets: number[];
  sum: number;
  count: number;
}

/** The counters and histograms of a process. */
export class MetricRegistry implements MetricSink {
  readonly counters = new Map<CounterName, Map<string, Counted>>();
  readonly histograms = new Map<HistogramName, Map<string, Distribution>>();
  private readonly bounded = new BoundedAttributes();

  add(name: CounterName, given: MetricAttributes, count = 1): void {
    const attributes = this.bounded.of(name, given);
    const series = entryOf(this.counters, name, () => new Map<string, Counted>());
    entryOf(series, keyOf(attributes), () => ({ attributes, value: 0 })).value += count;
  }

  record(name: HistogramName, given: MetricAttributes, value: number): void {
    const attributes = this.bounded.of(name, given);
    const bounds = bucketsOf(name);
    const series = entryOf(this.histograms, name, () => new Map<string, Distribution>());
    const found = entryOf(series, keyOf(attributes), () => ({
      attributes,
      buckets: [...bounds.map(() => 0), 0],
      sum: 0,
      count: 0,
    }));
    const at = bounds.findIndex((bound) => value <= bound);
    found.buckets[at === -1 ? bounds.length : at]!++;
    found.sum += value;
    found.count++;
  }
}

const keyOf = (attributes: MetricAttributes): string => JSON.stringify(attributes);

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}

const FINAL = new Set(['completed', 'failed', 'cancelled', 'compensation_failed']);
const seconds = (ms: number): number => Math.max(0, ms) / 1_000;

/** Measures what the events of a process tell. Returns a function that ends it. */
export function feedMetrics(telemetry: Telemetry, sink: MetricSink): () => void {
  const listeners: Listeners = { ...ofRuns(sink), ...ofSteps(sink), ...ofOthers(sink) };
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
  'run.left': ({ workflow, status, reason, again, durationMs }) => {
    if (FINAL.has(status)) {
      sink.add('durable.runs.ended', { workflow, status });
      if (durationMs !== undefined) sink.record('durable.run.duration', { workflow, status }, seconds(durationMs));
    } else if (reason !== undefined && !again) sink.add('durable.runs.blocked', { workflow, reason });
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
  const local = ({ name: step, kind, durationMs }: StepEvent, outcome: string) => {
    sink.add('durable.step.attempts', { step, outcome });
    sink.record('durable.step.duration', { step, kind, outcome }, seconds(durationMs));
  };
  return {
    'task.claimed': ({ name: step, group, reclaimed, waitedMs }) => {
      if (reclaimed) sink.add('durable.step.attempts', { step, outcome: 'lost' });
      if (waitedMs !== undefined) sink.record('durable.step.queue.duration', { step, group }, seconds(waitedMs));
    },
    'task.completed': (event) => answered(event, 'completed'),
    'task.failed': (event) => answered(event, failureOf(event.error), event.error.code ?? event.error.name ?? '_OTHER'),
    'task.deferred': (event) => answered(event, 'deferred'),
    'step.ended': (event) => local(event, event.error ? failureOf(event.error) : 'completed'),
    'step.deferred': (event) => local(event, 'deferred'),
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
    'schedule.skipped': ({ workflow, times }) => sink.add('durable.schedules.skipped', { workflow }, times),
    'schedule.failed': ({ workflow }) => sink.add('durable.schedules.failures', { workflow }),
    'loop.error': ({ loop }) => sink.add('durable.errors', { loop }),
  };
};

/** More different values of one attribute of a metric are counted as {@link OTHER}. */
const MOST_VALUES = 200;
export const OTHER = 'other';

/**
 * Bounds what a process keeps of metrics: names of workflows and steps come from code, and a mistake there must not fill
 * the memory of the process, nor that of whoever collects the metrics.
 */
export class BoundedAttributes {
  private readonly seen = new Map<string, Set<string>>();

  /** The attributes of a metric that have a value. */
  of(name: MetricName, given: MetricAttributes): Record<string, string> {
    const attributes: Record<string, string> = {};
    for (const attribute of METRICS[name].attributes) {
      const value = given[attribute];
      if (value !== undefined) attributes[attribute] = this.known(`${name} ${attribute}`, value);
    }
    return attributes;
  }

  private known(key: string, value: string): string {
    const values = this.seen.get(key) ?? new Set<string>();
    this.seen.set(key, values);
    if (values.size < MOST_VALUES) values.add(value);
    return values.has(value) ? value : OTHER;
  }
}

/** Names beyond these are counted as one: names come from users, and some make one for each customer. */
const MOST_NAMES = 200;

type Event<Name extends keyof TelemetryEvents> = TelemetryEvents[Name];

/** Counts what happens in this process, by kind and name: `run.completed order`, `step.failed charge`. */
export class MinuteCounts {
  /** By kind, then by name: keys in one piece would be built for every step. */
  private counts = new Map<string, Map<string, number>>();
  private names = 0;
  private readonly stops: (() => void)[];

  constructor(telemetry: Telemetry) {
    const on = <Name extends keyof TelemetryEvents>(name: Name, count: (event: Event<Name>) => void) =>
      telemetry.on(name, count);
    this.stops = [
      on('run.left', ({ status, reason, again, workflow }) => {
        if (FINAL.has(status)) this.add(`run.${status}`, workflow);
        else if (reason !== undefined && !again) this.add('run.blocked', workflow);
      }),
      on('tasks.dispatched', ({ group, count }) => this.add('group.in', group, count)),
      on('task.completed', ({ name, group, durationMs }) => {
        this.add('step.completed', name);
        this.add('step.ms', name, Math.round(durationMs));
        this.add('group.out', group);
      }),
      on('task.failed', ({ name, group }) => {
        this.add('step.failed', name);
        this.add('group.out', group);
      }),
      on('schedule.fired', ({ workflow, runIds }) => this.add('schedule.fired', workflow, runIds.length)),
      on('outbox.delivered', ({ destination, events }) => this.add('outbox.delivered', destination, events)),
      on('outbox.failed', ({ destination }) => this.add('outbox.failed', destination)),
      on('effects.succeeded', ({ handler }) => this.add('effect.succeeded', handler)),
      on('effects.failed', ({ handler }) => this.add('effect.failed', handler)),
      on('effects.abandoned', ({ handler }) => this.add('effect.abandoned', handler)),
      on('loop.error', ({ loop }) => this.add('error', loop)),
    ];
  }

  /** Returns what was counted since the last call. */
  take(): Record<string, number> {
    const taken = [...this.counts].flatMap(([kind, names]) =>
      [...names].map(([name, count]) => [`${kind} ${name}`, count] as const),
    );
    this.counts = new Map();
    this.names = 0;
    return Object.fromEntries(taken);
  }

  /** Counts again what was taken and could not be written. */
  giveBack(taken: Readonly<Record<string, number>>): void {
    for (const [key, count] of Object.entries(taken)) {
      const end = key.indexOf(' ');
      this.add(key.slice(0, end), key.slice(end + 1), count);
    }
  }

  stop(): void {
    for (const stop of this.stops) stop();
  }

  private add(kind: string, name: string, by = 1): void {
    const names = this.counts.get(kind) ?? new Map<string, number>();
    if (names.size === 0) this.counts.set(kind, names);
    const count = names.get(name);
    if (count !== undefined) return void names.set(name, count + by);
    const key = this.names < MOST_NAMES ? name : OTHER;
    if (!names.has(key)) this.names++;
    names.set(key, (names.get(key) ?? 0) + by);
  }
}

/** The content type of the text. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The name of a metric in Prometheus: as its exporters of OpenTelemetry name it. */
export function prometheusName(name: MetricName): string {
  const { kind, unit } = METRICS[name];
  return `${name.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}${kind === 'counter' ? '_total' : ''}`;
}

/** All metrics in the text format of Prometheus. A metric without values is left out. */
export function prometheusText(registry: MetricRegistry, gauges: readonly GaugeReading[]): string {
  const names = Object.keys(METRICS) as MetricName[];
  const text = names.flatMap((name) => {
    const lines = linesOf(name, registry, gauges);
    if (lines.length === 0) return [];
    const { help, kind } = METRICS[name];
    const title = prometheusName(name);
    return [`# HELP ${title} ${help}`, `# TYPE ${title} ${kind}`, ...lines];
  });
  return text.map((line) => `${line}\n`).join('');
}

function linesOf(
  name: MetricName,
  { counters, histograms }: MetricRegistry,
  gauges: readonly GaugeReading[],
): string[] {
  const title = prometheusName(name);
  const counted = [...((counters as ReadonlyMap<string, Map<string, Sample>>).get(name)?.values() ?? [])];
  const looked = gauges.filter((gauge) => gauge.name === name);
  const samples = [...counted, ...looked].map(({ attributes, value }) => sample(title, attributes, value));
  const found = [...((histograms as ReadonlyMap<string, Map<string, Distribution>>).get(name)?.values() ?? [])];
  return [...samples, ...found.flatMap((one) => distribution(title, bucketsOf(name as never), one))];
}

type Sample = Pick<GaugeReading, 'attributes' | 'value'>;

function distribution(title: string, bounds: readonly number[], { attributes, buckets, sum, count }: Distribution) {
  let below = 0;
  const upTo = (bound: string, more: number) =>
    sample(`${title}_bucket`, { ...attributes, le: bound }, (below += more));
  return [
    ...bounds.map((bound, at) => upTo(String(bound), buckets[at]!)),
    upTo('+Inf', buckets.at(-1)!),
    sample(`${title}_sum`, attributes, sum),
    sample(`${title}_count`, attributes, count),
  ];
}

function sample(title: string, attributes: MetricAttributes, value: number): string {
  const pairs = Object.entries(attributes).flatMap(([name, text]) =>
    text === undefined ? [] : [`${name.replaceAll('.', '_')}="${escaped(text)}"`],
  );
  return `${title}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '');

/** Keeps the values of each attribute of a gauge that say most, and reads all others together as {@link OTHER}. */
export function foldedGauges(readings: readonly GaugeReading[]): GaugeReading[] {
  const byName = new Map<GaugeName, GaugeReading[]>();
  for (const one of readings) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  return [...byName].flatMap(([name, some]) => METRICS[name].attributes.reduce(folded, some));
}

function folded(readings: GaugeReading[], attribute: string): GaugeReading[] {
  const greatest = new Map<string, number>();
  for (const { attributes, value } of readings) {
    const of = attributes[attribute];
    if (of !== undefined) greatest.set(of, Math.max(value, greatest.get(of) ?? 0));
  }
  if (greatest.size <= MOST_VALUES) return readings;
  const kept = new Set(
    [...greatest]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_VALUES)
      .map(([of]) => of),
  );
  const others = new Map<string, GaugeReading>();
  const left = readings.filter((one) => {
    const of = one.attributes[attribute];
    if (of === undefined || kept.has(of)) return true;
    const attributes = { ...one.attributes, [attribute]: OTHER };
    const key = JSON.stringify(attributes);
    const known = others.get(key);
    others.set(key, { ...one, attributes, value: known ? together(one, known) : one.value });
    return false;
  });
  return [...left, ...others.values()];
}

/** Of ages the greatest, of numbers the sum. */
const together = ({ name, value }: GaugeReading, other: GaugeReading): number =>
  METRICS[name].unit === 's' ? Math.max(value, other.value) : value + other.value;
