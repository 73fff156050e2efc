import { InvalidArgumentError } from '../../errors/argument-errors.js';
import { type Clock, stopwatch } from '../../time/clock.js';
import { type Loops, PollLoop } from '../../time/poll-loop.js';
import { Timers } from '../../time/timers.js';
import type { Destination } from '../model/destination.js';
import { OUTBOX_TOPIC } from '../model/outbox-event.js';
import { SAID_EVERY_MS } from '../model/run-wishes.js';
import { Deliverer } from './deliverer.js';
import { DestinationFeed } from './destination-feed.js';
import { HeldShards } from './held-shards.js';
import { AcknowledgementBatcher } from './acknowledgement-batcher.js';
import { type RelayStorage, nodeServing } from './relay-storage.js';
import type { RelayObserver, RelayOptions, RelaySignals } from './relay-options.js';
import { ShardKeeper } from './shard-keeper.js';
import { WakeWindow } from './wake-window.js';

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

  /** Starts nothing more, waits for deliveries while their leases last, releases the shards and unregisters. */
  async stop(): Promise<void> {
    if (!this.running) await this.turnOver();
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

  /** Ends a `runOnce` early, and waits for a start in progress. */
  private async turnOver(): Promise<void> {
    const { turn } = this;
    await Promise.all((this.rig?.routes ?? []).map(({ feed }) => feed.stop()));
    await turn;
  }

  private async begin(): Promise<void> {
    if (this.running) return;
    await this.signIn();
    this.running = true;
    const stops = [!this.options.fixedRate && this.listen(), this.options.intake?.onChanged(() => this.beats.wake())];
    this.unsubscribe = () => stops.forEach((stop) => stop && stop());
    this.beats.start();
    for (const { feed, loop, window } of this.routes) {
      window.reset();
      feed.start();
      loop.start();
    }
  }

  private async end(): Promise<void> {
    this.unsubscribe?.();
    // First, so that deliveries that cannot finish end with the lease at the latest.
    await this.beats.stop();
    await Promise.all(this.routes.map(({ feed, loop }) => Promise.all([feed.stop(), loop.stop()])));
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
    try {
      for (const { feed } of this.routes) feed.start();
      await this.drain();
    } finally {
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
    await this.storage.destinations.register(names, this.options.shards, this.wants);
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
      policy: options.policies.get(destination.name) ?? { ...options.policy, ...destination.poison },
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
