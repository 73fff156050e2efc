import { LeaseKeeper, untilBack } from '../core/leasing.js';
import { Batcher, PollLoop } from '../core/loops.js';
import type { StepAnswer } from '../core/protocol.js';
import type { Telemetry } from '../core/telemetry.js';
import { atMost, backoffMs, type Clock } from '../core/time.js';
import type { AnswerCursor, TaskDispatcher } from '../engine/tasks.js';
import type { AnswerLeases, Claim, LeasedAnswer } from './task-source.js';

interface ResultDeliveryOptions {
  collectorId: string;
  leaseMs: number;
  pollMs: number;
  /** The maximum number of concurrent callbacks. */
  concurrency: number;
  shutdownTimeoutMs: number;
  clock: Clock;
  telemetry: Telemetry;
  /** Whether other processes send notifications of new answers, so that polling may be slow. */
  live: () => boolean;
  /** Called when answers were released that other processes may want. */
  onReleased: () => void;
}

const PAGE = 500;
/** An answer that this instance declined is not offered to it again for this time. */
const DECLINED_MS = 10_000;
const RETRY = { delay: '100ms', factor: 2, maxDelay: '30s', jitter: 'full' } as const;

/**
 * Leases answers, passes each to a callback, and deletes it once the callback has resolved. An answer whose callback
 * fails is offered again, here or elsewhere; one declined with `false` is left to others. Callbacks run independently.
 */
export class ResultDelivery {
  private readonly loop: PollLoop;
  private readonly keeper: LeaseKeeper<Claim>;
  private readonly settled: Batcher<Claim, void>;
  private readonly released: Batcher<Claim, void>;
  private readonly running = new Map<string, Promise<void>>();
  /** Answers that must not be offered before `until`, by the given clock. */
  private readonly deferred = new Map<string, { until: number; failures: number }>();
  private readonly wanted = new Set<string>();
  private readonly stopped = new AbortController();
  private cursor: AnswerCursor | undefined;
  /** Whether the last read returned a full page. */
  private hasMore = false;
  private unsubscribe = (): void => {};

  constructor(
    private readonly dispatcher: Pick<TaskDispatcher, 'peek' | 'onAnswers'>,
    private readonly leases: AnswerLeases,
    private readonly deliver: (answer: StepAnswer) => Promise<unknown>,
    private readonly options: ResultDeliveryOptions,
  ) {
    const { clock, pollMs, live } = options;
    const failed = (loop: string) => (error: unknown) => options.telemetry.emit('loop.error', { loop, error });
    this.keeper = new LeaseKeeper({
      keyOf: ({ stepId }) => stepId,
      extend: async (held) => (await leases.extend(held.map(({ claim }) => claim))).map((claim) => ({ claim })),
      onError: failed('results.extend'),
      clock,
    });
    this.settled = new Batcher(async (claims) => this.each(claims, leases.settle(claims)));
    this.released = new Batcher(async (claims) => this.each(claims, leases.release(claims)));
    this.loop = new PollLoop(() => this.tick(), {
      maxMs: pollMs,
      live,
      onError: failed('results.collect'),
    });
  }

  start(): void {
    this.unsubscribe = this.dispatcher.onAnswers((answers) => this.arrived(answers));
    this.loop.start();
  }

  /** Offers no more answers and waits for running callbacks; those that exceed the timeout lose their leases. */
  async stop(): Promise<void> {
    this.unsubscribe();
    await this.loop.stop();
    await atMost(this.options.shutdownTimeoutMs, Promise.allSettled(this.running.values()));
    this.stopped.abort();
    await this.settled.idle();
    await this.released.idle();
    await this.keeper.stop();
  }

  private arrived(answers: readonly StepAnswer[] | undefined): void {
    if (!answers) this.cursor = undefined;
    for (const { stepId } of answers ?? []) this.want(stepId);
    this.loop.wake();
  }

  private want(stepId: string): void {
    const deferred = this.deferred.get(stepId);
    if (this.running.has(stepId) || (deferred && deferred.until > this.options.clock.now())) return;
    this.wanted.add(stepId);
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    const free = this.options.concurrency - this.running.size;
    if (free <= 0) return 'idle';
    if (this.wanted.size < free) await this.look();
    const stepIds = [...this.wanted].slice(0, free);
    if (stepIds.length === 0) return this.hasMore ? 'busy' : 'idle';
    for (const stepId of stepIds) this.wanted.delete(stepId);
    const { collectorId, leaseMs } = this.options;
    const askedAt = this.keeper.now();
    const leased = await this.leases.lease(stepIds, collectorId, leaseMs);
    if (this.keeper.isOver(askedAt, leaseMs)) await this.leases.release(leased.map(({ claim }) => claim));
    else for (const answer of leased) this.begin(answer, askedAt);
    return this.wanted.size > 0 || this.hasMore ? 'busy' : 'active';
  }

  private async look(): Promise<void> {
    const { cursor: from } = this;
    const { answers, cursor } = await this.dispatcher.peek(PAGE, from);
    // A notification may have reset the cursor meanwhile to read from the start.
    if (this.cursor === from) this.cursor = cursor;
    this.hasMore = answers.length === PAGE;
    for (const { stepId } of answers) this.want(stepId);
    const now = this.options.clock.now();
    for (const [stepId, { until }] of this.deferred) if (until < now - DECLINED_MS) this.deferred.delete(stepId);
  }

  private begin(answer: LeasedAnswer, askedAt: number): void {
    const offering = this.offer(answer, askedAt).finally(() => {
      this.running.delete(answer.stepId);
      if (this.wanted.size > 0 || this.hasMore) this.loop.wake();
    });
    this.running.set(answer.stepId, offering);
  }

  private async offer({ claim: leased, ...answer }: LeasedAnswer, askedAt: number): Promise<void> {
    const lease = this.keeper.keep(leased, this.options.leaseMs, askedAt, () => {});
    const verdict = await this.deliver(answer).then(
      (mine) => (mine === false ? 'declined' : 'done'),
      (error: unknown) => {
        this.options.telemetry.emit('loop.error', { loop: 'results.callback', error });
        return 'failed';
      },
    );
    const claim = await this.keeper.settle(lease);
    if (!claim || this.stopped.signal.aborted) return;
    if (verdict === 'done') return this.persist(() => this.settled.add(claim));
    this.defer(answer.stepId, verdict === 'failed');
    await this.persist(() => this.released.add(claim));
    this.options.onReleased();
  }

  private defer(stepId: string, failed: boolean): void {
    const failures = failed ? (this.deferred.get(stepId)?.failures ?? 0) + 1 : 0;
    const waitMs = failed ? backoffMs(failures, RETRY) : DECLINED_MS;
    this.deferred.set(stepId, { until: this.options.clock.now() + waitMs, failures });
  }

  /** Waits while the database is unavailable: without the write, the callback would be called again. */
  private persist(write: () => Promise<void>): Promise<void> {
    const { signal: stopped } = this.stopped;
    const onFailure = (error: unknown) => this.options.telemetry.emit('loop.error', { loop: 'results.settle', error });
    const patience = { stopped, passes: () => true, onFailure, retry: { ...RETRY, maxDelay: '5s' } } as const;
    return untilBack(async () => (stopped.aborted ? undefined : write()), patience).catch(onFailure);
  }

  private async each(claims: readonly Claim[], writing: Promise<void>): Promise<void[]> {
    await writing;
    return claims.map(() => undefined);
  }
}
