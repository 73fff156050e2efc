import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { type Clock, macrotask, real, sleep, stopwatch, type Timers } from './time.js';

/**
 * Does one unit of work. `busy`: there may be more now. `active`: all work is done, and more may come soon.
 * `idle`: there was no work.
 */
export type Tick = () => Promise<'busy' | 'active' | 'idle'>;

export interface PollLoopOptions {
  /** The longest nap, in ms. A function is called before each nap. */
  maxMs: number | (() => number);
  /**
   * The nap, in ms, for a second after there was work; then it doubles up to `maxMs` while there is none. A function is
   * called each time. Default: `maxMs`. While `live` returns false it is 20 ms, or `maxMs` if that is less.
   */
  minMs?: number | (() => number);
  /** Whether notifications of work currently arrive, so that short naps are not needed. Default: always true. */
  live?: () => boolean;
  /** Whether the first tick only naps, since a starting process has more urgent work. Default false. */
  napsFirst?: boolean;
  /** Called with the error of every tick that threw. */
  onError: (error: unknown) => void;
}

/** What a loop is doing. Times are ms of this process's monotonic clock, until now. */
export interface LoopPulse {
  /** False: it was not started, or was stopped. */
  running: boolean;
  /** How long ago its last tick ended; or, before the first end, how long ago it was started. */
  agoMs: number;
  /** How long the tick in progress has taken; undefined while it naps. */
  tickingMs: number | undefined;
  /** The length of its last nap. */
  napMs: number;
  /** Whether its last tick threw. */
  failed: boolean;
}

/** The loops of a part, by their names: to look at, not to control. */
export type Loops = Readonly<Record<string, { readonly pulse: LoopPulse }>>;

/** Naps stay short for this long after work, because more work often follows. */
const LINGER_MS = 1_000;
/** The shortest nap while no notifications of work arrive. */
const SHORTEST_NAP_MS = 20;

/**
 * Runs `tick` until stopped: again at once while busy, after a nap or a `wake()` otherwise. Naps grow from
 * `minMs` to `maxMs`, so a busy system responds fast and an idle one causes little load. After a tick that
 * throws, the nap is 50 to 100 % of `maxMs`, at random, so a broken database gets few requests.
 */
export class PollLoop {
  private stopped = new AbortController();
  private nap = new AbortController();
  private running: Promise<void> | undefined;
  private begun = false;
  private napMs = 0;
  /** The total of the naps since the last work. */
  private quietMs = 0;
  private tickedAt = 0;
  private tickingSince: number | undefined;
  private pauseMs = 0;
  private hasFailed = false;

  constructor(
    private readonly tick: Tick,
    private readonly options: PollLoopOptions,
  ) {}

  start(): void {
    if (this.running) return;
    this.stopped = new AbortController();
    this.tickedAt = stopwatch.now();
    this.running = this.run(this.stopped.signal);
  }

  /** Ends the nap; during a tick, starts the next tick without a nap. */
  wake(): void {
    this.quietMs = 0;
    // With a reason, because creating the default one is expensive.
    if (!this.nap.signal.aborted) this.nap.abort('woken');
  }

  /** Makes naps short again. Ends the current nap only if it is longer, so that many calls do not add ticks. */
  hurry(): void {
    if (this.napMs > this.minMs) return this.wake();
    this.quietMs = 0;
  }

  /** Resolves when the tick in progress has finished. */
  async stop(): Promise<void> {
    const { running } = this;
    this.stopped.abort();
    this.wake();
    await running;
    if (this.running === running) this.running = undefined;
  }

  get pulse(): LoopPulse {
    const { tickedAt, tickingSince, pauseMs: napMs, hasFailed: failed } = this;
    const now = stopwatch.now();
    return {
      running: this.running !== undefined && !this.stopped.signal.aborted,
      agoMs: now - tickedAt,
      tickingMs: tickingSince === undefined ? undefined : now - tickingSince,
      napMs,
      failed,
    };
  }

  private async run(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      // Created before the tick: a wake() during the tick must not be lost.
      this.nap = new AbortController();
      const napMs = await this.timedTick();
      // A tick that is always busy must not block the event loop.
      if (napMs === 0) await macrotask();
      else if (!stopped.aborted) await sleep(napMs, this.nap.signal);
    }
  }

  private async timedTick(): Promise<number> {
    this.tickingSince = stopwatch.now();
    this.pauseMs = await this.tickOnce();
    this.tickingSince = undefined;
    this.tickedAt = stopwatch.now();
    return this.pauseMs;
  }

  private async tickOnce(): Promise<number> {
    try {
      const state = this.begun || !this.options.napsFirst ? await this.tick() : 'idle';
      this.begun = true;
      this.hasFailed = false;
      return this.napAfter(state);
    } catch (error) {
      this.hasFailed = true;
      return this.napAfterError(error);
    }
  }

  private napAfter(state: 'busy' | 'active' | 'idle'): number {
    if (state !== 'idle') this.quietMs = 0;
    if (state === 'busy') return 0;
    const shortest = this.minMs;
    this.napMs = Math.min(this.maxMs, this.quietMs < LINGER_MS ? shortest : Math.max(shortest, this.napMs * 2));
    this.quietMs += this.napMs;
    return this.napMs;
  }

  private napAfterError(error: unknown): number {
    try {
      this.options.onError(error);
    } catch {
      // An error of the error handler must not end the loop.
    }
    return this.maxMs * (0.5 + Math.random() / 2);
  }

  private get minMs(): number {
    const { minMs = this.maxMs, live } = this.options;
    return live && !live() ? Math.min(SHORTEST_NAP_MS, this.maxMs) : ask(minMs);
  }

  private get maxMs(): number {
    return ask(this.options.maxMs);
  }
}

const ask = (ms: number | (() => number)): number => (typeof ms === 'function' ? ms() : ms);

interface Queued<Item, Answer> {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Lets the first call through at once, and merges further calls within the window into one at its end. */
export class WakeWindow {
  private open = false;
  private again = false;

  constructor(
    private readonly timers: Timers,
    private readonly clock: Clock,
    private readonly ms: number,
    private readonly fire: () => void,
  ) {}

  poke(): void {
    if (this.open) {
      this.again = true;
      return;
    }
    this.open = true;
    this.timers.at(this.clock.now() + this.ms, () => this.close());
    this.fire();
  }

  /** Resets to the initial state, after the timers were stopped. */
  reset(): void {
    this.open = false;
    this.again = false;
  }

  private close(): void {
    this.open = false;
    if (!this.again) return;
    this.again = false;
    this.poke();
  }
}

export interface BatcherOptions<Item = unknown> {
  /** The most items of one write. Default 500. */
  maxItems?: number;
  /** The length of an item's texts in characters; limits a write to what fits into one statement. */
  sizeOf?: (item: Item) => number;
  /** With `sizeOf`: items that still fit go before longer ones that do not, unless these have the same key. */
  keyOf?: (item: Item) => string;
  /** Whether a failed write of several items is retried in halves, so that one bad item fails alone. */
  isolates?: (error: unknown) => boolean;
}

/**
 * In characters, which take up to three bytes each: this fits into a statement with the default settings of any server,
 * and what waits behind it waits for a moment. If a server accepts less, the statement is refused before it is sent, and
 * the batch is retried in halves.
 */
export const MAX_SIZE = 1_000_000;

/** How many of the first items go into one write; at least one, however long it is. */
export function howManyFit<Item>(
  items: readonly Item[],
  maxItems: number,
  sizeOf: (item: Item) => number,
  maxSize = MAX_SIZE,
): number {
  let size = 0;
  const end = items.slice(0, maxItems).findIndex((item) => (size += sizeOf(item)) > maxSize);
  return end === -1 ? Math.min(items.length, maxItems) : Math.max(1, end);
}

/**
 * Combines many small writes into few large ones without a timer: an item is written with all other items of
 * the same turn of the event loop; items that arrive during a write go into the next one. Writes never overlap
 * and keep the order of arrival, but for what `keyOf` says.
 */
export class Batcher<Item, Answer> {
  private queue: Queued<Item, Answer>[] = [];
  private writing: Promise<void> | undefined;

  /** `write` returns one answer per item, at the same index. */
  constructor(
    private readonly write: (items: readonly Item[]) => Promise<readonly Answer[]>,
    private readonly options: BatcherOptions<Item> = {},
  ) {}

  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => this.put(item, resolve, reject));
  }

  /** Like `add`, without a promise: calls `resolve` or `reject` after the item's write; neither may throw. */
  put(item: Item, resolve: (answer: Answer) => void, reject: (error: unknown) => void): void {
    this.queue.push({ item, resolve, reject });
    this.writing ??= this.drain();
  }

  /** Resolves once nothing is queued or being written. */
  async idle(): Promise<void> {
    while (this.writing) await this.writing;
  }

  private async drain(): Promise<void> {
    // Waits one turn of the event loop, so that items added in this turn are included.
    await new Promise((resolve) => real.setImmediate(resolve));
    while (this.queue.length > 0) await this.writeOut(this.take());
    this.writing = undefined;
  }

  /** What goes into the next write. */
  private take(): Queued<Item, Answer>[] {
    const { maxItems = 500, sizeOf, keyOf } = this.options;
    if (!sizeOf) return this.queue.splice(0, maxItems);
    const fitting = howManyFit(this.queue, maxItems, ({ item }) => sizeOf(item));
    const taken = this.queue.splice(0, fitting);
    if (keyOf && this.queue.length > 0 && fitting < maxItems) taken.push(...this.takeFitting(taken, sizeOf, keyOf));
    return taken;
  }

  /** Of what is behind them: what fits into the rest of their write. */
  private takeFitting(
    first: readonly Queued<Item, Answer>[],
    sizeOf: (item: Item) => number,
    keyOf: (item: Item) => string,
  ): Queued<Item, Answer>[] {
    const { maxItems = 500 } = this.options;
    let room = MAX_SIZE - first.reduce((size, { item }) => size + sizeOf(item), 0);
    const passed = new Set<string>();
    const taken = new Set<Queued<Item, Answer>>();
    for (const queued of this.queue) {
      if (first.length + taken.size >= maxItems) break;
      const key = keyOf(queued.item);
      const size = sizeOf(queued.item);
      if (passed.has(key) || size > room) passed.add(key);
      else {
        taken.add(queued);
        room -= size;
      }
    }
    this.queue = this.queue.filter((queued) => !taken.has(queued));
    return [...taken];
  }

  private async writeOut(batch: Queued<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.write(batch.map(({ item }) => item));
      if (answers.length !== batch.length) throw new Error(`${answers.length} answers to ${batch.length} items`);
      batch.forEach(({ resolve }, i) => resolve(answers[i] as Answer));
    } catch (error) {
      if (batch.length === 1 || !this.isolates(error)) return batch.forEach(({ reject }) => reject(error));
      const half = Math.ceil(batch.length / 2);
      await this.writeOut(batch.slice(0, half));
      await this.writeOut(batch.slice(half));
    }
  }

  private isolates(error: unknown): boolean {
    try {
      return this.options.isolates?.(error) ?? false;
    } catch {
      return false;
    }
  }
}

/** Runs work of the same key one after the other, and keeps nothing of keys without work. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** How many keys have work. */
  get size(): number {
    return this.last.size;
  }

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(work, work);
    this.last.set(key, turn);
    const forget = () => void (this.last.get(key) === turn && this.last.delete(key));
    turn.then(forget, forget);
    return turn;
  }
}

/** When unfinished work passes its permit on. */
export interface Overtime {
  /** How long work may hold its permit before it passes it on. */
  afterMs: number;
  /** How many works may be in overtime at once; further late ones keep their permits. */
  most: number;
}

/** Limits how much work runs at once; the rest waits in the order of arrival. */
export class Semaphore {
  private readonly queue: (() => void)[] = [];
  /** Holders that have held their permit too long, while `most` others are in overtime. */
  private readonly late = new Set<object>();
  private readonly inOvertime = new Set<object>();

  constructor(
    private free: number,
    /** Default: no overtime, work keeps its permit until it ends. */
    private readonly overtime?: Overtime,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.queue.push(resolve));
    const holder = {};
    const done = new AbortController();
    void this.watch(holder, done.signal);
    try {
      return await work();
    } finally {
      done.abort();
      this.ended(holder);
    }
  }

  private async watch(holder: object, done: AbortSignal): Promise<void> {
    if (!this.overtime) return;
    await sleep(this.overtime.afterMs, done);
    if (done.aborted) return;
    this.late.add(holder);
    this.beginOvertime();
  }

  private ended(holder: object): void {
    this.late.delete(holder);
    if (this.inOvertime.delete(holder)) this.beginOvertime();
    else this.handOn();
  }

  private beginOvertime(): void {
    const { most = 0 } = this.overtime ?? {};
    for (const holder of this.late) {
      if (this.inOvertime.size >= most) return;
      this.late.delete(holder);
      this.inOvertime.add(holder);
      this.handOn();
    }
  }

  private handOn(): void {
    const next = this.queue.shift();
    if (next) next();
    else this.free++;
  }
}

/** How often the event loop is looked at: often enough for a percentile, at the cost of one timer. */
const EVERY_MS = 50;

/** Measures how late timers of this process fire, since it was last read. Does not keep the process alive. */
export class EventLoopDelay {
  private histogram: IntervalHistogram | undefined;

  start(): void {
    this.histogram ??= monitorEventLoopDelay({ resolution: EVERY_MS });
    this.histogram.enable();
  }

  stop(): void {
    this.histogram?.disable();
    this.histogram = undefined;
  }

  /** The 99th percentile in ms, without the pause between two looks; the next read begins anew. 0 if it does not run. */
  takeP99Ms(): number {
    const { histogram } = this;
    if (!histogram) return 0;
    const ms = histogram.percentile(99) / 1e6 - EVERY_MS;
    histogram.reset();
    return Math.max(0, Math.round(ms * 10) / 10);
  }
}

/** How often the watch looks. */
const BEAT_MS = 250;
/** Shorter ones are how timers are. */
const SHORTEST_MS = 20;
/** Blocks that ended longer ago are forgotten. */
const KEPT_MS = 60_000;

/** Notices when this process's event loop was blocked: a timer fires too late. Costs one timer. */
export class EventLoopWatch {
  private timer: NodeJS.Timeout | undefined;
  private dueAt = 0;
  /** The longest first; each shorter one ended later, so that it counts for longer. */
  private blocks: { endedAt: number; ms: number }[] = [];

  /** Begins to watch, if it does not yet; it does not keep the process alive. */
  start(): void {
    if (this.timer) return;
    this.arm();
    this.timer = real.setInterval(() => this.beat(), BEAT_MS).unref();
  }

  stop(): void {
    real.clearInterval(this.timer);
    this.timer = undefined;
  }

  /** The longest block that ended within the last `ms`, at most a minute, or still lasts; in ms. */
  longestWithin(ms: number): number {
    const now = stopwatch.now();
    const late = this.timer ? Math.max(0, now - this.dueAt) : 0;
    return this.blocks.reduce((most, block) => (block.endedAt >= now - ms ? Math.max(most, block.ms) : most), late);
  }

  private beat(): void {
    const now = stopwatch.now();
    const ms = now - this.dueAt;
    this.blocks = this.blocks.filter((block) => block.ms > ms && block.endedAt > now - KEPT_MS);
    if (ms >= SHORTEST_MS) this.blocks.push({ endedAt: now, ms });
    this.arm();
  }

  private arm(): void {
    this.dueAt = stopwatch.now() + BEAT_MS;
  }
}

/** A service that is one loop, from its start to its stop; most run beside an engine. */
export abstract class BackgroundService {
  protected readonly loop: PollLoop;

  constructor(
    private readonly name: string,
    options: PollLoopOptions,
  ) {
    this.loop = new PollLoop(() => this.look(), options);
  }

  /** Does what there is to be done now. */
  abstract look(): ReturnType<Tick>;

  get loops(): Loops {
    return { [this.name]: this.loop };
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }
}
