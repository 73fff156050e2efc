import type { RunStatus } from '../engine/model/run.js';
import { QuestionTimeoutError } from '../errors/database-errors.js';
import type { Operator } from '../operator/operator.js';
import type { Count } from '../operator/questions.js';
import type { GaugeName, GaugeReading } from '../telemetry/metric-names.js';
import { type Clock, stopwatch } from '../time/clock.js';
import { withinTime } from '../time/time-limit.js';
import type { Storage } from './storage.providers.js';

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
