import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { QuestionTimeoutError } from '../core/errors.js';
import {
  feedMetrics,
  foldedGauges,
  type GaugeName,
  type GaugeReading,
  MetricRegistry,
  PROMETHEUS_TYPE,
  prometheusText,
} from '../core/metrics.js';
import { checkedOptions, type KnownOptions } from '../core/options.js';
import { Telemetry, type TracedWork } from '../core/telemetry.js';
import { type Clock, stopwatch, withinTime } from '../core/time.js';
import { toWireError, type WireError } from '../core/wire-error.js';
import { errorClassOf } from '../effects/handlers.js';
import type { RunStatus } from '../engine/run.js';
import type { Count } from '../operate/operator-parts.js';
import { Operator } from '../operate/operator.js';
import { DURABLE_SETTINGS, DURABLE_STORAGE, type DurableSettings } from './options.js';
import { ProcessRuntime } from './runtime.js';
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

/** What this process knows by itself. */
function processGauges(
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

export interface FleetGaugesParts {
  /** Each of its questions is bounded in rows. */
  operator: Operator;
  storage: Pick<Storage, 'outbox' | 'effects' | 'clock' | 'bloat'> & { engine: Pick<Storage['engine'], 'fleet'> };
  namespace: string;
  /** The name of this process in the list of processes; undefined before its start. */
  nodeId: () => string | undefined;
  onError: (error: unknown) => void;
  /** Measures elapsed time. */
  elapsed: Clock;
  /** How long all questions may take. Default 5 s. */
  mostMs?: number;
}

type Nodes = Awaited<ReturnType<Operator['nodes']>>;

/** However many ask, it is looked up this often. */
const EVERY_MS = 15_000;
/** All questions together take at most this long, so that a collector, which waits 10 s, gets the answers. */
const ALL_MS = 5_000;
/** One question that takes longer leaves time for the others. */
const PART = 0.4;
const MOST_CHANNELS = 100;
const MOST_EVENTS = 1_000;
const MOST_COUNTED = 10_000;
/** Of 100 groups each. */
const MOST_PAGES = 20;
const OPEN: readonly RunStatus[] = ['pending', 'running', 'suspended', 'compensating'];

/** What all processes together have to do: looked up in the database, by one of them. */
export class FleetGauges {
  /** What was looked up last, for each way to ask. */
  private readonly last = new Map<true | 'auto', { at: number; found: Promise<GaugeReading[]> }>();

  constructor(private readonly parts: FleetGaugesParts) {}

  /** `auto`: nothing, unless this process is the first of those that play workflows in its namespace. */
  read(fleet: boolean | 'auto'): Promise<GaugeReading[]> {
    if (fleet === false) return Promise.resolve([]);
    const now = this.parts.elapsed.now();
    const known = this.last.get(fleet);
    if (known && now - known.at < EVERY_MS) return known.found;
    const found = this.look(fleet);
    this.last.set(fleet, { at: now, found });
    return found;
  }

  private async look(fleet: true | 'auto'): Promise<GaugeReading[]> {
    const { operator, namespace, nodeId, mostMs = ALL_MS } = this.parts;
    const end = stopwatch.now() + mostMs;
    const all = await this.inTime('nodes', end, () => operator.nodes());
    const nodes = all?.filter((node) => node.namespace === namespace);
    if (fleet === 'auto' && (!nodes || firstEngine(nodes) !== nodeId())) return [];
    // That they could not be read does not say that there are none.
    const found = nodes ? nodesByRole(nodes) : [];
    // One after the other: one connection at a time. A part that cannot be read leaves the others.
    for (const part of ['runs', 'standing', 'outbox', 'effects', 'schedules', 'database'] as const)
      found.push(...((await this.inTime(part, end, () => this[part]())) ?? []));
    return [...found, ...(await this.queues(end))];
  }

  /** Undefined if it could not be read. */
  private async inTime<T>(part: string, end: number, read: () => Promise<T>): Promise<T | undefined> {
    const { mostMs = ALL_MS } = this.parts;
    const left = Math.max(1, Math.min(PART * mostMs, end - stopwatch.now()));
    const late = (cause?: unknown) => new QuestionTimeoutError(`metrics: ${part}`, Math.round(left), { cause });
    try {
      return await withinTime(left, read, late);
    } catch (error) {
      this.parts.onError(error);
      return undefined;
    }
  }

  private async runs(): Promise<GaugeReading[]> {
    const { operator } = this.parts;
    const { byStatus } = await operator.runs.counts({ status: [...OPEN] });
    const due = await operator.due();
    const open = OPEN.map((status) => reading('durable.runs.open', { status }, numberOf(byStatus[status] ?? 0)));
    return [...open, ...this.oldest('durable.runs.due.age', 'workflow', due, ({ workflow }) => workflow)];
  }

  private async standing(): Promise<GaugeReading[]> {
    const { storage, namespace } = this.parts;
    const counts = new Map<string, GaugeReading>();
    for (const { workflow, reason, count } of await storage.engine.fleet.blocked(namespace, MOST_COUNTED)) {
      const key = JSON.stringify([workflow, reason]);
      const others = counts.get(key)?.value ?? 0;
      counts.set(key, reading('durable.runs.standing', { workflow, reason }, others + count));
    }
    return [...counts.values()];
  }

  /** Page by page, since groups that wait may come late by name. */
  private async queues(end: number): Promise<GaugeReading[]> {
    const found: GaugeReading[] = [];
    let cursor: string | undefined;
    for (let n = 0; n < MOST_PAGES; n++) {
      const page = await this.inTime('queues', end, () => this.parts.operator.queues(cursor ? { cursor } : {}));
      for (const { group, waiting, since } of page?.queues ?? []) {
        found.push(reading('durable.queue.depth', { group }, numberOf(waiting)));
        found.push(reading('durable.queue.age', { group }, since ? this.age(since.getTime()) : 0));
      }
      cursor = page?.cursor;
      if (cursor === undefined) break;
    }
    return found;
  }

  private async outbox(): Promise<GaugeReading[]> {
    if (!this.parts.storage.outbox) return [];
    const { outbox } = this.parts.operator;
    const found: GaugeReading[] = [];
    const waits = await outbox.waits();
    for (const { name: destination, blocked, dead } of await outbox.destinations()) {
      const channels = await outbox.lag({ destination, limit: MOST_CHANNELS, atMost: MOST_EVENTS });
      const lag = channels.reduce((sum, { pending }) => sum + pending, 0);
      found.push(reading('durable.outbox.lag', { destination }, lag));
      found.push(reading('durable.outbox.lag.age', { destination }, (waits[destination] ?? 0) / 1_000));
      found.push(reading('durable.outbox.blocked', { destination }, numberOf(blocked)));
      found.push(reading('durable.outbox.dead', { destination }, numberOf(dead)));
    }
    return found;
  }

  private async effects(): Promise<GaugeReading[]> {
    const { operator, storage } = this.parts;
    if (!storage.effects) return [];
    const counts = await storage.effects.insight.countsByHandler(MOST_COUNTED);
    const unclaimed = await operator.effects.unclaimed({ olderThan: 0 });
    return [
      ...counts.map(({ handler, status, count }) => reading('durable.effects', { handler, status }, count)),
      ...this.oldest('durable.effects.unclaimed.age', 'handler', unclaimed, ({ handler }) => handler),
    ];
  }

  private async schedules(): Promise<GaugeReading[]> {
    return [reading('durable.schedules.late', {}, (await this.parts.operator.schedules.late()).length)];
  }

  private async database(): Promise<GaugeReading[]> {
    const { horizonMs, deadRows } = (await this.parts.storage.bloat()) ?? { deadRows: [] };
    return [
      ...(horizonMs === undefined ? [] : [reading('durable.db.horizon.age', {}, horizonMs / 1_000)]),
      ...deadRows.map(({ table, rows }) => reading('durable.db.dead_rows', { table }, rows)),
    ];
  }

  private age(since: number): number {
    return Math.max(0, this.parts.storage.clock.now() - since) / 1_000;
  }

  /** The greatest age of each name. */
  private oldest<Item extends { since: number | Date }>(
    metric: GaugeName,
    attribute: string,
    items: readonly Item[],
    nameOf: (item: Item) => string,
  ): GaugeReading[] {
    const ages = new Map<string, number>();
    for (const item of items)
      ages.set(nameOf(item), Math.max(this.age(Number(item.since)), ages.get(nameOf(item)) ?? 0));
    return [...ages].map(([name, value]) => reading(metric, { [attribute]: name }, value));
  }
}

const reading = (name: GaugeName, attributes: GaugeReading['attributes'], value: number): GaugeReading => ({
  name,
  attributes,
  value,
});

const numberOf = (count: Count): number => (typeof count === 'number' ? count : count.atLeast);

const firstEngine = (nodes: Nodes): string | undefined =>
  nodes
    .filter((node) => node.alive && node.roles.includes('engine'))
    .map(({ id }) => id)
    .sort()[0];

function nodesByRole(nodes: Nodes): GaugeReading[] {
  const alive = nodes.filter((node) => node.alive).flatMap((node): string[] => node.roles);
  return ['engine', 'worker', 'relay', 'effects'].map((role) =>
    reading('durable.nodes', { role }, alive.filter((one) => one === role).length),
  );
}

export interface MetricsOptions {
  /**
   * Whether this process looks up the gauges of all processes, at most every 15 s. `'auto'`: if it is the first of those
   * that play workflows in its namespace, so that one process does. Default `'auto'`.
   */
  fleet?: boolean | 'auto';
}

const METRICS_OPTIONS = { fleet: true } satisfies KnownOptions<MetricsOptions>;

/**
 * The metrics of this process as a text for Prometheus. Nothing is measured, and nothing costs anything, before `start`
 * or the first `text`.
 *
 * @example
 * \@Get('metrics')
 * \@Header('content-type', DurableMetrics.contentType)
 * metrics() {
 *   return this.metrics.text();
 * }
 */
@Injectable()
export class DurableMetrics implements BeforeApplicationShutdown {
  static readonly contentType = PROMETHEUS_TYPE;
  readonly #registry = new MetricRegistry();
  readonly #telemetry: Telemetry;
  readonly #gauges: MetricGauges;
  #stop: (() => void) | undefined;

  constructor(@Inject(Telemetry) telemetry: Telemetry, @Inject(MetricGauges) gauges: MetricGauges) {
    this.#telemetry = telemetry;
    this.#gauges = gauges;
  }

  /** Begins to measure, if it does not yet. */
  start(): void {
    this.#stop ??= feedMetrics(this.#telemetry, this.#registry);
  }

  /**
   * All metrics in the text format of Prometheus. Without the database, those of all processes are missing.
   *
   * @throws UnknownOptionError
   */
  async text(options: MetricsOptions = {}): Promise<string> {
    const { fleet = 'auto' } = checkedOptions(options, METRICS_OPTIONS, 'DurableMetrics.text');
    this.start();
    return prometheusText(this.#registry, await this.#gauges.read(fleet));
  }

  beforeApplicationShutdown(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}

/** What an adapter to a tool for telemetry attaches to. */
@Injectable()
export class TelemetryTap {
  readonly namespace: string;
  readonly #settings: DurableSettings;

  constructor(
    @Inject(Telemetry) readonly telemetry: Telemetry,
    @Inject(MetricGauges) readonly gauges: MetricGauges,
    @Inject(ProcessRuntime) private readonly runtime: ProcessRuntime,
    @Inject(DURABLE_SETTINGS) settings: DurableSettings,
  ) {
    this.namespace = settings.namespace;
    this.#settings = settings;
  }

  /** An error as it may be seen: redacted. Of one of an effect only its class, unless `effects.errors` is `'full'`. */
  seen(error: unknown, kind?: TracedWork['kind']): WireError {
    const { errors, effects } = this.#settings;
    if (kind === 'effect' && effects && effects.errors === 'class') return { name: errorClassOf(error), message: '' };
    return toWireError(error, { ...errors, stack: true });
  }

  /** The name of this process in the list of processes; undefined before its start. */
  get nodeId(): string | undefined {
    return this.runtime.nodeId;
  }
}
