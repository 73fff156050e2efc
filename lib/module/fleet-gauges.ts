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
  storage: Pick<Storage, 'outbox' | 'effects' | 'clock'> & { engine: Pick<Storage['engine'], 'unfinished'> };
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
    const nodes = await this.orNothing('nodes', end, () => operator.nodes());
    if (fleet === 'auto' && firstEngine(nodes, namespace) !== nodeId()) return [];
    const found = nodesByRole(nodes);
    // One after the other: one connection at a time. A part that cannot be read leaves the others.
    for (const part of ['runs', 'queues', 'outbox', 'effects', 'schedules'] as const)
      found.push(...(await this.orNothing(part, end, () => this[part]())));
    return found;
  }

  private async orNothing<T>(part: string, end: number, read: () => Promise<T[]>): Promise<T[]> {
    const { mostMs = ALL_MS } = this.parts;
    const left = Math.max(1, Math.min(PART * mostMs, end - stopwatch.now()));
    const late = (cause?: unknown) => new QuestionTimeoutError(`metrics: ${part}`, Math.round(left), { cause });
    try {
      return await withinTime(left, read, late);
    } catch (error) {
      this.parts.onError(error);
      return [];
    }
  }

  private async runs(): Promise<GaugeReading[]> {
    const { operator, storage, namespace } = this.parts;
    const { byStatus } = await operator.runs.counts({ status: [...OPEN] });
    const due = await storage.engine.unfinished.overdue(namespace, 0);
    const open = OPEN.map((status) => reading('durable.runs.open', { status }, numberOf(byStatus[status] ?? 0)));
    return [...open, ...this.oldest('durable.runs.due.age', 'workflow', due, ({ workflow }) => workflow)];
  }

  private async queues(): Promise<GaugeReading[]> {
    const { queues } = await this.parts.operator.queues();
    return queues.flatMap(({ group, waiting, since }) => [
      reading('durable.queue.depth', { group }, numberOf(waiting)),
      reading('durable.queue.age', { group }, since ? this.age(since.getTime()) : 0),
    ]);
  }

  private async outbox(): Promise<GaugeReading[]> {
    if (!this.parts.storage.outbox) return [];
    const { outbox } = this.parts.operator;
    const found: GaugeReading[] = [];
    for (const { name: destination, blocked, dead } of await outbox.destinations()) {
      const channels = await outbox.lag({ destination, limit: MOST_CHANNELS, atMost: MOST_EVENTS });
      const lag = channels.reduce((sum, { pending }) => sum + pending, 0);
      found.push(reading('durable.outbox.lag', { destination }, lag));
      found.push(reading('durable.outbox.blocked', { destination }, numberOf(blocked)));
      found.push(reading('durable.outbox.dead', { destination }, numberOf(dead)));
    }
    return found;
  }

  private async effects(): Promise<GaugeReading[]> {
    const { operator, storage } = this.parts;
    if (!storage.effects) return [];
    const counts = Object.entries(await operator.effects.counts());
    const unclaimed = await operator.effects.unclaimed({ olderThan: 0 });
    return [
      ...counts.map(([status, count]) => reading('durable.effects', { status }, numberOf(count))),
      ...this.oldest('durable.effects.unclaimed.age', 'handler', unclaimed, ({ handler }) => handler),
    ];
  }

  private async schedules(): Promise<GaugeReading[]> {
    return [reading('durable.schedules.late', {}, (await this.parts.operator.schedules.late()).length)];
  }

  private age(since: number): number {
    return Math.max(0, this.parts.storage.clock.now() - since) / 1_000;
  }

  /** The greatest age of each name. */
  private oldest<Item extends { since: number }>(
    metric: GaugeName,
    attribute: string,
    items: readonly Item[],
    nameOf: (item: Item) => string,
  ): GaugeReading[] {
    const ages = new Map<string, number>();
    for (const item of items) ages.set(nameOf(item), Math.max(this.age(item.since), ages.get(nameOf(item)) ?? 0));
    return [...ages].map(([name, value]) => reading(metric, { [attribute]: name }, value));
  }
}

const reading = (name: GaugeName, attributes: GaugeReading['attributes'], value: number): GaugeReading => ({
  name,
  attributes,
  value,
});

const numberOf = (count: Count): number => (typeof count === 'number' ? count : count.atLeast);

const firstEngine = (nodes: Nodes, namespace: string): string | undefined =>
  nodes
    .filter((node) => node.alive && node.namespace === namespace && node.roles.includes('engine'))
    .map(({ id }) => id)
    .sort()[0];

function nodesByRole(nodes: Nodes): GaugeReading[] {
  const alive = nodes.filter((node) => node.alive).flatMap((node): string[] => node.roles);
  return ['engine', 'worker', 'relay', 'effects'].map((role) =>
    reading('durable.nodes', { role }, alive.filter((one) => one === role).length),
  );
}
