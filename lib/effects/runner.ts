import { type Held, NOTHING_HELD } from '../acts/holds.js';
import { type Codec, StoredTexts } from '../core/codec.js';
import {
  DatabaseError,
  DurableError,
  EffectAttemptsExhaustedError,
  InvalidArgumentError,
  ProcessEndingError,
} from '../core/errors.js';
import { checkDuration, checkedOptions, checkWhole, type KnownOptions } from '../core/options.js';
import { Cancellation, type Lease, LeaseKeeper, untilBack } from '../core/leasing.js';
import { type Loops, PollLoop, Semaphore } from '../core/loops.js';
import type { EffectEvent, Telemetry } from '../core/telemetry.js';
import { readably } from '../core/thrown.js';
import { askedDelayMs, atMost, type Clock, type Duration, sleep, stopwatch, toMs } from '../core/time.js';
import type { ErrorRules } from '../core/wire-error.js';
import type {
  ClaimedEffect,
  ClaimedHandler,
  EffectClaim,
  EffectClaims,
  EffectGroup,
  EffectSettlements,
  EffectStorage,
  OnCompletion,
  Settled,
  Settlement,
} from './entries.js';
import {
  type CallEnd,
  type CarriedBy,
  EffectCaller,
  type EffectHandlers,
  type EffectListeners,
  errorClassOf,
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
  /** For code that makes calls by itself. */
  readonly entries: EffectEntries;
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
    this.entries = new EffectEntries({ claims, settlements, caller, settler, held: this.held, nodeId: options.nodeId });
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
    await this.told(claimed, settlement, settled);
  }

  async told(claimed: ClaimedEffect, settlement: Settlement, settled: Settled): Promise<void> {
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

  onCompletionOf({ operation }: ClaimedEffect): OnCompletion | undefined {
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

/** A claimed call. Whoever holds it makes the call, and marks what came of it. */
export interface EffectAttempt extends EffectGroup {
  /** The idempotency key of every attempt. */
  readonly entryId: string;
  readonly handler: string;
  /** @throws UnreadablePayloadError; then the attempt has failed. */
  readonly ref: unknown;
  /** @throws UnreadablePayloadError; then the attempt has failed. */
  readonly payload: unknown;
  /** From 1; the claim has counted it. */
  readonly attempt: number;
  /** All attempts are used up, and the process of the last one died: abandon it without a call. */
  readonly exhausted: boolean;
  /** The class of the error of the attempt before. */
  readonly lastError: string | null;
}

export interface ClaimBatch {
  /** Calls of other handlers are left alone. They need not be declared in this process. */
  handlers: readonly string[];
  /** The most calls. Default 50. */
  limit?: number;
  /** After this time others may claim the calls, unless it was extended. Default `'5m'`. */
  lease?: Duration;
  /** After how many attempts a call is exhausted. Default 8. */
  attempts?: number;
}

const CLAIM_BATCH = { handlers: true, limit: true, lease: true, attempts: true } satisfies KnownOptions<ClaimBatch>;

interface EntriesParts extends Pick<LivesParts, 'caller' | 'settler'> {
  claims: EffectClaims;
  settlements: EffectSettlements;
  held: Held;
  nodeId: string;
}

/**
 * The entries of calls, for code that makes them by itself: a cron job, a program with a loop of its own. Such code is
 * one runner among the others. What is marked by a claim that others have taken over is not written: `'lost'`.
 *
 * @example
 * for (const entry of await runner.entries.claimBatch({ handlers: ['stripe'] })) {
 *   try {
 *     if (entry.exhausted) throw new Error('its processes have died');
 *     await stripe.delete(entry.ref, { idempotencyKey: entry.entryId });
 *     await runner.entries.markSucceeded(entry);
 *   } catch (error) {
 *     if (entry.attempt >= 8) await runner.entries.markAbandoned(entry, { error });
 *     else await runner.entries.markFailed(entry, { error, retryIn: backoffMs(entry.attempt, '30s') });
 *   }
 * }
 */
export class EffectEntries {
  private readonly claimed = new WeakMap<EffectAttempt, ClaimedEffect>();

  constructor(private readonly parts: EntriesParts) {}

  /**
   * Claims calls that are due, oldest first: pending ones, failed and scheduled ones whose time has come, and those whose
   * lease has expired. None of handlers that are held, and none once this process ends or is drained.
   *
   * @throws InvalidArgumentError, DatabaseError
   */
  async claimBatch(options: ClaimBatch): Promise<EffectAttempt[]> {
    const { handlers, limit = 50, lease = '5m', attempts = 8 } = checkedOptions(options, CLAIM_BATCH, 'claimBatch');
    if (!Array.isArray(handlers) || !handlers.every((name) => typeof name === 'string'))
      throw new InvalidArgumentError('handlers', handlers, 'a list of the names of handlers');
    checkWhole(limit, 'limit');
    checkWhole(attempts, 'attempts');
    const policy = { leaseMs: leaseOf(lease), attempts };
    const { claims, held, nodeId } = this.parts;
    await held.look();
    if (held.isEnding) return [];
    const free = handlers.filter((name: string) => !held.isHeld('effect', name));
    const named = free.map((name: string) => claimedHandler({ name, policy }));
    const claimed = await claims.claim({ nodeId, handlers: named, limit });
    return claimed.map((each) => this.attemptOf(each));
  }

  /** Extends the leases of those of these calls that are not marked or released. Returns those still held. @throws DatabaseError */
  async extend(attempts: readonly EffectAttempt[], lease: Duration = '5m'): Promise<EffectAttempt[]> {
    const leaseMs = leaseOf(lease);
    const claims = attempts.flatMap((attempt) => this.claimed.get(attempt)?.claim ?? []);
    const renewals = claims.map((claim) => ({ ...claim, leaseMs }));
    const held = new Set((await this.parts.claims.extend(renewals)).map(({ entryId }) => entryId));
    return attempts.filter(({ entryId }) => held.has(entryId));
  }

  /**
   * Gives calls back that were not made: due at once, the attempt not counted. Exhausted ones stay claimed, since they
   * must not be made. @throws InvalidArgumentError for what was released or marked before; DatabaseError
   */
  async release(attempts: readonly EffectAttempt[]): Promise<void> {
    const unmade = attempts.filter(({ exhausted }) => !exhausted);
    const claimed = unmade.map((attempt) => [attempt, this.claimOf(attempt)] as const);
    // Twice would take two attempts off.
    for (const attempt of unmade) this.claimed.delete(attempt);
    try {
      await this.parts.claims.release(
        claimed.map(([, { claim }]) => claim),
        true,
      );
    } catch (error) {
      for (const [attempt, each] of claimed) this.claimed.set(attempt, each);
      throw error;
    }
  }

  /**
   * The call was made, or was not needed any more (`alreadyAbsent`). Listeners of the completion of its operation are
   * called in the transaction that writes it.
   *
   * @throws DatabaseError, or what a listener has thrown: nothing is written then, and the claim holds.
   */
  async markSucceeded(attempt: EffectAttempt, { alreadyAbsent = false } = {}): Promise<Settled> {
    return this.settle(attempt, () => ({ status: 'succeeded', alreadyAbsent }));
  }

  /** It is due again in `retryIn`, or at `nextAttemptAt`. @throws InvalidArgumentError, DatabaseError */
  async markFailed(
    attempt: EffectAttempt,
    next: { error: unknown } & ({ retryIn: Duration } | { nextAttemptAt: Date }),
  ): Promise<Settled> {
    const { caller } = this.parts;
    const [delay, what] = 'retryIn' in next ? [next.retryIn, 'retryIn'] : [next.nextAttemptAt, 'nextAttemptAt'];
    const delayMs = askedDelayMs(delay, undefined, what);
    return this.settle(attempt, (claimed) => ({ status: 'failed', ...caller.failureOf(claimed, next.error), delayMs }));
  }

  /** It is not made again until a person requeues it. Listeners are told. @throws DatabaseError */
  async markAbandoned(attempt: EffectAttempt, { error }: { error: unknown }): Promise<Settled> {
    const { caller } = this.parts;
    return this.settle(attempt, (claimed) => ({ status: 'abandoned', ...caller.failureOf(claimed, error) }));
  }

  private async settle(attempt: EffectAttempt, settlementOf: (claimed: ClaimedEffect) => Settlement): Promise<Settled> {
    const { settlements, settler } = this.parts;
    const claimed = this.claimOf(attempt);
    const settlement = settlementOf(claimed);
    const settled = await settlements.settle(claimed, settlement, settler.onCompletionOf(claimed));
    this.claimed.delete(attempt);
    await settler.told(claimed, settlement, settled);
    return settled;
  }

  private attemptOf(claimed: ClaimedEffect): EffectAttempt {
    const { caller } = this.parts;
    const { claim, operation, subject, handler, attempt, exhausted, lastError, ref, payload } = claimed;
    const made: EffectAttempt = {
      entryId: claim.entryId,
      operation,
      subject,
      handler,
      attempt,
      exhausted,
      lastError,
      get ref() {
        return caller.read(claimed, ref, 'ref');
      },
      get payload() {
        return payload === null ? undefined : caller.read(claimed, payload, 'payload');
      },
    };
    this.claimed.set(made, claimed);
    return made;
  }

  private claimOf(attempt: EffectAttempt): ClaimedEffect {
    const claimed = this.claimed.get(attempt);
    if (!claimed)
      throw new InvalidArgumentError(
        'attempt',
        attempt,
        'one that claimBatch() has returned, and that was not released or marked',
      );
    return claimed;
  }
}

function leaseOf(lease: Duration): number {
  checkDuration(lease, 'lease');
  return toMs(lease, 'lease');
}
