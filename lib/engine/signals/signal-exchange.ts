import { DatabaseError, UndeliverableSignalError } from '../../errors.js';
import { mayPass, untilBack } from '../../leasing/until-back.js';
import { backoffMs } from '../../time/backoff.js';
import { Batcher } from '../../time/batcher.js';
import { PollLoop } from '../../time/poll-loop.js';
import { sleep } from '../../time/sleep.js';
import type { BackgroundService } from '../model/background-service.js';
import type { Answering, Delivery, Mailbox } from '../model/mailbox.js';
import { RefusedChannels } from './refused-channels.js';
import type { AnswerWriter } from '../model/task-dispatcher.js';

type Verdict = 'expired' | 'answered' | 'stopped';

export interface SignalExchangeOptions {
  /** Whether notifications arrive just now. */
  notified: () => boolean;
  /** How often signals are looked for at the least where no notifications arrive. */
  pollMs: number;
  onError: (error: unknown) => void;
}

/** Behind notifications. */
const BACKSTOP_MS = 5_000;
/** Another process is filing what there is. */
const ELSEWHERE_MS = 20;
const RETRY = { delay: 20, factor: 2, maxDelay: '2s', jitter: 'full' } as const;
/** What the database refuses for its values. */
const RARELY = { delay: '1s', factor: 2, maxDelay: '1m', jitter: 'full' } as const;
/** The most refused channels that one tick tries again. */
const RETRIED_AT_ONCE = 20;
const REFUSED_CHECK_MS = 250;

/** Brings signals to the steps that wait for them. */
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

  start(): void {
    this.unsubscribe = this.mailbox.onSignals((offered) => (offered ? this.offer(offered) : this.loop.wake()));
    this.loop.start();
  }

  /** What is opened after it is still delivered to, but a database that is away is not waited for. */
  async stop(): Promise<void> {
    this.unsubscribe();
    this.stopped.abort();
    await this.loop.stop();
    await Promise.all([this.opening.idle(), this.expiring.idle()]);
  }

  /**
   * A wait on these channels has been recorded: gives it what is there already, once the database takes that. Until then
   * its run must stay in memory, so that whoever takes it over asks again. `stopped`: that has not been done, since this
   * process ends or `gone` aborted.
   */
  async opened(channels: readonly string[], gone?: AbortSignal): Promise<'looked' | 'stopped'> {
    if ((await this.opening.add(channels)) === 'stopped') return 'stopped';
    if (!this.refused.hasAny(channels)) return 'looked';
    const over = this.overWith(gone);
    while (this.refused.hasAny(channels) && !over.aborted) await sleep(REFUSED_CHECK_MS, over);
    return over.aborted ? 'stopped' : 'looked';
  }

  /**
   * The time of a step's wait is over. `answered`: the answer to it is on its way. While the database refuses a signal
   * that came in time, the wait stays as it is: it must not end as if nothing had come. `stopped`: as for {@link opened}.
   */
  async expire(stepId: string, gone?: AbortSignal): Promise<Verdict> {
    for (let refusals = 1; ; refusals++) {
      try {
        return refusals === 1 ? await this.expiring.add(stepId) : (await this.expireAll([stepId]))[0]!;
      } catch (error) {
        if (!(error instanceof DatabaseError && error.aboutData)) throw error;
        const over = this.overWith(gone);
        if (over.aborted) return 'stopped';
        this.options.onError(new UndeliverableSignalError(`A signal for step "${stepId}", whose time is over,`, error));
        await sleep(backoffMs(refusals, RARELY), over);
        if (over.aborted) return 'stopped';
      }
    }
  }

  private overWith(gone: AbortSignal | undefined): AbortSignal {
    return gone ? AbortSignal.any([this.stopped.signal, gone]) : this.stopped.signal;
  }

  /** Signals on these channels were released: others may be waiting for them. */
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

  /** Each by itself: what is refused again holds up no other. */
  private async retryRefused(): Promise<void> {
    for (const channel of this.refused.due(RETRIED_AT_ONCE)) {
      if (this.stopped.signal.aborted) return;
      this.heard(await this.mailbox.deliver(this.answering, [channel]), [channel]);
    }
  }

  /** Remembers which channels were refused, and that of `looked` the others were not. */
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

  /** Undefined when the database is still away as this process ends. */
  private async insistently<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const { onError: onFailure } = this.options;
      return await untilBack(ask, { stopped: this.stopped.signal, passes: mayPass, onFailure, retry: RETRY });
    } catch (error) {
      // What passes is only thrown once this process ends.
      if (mayPass(error)) return undefined;
      throw error;
    }
  }
}
