import type { Clock } from '../../lib/core/time.js';
import type {
  DeliveryContext,
  Destination,
  PoisonPolicy,
  RelayObserver,
  RelayOptions,
  RelaySignals,
} from '../../lib/outbox/destinations.js';
import type { OutboxEvent, OutboxOrdering } from '../../lib/outbox/events.js';
import { OutboxRelay } from '../../lib/outbox/relay.js';
import { nodeServing, relayNodeId, type RelayStorage } from '../../lib/outbox/storage.js';
import { sqlRelayStorage } from '../../lib/outbox/storage.sql.js';
import type { OutboxTables } from '../../lib/outbox/tables.sql.js';
import type { SqlExecutor } from '../../lib/sql/executor.js';
import { createNotifier, type Notifier } from '../../lib/sql/notifier.js';
import { intercepted } from '../../lib/testing/crash-explorer.js';
import type { Backend, OpenBackend } from './backends.js';
import { executorOf } from './engine-storage.js';
import { emptyOutbox, relayTables } from './outbox-relay-tables.js';

export interface Delivered {
  node: string;
  channel: string;
  id: number;
  name: string;
  requeued: boolean;
  at: number;
}

export const policyOf = (more: Partial<PoisonPolicy> = {}): PoisonPolicy => ({
  onPoison: 'block',
  attempts: 3,
  backoff: { delay: 30, factor: 1 },
  crashes: 3,
  ...more,
});

/** Leases that no pause of the machine outlasts, unless a test has them run out; beats are frequent all the same. */
export const relayOptions = (node: string, more: Partial<RelayOptions> = {}): RelayOptions => ({
  nodeId: relayNodeId(node),
  leaseMs: 30_000,
  publishTimeoutMs: 3_000,
  concurrency: 50,
  buffer: 1_000,
  ...(more.leaseMs === undefined && { heartbeatTimeoutMs: 1_500 }),
  channelsPerShard: 50,
  eventsPerChannel: 20,
  pollMs: 100,
  debounceMs: 20,
  fixedRate: false,
  policy: policyOf(),
  ...more,
});

export type Deliver = (events: readonly OutboxEvent[], context: DeliveryContext) => Promise<void> | void;

export interface RelayBoot {
  options?: Partial<RelayOptions>;
  /** What happens before events count as delivered. */
  deliver?: Deliver;
  batchSize?: number;
  destination?: string;
  /** Around each call of a port: `leases.renew`. */
  around?: (name: string, call: () => unknown) => unknown;
  observer?: RelayObserver;
  clock?: Clock;
  db?: SqlExecutor;
  signals?: RelaySignals;
  /** Of the connection that hears: a server that answers late is no error where a test looks at those. */
  checkTimeoutMs?: number;
}

export interface TestRelay {
  relay: OutboxRelay;
  node: string;
  nodeId: string;
  storage: RelayStorage;
  errors: unknown[];
  /** Nothing it does from now on reaches the database, and nothing comes back. */
  kill(): void;
  /** The same, and its leases have run out, as they would in time. */
  deadLetter(): Promise<void>;
}

interface BootedRelay extends TestRelay {
  notifier: Notifier;
  alive: boolean;
  settled(): Promise<void>;
}

/** An outbox, and relays that share it. */
export class RelayHouse {
  /** What was delivered, in the order in which it was. */
  log: Delivered[] = [];
  /** Channels of which two deliveries were under way at once. */
  overlaps: string[] = [];
  private underway = new Map<string, number>();
  private readonly booted: BootedRelay[] = [];
  private next = 0;

  private constructor(
    readonly backend: OpenBackend,
    readonly db: SqlExecutor,
    readonly tables: OutboxTables,
  ) {}

  static async open(at: Backend, ordering: OutboxOrdering = 'commit'): Promise<RelayHouse> {
    const backend = await at.open({ poolMax: 20 });
    const db = executorOf(backend);
    return new RelayHouse(backend, db, await relayTables(db, ordering));
  }

  /** Not started. */
  boot(boot: RelayBoot = {}): TestRelay {
    const node = `node-${this.next++}`;
    const db = boot.db ?? this.db;
    let alive = true;
    const ports = sqlRelayStorage(db, this.tables, { retains: false }) as RelayStorage & Record<string, object>;
    const around = boot.around ?? ((_: string, call: () => unknown) => call());
    const never = new Promise<never>(() => {});
    const calls = new Set<Promise<unknown>>();
    const asked = (call: () => unknown): unknown => {
      const answer = call();
      if (!(answer instanceof Promise)) return answer;
      calls.add(answer);
      const over = () => void calls.delete(answer);
      answer.then(over, over);
      return answer;
    };
    const storage = intercepted(ports, (name, call) => {
      if (!alive) return never;
      const answer = around(name, () => asked(call));
      return answer instanceof Promise ? answer.then((value: unknown) => (alive ? value : never)) : answer;
    });
    const errors: unknown[] = [];
    const observer = { error: (error: unknown) => void errors.push(error), ...boot.observer };
    const { checkTimeoutMs } = boot;
    const patience = checkTimeoutMs === undefined ? {} : { checkTimeoutMs };
    const notifier = createNotifier(db, 'durable', (error) => void errors.push(error), patience);
    notifier.start();
    const options = relayOptions(node, boot.options);
    const destination = this.destination(node, boot);
    const signals = boot.signals ?? notifier;
    const relay = new OutboxRelay(storage, [destination], signals, observer, options, boot.clock);
    const nodeId = nodeServing(options.nodeId, [destination.name]);
    const kill = () => {
      alive = false;
      started.alive = false;
    };
    /** What it had asked for last may still be on its way to the database. */
    const settled = async () => void (await Promise.allSettled(calls));
    const deadLetter = async (): Promise<void> => {
      kill();
      await settled();
      await this.expireLeases(nodeId);
    };
    const started = {
      relay,
      node,
      nodeId,
      storage: ports,
      errors,
      kill,
      deadLetter,
      settled,
      notifier,
      alive: true,
    };
    this.booted.push(started);
    return started;
  }

  async start(boot: RelayBoot = {}): Promise<TestRelay> {
    const booted = this.boot(boot);
    await booted.relay.start();
    return booted;
  }

  /** `count` events to each of the channels, in turn, by statements of their own. */
  async write(channels: readonly string[], count: number, name = 'changed'): Promise<void> {
    for (let n = 0; n < count; n++) {
      const values = channels.map(() => `(?, ?, ?, '{"n":${n}}')`).join(', ');
      const rows = channels.flatMap((channel) => [`m-${n}`, channel, name]);
      await this.backend.query(`INSERT INTO durable_outbox (mutation_id, channel, name, data) VALUES ${values}`, rows);
    }
  }

  /** By the database's word. */
  async pending(): Promise<number> {
    const isPending = this.backend.db === 'postgres' ? 'NOT processed' : 'processed = 0';
    const [row] = await this.backend.query(`SELECT count(*) AS n FROM durable_outbox WHERE ${isPending}`);
    return Number(row?.['n']);
  }

  /** The numbers of a channel as they were delivered, the second deliveries left out. */
  firsts(channel: string): number[] {
    return [...new Set(this.log.filter((entry) => entry.channel === channel).map(({ id }) => id))];
  }

  /** Channels whose first deliveries are not in order. */
  get disordered(): string[] {
    const highest = new Map<string, number>();
    const seen = new Set<string>();
    return this.log.flatMap(({ channel, id }) => {
      const key = `${channel}:${id}`;
      if (seen.has(key)) return [];
      seen.add(key);
      const before = highest.get(channel) ?? 0;
      highest.set(channel, Math.max(before, id));
      return id < before ? [`${channel}: ${id} after ${before}`] : [];
    });
  }

  get repeated(): number {
    return this.log.length - new Set(this.log.map(({ channel, id }) => `${channel}:${id}`)).size;
  }

  /** Who holds how many shards, by the database's word. */
  async owners(): Promise<Map<string, number>> {
    const rows = await this.backend.query('SELECT owner, count(*) AS n FROM durable_outbox_shards GROUP BY owner');
    return new Map(rows.map((row) => [String(row['owner']), Number(row['n'])]));
  }

  /** Those of a relay, or of all, which is gone then. */
  async expireLeases(nodeId = '%'): Promise<void> {
    await this.backend.query('UPDATE durable_outbox_shards SET lease_until = 0 WHERE owner LIKE ?', [nodeId]);
    await this.backend.query('DELETE FROM durable_outbox_nodes WHERE id LIKE ?', [nodeId]);
  }

  /** None of them reaches the database any more. */
  killAll(): void {
    for (const { kill } of this.booted) kill();
  }

  /** Stops all relays, and leaves nothing behind. */
  async empty(): Promise<void> {
    for (const started of this.booted.splice(0)) {
      if (started.alive) await started.relay.stop();
      await started.notifier.stop();
      await started.settled();
    }
    await emptyOutbox(this.db, this.tables);
    // Not emptied: a delivery that nobody waits for any more may yet come to its end.
    this.log = [];
    this.overlaps = [];
    this.underway = new Map();
  }

  async close(): Promise<void> {
    await this.empty();
    await this.backend.close();
  }

  private destination(node: string, { deliver, batchSize = 5, destination = 'broker' }: RelayBoot): Destination {
    return {
      name: destination,
      batchSize,
      deliver: async (events, context) => {
        const { log, overlaps, underway } = this;
        const channel = events[0]?.channel ?? '';
        const key = `${destination}:${channel}`;
        const others = underway.get(key) ?? 0;
        if (others > 0) overlaps.push(`${channel} at ${node}`);
        underway.set(key, others + 1);
        try {
          await deliver?.(events, context);
        } finally {
          underway.set(key, (underway.get(key) ?? 1) - 1);
        }
        const at = performance.now();
        for (const { sequenceId, name } of events)
          log.push({ node, channel, id: Number(sequenceId), name, requeued: context.requeued === true, at });
      },
    };
  }
}

/** `channel-0` and so on. */
export const channelsUpTo = (count: number): string[] => Array.from({ length: count }, (_, n) => `channel-${n}`);
