import { QuestionTimeoutError } from '../core/errors.js';
import { type Loops, PollLoop } from '../core/loops.js';
import { MinuteCounts } from '../core/metrics.js';
import type { Telemetry } from '../core/telemetry.js';
import type { Clock } from '../core/time.js';
import {
  listNodes,
  MINUTE_MS,
  type NodeIdentity,
  type NodeLoad,
  type NodeRoster,
  type SampleStore,
} from '../engine/nodes.js';
import type { Operator } from './operator.js';
import type { Overview, QueueInSight, QueuesPage } from './overview.js';
import { drawn, type FleetSample } from './samples.js';

export interface SamplerPorts {
  store: Pick<SampleStore, 'write'>;
  roster: Pick<NodeRoster, 'nodes'>;
  operator: Pick<Operator, 'overview' | 'queues'> & { outbox: Pick<Operator['outbox'], 'waits'> };
  /** Whether the app has an outbox. */
  hasOutbox: boolean;
  telemetry: Telemetry;
  node: NodeIdentity;
  /** As of its last heartbeat. */
  load: () => NodeLoad | null;
  clock: Clock;
}

/**
 * Writes a row per minute with what this process has counted. One process of a namespace, the engine with the lowest
 * name, adds how much waits in the whole fleet. What was counted since the last row is lost when the process stops; when
 * a row cannot be written, the next one has its counts, too.
 */
export class Sampler {
  private readonly counts: MinuteCounts;
  private readonly loop: PollLoop;

  constructor(private readonly ports: SamplerPorts) {
    const { telemetry } = ports;
    this.counts = new MinuteCounts(telemetry);
    // At first nothing has been counted yet.
    this.loop = new PollLoop(() => this.write(), {
      maxMs: MINUTE_MS,
      napsFirst: true,
      onError: (error) => telemetry.emit('loop.error', { loop: 'samples', error }),
    });
  }

  get loops(): Loops {
    return { samples: this.loop };
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    this.counts.stop();
    return this.loop.stop();
  }

  /** Writes one row, at any time. */
  async write(): Promise<'idle'> {
    const { store, node, load } = this.ports;
    const fleet = (await this.speaksForAll()) ? await this.fleet() : undefined;
    const counts = this.counts.take();
    const body = JSON.stringify({ counts, load: load(), fleet });
    try {
      await store.write({ namespace: node.namespace, node: node.id, body });
    } catch (error) {
      this.counts.giveBack(counts);
      throw error;
    }
    return 'idle';
  }

  private async speaksForAll(): Promise<boolean> {
    const { roster, node } = this.ports;
    if (!node.roles.split(',').includes('engine')) return false;
    const nodes = await listNodes(roster, false);
    const engines = nodes.filter(({ namespace, roles }) => namespace === node.namespace && roles.includes('engine'));
    return engines.map(({ id }) => id).sort()[0] === node.id;
  }

  private async fleet(): Promise<FleetSample> {
    const { operator, hasOutbox } = this.ports;
    const overview = await this.inTime(() => operator.overview());
    const queues = await this.inTime(() => operator.queues());
    const outboxLagMs = hasOutbox ? await this.inTime(() => operator.outbox.waits()) : undefined;
    return {
      ...(overview && this.ofOverview(overview)),
      ...(queues && this.ofQueues(queues)),
      ...(outboxLagMs && { outboxLagMs }),
    };
  }

  /** Undefined if it takes too long: what this process has counted must not be lost by that. */
  private async inTime<T>(look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof QuestionTimeoutError)) throw error;
      this.ports.telemetry.emit('loop.error', { loop: 'samples', error });
      return undefined;
    }
  }

  private ofOverview({ unanswered, ...overview }: Overview): FleetSample {
    const parts: { [Part in keyof Overview]?: () => FleetSample } = {
      blocked: () => ({ blocked: overview.blocked.reduce((sum, { runs }) => sum + drawn(runs), 0) }),
      due: () => ({ dueAgeMs: Math.max(0, ...overview.due.map(({ since }) => this.ageMs(since))) }),
      outbox: () => ({
        outbox: Object.fromEntries(
          overview.outbox.map(({ name, blocked, dead }) => [name, { blocked: drawn(blocked), dead: drawn(dead) }]),
        ),
      }),
      effects: () => ({ abandonedEffects: drawn(overview.effects.abandoned) }),
      lateSchedules: () => ({ lateSchedules: overview.lateSchedules.length }),
    };
    const answered = Object.entries(parts).filter(([part]) => !unanswered.includes(part as keyof Overview));
    return Object.assign({}, ...answered.map(([, sample]) => sample())) as FleetSample;
  }

  private ofQueues({ queues }: QueuesPage): FleetSample {
    const waiting = queues.filter((queue) => drawn(queue.waiting) > 0);
    const drawnOf = ({ waiting: count, since }: QueueInSight) => ({ waiting: drawn(count), ageMs: this.ageMs(since) });
    return { queues: Object.fromEntries(waiting.map((queue) => [queue.group, drawnOf(queue)])) };
  }

  private ageMs(since: Date | null): number {
    return since ? Math.max(0, this.ports.clock.now() - since.getTime()) : 0;
  }
}
