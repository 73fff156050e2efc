import { InvalidArgumentError } from '../../errors.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { PollLoop } from '../../time/poll-loop.js';
import { Timers } from '../../time/timers.js';
import type { Destination } from '../destination.js';
import { OUTBOX_TOPIC } from '../outbox-topic.js';
import { Courier } from './courier.js';
import { DestinationFeed } from './destination-feed.js';
import { HeldSlots } from './held-slots.js';
import { Receipts } from './receipts.js';
import type { RelayObserver, RelayOptions, RelaySignals } from './relay-options.js';
import type { RelayStorage } from './relay-storage.js';
import { SlotKeeper } from './slot-keeper.js';
import { WakeWindow } from './wake-window.js';

/** How rarely is looked while hints arrive, in polls. */
const QUIET_POLLS = 10;
/** Where no hints come from other processes, what tends to follow is looked for so soon. */
const SOON_MS = 50;

interface Line {
  feed: DestinationFeed;
  loop: PollLoop;
  window: WakeWindow;
}

/** Publishes the outbox together with all other processes that do: one for each process. */
export class OutboxRelay {
  private readonly held = new HeldSlots();
  private readonly keeper: SlotKeeper;
  private readonly beats: PollLoop;
  private readonly lines: Line[];
  private readonly timers: Timers;
  private unsubscribe: (() => void) | undefined;
  private running = false;
  private count = 0;
  private turn: Promise<unknown> = Promise.resolve();

  /** @throws InvalidArgumentError when a publish could outlast the lease of its slot. */
  constructor(
    private readonly storage: RelayStorage,
    private readonly destinations: readonly Destination[],
    private readonly signals: RelaySignals,
    private readonly observer: RelayObserver,
    private readonly options: RelayOptions,
    private readonly clock: Clock = systemClock,
  ) {
    const { leaseMs, publishTimeoutMs } = options;
    if (publishTimeoutMs > leaseMs / 2)
      throw new InvalidArgumentError(
        'publishTimeout',
        publishTimeoutMs,
        `at most half of leaseDuration, ${leaseMs / 2} ms`,
      );
    this.timers = new Timers(clock);
    const names = destinations.map(({ name }) => name);
    this.keeper = new SlotKeeper(storage, this.held, names, observer, options);
    const onError = (error: unknown) => observer.error?.(error);
    this.beats = new PollLoop(() => this.beat(), { minMs: leaseMs / 3, maxMs: leaseMs / 3, onError });
    this.lines = destinations.map((destination) => this.lineTo(destination, onError));
  }

  /**
   * Signs in and begins to publish.
   *
   * @throws OutboxOccupiedError when another program publishes this outbox.
   */
  async start(): Promise<void> {
    if (this.running) return;
    await this.signIn();
    this.running = true;
    if (!this.options.fixedRate) this.unsubscribe = this.listen();
    this.beats.start();
    for (const { feed, loop, window } of this.lines) {
      window.reset();
      feed.start();
      loop.start();
    }
  }

  /** Begins nothing more, lets what is under way finish, gives the slots back and signs off. */
  async stop(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    this.unsubscribe?.();
    await Promise.all(this.lines.map(({ feed, loop }) => Promise.all([feed.stop(), loop.stop()])));
    await this.beats.stop();
    this.timers.stop();
    // Without a database everything lapses by itself.
    await this.keeper.leave().catch((error: unknown) => this.observer.error?.(error));
  }

  /**
   * Publishes what there is to publish now and resolves to how many events that were: for schedulers and tests. Where
   * the relay is not started it signs in for that alone.
   *
   * @example const published = await relay.runOnce();
   */
  runOnce(): Promise<number> {
    const run = this.turn.then(() => this.publishAll());
    this.turn = run.catch(() => undefined);
    return run;
  }

  /** Looks at once: something was written here. */
  wake(): void {
    for (const { loop } of this.lines) loop.wake();
  }

  private async publishAll(): Promise<number> {
    const before = this.count;
    const alone = !this.running;
    if (alone) await this.signIn();
    else await this.keeper.beat();
    try {
      for (const { feed } of this.lines) if (alone) feed.start();
      await Promise.all(this.lines.map(({ feed }) => feed.drain()));
    } finally {
      if (alone) await this.keeper.leave();
    }
    return this.count - before;
  }

  private async signIn(): Promise<void> {
    await this.storage.nodes.admit();
    await this.storage.destinations.register(
      this.destinations.map(({ name }) => name),
      this.options.slots,
    );
    await this.keeper.beat();
  }

  private async beat(): Promise<'idle'> {
    if (await this.keeper.beat()) this.wake();
    return 'idle';
  }

  private listen(): () => void {
    const window = new WakeWindow(this.timers, this.clock, this.options.debounceMs, () => this.wake());
    return this.signals.subscribe(OUTBOX_TOPIC, () => window.poke());
  }

  private lineTo(destination: Destination, onError: (error: unknown) => void): Line {
    const { options, held, observer } = this;
    const counting: RelayObserver = {
      ...observer,
      delivered: (delivery) => {
        this.count += delivery.events;
        observer.delivered?.(delivery);
      },
    };
    const receipts = new Receipts(options.nodeId, this.storage.acknowledgements);
    const courier = new Courier(destination, receipts, held, counting, {
      ...options,
      policy: options.policies.get(destination.name) ?? options.policy,
      onDelay: (delayMs) => void this.timers.at(this.clock.now() + delayMs, () => loop.wake()),
    });
    const window = new WakeWindow(this.timers, this.clock, options.debounceMs, () => loop.wake());
    const on = {
      more: () => loop.wake(),
      soon: () => (options.fixedRate ? undefined : window.poke()),
      idle: (slot: Parameters<SlotKeeper['idle']>[0]) => this.keeper.idle(slot),
    };
    const feed = new DestinationFeed(destination.name, this.storage.source, held, courier, counting, on, options);
    const loop = new PollLoop(() => feed.tick(), { ...this.naps(), onError });
    return { feed, loop, window };
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
