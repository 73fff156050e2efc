import { isA } from '../core/brand.js';
import { type Held, NOTHING_HELD } from '../acts/holds.js';
import { type Codec, type CodecContext, StoredTexts } from '../core/codec.js';
import {
  DatabaseError,
  DurableError,
  EffectAttemptsExhaustedError,
  EffectTimeoutError,
  NonRetryableEffectError,
  ProcessEndingError,
  UnreadablePayloadError,
} from '../core/errors.js';
import { Cancellation, type Lease, LeaseKeeper, untilBack } from '../core/leasing.js';
import { type Loops, PollLoop, Semaphore } from '../core/loops.js';
import { RetryAfterError } from '../core/run-errors.js';
import { type EffectEvent, Telemetry, type TraceCarrier, type TracedWork } from '../core/telemetry.js';
import { readably } from '../core/thrown.js';
import { askedDelayMs, atMost, backoffMs, type Clock, sleep, stopwatch } from '../core/time.js';
import type { ErrorRules } from '../core/wire-error.js';
import type {
  ClaimedEffect,
  ClaimedHandler,
  EffectClaim,
  EffectClaims,
  EffectSettlements,
  EffectStorage,
  OnCompletion,
  Settled,
  Settlement,
} from './entries.js';
import {
  type EffectContext,
  type EffectHandler,
  type EffectHandlers,
  type EffectListeners,
  type EffectOutcome,
  type EffectPolicy,
  errorClassOf,
  outcomeOf,
} from './handlers.js';

export interface EffectRunnerOptions {
  /** The claiming node; informational only. */
  nodeId: string;
  /** The maximum number of concurrent calls. */
  concurrency: number;
  /** The maximum number of entries per claim. */
  batchSize: number;
  /** The maximum time between two polls. */
  pollMs: number;
  /** How long `stop` waits for running calls. */
  shutdownTimeoutMs: number;
  codec: Codec;
  /** What of errors is recorded beside their classes. Default: nothing. */
  errors?: ErrorRules;
  /** Measures elapsed time, which decides whether leases have expired. Default: the clock of this machine. */
  elapsed?: Clock;
  telemetry: Telemetry;
  /** The handlers that must not be called now. Default: none. */
  held?: Held | undefined;
  /** Reads what a run carries. Default: nothing. */
  carriedBy?: CarriedBy;
}

type Ports = Pick<EffectStorage, 'claims' | 'settlements'>;

/** Free slots are collected for this time, to avoid one claim per slot. */
const COLLECT_MS = 20;
/** The least time that interrupted calls get to stop. */
const GRACE_MS = 500;

/**
 * Makes enqueued calls, together with the runners of all other processes; each process has one. It claims only calls
 * that this process has handlers for.
 */
export class EffectRunner {
  private readonly keeper: LeaseKeeper<EffectClaim>;
  private readonly lives: EffectLives;
  private readonly loop: PollLoop;
  private unsubscribe: (() => void) | undefined;
  private readonly held: Held;
  private turn: Promise<unknown> = Promise.resolve();
  /** Slots reserved for claims in progress. */
  private reserved = 0;
  /** Whether the last claim returned as many entries as it asked for. */
  private expectsMore = false;
  private collecting = false;
  private readonly stopped = new AbortController();

  constructor(
    private readonly ports: Ports,
    private readonly handlers: EffectHandlers,
    listeners: EffectListeners,
    private readonly options: EffectRunnerOptions,
  ) {
    const { telemetry, codec, pollMs, elapsed: clock = stopwatch } = options;
    const { claims, settlements } = ports;
    this.held = options.held ?? NOTHING_HELD;
    const onError = (error: unknown) => telemetry.emit('loop.error', { loop: 'effects', error });
    this.keeper = new LeaseKeeper({
      keyOf: ({ entryId }) => entryId,
      extend: async (leases) => {
        const held = await claims.extend(leases.map(({ claim, leaseMs }) => ({ ...claim, leaseMs })));
        return held.map(({ renewed, ...claim }) => ({ claim, renewed }));
      },
      onError,
      clock,
      longestBeatMs: Number.POSITIVE_INFINITY,
    });
    const settler = new EffectSettler({ settlements, listeners, keeper: this.keeper, telemetry });
    const caller = new EffectCaller(
      codec,
      options.errors && new StoredTexts(codec, options.errors),
      options.carriedBy,
      telemetry,
    );
    const parts = { claims, handlers, caller, keeper: this.keeper, settler, telemetry };
    this.lives = new EffectLives(parts, () => this.freed());
    this.loop = new PollLoop(() => this.tick(), {
      maxMs: pollMs,
      live: () => claims.live,
      onError,
    });
  }

  /** Starts to make calls as they become due. */
  start(): void {
    if (this.unsubscribe || this.stopping) return;
    const stops = [
      this.held.onChanged(() => (this.held.isEnding ? this.lives.ask() : this.loop.wake())),
      this.ports.claims.onDue((handlers) => {
        if (!handlers || handlers.some((name) => this.handlers.has(name))) this.loop.wake();
      }),
    ];
    this.unsubscribe = () => stops.forEach((stop) => stop());
    this.loop.start();
  }

  /**
   * Stops claiming, aborts the signals of running calls, and waits for them up to `shutdownTimeout`. A call that fails
   * from then on is released for other processes, and not counted; the leases of those that do not end expire. The runner
   * cannot be started again.
   */
  async stop(): Promise<void> {
    this.stopped.abort('stopped');
    this.unsubscribe?.();
    this.lives.ask();
    await this.loop.stop();
    const ended = Promise.all([this.turn, this.lives.idle()]);
    await atMost(Math.max(this.options.shutdownTimeoutMs, GRACE_MS), ended);
    this.lives.close();
    await this.keeper.stop();
  }

  /**
   * Claims calls that are due now, up to `batchSize` and the free concurrency, makes them, and resolves to their number
   * once all are settled; 0 when none was due. For schedulers and tests; works whether or not the runner was started.
   *
   * @throws DatabaseError when the claim fails. Entries that cannot be settled stay in flight until their lease ends.
   * @example while ((await runner.runOnce()) > 0);
   */
  runOnce(): Promise<number> {
    const run = this.turn.then(() => this.once());
    this.turn = run.catch(() => undefined);
    return run;
  }

  private async once(): Promise<number> {
    await this.lives.below(this.options.concurrency);
    await this.held.look();
    const { count, ended } = await this.claim();
    await ended;
    return count;
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    const { free } = this;
    const { count } = await this.claim();
    if (count === 0) return 'idle';
    // Otherwise waits, to collect slots that have become free meanwhile.
    return this.expectsMore && free > count ? 'busy' : 'active';
  }

  /** None unless it was started. */
  get loops(): Loops {
    return this.unsubscribe && !this.stopping ? { effects: this.loop } : {};
  }

  private get stopping(): boolean {
    return this.stopped.signal.aborted || this.held.isEnding;
  }

  private freed(): void {
    if (!this.expectsMore || this.collecting || this.stopping) return;
    if (this.lives.running === 0) return this.loop.wake();
    this.collecting = true;
    void sleep(COLLECT_MS, this.stopped.signal).then(() => {
      this.collecting = false;
      this.loop.wake();
    });
  }

  private get free(): number {
    return this.options.concurrency - this.lives.running - this.reserved;
  }

  private async claim(): Promise<{ count: number; ended: Promise<void> }> {
    const { claims } = this.ports;
    const limit = Math.min(this.free, this.options.batchSize);
    const free = this.handlers.all().filter(({ name }) => !this.held.isHeld('effect', name));
    const handlers = free.map(claimedHandler);
    if (limit <= 0 || handlers.length === 0 || this.stopping) return { count: 0, ended: Promise.resolve() };
    const askedAt = this.keeper.now();
    let claimed: ClaimedEffect[];
    this.reserved += limit;
    try {
      claimed = await claims.claim({ nodeId: this.options.nodeId, handlers, limit });
    } finally {
      this.reserved -= limit;
    }
    const durationMs = this.keeper.now() - askedAt;
    const { telemetry } = this.options;
    if (telemetry.hears('claim.made'))
      telemetry.emit('claim.made', { what: 'effects', count: claimed.length, durationMs });
    this.expectsMore = claimed.length >= limit;
    const inTime = this.stopping ? [] : claimed.filter((each) => !this.isLate(each, askedAt));
    const ended = this.lives.begin(inTime, askedAt);
    const begun = new Set(inTime);
    // Releasing exhausted entries would give them another attempt.
    const uncalled = claimed.filter((each) => !begun.has(each) && !each.exhausted).map(({ claim }) => claim);
    if (uncalled.length > 0) await claims.release(uncalled, true);
    return { count: inTime.length, ended };
  }

  /** The claim returned after its lease: another process may make this call now. */
  private isLate({ handler }: ClaimedEffect, askedAt: number): boolean {
    return this.keeper.isOver(askedAt, this.handlers.get(handler).policy.leaseMs);
  }
}

const claimedHandler = ({ name, policy }: { name: string; policy: { leaseMs: number; attempts: number } }) =>
  ({ name, leaseMs: policy.leaseMs, attempts: policy.attempts }) satisfies ClaimedHandler;

export interface LivesParts {
  claims: Pick<EffectClaims, 'release'>;
  handlers: EffectHandlers;
  caller: EffectCaller;
  keeper: LeaseKeeper<EffectClaim>;
  settler: EffectSettler;
  telemetry: Telemetry;
}

interface Life {
  claimed: ClaimedEffect;
  lease: Lease<EffectClaim>;
  control: Cancellation;
}

/** Handles each claimed entry until it is settled, released or lost. */
class EffectLives {
  private readonly lives = new Map<Life, Promise<void>>();
  /** Stops all writes: the connections may be closed. */
  private closed = false;

  constructor(
    private readonly parts: LivesParts,
    /** Called when another call may start. */
    private readonly onFreed: () => void,
  ) {}

  get running(): number {
    return this.lives.size;
  }

  /** Resolves when all of these entries are done. They do not affect each other. */
  async begin(claimed: readonly ClaimedEffect[], claimedAt: number): Promise<void> {
    await Promise.all(claimed.map((each) => this.beginOne(each, claimedAt)));
  }

  async idle(): Promise<void> {
    while (this.lives.size > 0) await Promise.all(this.lives.values());
  }

  /** Resolves when fewer than `most` are running. */
  async below(most: number): Promise<void> {
    while (this.lives.size >= most) await Promise.race(this.lives.values());
  }

  /** The process ends: aborts the signals of all calls. Those that fail are released, those that succeed are settled. */
  ask(): void {
    for (const { control } of this.lives.keys()) control.ask(new ProcessEndingError());
  }

  /** Abandons running calls; their leases will expire. */
  close(): void {
    this.closed = true;
    this.parts.settler.stop();
    for (const { control } of this.lives.keys()) control.end(new ProcessEndingError());
  }

  private beginOne(claimed: ClaimedEffect, claimedAt: number): Promise<void> {
    const { keeper, handlers } = this.parts;
    const { leaseMs } = handlers.get(claimed.handler).policy;
    const control = new Cancellation();
    const lost = () => control.end(new Error('The lease was lost: another process may make this call'));
    const life: Life = { claimed, control, lease: keeper.keep(claimed.claim, leaseMs, claimedAt, lost) };
    const ended = this.live(life).finally(() => {
      keeper.drop(life.lease);
      this.lives.delete(life);
      this.onFreed();
    });
    this.lives.set(life, ended);
    return ended;
  }

  private async live(life: Life): Promise<void> {
    const { settler, telemetry } = this.parts;
    const { claimed, lease } = life;
    const end = await this.endOf(life);
    if (this.closed) return;
    if (lease.lost) return telemetry.emit('effects.lease-lost', effectEventOf(claimed));
    // The process interrupted the call, so this is not a failure.
    if (end === 'interrupted') return this.release(life);
    await settler.settle(claimed, end, lease);
  }

  private async endOf({ claimed, control }: Life): Promise<CallEnd> {
    const { handlers, caller } = this.parts;
    const { handler, attempt, exhausted } = claimed;
    if (!exhausted) return caller.call(claimed, handlers.get(handler), control);
    const error = new EffectAttemptsExhaustedError(handler, attempt);
    return caller.abandoned(claimed, error);
  }

  private async release({ claimed }: Life): Promise<void> {
    try {
      await this.parts.claims.release([claimed.claim]);
    } catch (error) {
      // Its lease will expire.
      this.parts.telemetry.emit('loop.error', { loop: 'effects', error });
    }
  }
}

/** The settlement of an entry whose handler returned. */
function afterOutcome(outcome: EffectOutcome, { backoff }: EffectPolicy): Settlement {
  if (outcome.kind !== 'scheduled') return { status: 'succeeded', alreadyAbsent: outcome.kind === 'already-absent' };
  // A minimum delay, so that a handler that keeps returning past dates is not called in a tight loop.
  return { status: 'scheduled', until: outcome.until, delayMs: backoffMs(1, { ...backoff, jitter: 'none' }) };
}

/** What a settlement says of an error. */
type Failure = Pick<Extract<Settlement, { status: 'abandoned' }>, 'error' | 'recorded'>;

/** The settlement of an entry whose n-th try failed. Every failure counts: the claim has counted it already. */
function afterFailure(thrown: unknown, failure: Failure, attempt: number, policy: EffectPolicy): Settlement {
  if (isFinal(thrown) || attempt >= policy.attempts) return { status: 'abandoned', ...failure };
  return { status: 'failed', ...failure, delayMs: delayAskedBy(thrown) ?? backoffMs(attempt, policy.backoff) };
}

/** Another try would not help. */
const isFinal = (thrown: unknown): boolean => isA(thrown, NonRetryableEffectError);

function delayAskedBy(thrown: unknown): number | undefined {
  if (!isA(thrown, RetryAfterError)) return undefined;
  try {
    return askedDelayMs(thrown.delay);
  } catch {
    return undefined;
  }
}

const contextOf = ({ subject, ref }: ClaimedEffect): CodecContext => ({ subject, input: ref });

const tracedOf = (
  { claim: { entryId: stepId }, attempt, runId }: ClaimedEffect,
  name: string,
  carrier: TraceCarrier | undefined,
): Omit<TracedWork, 'kind'> => ({ name, stepId, attempt, runId: runId ?? undefined, carrier, links: [carrier] });

/** `interrupted`: the call was asked to stop, and stopped. */
type CallEnd = Settlement | 'interrupted';

type CarriedBy = (runId: string) => Promise<Readonly<Record<string, unknown>>>;

/** Makes one call and always resolves, whatever the handler throws, returns or ignores. */
class EffectCaller {
  constructor(
    private readonly codec: Codec,
    /** Undefined: only the classes of errors are recorded. */
    private readonly texts: StoredTexts | undefined,
    /** Reads what a run carries. */
    private readonly carriedBy: CarriedBy = () => Promise.resolve({}),
    private readonly telemetry = new Telemetry(),
  ) {}

  async call(claimed: ClaimedEffect, handler: EffectHandler, control: Cancellation): Promise<CallEnd> {
    const { name, policy } = handler;
    const { timeoutMs } = policy;
    try {
      const ref = this.read(claimed, claimed.ref, 'ref');
      const context = this.contextOf(claimed, control.signal);
      const late = () => new EffectTimeoutError(name, timeoutMs);
      const attempt = () => control.outliveWithin(timeoutMs, () => readably(() => handler.call(ref, context)), late);
      // Within `control`: the lease may be lost meanwhile.
      const carried = () => context.context().catch(() => undefined);
      const carrier = this.telemetry.tracing && (await control.outlive(carried));
      if (control.asked) return 'interrupted';
      const returned = await this.telemetry.around('effect', () => tracedOf(claimed, name, carrier), attempt);
      return afterOutcome(outcomeOf(returned), policy);
    } catch (error) {
      if (control.asked) return 'interrupted';
      return afterFailure(error, this.failureOf(claimed, error), claimed.attempt, policy);
    }
  }

  /** The settlement of a call that has failed for good. */
  abandoned(claimed: ClaimedEffect, error: unknown): Settlement {
    return { status: 'abandoned', ...this.failureOf(claimed, error) };
  }

  private failureOf(claimed: ClaimedEffect, thrown: unknown): Failure {
    const error = errorClassOf(thrown);
    return this.texts ? { error, recorded: JSON.stringify(this.texts.error(thrown, contextOf(claimed))) } : { error };
  }

  private contextOf(claimed: ClaimedEffect, signal: AbortSignal) {
    const { claim, attempt, subject, operation, payload, runId, trace } = claimed;
    const plain = payload === null ? undefined : this.read(claimed, payload, 'payload');
    const { entryId: idempotencyKey } = claim;
    const context = async () =>
      runId !== null ? this.carriedBy(runId) : ((trace ? JSON.parse(trace) : {}) as Readonly<Record<string, unknown>>);
    return { idempotencyKey, attempt, signal, subject, operation, payload: plain, context } satisfies EffectContext;
  }

  /** Counts as a normal failure: a later version, or one with the right keys, may be able to read it. */
  private read(claimed: ClaimedEffect, text: string, what: string): unknown {
    try {
      return this.codec.decode(text, contextOf(claimed));
    } catch (cause) {
      throw new UnreadablePayloadError(`The ${what} of the call`, { cause });
    }
  }
}

const effectEventOf = ({ claim, handler, operation, attempt }: ClaimedEffect): EffectEvent => ({
  entryId: claim.entryId,
  handler,
  operation,
  attempt,
});

/** The class of an error, and its code if it is ours. Never the message, which may contain the app's data. */
function errorNote(error: unknown): string {
  const name = errorClassOf(error);
  return error instanceof DurableError ? `${name} (${error.code})` : name;
}

/** The maximum number of pool connections in use. */
const AT_ONCE = 5;
const RETRY = { delay: 100, factor: 2, maxDelay: '5s' } as const;

export interface SettlerParts {
  settlements: EffectSettlements;
  listeners: EffectListeners;
  keeper: Pick<LeaseKeeper<EffectClaim>, 'now'>;
  telemetry: Telemetry;
}

/** Writes the results of calls one by one and calls listeners. */
class EffectSettler {
  private readonly semaphore = new Semaphore(AT_ONCE);
  private readonly stopped = new AbortController();

  constructor(private readonly parts: SettlerParts) {}

  /**
   * Never throws: an entry that cannot be settled stays in flight until its lease expires. Retries while the database
   * is unavailable and the claim holds, to avoid another call; at most one lease if a retry may not help.
   */
  async settle(claimed: ClaimedEffect, settlement: Settlement, lease: Lease<EffectClaim>): Promise<void> {
    let settled: Settled;
    try {
      settled = await this.write(claimed, settlement, lease);
    } catch (error) {
      const { telemetry } = this.parts;
      return telemetry.emit('effects.settle-failed', { ...effectEventOf(claimed), error: errorNote(error) });
    }
    this.tell(claimed, settlement, settled);
    if (settlement.status === 'abandoned' && settled !== 'lost') await this.tellAbandoned(claimed, settlement.error);
  }

  /** Ends all retries. */
  stop(): void {
    this.stopped.abort('stopped');
  }

  private async write(claimed: ClaimedEffect, settlement: Settlement, lease: Lease<EffectClaim>): Promise<Settled> {
    const { settlements, keeper } = this.parts;
    const onCompletion = this.onCompletionOf(claimed);
    const hopesUntil = keeper.now() + lease.leaseMs;
    const write = async (failures: number) => {
      const settled = await this.semaphore.run(() => settlements.settle(claimed, settlement, onCompletion));
      // While the lease holds, an earlier try must have been written and its response lost.
      return settled === 'lost' && failures > 0 && keeper.now() < lease.heldUntil ? 'settled' : settled;
    };
    const passes = (error: unknown) => !lease.lost && isWorthATry(error, keeper.now() < hopesUntil);
    return untilBack(write, { stopped: this.stopped.signal, passes, retry: RETRY });
  }

  private onCompletionOf({ operation }: ClaimedEffect): OnCompletion | undefined {
    const { telemetry } = this.parts;
    const listeners = this.parts.listeners.completionOf(operation);
    // Without listeners, no ORM transaction: it costs more than one of ours.
    if (listeners.length === 0) return undefined;
    return async ({ subject }, handle) => {
      for (const listener of listeners)
        await readably(() => telemetry.openly(() => listener.onComplete(subject, handle, operation)));
    };
  }

  private tell(claimed: ClaimedEffect, settlement: Settlement, settled: Settled): void {
    const { telemetry } = this.parts;
    const event = effectEventOf(claimed);
    if (settled === 'lost') return telemetry.emit('effects.lease-lost', event);
    if (settlement.status === 'failed') {
      const { error, delayMs: retryInMs } = settlement;
      return telemetry.emit('effects.failed', { ...event, error, retryInMs });
    }
    if (settlement.status === 'abandoned')
      return telemetry.emit('effects.abandoned', { ...event, error: settlement.error });
    if (settlement.status === 'scheduled')
      return telemetry.emit('effects.scheduled', { ...event, until: settlement.until });
    telemetry.emit('effects.succeeded', { ...event, alreadyAbsent: settlement.alreadyAbsent });
    if (settled === 'completed') telemetry.emit('effects.completed', { operation: claimed.operation });
  }

  /** Errors of listeners are only logged. */
  private async tellAbandoned(claimed: ClaimedEffect, error: string): Promise<void> {
    const { claim, subject, handler, operation, attempt: attempts } = claimed;
    const entry = { entryId: claim.entryId, subject, handler, operation, attempts, error };
    for (const listener of this.parts.listeners.abandonmentOf(operation)) {
      try {
        await readably(() => this.parts.telemetry.openly(() => listener.onAbandoned(entry)));
      } catch (thrown) {
        const failure = { ...effectEventOf(claimed), error: errorClassOf(thrown) };
        this.parts.telemetry.emit('effects.listener-failed', failure);
      }
    }
  }
}

/** @param hopes - whether to retry unknown errors */
const isWorthATry = (error: unknown, hopes: boolean): boolean =>
  error instanceof DatabaseError && (error.transient || (hopes && !error.aboutData));
