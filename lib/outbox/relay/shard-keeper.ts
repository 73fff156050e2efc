import { createHash } from 'node:crypto';
import { OutboxOccupiedError } from '../../errors/outbox-errors.js';
import { type Clock, stopwatch } from '../../time/clock.js';
import type { HeldShard, HeldShards } from './held-shards.js';
import { type RelayStorage, isOurNode, isServing, prefixOf } from './relay-storage.js';
import type { RelayObserver, RelayOptions } from './relay-options.js';

/** A shard that its assigned node did not take within a lease is kept for this many, then offered again. */
const STRAY_LEASES = 4;
/** Every this many beats, events that all destinations have passed but none has ended are searched for. */
const TIDY_EVERY = 6;

export type KeeperOptions = Pick<
  RelayOptions,
  'nodeId' | 'shards' | 'leaseMs' | 'heartbeatTimeoutMs' | 'intake' | 'elapsed'
>;

/**
 * Manages the shards of this process: registers the node, renews leases, acquires free shards, and releases shards that
 * are assigned to other nodes once their deliveries have ended. All processes compute the assigned node of a shard from
 * the live nodes in the same way; that is only a hint, and only leases decide.
 */
export class ShardKeeper {
  private beats = 0;
  private members = '';
  /** The last reported reason why numbers stay. */
  private stay: 'denied' | 'narrow' | undefined;
  private beating: Promise<unknown> = Promise.resolve();
  private readonly leaving = new Set<Promise<void>>();

  constructor(
    private readonly storage: Pick<RelayStorage, 'nodes' | 'leases' | 'acknowledgements'>,
    private readonly held: HeldShards,
    private readonly destinations: readonly string[],
    private readonly observer: RelayObserver,
    private readonly options: KeeperOptions,
  ) {}

  /** Returns whether there are new shards to read: acquired, or renewed at the last moment. */
  beat(): Promise<boolean> {
    // One at a time: a renewal would find shards that another call is acquiring, and release them.
    const beat = this.beating.then(() => this.beatOnce());
    this.beating = beat.catch(() => undefined);
    return beat;
  }

  /** Called when no delivery of a shard is in progress any more. */
  idle(held: HeldShard): void {
    if (!held.draining || held.lost || held.underway > 0) return;
    this.held.remove(held);
    const released = this.storage.leases
      .release(this.options.nodeId, [held.lease])
      .catch((error: unknown) => this.observer.error?.(error))
      .finally(() => this.leaving.delete(released));
    this.leaving.add(released);
  }

  /** Releases all shards and unregisters the node. */
  async leave(): Promise<void> {
    // Shards that a beat in progress acquires must be released too.
    await this.beating;
    const all = this.held.all();
    for (const held of all) this.held.remove(held);
    await Promise.all(this.leaving);
    const leases = all.map(({ lease }) => lease);
    await this.storage.leases.release(this.options.nodeId, leases);
    await this.storage.nodes.leave(this.options.nodeId);
  }

  private async beatOnce(): Promise<boolean> {
    const { nodeId, leaseMs, shards, heartbeatTimeoutMs = leaseMs } = this.options;
    const soonOver = this.elapsed.now() + leaseMs / 2;
    const short = this.held.all().some(({ endsAt }) => endsAt < soonOver);
    // Leases first: the node's heartbeat is less urgent.
    await this.renew();
    if (this.options.intake?.isDraining) return this.drain();
    const live = await this.storage.nodes.beat(nodeId, heartbeatTimeoutMs);
    await this.lookAtEra();
    const changed = this.members !== live.join();
    this.members = live.join();
    if (changed) this.lookOut(live);
    let taken = short;
    for (const destination of this.destinations) {
      const sharing = live.filter((id) => isOurNode(id, prefixOf(nodeId)) && isServing(id, destination));
      const wanted = shardsOf(nodeId, sharing, destination, shards);
      this.handOver(destination, new Set(wanted), changed);
      taken = (await this.take(destination, wanted)) || taken;
    }
    if (++this.beats % TIDY_EVERY === 0) await this.tidy();
    return taken;
  }

  /** Releases what is not under way. Once nothing is, other nodes are assigned what was assigned to this one. */
  private async drain(): Promise<boolean> {
    const { nodeId, leaseMs, heartbeatTimeoutMs = leaseMs } = this.options;
    for (const destination of this.destinations) this.handOver(destination, new Set(), true);
    if (this.held.all().length > 0) {
      await this.storage.nodes.beat(nodeId, heartbeatTimeoutMs);
      return false;
    }
    await Promise.all(this.leaving);
    if (this.members !== '') await this.storage.nodes.leave(nodeId);
    this.members = '';
    return false;
  }

  /** Errors do not prevent taking shards. */
  private async lookAtEra(): Promise<void> {
    try {
      const stay = await this.storage.nodes.lookAtEra();
      if (stay && stay !== this.stay) this.observer.numbersStay?.(stay);
      this.stay = stay;
    } catch (error) {
      this.observer.error?.(error);
    }
  }

  /** Existing relays continue, but report the danger to the order. */
  private lookOut(live: readonly string[]): void {
    const prefix = prefixOf(this.options.nodeId);
    for (const id of live) if (!isOurNode(id, prefix)) this.observer.error?.(new OutboxOccupiedError(id));
  }

  private async renew(): Promise<void> {
    const { nodeId, leaseMs } = this.options;
    const before = this.held.all();
    // Measured before the request: the storage's lease starts later.
    const endsAt = this.elapsed.now() + leaseMs;
    const renewed = await this.storage.leases.renew(nodeId, leaseMs);
    const ours = new Set<HeldShard>();
    for (const lease of renewed) {
      const held = this.held.under(lease);
      if (held) ours.add(held);
      if (held) held.endsAt = endsAt;
    }
    const lost = before.filter((held) => !ours.has(held) && !held.lost && this.held.under(held.lease) === held);
    for (const held of lost) this.held.lose(held);
    if (lost.length > 0) this.observer.lost?.(lost.map(({ lease }) => lease));
    // Held but unknown here: the response to their claim was lost, or their deliveries failed with a bug.
    const astray = renewed.filter((lease) => !this.held.under(lease));
    if (astray.length > 0 && this.leaving.size === 0) await this.storage.leases.release(nodeId, astray);
  }

  private handOver(destination: string, wanted: ReadonlySet<number>, changed: boolean): void {
    for (const held of this.held.all(destination)) {
      const stays = wanted.has(held.lease.shard) || (!changed && held.strayUntil > this.elapsed.now());
      held.draining = !stays;
      this.idle(held);
    }
  }

  private async take(destination: string, wanted: readonly number[]): Promise<boolean> {
    const { nodeId, leaseMs, shards } = this.options;
    const missing = wanted.filter((shard) => !this.held.get(destination, shard));
    const endsAt = this.elapsed.now() + leaseMs;
    const request = { destination, wanted: missing, strays: shards - wanted.length, leaseMs };
    const acquired = await this.storage.leases.acquire(nodeId, request);
    for (const shard of acquired) {
      const held = this.held.add(shard, endsAt);
      if (!wanted.includes(shard.shard)) held.strayUntil = this.elapsed.now() + STRAY_LEASES * leaseMs;
    }
    return acquired.length > 0;
  }

  private async tidy(): Promise<void> {
    const shards = [...new Set(this.held.all().map(({ lease }) => lease.shard))];
    if (shards.length > 0) await this.storage.acknowledgements.tidy(shards);
  }

  private get elapsed(): Clock {
    return this.options.elapsed ?? stopwatch;
  }
}

/**
 * The assigned node of a shard, computed in the same way by all: the pair with the highest hash. When a node joins or
 * leaves, only its own shards move. Undefined without nodes.
 */
export function rendezvous(nodes: readonly string[], destination: string, shard: number): string | undefined {
  let best: string | undefined;
  let highest = -1;
  for (const node of nodes) {
    const score = createHash('md5').update(`${node}\n${destination}\n${shard}`).digest().readUInt32BE(0);
    if (score < highest || (score === highest && node > (best ?? ''))) continue;
    highest = score;
    best = node;
  }
  return best;
}

/** The shards of `destination` whose assigned node is `node`. */
export function shardsOf(node: string, nodes: readonly string[], destination: string, shards: number): number[] {
  return Array.from({ length: shards }, (_, shard) => shard).filter(
    (shard) => rendezvous(nodes, destination, shard) === node,
  );
}
