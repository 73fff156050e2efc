import { DatabaseError, UndeliverableSignalError } from '../../errors/database-errors.js';
import { mayPass, untilBack } from '../../leasing/until-back.js';
import { backoffMs } from '../../time/backoff.js';
import { Batcher } from '../../time/batcher.js';
import { type Loops, PollLoop } from '../../time/poll-loop.js';
import { sleep } from '../../time/sleep.js';
import type { BackgroundService } from '../model/background-service.js';
import type { Answering, Delivery, Mailbox } from '../model/mailbox.js';
import type { AnswerWriter } from '../model/task-dispatcher.js';
import { type Clock, stopwatch } from '../../time/clock.js';

const BETWEEN_TRIES = { delay: '1s', factor: 2, maxDelay: '1m', jitter: 'none' } as const;

/** Channels whose deliveries the database refuses, and when each is retried. */
export class RefusedChannels {
  private readonly byChannel = new Map<string, { refusals: number; dueAt: number }>();
  private readonly refused = new Set<string>();

  constructor(private readonly clock: Clock = stopwatch) {}

  get all(): ReadonlySet<string> {
    return this.refused;
  }

  add(channel: string): void {
    const refusals = (this.byChannel.get(channel)?.refusals ?? 0) + 1;
    // Moved to the end, so that due channels take turns.
    this.byChannel.delete(channel);
    this.byChannel.set(channel, { refusals, dueAt: this.clock.now() + backoffMs(refusals, BETWEEN_TRIES) });
    this.refused.add(channel);
  }

  delete(channel: string): void {
    this.byChannel.delete(channel);
    this.refused.delete(channel);
  }

  hasAny(channels: readonly string[]): boolean {
    return channels.some((channel) => this.refused.has(channel));
  }

  /** The channels to retry now, at most `most`. */
  due(most: number): string[] {
    const now = this.clock.now();
    const due: string[] = [];
    for (const [channel, { dueAt }] of this.byChannel) {
      if (due.length === most) break;
      if (dueAt <= now) due.push(channel);
    }
    return due;
  }
}

type Verdict = 'expired' | 'answered' | 'stopped';

export interface SignalExchangeOptions {
  /** Whether notifications currently arrive. */
  notified: () => boolean;
  /** The longest interval between two polls for signals while no notifications arrive. */
  pollMs: number;
  onError: (error: unknown) => void;
}

/** The poll interval while notifications arrive. */
const BACKSTOP_MS = 5_000;
/** The wait while another process is filing the signals. */
const ELSEWHERE_MS = 20;
const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** For deliveries whose values the database refuses. */
const RARELY = { delay: '1s', factor: 2, maxDelay: '1m', jitter: 'full' } as const;
/** The most refused channels that one tick retries. */
const RETRIED_AT_ONCE = 20;
const REFUSED_CHECK_MS = 250;

/** Delivers signals to the steps that wait for them. */
export class SignalExchange implements BackgroundService {
  private readonly opening: Batcher<readonly string[], 'looked' | 'stopped'>;
  private readonly expiring: Batcher<string, Verdict>;
  private readonly refused = new RefusedChannels();
  private readonly loop: PollLoop;
  private readonly stopped = new AbortController();
  private unsubscribe = (): void => {};

  constructor(
    private readonly mailbox: Mailbox,
    private readonly answers: AnswerWriter,
    private readonly options: SignalExchangeOptions,
  ) {
    const { notified, pollMs, onError } = options;
    const isolates = () => !this.stopped.signal.aborted;
    this.opening = new Batcher((opened) => this.deliverTo(opened), { maxItems: 200, isolates });
    this.expiring = new Batcher((stepIds) => this.expireAll(stepIds), { maxItems: 200, isolates });
    const maxMs = () => (notified() ? BACKSTOP_MS : pollMs);
    this.loop = new PollLoop(() => this.tick(), { maxMs, live: notified, onError });
  }

  get loops(): Loops {
    return { signals: this.loop };
  }

  start(): void {
    this.unsubscribe = this.mailbox.onSignals((offered) => (offered ? this.offer(offered) : this.loop.wake()));
    this.loop.start();
  }

  /** Waits opened after it are still processed, but without waiting for an unavailable database. */
  async stop(): Promise<void> {
    this.unsubscribe();
    this.stopped.abort();
    await this.loop.stop();
    await Promise.all([this.opening.idle(), this.expiring.idle()]);
  }

  /**
   * Call it after a wait on these channels was recorded. Delivers existing signals, once the database accepts that;
   * until then the run must stay in memory, so that its next owner calls this again. `stopped`: not done, because this
   * process stops or `gone` aborted.
   */
  async opened(channels: readonly string[], gone?: AbortSignal): Promise<'looked' | 'stopped'> {
    if ((await this.opening.add(channels)) === 'stopped') return 'stopped';
    if (!this.refused.hasAny(channels)) return 'looked';
    const over = this.overWith(gone);
    while (this.refused.hasAny(channels) && !over.aborted) await sleep(REFUSED_CHECK_MS, over);
    return over.aborted ? 'stopped' : 'looked';
  }

  /**
   * Ends a step's wait at its deadline. `answered`: an answer was written. While the database refuses a signal that
   * came in time, the wait continues: it must not end as if there were no signal. `stopped`: as for {@link opened}.
   */
  async expire(stepId: string, gone?: AbortSignal): Promise<Verdict> {
    for (let refusals = 1; ; refusals++) {
      try {
        return refusals === 1 ? await this.expiring.add(stepId) : (await this.expireAll([stepId]))[0]!;
      } catch (error) {
        if (!(error instanceof DatabaseError && error.aboutData)) throw error;
        const over = this.overWith(gone);
        if (over.aborted) return 'stopped';
        this.options.onError(new UndeliverableSignalError(`A signal for step "${stepId}", past its deadline,`, error));
        await sleep(backoffMs(refusals, RARELY), over);
        if (over.aborted) return 'stopped';
      }
    }
  }

  private overWith(gone: AbortSignal | undefined): AbortSignal {
    return gone ? AbortSignal.any([this.stopped.signal, gone]) : this.stopped.signal;
  }

  /** Delivers signals that were released on these channels to other waits. */
  private offer(channels: readonly string[]): void {
    this.opening.add(channels).catch(this.options.onError);
  }

  private async tick(): Promise<'busy' | 'active' | 'idle'> {
    const delivery = await this.mailbox.deliver(this.answering, undefined, this.refused.all);
    const { left, answers } = this.heard(delivery);
    await this.retryRefused();
    if (left === 'elsewhere') await sleep(ELSEWHERE_MS, this.stopped.signal);
    if (left !== 'done') return 'busy';
    return answers.length > 0 ? 'active' : 'idle';
  }

  /** Each channel alone, so that a channel that is refused again does not block others. */
  private async retryRefused(): Promise<void> {
    for (const channel of this.refused.due(RETRIED_AT_ONCE)) {
      if (this.stopped.signal.aborted) return;
      this.heard(await this.mailbox.deliver(this.answering, [channel]), [channel]);
    }
  }

  /** Stores which channels were refused, and removes the other channels of `looked`. */
  private heard(delivery: Delivery, looked: readonly string[] = []): Delivery {
    const { refused } = delivery;
    const again = new Set(refused.map(({ channel }) => channel));
    for (const channel of looked) if (!again.has(channel)) this.refused.delete(channel);
    for (const { channel, error } of refused) {
      this.refused.add(channel);
      this.options.onError(error);
    }
    return delivery;
  }

  private async deliverTo(opened: readonly (readonly string[])[]): Promise<('looked' | 'stopped')[]> {
    const channels = [...new Set(opened.flat())];
    const delivery = await this.insistently(() => this.mailbox.deliver(this.answering, channels));
    if (delivery) this.heard(delivery, channels);
    return opened.map(() => (delivery ? 'looked' : 'stopped'));
  }

  private async expireAll(stepIds: readonly string[]): Promise<Verdict[]> {
    const done = await this.insistently(() => this.mailbox.expire(stepIds, this.answering));
    if (!done) return stepIds.map(() => 'stopped');
    const over = new Set(done.expired);
    return stepIds.map((stepId) => (over.has(stepId) ? 'expired' : 'answered'));
  }

  private readonly answering: Answering = (answers, tx) => this.answers.answer(answers, tx);

  /** Retries while the database is unavailable; returns undefined if this process stops before it succeeds. */
  private async insistently<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const { onError: onFailure } = this.options;
      return await untilBack(ask, { stopped: this.stopped.signal, passes: mayPass, onFailure, retry: RETRY });
    } catch (error) {
      // A temporary error is only thrown when this process stops.
      if (mayPass(error)) return undefined;
      throw error;
    }
  }
}
