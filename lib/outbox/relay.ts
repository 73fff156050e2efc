import { InvalidArgumentError, OutboxOccupiedError } from '../core/errors.js';
import { type Loops, PollLoop, WakeWindow } from '../core/loops.js';
import { atMost, type Clock, stopwatch, Timers } from '../core/time.js';
import { AcknowledgementBatcher, type ChannelBatch, Deliverer, type Delivery, type EventSource } from './deliveries.js';
import {
  type Destination,
  LateArrivals,
  type RelayObserver,
  type RelayOptions,
  type RelaySignals,
} from './destinations.js';
import { OUTBOX_TOPIC, SAID_EVERY_MS, SHARDS } from './events.js';
import { type HeldShard, HeldShards, shardsOf } from './shards.js';
import { isOurNode, isServing, nodeServing, prefixOf, type RelayStorage } from './storage.js';

/** The poll interval while notifications arrive, in multiples of `pollMs`. */
const QUIET_POLLS = 10;
/** Without notifications from other processes, follow-up events are polled for after this time. */
const SOON_MS = 50;

interface Route {
  destination: string;
  feed: DestinationFeed;
  loop: PollLoop;
  window: WakeWindow;
}

/** Publishes the outbox, together with the relays of all other processes; each process has one. */
export class OutboxRelay {
  private readonly held = new HeldShards();
  private readonly beats: PollLoop;
  private rig: { keeper: ShardKeeper; routes: Route[] } | undefined;
  private readonly timers: Timers;
  private unsubscribe: (() => void) | undefined;
  private running = false;
  private count = 0;
  /** When this process last said what its hooks want. */
  private wantedAt = 0;
  private turn: Promise<unknown> = Promise.resolve();
  private stopping: Promise<void> = Promise.resolve();

  /**
   * @param destinations - read at the first use, when all of them are registered
   * @throws InvalidArgumentError when a publish could take longer than the lease of its shard.
   */
  constructor(
    private readonly storage: RelayStorage,
    private readonly destinations: Iterable<Destination>,
    private readonly signals: RelaySignals,
    private readonly observer: RelayObserver,
    private readonly options: RelayOptions,
    /** Used only to measure elapsed time. */
    private readonly clock: Clock = stopwatch,
  ) {
    const { leaseMs, publishTimeoutMs, heartbeatTimeoutMs = leaseMs } = options;
    const beatMs = Math.min(leaseMs, heartbeatTimeoutMs) / 3;
    if (publishTimeoutMs > leaseMs / 2)
      throw new InvalidArgumentError(
        'publishTimeout',
        publishTimeoutMs,
        `at most half of leaseDuration, ${leaseMs / 2} ms`,
      );
    this.timers = new Timers(clock);
    const onError = (error: unknown) => observer.error?.(error);
    this.beats = new PollLoop(() => this.beat(), { maxMs: beatMs, onError });
  }

  /**
   * Registers the node and starts to publish.
   *
   * @throws OutboxOccupiedError when another program publishes this outbox.
   */
  start(): Promise<void> {
    return this.inTurn(() => this.begin());
  }

  /** Starts nothing more, asks deliveries to end and waits for them, releases the shards and unregisters. */
  async stop(): Promise<void> {
    this.interrupt();
    // Ends a `runOnce` early, or waits for a start in progress.
    if (!this.running) await Promise.all([this.emptied(), this.turn]);
    if (this.running) {
      this.running = false;
      this.stopping = this.end();
    }
    await this.stopping;
  }

  /**
   * Publishes all events that are due now and resolves to their number: for schedulers and tests. Registers the node
   * only for this call if the relay is not started.
   *
   * @example const published = await relay.runOnce();
   */
  runOnce(): Promise<number> {
    return this.inTurn(() => this.publishAll());
  }

  /** Polls at once: this process wrote events. */
  wake(): void {
    for (const { loop } of this.rig?.routes ?? []) loop.wake();
  }

  /** None unless it was started. */
  get loops(): Loops {
    if (!this.running) return {};
    const routes = this.routes.map(({ destination, loop }) => [`outbox.relay ${destination}`, loop] as const);
    return { 'outbox.beats': this.beats, ...Object.fromEntries(routes) };
  }

  /** Calls run one at a time, each after the previous one has unregistered: they would use the same shards. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(() => this.stopping).then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private interrupt(): void {
    for (const { feed } of this.rig?.routes ?? []) feed.interrupt();
  }

  /** Waits for deliveries in progress, and gives back those that do not end in time. */
  private async emptied(): Promise<void> {
    const { shutdownMs, publishTimeoutMs } = this.options;
    const feeds = (this.rig?.routes ?? []).map(({ feed }) => feed);
    const stopped = Promise.all(feeds.map((feed) => feed.stop()));
    await atMost(shutdownMs ?? publishTimeoutMs, stopped);
    for (const { deliverer } of feeds) deliverer.abandon();
    await stopped;
  }

  private async begin(): Promise<void> {
    if (this.running) return;
    await this.signIn();
    this.running = true;
    const stops = [!this.options.fixedRate && this.listen(), this.options.intake?.onChanged(() => this.heard())];
    this.unsubscribe = () => stops.forEach((stop) => stop && stop());
    this.beats.start();
    this.startFeeds();
    for (const { loop, window } of this.routes) {
      window.reset();
      loop.start();
    }
  }

  private async end(): Promise<void> {
    this.unsubscribe?.();
    // First, so that deliveries that cannot finish end with the lease at the latest.
    await this.beats.stop();
    await Promise.all([this.emptied(), ...this.routes.map(({ loop }) => loop.stop())]);
    this.timers.stop();
    // Without a database the leases expire.
    await this.keeper.leave().catch((error: unknown) => this.observer.error?.(error));
  }

  private get keeper(): ShardKeeper {
    return this.rigged.keeper;
  }

  private get routes(): readonly Route[] {
    return this.rigged.routes;
  }

  private get rigged(): NonNullable<typeof this.rig> {
    return (this.rig ??= this.rigUp());
  }

  private rigUp(): NonNullable<typeof this.rig> {
    const { storage, held, observer, options } = this;
    const destinations = [...this.destinations];
    const names = destinations.map(({ name }) => name);
    const nodeId = nodeServing(options.nodeId, names);
    const onError = (error: unknown) => observer.error?.(error);
    return {
      keeper: new ShardKeeper(storage, held, names, observer, { ...options, nodeId }),
      routes: destinations.map((destination) => this.routeTo(destination, nodeId, onError)),
    };
  }

  private async publishAll(): Promise<number> {
    const before = this.count;
    if (this.running) {
      await this.keeper.beat();
      await this.drain();
    } else await this.publishAlone();
    return this.count - before;
  }

  private async publishAlone(): Promise<void> {
    await this.signIn();
    // It may take longer than a lease.
    this.beats.start();
    const deafen = this.options.intake?.onChanged(() => this.heard());
    try {
      this.startFeeds();
      await this.drain();
    } finally {
      deafen?.();
      await this.beats.stop();
      // Shards are released once nothing of them is in delivery, even if a destination failed.
      await Promise.all(this.routes.map(({ feed }) => feed.stop()));
      await this.keeper.leave();
    }
  }

  private async drain(): Promise<void> {
    const drained = await Promise.allSettled(this.routes.map(({ feed }) => feed.drain()));
    for (const one of drained) if (one.status === 'rejected') throw one.reason;
  }

  private async signIn(): Promise<void> {
    await this.storage.nodes.admit();
    await this.register();
    await this.keeper.beat();
  }

  /** Registers the destinations: from now on events are kept for them, and written for those that are hooks. */
  async register(): Promise<void> {
    const names = [...this.destinations].map(({ name }) => name);
    await this.storage.destinations.register(names, SHARDS, this.wants);
    this.wantedAt = this.clock.now();
  }

  /** What the hooks of this process want, by destination. */
  private get wants(): Map<string, string> {
    const known = [...this.destinations];
    return new Map(known.flatMap(({ name, wants }) => (wants === undefined ? [] : [[name, wants] as const])));
  }

  private async beat(): Promise<'idle'> {
    if (await this.keeper.beat()) this.wake();
    if (this.clock.now() - this.wantedAt > SAID_EVERY_MS) {
      await this.storage.destinations.want(this.wants);
      this.wantedAt = this.clock.now();
    }
    return 'idle';
  }

  private startFeeds(): void {
    for (const { feed } of this.routes) feed.start();
    if (this.options.intake?.isEnding) this.interrupt();
  }

  /** Drained, resumed, or ending. */
  private heard(): void {
    if (this.options.intake?.isEnding) this.interrupt();
    this.beats.wake();
  }

  private listen(): () => void {
    const window = new WakeWindow(this.timers, this.clock, this.options.debounceMs, () => this.wake());
    return this.signals.subscribe(OUTBOX_TOPIC, () => window.poke());
  }

  private routeTo(destination: Destination, nodeId: string, onError: (error: unknown) => void): Route {
    const { options, held, observer } = this;
    const counting: RelayObserver = {
      ...observer,
      delivered: (delivery) => {
        this.count += delivery.events;
        observer.delivered?.(delivery);
      },
    };
    const batcher = new AcknowledgementBatcher(nodeId, this.storage.acknowledgements);
    const deliverer = new Deliverer(destination, batcher, held, counting, {
      ...options,
      policy: { ...options.policy, ...destination.poison },
      look: () => this.keeper.beat().catch((error: unknown) => this.observer.error?.(error)),
      onDelay: (delayMs) => void this.timers.at(this.clock.now() + delayMs, () => loop.wake()),
    });
    const window = new WakeWindow(this.timers, this.clock, options.debounceMs, () => loop.wake());
    const on = {
      more: () => loop.wake(),
      soon: () => (options.fixedRate ? undefined : window.poke()),
      idle: (shard: Parameters<ShardKeeper['idle']>[0]) => this.keeper.idle(shard),
    };
    const feed = new DestinationFeed(destination.name, this.storage.source, held, deliverer, counting, on, options);
    const loop = new PollLoop(() => feed.tick(), { ...this.naps(), onError });
    return { destination: destination.name, feed, loop, window };
  }

  private naps(): { minMs: () => number; maxMs: () => number } {
    const { pollMs, fixedRate } = this.options;
    const hears = () => this.signals.live && !fixedRate;
    return {
      minMs: () => (hears() || fixedRate ? pollMs : Math.min(SOON_MS, pollMs)),
      maxMs: () => (hears() ? QUIET_POLLS * pollMs : pollMs),
    };
  }
}

/** The interval between two reads of requeued events. */
const REQUEUED_MS = 1_000;
/** The maximum number of channels with requeued events in memory. */
const REQUEUED_CHANNELS = 20;

export type FeedOptions = Pick<
  RelayOptions,
  'concurrency' | 'buffer' | 'channelsPerShard' | 'eventsPerChannel' | 'elapsed'
>;

interface Underway extends Delivery {
  /** The number of the read that returned it. */
  look: number;
}

/**
 * Reads the events of one destination and delivers as many channels at once as allowed. A channel in delivery is not
 * read again, so channels do not wait for each other, and each stays in order.
 */
class DestinationFeed {
  private readonly busy = new Map<string, Underway>();
  private readonly queue: Underway[] = [];
  private delivering = 0;
  /** The number of events in memory. */
  private load = 0;
  private looks = 0;
  /** The number of channels whose batches were completed. */
  private ended = 0;
  private requeuedAt = Number.NEGATIVE_INFINITY;
  private hungry = false;
  private looking: Promise<unknown> = Promise.resolve();
  private stopped = false;
  private delivered: (() => void)[] = [];
  private readonly late = new LateArrivals();

  constructor(
    private readonly name: string,
    private readonly source: EventSource,
    private readonly shards: HeldShards,
    readonly deliverer: Deliverer,
    private readonly observer: RelayObserver,
    /** `more`: read again at once. `soon`: events may have arrived. `idle`: no delivery of the shard is in progress. */
    private readonly on: { more: () => void; soon: () => void; idle: (held: HeldShard) => void },
    private readonly options: FeedOptions,
  ) {}

  start(): void {
    this.stopped = false;
    this.deliverer.begin();
  }

  /** Starts no more deliveries, and asks those in progress to end. */
  interrupt(): void {
    this.stopped = true;
    for (const delivery of this.queue.splice(0)) this.done(delivery);
    this.deliverer.interrupt();
  }

  /** Reads run one at a time. */
  tick(): Promise<'busy' | 'active' | 'idle'> {
    const look = this.looking.then(() => this.look());
    this.looking = look.catch(() => undefined);
    return look;
  }

  /** Delivers until nothing is left that can be delivered now. */
  async drain(): Promise<void> {
    this.requeuedAt = Number.NEGATIVE_INFINITY;
    for (let quiet = false; !quiet && !this.stopped;) {
      const before = this.ended;
      const state = await this.tick();
      // A batch that was completed during the read was skipped by it, so events after the batch were not read yet.
      quiet = state === 'idle' && this.busy.size === 0 && this.ended === before;
      if (state === 'idle' || this.isFull) await this.settled();
    }
  }

  /** Starts no more deliveries. Resolves when those in progress have ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.looking;
    for (const delivery of this.queue.splice(0)) this.done(delivery);
    while (this.busy.size > 0) await this.settled();
  }

  /** Resolves when a channel's batch ends, or at once if none is in delivery. */
  private settled(): Promise<void> {
    return this.busy.size === 0 ? Promise.resolve() : new Promise((resolve) => this.delivered.push(resolve));
  }

  private get isFull(): boolean {
    return this.load >= this.options.buffer;
  }

  private async look(): Promise<'busy' | 'active' | 'idle'> {
    if (this.stopped) return 'idle';
    this.hungry = this.isFull;
    if (this.isFull) return 'active';
    const usable = this.shards.all(this.name).filter((held) => this.deliverer.mayStart(held));
    if (usable.length === 0) return 'idle';
    const found = (await this.lookForRequeued(usable)) + (await this.lookThrough(usable));
    const between = usable.some(({ after }) => after !== '');
    if (between) return this.goOn();
    return found > 0 ? 'active' : 'idle';
  }

  private goOn(): 'busy' | 'active' {
    if (!this.isFull) return 'busy';
    this.hungry = true;
    return 'active';
  }

  private async lookThrough(usable: readonly HeldShard[]): Promise<number> {
    const { channelsPerShard, eventsPerChannel, buffer } = this.options;
    const look = ++this.looks;
    const { batches, after } = await this.source.fetch({
      destination: this.name,
      shards: usable.map(({ lease, after: from }) => ({ shard: lease.shard, after: from })),
      channels: channelsPerShard,
      perChannel: eventsPerChannel,
      limit: Math.ceil(buffer / 2),
      busy: [...this.busy.keys()],
    });
    const byShard = new Map(usable.map((held) => [held.lease.shard, held]));
    for (const batch of batches) this.accept(batch, byShard.get(batch.shard), false, look);
    for (const [shard, channel] of after) this.advance(byShard.get(shard), channel);
    this.pump();
    const events = batches.reduce((sum, batch) => sum + batch.events.length, 0);
    this.observer.fetched?.({ destination: this.name, events });
    return events;
  }

  /** Once all its channels were read, the crashes of the last owner's deliveries are counted. */
  private advance(held: HeldShard | undefined, channel: string): void {
    if (!held) return;
    held.after = channel;
    if (channel === '') held.abandonedBy = undefined;
  }

  private async lookForRequeued(usable: readonly HeldShard[]): Promise<number> {
    if (this.elapsed.now() - this.requeuedAt < REQUEUED_MS) return 0;
    this.requeuedAt = this.elapsed.now();
    const byShard = new Map(usable.map((held) => [held.lease.shard, held]));
    // What is delivered while the channels are read, one after the other, may be among what was read before.
    const before = new Set([...this.busy].flatMap(([channel, { requeued }]) => (requeued ? [channel] : [])));
    const batches = await this.source.requeued(this.name, [...byShard.keys()], REQUEUED_CHANNELS);
    const free = batches.filter(({ channel }) => !before.has(channel) && !this.busy.has(channel));
    for (const batch of free) this.accept(batch, byShard.get(batch.shard), true, this.looks);
    return free.length;
  }

  private accept(batch: ChannelBatch, held: HeldShard | undefined, requeued: boolean, look: number): void {
    if (!held || held.lost || held.draining || this.stopped) return;
    // A requeued channel without events is a delivery too: its state must be cleared.
    if (!requeued && batch.events.length === 0) return;
    const delivery: Underway = { ...batch, held, requeued, look, abandonedBy: held.abandonedBy };
    const first = batch.events[0]?.sequenceId ?? '';
    if (!requeued && this.late.isLate(batch.channel, first))
      this.observer.late?.({ destination: this.name, channel: batch.channel, sequenceId: first });
    this.busy.set(batch.channel, delivery);
    this.queue.push(delivery);
    this.load += batch.events.length;
    held.underway++;
  }

  private pump(): void {
    while (this.delivering < this.options.concurrency && this.queue.length > 0) {
      const delivery = this.queue.shift()!;
      this.delivering++;
      void this.run(delivery);
    }
  }

  private async run(delivery: Underway): Promise<void> {
    try {
      const { settled } = await this.deliverer.deliverBatch(delivery);
      this.delivering--;
      this.pump();
      await settled;
    } catch (error) {
      // Only bugs of this code reach this point.
      this.observer.error?.(error);
    }
    this.done(delivery);
  }

  private done(delivery: Underway): void {
    const { channel, events, held, look, requeued } = delivery;
    this.busy.delete(channel);
    this.ended++;
    if (!requeued && delivery.reached !== undefined) this.late.delivered(channel, delivery.reached);
    this.load -= events.length;
    held.underway--;
    if (held.underway === 0) this.on.idle(held);
    for (const resolve of this.delivered.splice(0)) resolve();
    if (this.stopped) return;
    if (requeued) this.requeuedAt = Number.NEGATIVE_INFINITY;
    const full = requeued || events.length >= this.options.eventsPerChannel;
    if (full || (this.hungry && this.load < this.options.buffer / 2)) this.on.more();
    // Reads during the delivery skipped this channel, so new events of it were not found.
    else if (look < this.looks) this.on.soon();
  }

  private get elapsed(): Clock {
    return this.options.elapsed ?? stopwatch;
  }
}

/** A shard that its assigned node did not take within a lease is kept for this many, then offered again. */
const STRAY_LEASES = 4;
/** Every this many beats, events that all destinations have passed but none has ended are searched for. */
const TIDY_EVERY = 6;
/** More than two beats of the slowest other process, which may be several times as slow. */
const RETURN_BEATS = 10;

export type KeeperOptions = Pick<RelayOptions, 'nodeId' | 'leaseMs' | 'heartbeatTimeoutMs' | 'intake' | 'elapsed'>;

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
  private losses = 0;
  /** For this many beats it says that it has not died. */
  private returning = 0;
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

  /** Releases all shards and unregisters the node: no event has ended this process. */
  async leave(): Promise<void> {
    // Shards that a beat in progress acquires must be released too.
    await this.beating;
    const all = this.held.all();
    for (const held of all) this.held.remove(held);
    await Promise.all(this.leaving);
    const leases = all.map(({ lease }) => lease);
    await this.storage.leases.release(this.options.nodeId, leases);
    await this.storage.nodes.leave(this.options.nodeId);
    await this.storage.acknowledgements.withdraw(this.options.nodeId);
  }

  private async beatOnce(): Promise<boolean> {
    const { nodeId, leaseMs, heartbeatTimeoutMs = leaseMs } = this.options;
    const soonOver = this.elapsed.now() + leaseMs / 2;
    const short = this.held.all().some(({ endsAt }) => endsAt < soonOver);
    // Leases first: the node's heartbeat is less urgent.
    await this.renew();
    if (this.options.intake?.isDraining) return this.drain();
    const live = await this.storage.nodes.beat(nodeId, heartbeatTimeoutMs);
    this.held.live = live;
    await this.comeBack();
    await this.lookAtEra();
    const changed = this.members !== live.join();
    this.members = live.join();
    if (changed) this.lookOut(live);
    let taken = short;
    for (const destination of this.destinations) {
      const sharing = live.filter((id) => isOurNode(id, prefixOf(nodeId)) && isServing(id, destination));
      const wanted = shardsOf(nodeId, sharing, destination, SHARDS);
      this.handOver(destination, new Set(wanted), changed);
      taken = (await this.take(destination, wanted)) || taken;
    }
    if (++this.beats % TIDY_EVERY === 0) await this.tidy();
    return taken;
  }

  /**
   * A process that has lost shards is listed among the dead by their new owners. They hear at their own beats that it is
   * alive, and may list it until then.
   */
  private async comeBack(): Promise<void> {
    if (this.losses !== this.held.losses) this.returning = RETURN_BEATS;
    this.losses = this.held.losses;
    if (this.returning === 0) return;
    try {
      await this.storage.acknowledgements.withdraw(this.options.nodeId);
      this.returning--;
    } catch (error) {
      this.observer.error?.(error);
    }
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
    const { nodeId, leaseMs } = this.options;
    const missing = wanted.filter((shard) => !this.held.get(destination, shard));
    const endsAt = this.elapsed.now() + leaseMs;
    const request = { destination, wanted: missing, strays: SHARDS - wanted.length, leaseMs };
    const acquired = await this.storage.leases.acquire(nodeId, request);
    const known = acquired.flatMap(({ shard }) => this.held.get(destination, shard)?.lease ?? []);
    if (known.length > 0) this.observer.lost?.(known);
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
